"""Mechanisms side by side: what each costs in error, bits and budget, on one domain for several ε."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noisewright.domains import Circle, NumericDomain
from noisewright.guarantees import PureLDP
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.catalogue import reference
from noisewright.mechanisms.facts import bits_per_report
from noisewright.mechanisms.losses import Loss

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Entry:
    """One mechanism at one ε. Errors are expected losses; ``flat`` ones are measured as if a circle ended."""

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
        """How many bits tell one report from all others."""
        return bits_per_report(self.mechanism)

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
