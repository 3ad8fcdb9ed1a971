"""Protocols for labels side by side: variance, length of reports, and which one to take."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noisewright.domains import FiniteDomain
from noisewright.errors import InvalidParameter
from noisewright.guarantees.words import epsilon_words
from noisewright.mechanisms import FrequencyOracle
from noisewright.mechanisms.categorical.choice import AS_GOOD, best_oracle, oracle

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class OracleEntry:
    """One protocol at one ε; ``ratio`` is its variance by the least one, ``chosen`` what auto would take."""

    mechanism: FrequencyOracle
    variance: float
    ratio: float
    chosen: bool

    @property
    def name(self) -> str:
        """What the protocol is called."""
        return type(self.mechanism).__name__

    @property
    def bits(self) -> float:
        """How many bits a report takes."""
        return self.mechanism.report_bits

    @property
    def spent(self) -> float:
        """The share of ε that the sampler's integers really spend."""
        return self.mechanism.epsilon_upper / self.mechanism.epsilon

    def standard_error(self, people: int) -> float:
        """The standard error of a label's share if all labels are equally frequent."""
        return math.sqrt(self.variance / people)

    def to_dict(self) -> dict[str, Any]:
        """The entry in strict JSON values."""
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
class OracleComparison:
    """All entries, by ε and then by variance, and why the chosen ones were chosen."""

    domain: FiniteDomain
    epsilons: tuple[float, ...]
    entries: tuple[OracleEntry, ...]
    reasons: tuple[str, ...]

    def at(self, epsilon: float) -> list[OracleEntry]:
        """The entries of one ε, the least variance first."""
        return [entry for entry in self.entries if entry.mechanism.epsilon == epsilon]

    def sentences(self) -> list[str]:
        """What a reader must know."""
        chosen = zip(self.epsilons, self.reasons, strict=True)
        return [
            "Variance is that of one report's say on the share of a label, if all labels are equally "
            "frequent: n reports leave the share a standard error of √(variance/n).",
            f"★ marks what --protocol auto takes: within {100 * (AS_GOOD - 1):.0f} % of the least variance, "
            "the shortest report.",
            *(f"ε = {epsilon_words(epsilon)}: {reason}" for epsilon, reason in chosen),
        ]

    def to_dict(self) -> dict[str, Any]:
        """The comparison in strict JSON values."""
        return {
            "labels": len(self.domain),
            "epsilons": list(self.epsilons),
            "reasons": list(self.reasons),
            "entries": [entry.to_dict() for entry in self.entries],
        }

    def plot(self) -> Figure:
        """The variances against the number of labels; returns the matplotlib figure."""
        from noisewright.pages.oracle_charts import by_labels  # noqa: PLC0415  (matplotlib is an extra)

        return by_labels(self)


def compare_oracles(
    domain: FiniteDomain, epsilons: Iterable[float], names: Sequence[str] = ()
) -> OracleComparison:
    """Compare every protocol for a list of labels, or the named ones.

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
        made = [oracle(name, domain, epsilon) for name in names] or [c.mechanism for c in best.candidates]
        entries += _ranked(made, best.mechanism)
        reasons.append(best.reason)
    if not entries:
        raise InvalidParameter("give at least one epsilon to compare at")
    return OracleComparison(domain, distinct, tuple(entries), tuple(reasons))


def _ranked(made: Iterable[FrequencyOracle], best: FrequencyOracle) -> list[OracleEntry]:
    distinct = list(dict.fromkeys(type(mechanism) for mechanism in made))
    by_kind = {type(mechanism): mechanism for mechanism in made}
    pairs = sorted(((by_kind[kind].spread(), by_kind[kind]) for kind in distinct), key=lambda pair: pair[0])
    least = pairs[0][0]
    return [OracleEntry(found, spread, spread / least, type(found) is type(best)) for spread, found in pairs]
