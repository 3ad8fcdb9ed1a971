"""The event that shows it: what it is, how often it came with either input, and a sentence for a court."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from noisewright.audit.bounds.event_bound import EventBounds
from noisewright.audit.claim import Claim
from noisewright.estimate import Estimate
from noisewright.estimate.intervals import exact_chance

EXACT = "share of runs, with an exact binomial interval (Clopper and Pearson 1934)"
INDEPENDENT = "the runs are independent of each other"


@dataclass(frozen=True, eq=False)
class Witness:
    """One event, chosen before the rows it is judged by were seen.

    ``favoured`` names the input under which the event is likelier; ``rate`` and ``other_rate`` are its shares
    under that input and the other. ``chance`` bounds, with all looks paid for, how often an audit would see
    counts this far apart if the claim were true (1 where there is no claim).
    """

    event: str
    favoured: str
    other: str
    rate: Estimate
    other_rate: Estimate
    epsilon_lower: float
    chance: float
    claim: Claim | None
    refutes: bool = False

    @property
    def sentence(self) -> str:
        """What happened, in words that need no statistics."""
        seen = (
            f"With {self.favoured} {self.event} in {_percent(self.rate.value)} of {self.rate.count:,} runs, "
            f"with {self.other} in {_percent(self.other_rate.value)} of {self.other_rate.count:,}"
        )
        if self.claim is None:
            return seen + "."
        most = min(self.claim.factor * self.other_rate.value + self.claim.delta, 1.0)
        allowed = f"; under the claim ({self.claim}) it could be at most about {_percent(most)}"
        if not self.refutes:
            return f"{seen}{allowed}, and chance alone may explain the rest."
        rare = f"If the claim were true, fewer than one audit in {_rare(self.chance)} would look so."
        return f"{seen}{allowed}. {rare}"

    def to_dict(self) -> dict[str, object]:
        """The witness in plain JSON values."""
        return {
            "event": self.event,
            "favoured": self.favoured,
            "rate": self.rate.to_dict(),
            "other_rate": self.other_rate.to_dict(),
            "epsilon_lower": self.epsilon_lower,
            "chance_under_claim": self.chance,
        }


def rates(bounds: EventBounds, place: int) -> tuple[Estimate, Estimate]:
    """Both shares of an event with intervals that share its failure probability."""
    failure = float(bounds.failures[place])
    first = _rate(int(bounds.hits[place]), int(bounds.count[place]), failure / 2)
    second = _rate(int(bounds.other_hits[place]), int(bounds.other_count[place]), failure / 2)
    return first, second


def chance_under(bounds: EventBounds, place: int, claim: Claim, weight: float) -> float:
    """A bound on how often counts this far apart come up under a claim, for an event of that weight.

    The smallest failure probability at which the event refutes the claim, divided by the event's part of it.
    """
    counts = (int(each[place]) for each in (bounds.hits, bounds.count, bounds.other_hits, bounds.other_count))
    hits, count, other_hits, other_count = counts
    low, high = -700.0, 0.0  # logarithms of the failure probability; refuted at high, not at low
    if not _refutes(hits, count, other_hits, other_count, claim, math.exp(-1e-9)):
        return 1.0
    for _ in range(40):
        middle = (low + high) / 2
        refuted = _refutes(hits, count, other_hits, other_count, claim, math.exp(middle))
        low, high = (low, middle) if refuted else (middle, high)
    return min(math.exp(high) / weight, 1.0)


def _refutes(hits: int, count: int, other_hits: int, other_count: int, claim: Claim, failure: float) -> bool:
    bounds = EventBounds.of([hits], count, [other_hits], other_count, failure)
    return bool(bounds.deltas([claim.epsilon])[0, 0] > claim.delta)


def _rate(hits: int, count: int, failure: float) -> Estimate:
    value = hits / count
    low, high = exact_chance(np.array(hits), np.array(count), failure)
    return Estimate(
        value, math.sqrt(value * (1 - value) / count), float(low), float(high),
        level=1 - failure, count=count, method=EXACT, assumption=INDEPENDENT,
    )  # fmt: skip


def _percent(share: float) -> str:
    percent = 100 * share
    if percent in (0, 100):
        return f"{percent:.0f} %"
    return f"{percent:.3g} %" if percent < 99 else f"{100 - _digits(100 - percent)} %"


def _digits(value: float) -> float:
    """Two digits that count: what is left to 100 % must not be rounded away."""
    return round(value, 1 - math.floor(math.log10(value)))


def _rare(chance: float) -> str:
    if chance <= 1e-15:
        return "10^15"
    digits = math.floor(-math.log10(chance))
    return f"{10**digits:,}" if digits <= 9 else f"10^{digits}"
