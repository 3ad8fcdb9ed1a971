"""Whether one event would refute a claim: the exact bound of the audit, at counts of somebody unlucky."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from noisewright.audit.bounds.event_bound import EventBounds, lean_at
from noisewright.audit.claim import Claim
from noisewright.audit.coordinates import read_confidence
from noisewright.audit.folds import bounding_rows
from noisewright.errors import InvalidParameter
from noisewright.parameters import real

COMPARISONS = 6.0
"""About what part of its failure probability an audit leaves to the event against a claim: one in so many."""

MOST_RUNS = 10**15


@dataclass(frozen=True)
class Strictness:
    """How sure the audit has to be, and how surely it has to find what there is.

    >>> round(Strictness(0.95, 0.9, 6).failure, 5)
    0.00833
    """

    confidence: float = 0.95
    power: float = 0.9
    comparisons: float = COMPARISONS

    def __post_init__(self) -> None:
        read_confidence(self.confidence)
        if not 0 < real("power", self.power) < 1:
            raise InvalidParameter(f"power must lie between 0 and 1, got {self.power:g}")
        if not real("comparisons", self.comparisons) >= 1:
            raise InvalidParameter(f"comparisons must be at least 1, got {self.comparisons:g}")

    @property
    def failure(self) -> float:
        """The failure probability that is left for one event."""
        return (1 - self.confidence) / self.comparisons


def runs_needed(claim: Claim, p: float, q: float, strictness: Strictness) -> int | None:
    """Runs over both inputs until an event with P(S) = p and Q(S) = q refutes a claim; None for never.

    In simulations the bound needs as many within a tenth; where only a few hits decide, up to a third fewer.

    >>> runs_needed(Claim(1.0), 0.5, 0.1, Strictness()), runs_needed(Claim(1.0), 0.5, 0.2, Strictness())
    (1064, None)
    """
    if p - claim.factor * q <= claim.delta or not refutes(claim, p, q, MOST_RUNS, strictness):
        return None
    low, high = 0, 1
    while not refutes(claim, p, q, high, strictness):
        low, high = high, 2 * high
    while high - low > 1 + low // 1000:
        middle = (low + high) // 2
        low, high = (low, middle) if refutes(claim, p, q, middle, strictness) else (middle, high)
    return _runs_for(high)


def refutes(claim: Claim, p: float, q: float, rows: int, strictness: Strictness) -> bool:
    """Whether a bound on ``rows`` outputs of each input refutes a claim with the wanted power.

    Of all counts that put p̂ − e^ε·q̂ at its unlucky quantile, the likeliest are taken.
    """
    unlucky = NormalDist().inv_cdf(strictness.power)
    spread_p, spread_q = p * (1 - p) / rows, claim.factor * q * (1 - q) / rows
    spread = math.sqrt(spread_p + claim.factor * spread_q)
    step = unlucky / spread if spread else 0.0
    hits = min(max(math.floor(rows * (p - step * spread_p)), 0), rows)
    other = min(max(math.ceil(rows * (q + step * spread_q)), 0), rows)
    aim = math.log(max(p - claim.delta, q) / q) if q else math.inf  # an audit aims at the largest ε
    bounds = EventBounds.of([hits], rows, [other], rows, strictness.failure, lean_at(p, q, aim))
    return bool(bounds.deltas(claim.epsilon)[0, 0] > claim.delta)


def _runs_for(rows: int) -> int:
    """The fewest runs of which so many outputs of each input are left for bounds."""
    low, high = 2 * rows, 4 * rows
    while high - low > 2:
        middle = (low + high) // 4 * 2
        low, high = (low, middle) if bounding_rows(middle) >= rows else (middle, high)
    return high
