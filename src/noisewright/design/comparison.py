"""Compare mechanisms by their error, bits and budget, on one domain for several ε.

Protocols for labels are compared by their variance and the length of their reports instead.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from noisewright.domains import Circle, FiniteDomain, Interval, NumericDomain
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.mechanisms import FrequencyOracle, NumericMechanism
from noisewright.mechanisms.basics.losses import Loss, power
from noisewright.mechanisms.catalogue import DEFAULT_DELTA, applicable, build, check_fit, reference
from noisewright.mechanisms.categorical.choice import AS_GOOD, best_oracle, oracle
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.parameters import DELTA
from noisewright.progress import Status
from noisewright.report import Report, Reportable
from noisewright.text import epsilon_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Entry:
    """One mechanism at one ε. Errors are expected losses.

    Attributes:
        mechanism: The mechanism.
        worst: Its error at the worst true value.
        average: Its error over all true values, equally weighted.
        ratio: ``worst`` divided by that of OGPM at the same ε.
        best: Whether no other has a smaller worst error with as strong a promise.
        unbiased: Whether the expected report is the true value.
        worst_flat: The worst error measured as if a circle ended, where that was published.
        average_flat: The average error measured in the same way.
    """

    mechanism: NumericMechanism
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
        """Bits that identify one report among all possible ones."""
        return math.log2(self.mechanism.possible_reports)

    @property
    def spent(self) -> float:
        """The share of ε that the sampler's integers really spend."""
        return self.mechanism.epsilon_upper / self.mechanism.epsilon

    def to_dict(self) -> dict[str, Any]:
        """Return the entry in strict JSON values."""
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
class Comparison(Reportable):
    """Mechanisms for numbers side by side.

    Attributes:
        domain: Where the true values live.
        loss: What errors are measured by.
        epsilons: The budgets.
        entries: All mechanisms, by ε and then by worst error.
        absent: Mechanisms that could not take part, and why.
    """

    domain: NumericDomain
    loss: Loss
    epsilons: tuple[float, ...]
    entries: tuple[Entry, ...]
    absent: tuple[str, ...]

    def at(self, epsilon: float) -> list[Entry]:
        """Return the entries of one ε, the smallest worst error first."""
        return [entry for entry in self.entries if entry.mechanism.epsilon == epsilon]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison in strict JSON values."""
        return {
            "domain": self.domain.to_dict(),
            "loss": self.loss,
            "reference": reference(self.domain).__name__,
            "epsilons": list(self.epsilons),
            "entries": [entry.to_dict() for entry in self.entries],
            "absent": list(self.absent),
        }

    def plot(self) -> Figure:
        """Draw the error over the domain, one panel for each ε; return the matplotlib figure."""
        from noisewright.design.plots import over_domain  # noqa: PLC0415  (charts need this module)

        return over_domain(self)

    def report(self) -> Report:
        """Describe the comparison as a document."""
        from noisewright.design.compare_report import comparison_report  # noqa: PLC0415  (it needs this module)

        return comparison_report(self)


def compare(
    domain: NumericDomain,
    epsilons: Iterable[float],
    loss: Loss = "absolute",
    kinds: Sequence[type[NumericMechanism]] | None = None,
    delta: float = DEFAULT_DELTA,
    progress: Status = lambda _: None,
) -> Comparison:
    """Measure every mechanism of a domain, or the given ones.

    Args:
        domain: Where the true values live.
        epsilons: The budgets to compare at.
        loss: "absolute", "squared" or the power of |report − truth|.
        kinds: Classes of mechanisms; by default all that fit the domain.
        delta: δ of Gaussian mechanisms.
        progress: Called with the mechanism that is being measured.

    >>> from noisewright.mechanisms import OGPM, PM
    >>> found = compare(Interval(0, 1), [1.0], kinds=[OGPM, PM])
    >>> [(type(entry.mechanism).__name__, round(entry.worst, 3)) for entry in found.entries]
    [('OGPM', 0.378), ('PM', 0.96)]
    """
    power(loss)  # refuses an invalid loss before anything is built
    DELTA.check(delta)
    for kind in kinds or []:  # a mechanism asked for by name is refused, not left out
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
        entries += _rank(found)
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
        unbiased=mechanism.is_unbiased,
        worst_flat=flat.worst_error(loss) if flat else None,
        average_flat=flat.average_error(loss) if flat else None,
    )


def _flat_twin(mechanism: NumericMechanism) -> NumericMechanism | None:
    """Return the same channel on the interval, for a mechanism that cuts the circle open."""
    cut_open = isinstance(mechanism, WindowMechanism) and not mechanism.window.circular
    if not (cut_open and isinstance(mechanism.domain, Circle)):
        return None
    line = Interval(0.0, mechanism.domain.period, cells=mechanism.domain.cells)
    return type(mechanism)(line, mechanism.epsilon)


def _rank(found: list[Entry]) -> list[Entry]:
    """Return entries by worst error; the best are the first with the strongest promise."""
    ranked = sorted(found, key=lambda entry: entry.worst)
    contest = [entry for entry in ranked if entry.pure] or ranked
    least = min((entry.worst for entry in contest), default=0.0)
    return [replace(entry, best=entry in contest and entry.worst <= least * (1 + 1e-6)) for entry in ranked]


@dataclass(frozen=True)
class OracleEntry:
    """One protocol at one ε; ``ratio`` is variance over the least one, ``chosen`` whether auto takes it."""

    mechanism: FrequencyOracle
    variance: float
    ratio: float
    chosen: bool

    @property
    def name(self) -> str:
        """The name of the protocol."""
        return type(self.mechanism).__name__

    @property
    def bits(self) -> float:
        """The bits of a report."""
        return self.mechanism.report_bits

    @property
    def spent(self) -> float:
        """The share of ε that the sampler's integers really spend."""
        return self.mechanism.epsilon_upper / self.mechanism.epsilon

    def standard_error(self, people: int) -> float:
        """Return the standard error of a label's share if all labels are equally frequent."""
        return math.sqrt(self.variance / people)

    def to_dict(self) -> dict[str, Any]:
        """Return the entry in strict JSON values."""
        return {
            "protocol": self.name,
            "title": type(self.mechanism).title,
            "epsilon": self.mechanism.epsilon,
            "variance": self.variance,
            "ratio": self.ratio,
            "chosen": self.chosen,
            "bits_per_report": self.bits,
            "epsilon_upper": self.mechanism.epsilon_upper,
        }


@dataclass(frozen=True)
class OracleComparison(Reportable):
    """Protocols for labels side by side.

    Attributes:
        domain: The labels.
        epsilons: The budgets.
        entries: All protocols, by ε and then by variance.
        reasons: For each ε, why the chosen one was chosen.
    """

    domain: FiniteDomain
    epsilons: tuple[float, ...]
    entries: tuple[OracleEntry, ...]
    reasons: tuple[str, ...]

    def at(self, epsilon: float) -> list[OracleEntry]:
        """Return the entries of one ε, the least variance first."""
        return [entry for entry in self.entries if entry.mechanism.epsilon == epsilon]

    def sentences(self) -> list[str]:
        """Return what a reader must know."""
        chosen = zip(self.epsilons, self.reasons, strict=True)
        return [
            "Variance is what one report contributes to the share of a label, if all labels are equally "
            "frequent: with n reports the share has a standard error of √(variance/n).",
            f"★ marks what --protocol auto takes: within {100 * (AS_GOOD - 1):.0f} % of the least variance, "
            "the shortest report.",
            *(f"ε = {epsilon_words(epsilon)}: {reason}" for epsilon, reason in chosen),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison in strict JSON values."""
        return {
            "labels": len(self.domain),
            "epsilons": list(self.epsilons),
            "reasons": list(self.reasons),
            "entries": [entry.to_dict() for entry in self.entries],
        }

    def plot(self) -> Figure:
        """Draw the variances against the number of labels; return the matplotlib figure."""
        from noisewright.design.plots import by_labels  # noqa: PLC0415  (matplotlib is an extra)

        return by_labels(self)

    def report(self) -> Report:
        """Describe the comparison as a document."""
        from noisewright.design.compare_report import oracles_report  # noqa: PLC0415  (it needs this module)

        return oracles_report(self)


def compare_oracles(
    domain: FiniteDomain, epsilons: Iterable[float], names: Sequence[str] = ()
) -> OracleComparison:
    """Compare every protocol for a list of labels, or the named ones.

    Args:
        domain: The labels.
        epsilons: The budgets to compare at.
        names: Class names of protocols; by default all.

    >>> from noisewright import Categories
    >>> found = compare_oracles(Categories(range(100)), [1.0], ["KRR", "OLH"])
    >>> [(entry.name, round(entry.variance, 1), entry.chosen) for entry in found.entries]
    [('OLH', 3.7, True), ('KRR', 34.7, False)]
    """
    distinct = tuple(dict.fromkeys(float(epsilon) for epsilon in epsilons))
    entries: list[OracleEntry] = []
    reasons: list[str] = []
    for epsilon in distinct:
        best = best_oracle(domain, epsilon)
        made = [oracle(name, domain, epsilon, "mechanism") for name in names]
        made = made or [candidate.mechanism for candidate in best.candidates]
        entries += _rank_oracles(made, best.mechanism)
        reasons.append(best.reason)
    if not entries:
        raise InvalidParameter("give at least one epsilon to compare at")
    return OracleComparison(domain, distinct, tuple(entries), tuple(reasons))


def _rank_oracles(made: Iterable[FrequencyOracle], best: FrequencyOracle) -> list[OracleEntry]:
    distinct = list(dict.fromkeys(type(mechanism) for mechanism in made))
    by_kind = {type(mechanism): mechanism for mechanism in made}
    pairs = sorted(((by_kind[kind].spread(), by_kind[kind]) for kind in distinct), key=lambda pair: pair[0])
    least = pairs[0][0]
    return [OracleEntry(found, spread, spread / least, type(found) is type(best)) for spread, found in pairs]
