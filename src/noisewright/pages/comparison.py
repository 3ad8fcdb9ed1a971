"""Mechanisms side by side: what each costs in error, bits and budget, on one domain for several ε."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Circle, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.drawing import spread
from noisewright.mechanisms.losses import Loss, power
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.pages.catalogue import DEFAULT_DELTA, applicable, build, reference

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COARSE = 1e-3
"""A bias of one report cell is snapping; but no bias beyond this share of the domain's length is."""


@dataclass(frozen=True)
class Entry:
    """One mechanism at one ε. Errors are expected losses; ``flat`` ones are measured as if a circle ended."""

    mechanism: Mechanism
    worst: float
    average: float
    ratio: float
    best: bool
    unbiased: bool
    worst_flat: float | None = None
    average_flat: float | None = None

    @property
    def pure(self) -> bool:
        """Whether the mechanism promises pure LDP."""
        return isinstance(self.mechanism.guarantee, PureLDP)

    @property
    def bits(self) -> float:
        """How many bits tell one report from all others."""
        return math.log2(self.mechanism.reports.lattice)

    @property
    def spent(self) -> float:
        """The share of ε that the sampler's integers really spend."""
        return self.mechanism.epsilon_upper / self.mechanism.epsilon

    def to_dict(self) -> dict[str, Any]:
        """The entry in strict JSON values."""
        flat = {"worst_error_flat": self.worst_flat, "average_error_flat": self.average_flat}
        return {
            "mechanism": type(self.mechanism).__name__,
            "title": type(self.mechanism).title,
            "epsilon": self.mechanism.epsilon,
            "worst_error": self.worst,
            "average_error": self.average,
            **(flat if isinstance(self.mechanism.domain, Circle) else {}),
            "worst_ratio": self.ratio,
            "best": self.best,
            "unbiased": self.unbiased,
            "bits_per_report": self.bits,
            "epsilon_upper": self.mechanism.epsilon_upper,
            "epsilon_share": self.spent,
            "guarantee": self.mechanism.guarantee.to_dict(),
            "pure": self.pure,
        }


@dataclass(frozen=True)
class Comparison:
    """All entries, by ε and then by worst error, and who could not take part."""

    domain: NumericDomain
    loss: Loss
    epsilons: tuple[float, ...]
    entries: tuple[Entry, ...]
    absent: tuple[str, ...]

    def at(self, epsilon: float) -> list[Entry]:
        """The entries of one ε, the smallest worst error first."""
        return [entry for entry in self.entries if entry.mechanism.epsilon == epsilon]

    def to_dict(self) -> dict[str, Any]:
        """The comparison in strict JSON values."""
        return {
            "domain": self.domain.to_dict(),
            "loss": self.loss,
            "reference": reference(self.domain).__name__,
            "epsilons": list(self.epsilons),
            "entries": [entry.to_dict() for entry in self.entries],
            "absent": list(self.absent),
        }

    def plot(self) -> Figure:
        """Error over the domain, one panel for each ε; returns the matplotlib figure."""
        from noisewright.pages.charts import over_domain  # noqa: PLC0415  (charts need this module)

        return over_domain(self)


def compare(
    domain: NumericDomain,
    epsilons: Iterable[float],
    loss: Loss = "absolute",
    kinds: Sequence[type[Mechanism]] | None = None,
    delta: float = DEFAULT_DELTA,
    progress: Callable[[str], None] = lambda _: None,
) -> Comparison:
    """Measure every mechanism of a domain, or the given ones.

    >>> found = compare(Interval(0, 1), [1.0], kinds=applicable(Interval(0, 1))[3:5])
    >>> [(type(entry.mechanism).__name__, round(entry.worst, 3)) for entry in found.entries]
    [('OGPM', 0.378), ('PM', 0.96)]
    """
    power(loss)  # refuses a loss that has no meaning before anything is built
    entries: list[Entry] = []
    absent: list[str] = []
    distinct = tuple(dict.fromkeys(float(epsilon) for epsilon in epsilons))
    for epsilon in distinct:
        base = build(reference(domain), domain, epsilon).worst_error(loss)
        found = []
        for kind in kinds or applicable(domain):
            progress(f"{kind.title}, ε = {epsilon:g}")
            try:
                found.append(_measure(build(kind, domain, epsilon, delta), loss, base))
            except InvalidParameter as refusal:
                absent.append(f"{kind.title}: {refusal}")
        entries += _ranked(found)
    if not entries:
        raise InvalidParameter(f"nothing is left to compare: {'; '.join(absent)}")
    return Comparison(domain, loss, distinct, tuple(entries), tuple(absent))


def _measure(mechanism: Mechanism, loss: Loss, base: float) -> Entry:
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


def _flat_twin(mechanism: Mechanism) -> Mechanism | None:
    """For a mechanism that cuts the circle open, the same channel on the interval it makes of it."""
    if not isinstance(mechanism.domain, Circle) or not isinstance(mechanism, WindowMechanism):
        return None
    if mechanism.window.circular:
        return None
    line = Interval(0.0, mechanism.domain.period, cells=mechanism.domain.cells)
    return type(mechanism)(line, mechanism.epsilon)


def is_unbiased(mechanism: Mechanism) -> bool:
    """Whether the expected report is the true value, at places all over the domain, but for snapping.

    >>> from noisewright.mechanisms import OGPM, PM
    >>> is_unbiased(PM(Interval(0, 1), 1.0)), is_unbiased(OGPM(Interval(0, 1), 1.0))
    (True, False)
    """
    domain, truth = mechanism.domain, spread(mechanism.domain, 17)
    gap = domain.distance(np.asarray(mechanism.law(truth).mean()), truth)
    snapping = max(domain.pitch, min(mechanism.reports.pitch, COARSE * domain.length))
    return bool(gap.max() <= snapping)


def _ranked(found: list[Entry]) -> list[Entry]:
    """The smallest worst error first; the best are the first ones with as strong a promise as any."""
    ranked = sorted(found, key=lambda entry: entry.worst)
    contest = [entry for entry in ranked if entry.pure] or ranked
    least = min((entry.worst for entry in contest), default=0.0)
    return [replace(entry, best=entry in contest and entry.worst <= least * (1 + 1e-6)) for entry in ranked]
