"""Exact bounds on both probabilities of one event, valid for every ε at once; a band for all sets of a chain.

The event S was fixed before the rows were seen. ``hits`` of n runs with the first input fell into S, and
``other_hits`` of m runs with the second. The two exact one-sided p-values

    U(p) = P[Bin(n, p) ≥ hits]        V(q) = P[Bin(m, q) ≤ other_hits]

are independent, and at the true (p, q) no smaller than uniform ones. All (p, q) whose pair of p-values is
accepted make one region. The smallest value in it is a lower bound: for p − e^ε·q at *every* ε, for the
log-ratio at every δ, and for any divergence.

Accepted pairs form a staircase, a set of boxes {U ≥ u_k+1, V ≥ v_k} with ``falling`` levels u and ``rising``
levels v. A pair that is larger than an accepted one is accepted as well. So the truth is outside no more
often than two uniform p-values are, and that chance is a sum over the steps, without any approximation. The
stairs run along a line of normal scores, weighted by the uncertainty that each p-value brings into the wanted
number. That is the sharpest rule for this number, and little worse for those near it.

A chain is a family of sets of which any two lie one in the other: the half-lines {score > t}, or the best
events {p/q > e^ε} of an audit, whether they are known or not. Along a chain the empirical shares are an
empirical distribution function, so Massart's form of the Dvoretzky–Kiefer–Wolfowitz inequality holds for all
of its sets together. It is weak where probabilities are small. There, exact binomial bounds at a grid of true
probabilities take over, and reach all sets between by monotonicity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.statistics import bisect
from noisewright.statistics.intervals import least_chance, most_chance

# -- two p-values as one test --------------------------------------------------------------------------


STEPS: Final = 32
FINENESS: Final = 200
"""Shares are rounded to this many parts, so that the same stairs serve many events."""

HELD: Final = 0.05
"""The part of the failure probability that limits each p-value by itself, in case the aim is off."""

LEAST_SHARE: Final = 1e-3

Stairs = tuple[Floats, Floats]


def miss_probability(stairs: Stairs) -> float:
    """Return how often uniform p-values lie outside of all boxes.

    >>> miss_probability((np.array([1.0, 0.5]), np.array([0.5, 1.0])))  # the one box {U ≥ ½, V ≥ ½}
    0.75
    """
    falling, rising = stairs
    return float(np.sum((np.append(1.0, falling[1:-1]) - falling[1:]) * rising[:-1]) + falling[-1])


def aimed_stairs(failure: float, lean: float) -> Stairs:
    """Return stairs that uniform p-values miss with probability ``failure``; U has the share ``lean``.

    >>> round(miss_probability(aimed_stairs(0.1, 0.5)), 9)
    0.1
    """
    share = round(lean * FINENESS) / FINENESS
    return _stairs(failure, min(max(share, LEAST_SHARE), 1 - LEAST_SHARE))


@lru_cache(maxsize=4096)
def _stairs(failure: float, share: float) -> Stairs:
    """Return steps along √share·x + √(1 − share)·y = z in the upper normal scores x of U and y of V.

    The line ends where one score alone would decide nearly everything, so that little is lost if the share
    was not quite right. Then it is moved until the stairs are missed exactly as often as allowed.
    """
    first, second, score = math.sqrt(share), math.sqrt(1 - share), -float(ndtri(failure))
    lowest = (score - second * _end(score, second, first, failure)) / first
    x = np.linspace(lowest, _end(score, first, second, failure), STEPS + 1)
    y = (score - first * x) / second

    def move(shift: float) -> Stairs:
        return np.asarray(ndtr(-x - shift * first)), np.asarray(ndtr(-y - shift * second))

    shift, _ = bisect(lambda shift: miss_probability(move(float(shift))) <= failure, 3.0, -3.0, steps=80)
    return move(float(shift))


def _end(score: float, own: float, other: float, failure: float) -> float:
    """Return where a score is cut off: lying beyond while the weighted sum does not costs HELD · failure."""

    def cheap(end: Floats) -> Floats:
        return np.asarray(ndtr(-end) * ndtr((score - own * end) / other) <= HELD * failure)

    end, _ = bisect(cheap, -float(ndtri(HELD * failure)), score * own, steps=80)
    return float(end)


# -- bounds --------------------------------------------------------------------------------------------


SLACK = 1e-9
"""Relative slack, more than the inverse beta functions lose by rounding."""

FARTHEST = 50.0
"""The largest ε at which an event is aimed."""


@dataclass(frozen=True, eq=False)
class EventBounds:
    """Bounds for several events at once, each missed with its own ``failures`` at most.

    ``corners`` is (events, k, 2): the true (p, q) of an event satisfies p ≥ p_i and q ≤ q_i for *some* i, so
    a bound is the worst over i. p belongs to the input that the event speaks for. ``leans`` is the
    share of p in the variance of the number that an event is to bound best.

    >>> bounds = EventBounds.of([600], 1000, [200], 1000, 0.01, lean_at(0.6, 0.2, epsilon=1.0))
    >>> float(bounds.epsilon_lower(0.0).round(3)), float(bounds.delta_lower(0.5).round(3))
    (0.935, 0.194)
    """

    hits: NDArray[np.int64]
    count: NDArray[np.int64]
    other_hits: NDArray[np.int64]
    other_count: NDArray[np.int64]
    failures: Floats
    leans: Floats

    @classmethod
    def of(
        cls,
        hits: ArrayLike,
        count: ArrayLike,
        other_hits: ArrayLike,
        other_count: ArrayLike,
        failures: ArrayLike,
        leans: ArrayLike = 0.5,
    ) -> EventBounds:
        """Return bounds from counts; a single number holds for all events.

        Args:
            hits: How often each event came up with the input it speaks for.
            count: Runs of that input.
            other_hits: How often it came up with the other input.
            other_count: Runs of the other input.
            failures: The probability with which each bound may fail.
            leans: The share of p in the variance of what each event is to bound best.
        """
        shape = np.shape(hits)
        first, second, third, fourth = (
            np.broadcast_to(np.asarray(each, dtype=np.int64), shape)
            for each in (hits, count, other_hits, other_count)
        )
        fifth, sixth = (np.broadcast_to(np.asarray(each, np.float64), shape) for each in (failures, leans))
        return cls(first, second, third, fourth, fifth, sixth)

    def __len__(self) -> int:
        return int(self.hits.size)

    def only(self, place: int) -> EventBounds:
        """Return one of the events by itself, at its own failure probability."""
        return EventBounds(*(getattr(self, each.name)[place : place + 1] for each in fields(self)))

    @cached_property
    def corners(self) -> Floats:
        """The boxes that cover each region."""
        every = zip(self.failures.tolist(), self.leans.tolist(), strict=True)
        stairs = np.array([aimed_stairs(failure, lean) for failure, lean in every])
        falling, rising = stairs.reshape(len(self), 2, STEPS + 1).transpose(1, 0, 2)
        hits, missed = self.hits[:, None], (self.count - self.hits)[:, None]
        found, spared = self.other_hits[:, None], (self.other_count - self.other_hits)[:, None]
        low, high = least_chance(hits, missed, falling), most_chance(found, spared, rising)
        # Between two steps U may be as small as at the later, and V as small as at the earlier one.
        pairs = np.stack([low[:, 1:] * (1 - SLACK), np.minimum(high[:, :-1] * (1 + SLACK), 1.0)], axis=-1)
        return np.asarray(pairs)

    def deltas(self, epsilons: ArrayLike) -> Floats:
        """Return a lower bound on p − e^ε·q for each event and ε, (events, epsilons); may be negative."""
        factors = np.exp(np.asarray(epsilons, dtype=np.float64)).reshape(-1)
        p, q = self.corners[..., 0], self.corners[..., 1]
        return np.asarray((p[:, :, None] - q[:, :, None] * factors).min(axis=1))

    def delta_lower(self, epsilons: ArrayLike) -> Floats:
        """Return the best of all events at each ε: a lower bound on δ(ε), at least 0."""
        shape = np.shape(epsilons)
        best = self.deltas(epsilons).max(axis=0, initial=0.0)
        return np.asarray(best.reshape(shape))

    def log_ratios(self, delta: float) -> Floats:
        """Return the smallest ln((p − δ)/q) in the region of each event, which may be negative."""
        p, q = self.corners[..., 0], self.corners[..., 1]
        with np.errstate(divide="ignore"):
            ratios = np.log(np.maximum(p - delta, 0.0)) - np.log(q)
        return np.asarray(ratios.min(axis=1, initial=math.inf))

    def epsilons(self, delta: float) -> Floats:
        """Return a lower bound on ln((p − δ)/q) for each event, at least 0."""
        return np.asarray(np.maximum(self.log_ratios(delta), 0.0) * (1 - SLACK))

    def epsilon_lower(self, delta: float) -> Floats:
        """Return the best of all events: no smaller ε holds at this δ."""
        return np.asarray(self.epsilons(delta).max(initial=0.0))


def lean_at(p: float, q: float, epsilon: float) -> float:
    """Return the share of p in the variance of p − e^ε·q.

    >>> lean_at(0.5, 0.5, 0.0), round(lean_at(0.5, 0.01, math.log(50)), 4)
    (0.5, 0.01)
    """
    first, second = p * (1 - p), math.exp(2 * min(epsilon, FARTHEST)) * q * (1 - q)
    return first / (first + second) if first + second else 0.5


# -- all sets of a chain -------------------------------------------------------------------------------


BULK = 0.12
"""Above this share the grid is no better than the inequality for the bulk, and has no levels."""

LEVELS_SHARE = 0.1
"""The levels' part of the failure probability; their bounds depend on it little."""

STEP = 2.0
"""Distance of neighbouring levels, in standard errors."""


class Band:
    """One-sided bounds for one law: each of :meth:`above` and :meth:`below` fails with ``failure`` at most.

    Using both costs twice the failure. Most of it goes to the bulk, a tenth to the levels.

    >>> band = Band(1_000_000, failure=0.025)
    >>> band.above([0.5, 0.0001]).round(6).tolist(), band.below([0.5, 0.0001]).round(6).tolist()
    ([0.501377, 0.000169], [0.498623, 4.9e-05])
    """

    def __init__(self, count: int, failure: float) -> None:
        """Prepare the band for ``count`` independent draws."""
        if count < 1 or not 0 < failure <= 0.5:
            raise InvalidParameter("a band needs draws and a failure probability above 0 and up to 1/2")
        self.count, self.failure = count, failure

    @property
    def reach(self) -> float:
        """How far the bulk's bound lies from an empirical share: √(ln(1/failure)/2n) for its part of it."""
        failure = self.failure * (1 - LEVELS_SHARE)
        return math.sqrt(math.log(1 / failure) / (2 * self.count))  # Massart 1990, one side

    def above(self, share: ArrayLike) -> Floats:
        """Return the largest probability that a set of the chain with this empirical share can have."""
        shares = np.asarray(share, dtype=np.float64)
        levels, fewest, _ = self._levels
        # A set likelier than a level holds at least as many draws as the level's own set.
        place = np.searchsorted(fewest, np.round(shares * self.count), side="right")
        return np.asarray(np.minimum(np.append(levels, 1.0)[place], shares + self.reach))

    def below(self, share: ArrayLike) -> Floats:
        """Return the smallest probability that a set of the chain with this empirical share can have."""
        shares = np.asarray(share, dtype=np.float64)
        levels, _, most = self._levels
        place = np.searchsorted(most, np.round(shares * self.count), side="left")
        return np.asarray(np.maximum(np.insert(levels, 0, 0.0)[place], shares - self.reach))

    @cached_property
    def _levels(self) -> tuple[Floats, Floats, Floats]:
        """True probabilities, and the fewest and most draws that sets of just that probability hold."""
        # from one draw in ``count`` up to the bulk, in equal steps of the square root
        least, most_root = math.sqrt(1 / self.count), math.sqrt(BULK)
        steps = max(math.ceil((most_root - least) * 2 * math.sqrt(self.count) / STEP), 2)
        low = (np.linspace(least, max(most_root, least * 2), steps) ** 2).clip(max=0.5)
        levels = np.concatenate([low, 1 - low[::-1]])
        each = self.failure * LEVELS_SHARE / levels.size
        fewest, most = binom.ppf(each, self.count, levels), binom.isf(each, self.count, levels)
        rising = np.minimum.accumulate(fewest[::-1])[::-1]  # they rise already; if not, this is safe
        return levels, rising, np.maximum.accumulate(most)
