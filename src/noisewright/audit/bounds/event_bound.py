"""Exact bounds on both probabilities of one event, good for every ε at once.

S was fixed before the rows were seen. Among n runs with the first input ``hits`` fell into S, among m runs
with the second ``other_hits``. The two exact one-sided p-values

    U(p) = P[Bin(n, p) ≥ hits]        V(q) = P[Bin(m, q) ≤ other_hits]

are independent and no smaller than uniform ones at the true (p, q), so their product falls below e^−c with
probability at most (1 + c)·e^−c: Fisher's way of combining two tests. All (p, q) with U(p)·V(q) ≥ e^−c make
one region; whatever is smallest in it is a lower bound, for p − e^ε·q at *every* ε, for the log-ratio at
every δ, and for any divergence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Floats
from noisewright.estimate.intervals import least_chance, most_chance

CORNERS = 24
"""Steps along the edge of the region; the region is replaced by a slightly larger one made of boxes."""

SLACK = 1e-9
"""Relative: more than the inverse beta functions lose by rounding."""


@dataclass(frozen=True, eq=False)
class EventBounds:
    """Bounds for several events at once, each missed with its own ``failures`` at most.

    ``corners`` is (events, k, 2): the true (p, q) of an event satisfies p ≥ p_i and q ≤ q_i for *some* i, so
    a bound is the worst over i. p belongs to the input that the event speaks for.

    >>> bounds = EventBounds.of([600], 1000, [200], 1000, 0.01)
    >>> float(bounds.epsilon_lower(0.0).round(3)), float(bounds.delta_lower(0.5).round(3))
    (0.916, 0.198)
    """

    hits: NDArray[np.int64]
    count: NDArray[np.int64]
    other_hits: NDArray[np.int64]
    other_count: NDArray[np.int64]
    failures: Floats

    @classmethod
    def of(
        cls,
        hits: ArrayLike,
        count: ArrayLike,
        other_hits: ArrayLike,
        other_count: ArrayLike,
        failures: ArrayLike,
    ) -> EventBounds:
        """From counts; what is given once holds for all events."""
        shape = np.shape(hits)
        first, second, third, fourth = (
            np.broadcast_to(np.asarray(each, dtype=np.int64), shape)
            for each in (hits, count, other_hits, other_count)
        )
        return cls(first, second, third, fourth, np.broadcast_to(np.asarray(failures, np.float64), shape))

    def __len__(self) -> int:
        return int(self.hits.size)

    @cached_property
    def corners(self) -> Floats:
        """The boxes that cover each region."""
        reach = np.array([fisher_reach(each) for each in self.failures])
        spent = np.linspace(0.0, 1.0, CORNERS + 1) * reach[:, None]
        hits, missed = self.hits[:, None], (self.count - self.hits)[:, None]
        found, spared = self.other_hits[:, None], (self.other_count - self.other_hits)[:, None]
        low = least_chance(hits, missed, np.exp(-spent))
        high = most_chance(found, spared, np.exp(spent - reach[:, None]))
        # Between two steps U may be as small as at the later, and V as small as at the earlier one.
        pairs = np.stack([low[:, 1:] * (1 - SLACK), np.minimum(high[:, :-1] * (1 + SLACK), 1.0)], axis=-1)
        return np.asarray(pairs)

    def deltas(self, epsilons: ArrayLike) -> Floats:
        """A lower bound on p − e^ε·q for each event and ε, (events, epsilons); may be negative."""
        factors = np.exp(np.asarray(epsilons, dtype=np.float64)).reshape(-1)
        p, q = self.corners[..., 0], self.corners[..., 1]
        return np.asarray((p[:, :, None] - q[:, :, None] * factors).min(axis=1))

    def delta_lower(self, epsilons: ArrayLike) -> Floats:
        """The best of all events at each ε: a lower bound on δ(ε), at least 0."""
        shape = np.shape(epsilons)
        best = self.deltas(epsilons).max(axis=0, initial=0.0)
        return np.asarray(best.reshape(shape))

    def epsilons(self, delta: float) -> Floats:
        """A lower bound on ln((p − δ)/q) for each event, at least 0."""
        p, q = self.corners[..., 0], self.corners[..., 1]
        with np.errstate(divide="ignore"):
            ratio = np.log(np.maximum(p - delta, 0.0)) - np.log(q)
        return np.asarray(np.maximum(ratio.min(axis=1, initial=math.inf), 0.0) * (1 - SLACK))

    def epsilon_lower(self, delta: float) -> Floats:
        """The best of all events: no smaller ε holds at this δ."""
        return np.asarray(self.epsilons(delta).max(initial=0.0))


def fisher_reach(failure: float) -> float:
    """The c at which (1 + c)·e^−c is ``failure``.

    >>> round(fisher_reach(0.05), 4), round(fisher_reach(1e-300), 1)
    (4.7439, 697.3)
    """
    log_failure = math.log(failure)
    low, high = 0.0, 50.0 - 2 * log_failure
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if math.log1p(middle) - middle > log_failure else (low, middle)
    return high
