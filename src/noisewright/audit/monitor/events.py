"""Which event to bet on next, and how much: chosen from pairs that have been played already.

A score orders the outputs from "looks like right" to "looks like left". Events are {score > threshold} for
the left input and {score ≤ threshold} for the right one. Every ε has its own best event.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.bounds.counts import Counts, thresholds_between
from noisewright.audit.monitor.betting import Pairs, best_stakes
from noisewright.domains import Floats

Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Plan:
    """Thresholds and stakes for the pairs to come: one row for each direction, one column for each ε."""

    thresholds: Floats
    stakes: Floats

    @classmethod
    def from_past(cls, left: Floats, right: Floats, factors: Floats, delta: float) -> Plan:
        """The plan that would have served best for the scores of past pairs."""
        left_sorted, right_sorted = np.sort(left), np.sort(right)
        seen = Counts.at(thresholds_between(left_sorted, right_sorted), left_sorted, right_sorted)
        aims = [_aim(counts, factors, delta) for counts in (seen, seen.mirrored())]
        thresholds, stakes = (np.stack(rows) for rows in zip(*aims, strict=True))
        return cls(thresholds, stakes)

    def count(self, left: Floats, right: Floats) -> Pairs:
        """What pairs of new scores did, for the event of every direction and ε."""
        # both scores of a pair exceed a threshold if the smaller does; neither does if the larger does not
        smaller, larger = np.minimum(left, right), np.maximum(left, right)
        upper, lower = self.thresholds
        both = np.stack([_above(smaller, upper), _up_to(larger, lower)])
        favoured = np.stack([_above(left, upper), _up_to(right, lower)])
        other = np.stack([_above(right, upper), _up_to(left, lower)])
        return Pairs(len(left), both, favoured - both, other - both)


def _aim(seen: Counts, factors: Floats, delta: float) -> tuple[Floats, Floats]:
    """For one direction and every ε: the best threshold, and the stake on its event."""
    places = _most_telling(seen, factors, delta)
    # half a hit and half a miss more: nobody stakes everything on what has not happened yet
    favoured, other = ((hits[places] + 0.5) / (seen.left + 1) for hits in (seen.left_above, seen.right_above))
    return seen.thresholds[places], best_stakes(favoured, other, factors, delta)


def _most_telling(seen: Counts, factors: Floats, delta: float) -> Whole:
    """For every ε the event with the largest mean payoff in standard errors: there capital grows fastest.

    One more hit of the other input keeps events away that only luck has left empty.
    """
    favoured = seen.left_share[:, None]
    other = np.minimum(seen.right_share[:, None] + 1 / seen.right, 1.0)
    payoff = favoured - factors * other - delta
    spread = np.hypot(np.sqrt(favoured * (1 - favoured)), factors * np.sqrt(other * (1 - other)))
    return np.asarray(np.argmax(payoff / (spread + 1 / seen.left), axis=0))


def _up_to(scores: Floats, thresholds: Floats) -> Whole:
    return np.searchsorted(np.sort(scores), thresholds, side="right")


def _above(scores: Floats, thresholds: Floats) -> Whole:
    return len(scores) - _up_to(scores, thresholds)
