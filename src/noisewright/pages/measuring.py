"""Measuring mechanisms for a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from noisewright.domains import Circle, Interval, NumericDomain
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.guarantees.words import epsilon_words
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.catalogue import DEFAULT_DELTA, applicable, build, check_fit, reference
from noisewright.mechanisms.facts import is_unbiased
from noisewright.mechanisms.losses import Loss, power
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.pages.comparison import Comparison, Entry
from noisewright.parameters import DELTA


def compare(
    domain: NumericDomain,
    epsilons: Iterable[float],
    loss: Loss = "absolute",
    kinds: Sequence[type[NumericMechanism]] | None = None,
    delta: float = DEFAULT_DELTA,
    progress: Callable[[str], None] = lambda _: None,
) -> Comparison:
    """Measure every mechanism of a domain, or the given ones.

    >>> from noisewright.mechanisms import OGPM, PM
    >>> found = compare(Interval(0, 1), [1.0], kinds=[OGPM, PM])
    >>> [(type(entry.mechanism).__name__, round(entry.worst, 3)) for entry in found.entries]
    [('OGPM', 0.378), ('PM', 0.96)]
    """
    power(loss)  # refuses what has no meaning before anything is built
    DELTA.check(delta)
    for kind in kinds or []:  # who names a mechanism wants to see it: it is refused, not left out
        check_fit(kind, domain)
    entries: list[Entry] = []
    absent: list[str] = []
    distinct = tuple(dict.fromkeys(float(epsilon) for epsilon in epsilons))
    wanted = list(dict.fromkeys(kinds or applicable(domain)))
    for epsilon in distinct:
        base = build(reference(domain), domain, epsilon).worst_error(loss)
        found = []
        for kind in wanted:
            progress(f"{kind.title}, ε = {epsilon_words(epsilon)}")
            try:
                found.append(_measure(build(kind, domain, epsilon, delta), loss, base))
            except (InvalidParameter, GuaranteeBroken) as refusal:
                absent.append(f"{kind.title}, ε = {epsilon_words(epsilon)}: {refusal}")
        entries += _ranked(found)
    if not entries:
        raise InvalidParameter(f"nothing is left to compare: {'; '.join(absent)}")
    return Comparison(domain, loss, distinct, tuple(entries), tuple(absent))


def _measure(mechanism: NumericMechanism, loss: Loss, base: float) -> Entry:
    worst = mechanism.worst_error(loss)
    flat = _flat_twin(mechanism)
    return Entry(
        mechanism=mechanism,
        worst=worst,
        average=mechanism.average_error(loss),
        ratio=worst / base,
        best=False,
        unbiased=is_unbiased(mechanism),
        worst_flat=flat.worst_error(loss) if flat else None,
        average_flat=flat.average_error(loss) if flat else None,
    )


def _flat_twin(mechanism: NumericMechanism) -> NumericMechanism | None:
    """For a mechanism that cuts the circle open, the same channel on the interval it makes of it."""
    if not isinstance(mechanism.domain, Circle) or not isinstance(mechanism, WindowMechanism):
        return None
    if mechanism.window.circular:
        return None
    line = Interval(0.0, mechanism.domain.period, cells=mechanism.domain.cells)
    return type(mechanism)(line, mechanism.epsilon)


def _ranked(found: list[Entry]) -> list[Entry]:
    """The smallest worst error first; the best are the first ones with as strong a promise as any."""
    ranked = sorted(found, key=lambda entry: entry.worst)
    contest = [entry for entry in ranked if entry.pure] or ranked
    least = min((entry.worst for entry in contest), default=0.0)
    return [replace(entry, best=entry in contest and entry.worst <= least * (1 + 1e-6)) for entry in ranked]
