"""The event that shows it: what it is, how often it came with either input, and a sentence for a court."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.claim import Claim
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.bounds.event_bounds import EventBounds
from noisewright.audit.scores.selection import Scorer
from noisewright.estimate import Estimate
from noisewright.statistics import bisect, exact_chance
from noisewright.text import percent

EXACT = "share of runs, with an exact binomial interval (Clopper and Pearson 1934)"

INDEPENDENT = "the runs are independent of each other"
LARGEST = sys.float_info.max
"""Above it, and at −∞, an event is no question of size: giveaways stand there."""

RARE = 0.1
"""A chance that a court would call one in so many."""


@dataclass(frozen=True, eq=False)
class Witness:
    """One event, chosen before the rows it is judged by were seen; :meth:`holds` tests it on further runs.

    Attributes:
        event: What happened, in words.
        favoured: The input under which the event is likelier.
        other: The other input.
        rate: The share of runs with the event under the favoured input, with its interval.
        other_rate: The same under the other input.
        epsilon_lower: No smaller ε holds at the claim's δ (or 0), by this event alone.
        chance: At most how often an audit would see counts this far apart if the claim were true, with
            all looks paid for; 1 where there is no claim.
        claim: What was tested, or None.
        threshold: The event is {score > ``threshold``} if ``above``, else {score ≤ ``threshold``}.
        above: On which side of the threshold the event lies.
        scorer: What tests the event on further runs.
        refutes: Whether the audit refuted the claim.
    """

    event: str
    favoured: str
    other: str
    rate: Estimate
    other_rate: Estimate
    epsilon_lower: float
    chance: float
    claim: Claim | None
    threshold: float
    above: bool
    scorer: Scorer = field(repr=False)
    refutes: bool = False

    def holds(self, outputs: Outputs) -> NDArray[np.bool_]:
        """Whether the event happened in each of some runs, such as fresh ones: ``Outputs.of(list)``."""
        return self.scorer.holds(outputs, self.threshold, above=self.above)

    @property
    def sentence(self) -> str:
        """What happened, in words that need no statistics."""
        seen = (
            f"With {self.favoured} {self.event} in {_share_words(self.rate)} runs, "
            f"with {self.other} in {_share_words(self.other_rate)}"
        )
        return f"{seen}." if self.claim is None else seen + self._against(self.claim)

    def _against(self, claim: Claim) -> str:
        most = min(claim.factor * self.other_rate.value + claim.delta, 1.0)
        allowed = f"; under the claim ({claim}) it could be at most about {percent(most, ROUND_CEILING)}"
        if self.refutes and self.chance <= RARE:
            rare = f"If the claim were true, fewer than one audit in {_rare(self.chance)} would look so."
            return f"{allowed}. {rare}"
        if self.refutes:
            return f"{allowed}. The claim falls by the curve as a whole; this event alone would not do."
        if self.rate.value > most:
            return f"{allowed}, and chance alone may explain the rest."
        return f"{allowed}, and it is not more."

    def to_dict(self) -> dict[str, object]:
        """Return the witness in plain JSON values."""
        return {
            "event": self.event,
            "threshold": self.threshold if -math.inf < self.threshold < LARGEST else None,
            "above": self.above,
            "favoured": self.favoured,
            "rate": self.rate.to_dict(),
            "other_rate": self.other_rate.to_dict(),
            "epsilon_lower": self.epsilon_lower,
            "chance_under_claim": self.chance,
        }


def rates(bounds: EventBounds, place: int) -> tuple[Estimate, Estimate]:
    """Return both shares of an event, with exact intervals.

    The intervals of all events hold together at the confidence of the bounds, so whichever is shown may have
    been picked; they stand beside the bounds and are no part of what those pay for.
    """
    failure = float(bounds.failures[place])
    first = _rate(int(bounds.hits[place]), int(bounds.count[place]), failure / 2)
    second = _rate(int(bounds.other_hits[place]), int(bounds.other_count[place]), failure / 2)
    return first, second


def chance_under(bounds: EventBounds, place: int, claim: Claim, weight: float) -> float:
    """Return a bound on how often counts this far apart come up under a claim, for an event of that weight.

    The smallest failure probability at which the event refutes the claim, divided by the event's part of it.
    That is a p-value because what is believed at one failure probability is believed at all smaller ones.

    Args:
        bounds: Bounds of several events.
        place: Which of them.
        claim: What is said to hold.
        weight: The event's part of the failure probability.
    """

    def refuted(logarithm: Any) -> bool:
        again = replace(bounds.only(place), failures=np.array([math.exp(logarithm)]))
        return bool(again.deltas([claim.epsilon])[0, 0] > claim.delta)

    if not refuted(-1e-9):
        return 1.0
    least, _ = bisect(refuted, 0.0, -700.0, steps=40)  # the end at which the claim is refuted
    return min(math.exp(least) / weight, 1.0)


def _rate(hits: int, count: int, failure: float) -> Estimate:
    value = hits / count
    low, high = exact_chance(np.array(hits), np.array(count), failure)
    return Estimate(
        value, math.sqrt(value * (1 - value) / count), float(low), float(high),
        level=1 - failure, count=count, method=EXACT, assumption=INDEPENDENT,
    )  # fmt: skip


def _share_words(rate: Estimate) -> str:
    """How many of the runs; a share that is rounded is about that."""
    if rate.value in (0, 1):
        return f"{'all' if rate.value else 'none'} of {rate.count:,}"
    return f"about {percent(rate.value)} of {rate.count:,}"


def _rare(chance: float) -> str:
    if chance <= 1e-15:
        return "10^15"
    digits = math.floor(-math.log10(chance))
    return f"{10**digits:,}" if digits <= 9 else f"10^{digits}"
