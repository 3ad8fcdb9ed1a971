"""The upper bound on a spectrum, and the assumption that it needs.

Let C be a class of sets that holds the best events A_ε = {p/q > e^ε} for every ε. They form a chain, so a
band (:mod:`noisewright.audit.bounds.event_bounds`) bounds P(A_ε) from above and Q(A_ε) from below for all ε
at once, although nobody knows which sets they are. Their empirical shares (P̂, Q̂) lie on or below the
frontier of C, and so

    δ(ε) = P(A_ε) − e^ε·Q(A_ε) ≤ sup over C of [P̂(S) − e^ε·Q̂(S)] + (1 + e^ε)·√(ln(2/α)/2n).

The other direction's best sets are complements of sets of the same chain, so it costs nothing more. The
classes:

* *atoms*: all subsets. Nothing is assumed; the bound is sharp while distinct outputs are few beside the runs.
* *monotone*: half-lines. p/q rises or falls with the output.
* *intervals:r*: unions of at most r intervals. p/q crosses each level at most 2r − 1 times.

Without any of them no upper bound exists: outputs that were never seen may give everything away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.bounds.event_bounds import Band
from noisewright.domains import Floats
from noisewright.text import at_least, at_most

SWEPT = 2048
"""Points that are few enough to be swept one by one."""

CELLS = 4096
"""Points of the frontier that a band is evaluated at; between them it is rounded to the safe side."""


@dataclass(frozen=True, eq=False)
class Frontier:
    """Shares (``other``, ``own``), both rising: the largest own share of any set with that other share."""

    other: Floats
    own: Floats

    @classmethod
    def best_of(cls, *curves: tuple[Floats, Floats]) -> Frontier:
        """Return the concave hull above curves of rising (other, own) shares, from (0, 0) to (1, 1)."""
        thin = [_thin(*curve) for curve in curves]
        other = np.concatenate([[0.0, 1.0], *(x for x, _ in thin)])
        own = np.concatenate([[0.0, 1.0], *(y for _, y in thin)])
        points = _hull(np.column_stack([other, own]))
        return cls(points[:, 0], points[:, 1])

    def gain(self, epsilons: Floats) -> Floats:
        """Return the largest over the class of P̂(S) − e^ε·Q̂(S); linear, so corners of the hull decide."""
        return np.asarray((self.own[:, None] - self.other[:, None] * np.exp(epsilons)).max(axis=0))

    def upper(self, epsilons: Floats, own: Band, other: Band) -> Floats:
        """Return the upper bound on δ(ε) for all ε: the straight rule, or the band where that is sharper."""
        factors = np.exp(epsilons)
        straight = self.gain(epsilons) + own.reach + factors * other.reach
        cells = np.unique(np.concatenate([np.linspace(0, 1, CELLS), np.geomspace(1e-9, 1, CELLS), [0.0]]))
        at = np.interp(cells, self.other, self.own)
        at[0] = self.own[self.other == 0].max(initial=0.0)
        most, least = own.above(np.minimum(at[1:] + 1e-12, 1.0)), other.below(cells[:-1])
        banded = np.array([(most - factor * least).max() for factor in factors])
        return np.asarray(np.clip(np.minimum(straight, banded), 0.0, 1.0))


def _hull(points: Floats) -> Floats:
    """The upper concave hull of points, by Andrew's sweep."""
    kept: list[tuple[float, float]] = []
    for x, y in points[np.lexsort((-points[:, 1], points[:, 0]))].tolist():
        if kept and x == kept[-1][0]:  # of points above each other the highest came first
            continue
        while len(kept) > 1 and _turns_up(kept[-2], kept[-1], (x, y)):
            kept.pop()
        kept.append((x, y))
    return np.array(kept)


def _thin(other: Floats, own: Floats) -> tuple[Floats, Floats]:
    """Points of a rising curve without those on or below the line between their neighbours, repeatedly."""
    if other.size <= SWEPT:
        return other, own
    moved = np.append(True, (np.diff(other) > 0) | (np.diff(own) > 0))
    other, own = other[moved], own[moved]  # a repeated point would make both its copies look idle
    while other.size > SWEPT:
        across, up = np.diff(other), np.diff(own)
        kept = np.concatenate([[True], across[:-1] * up[1:] < up[:-1] * across[1:], [True]])
        if kept.mean() > 0.99:
            break
        other, own = other[kept], own[kept]
    return other, own


def _turns_up(first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]) -> bool:
    return (middle[0] - first[0]) * (last[1] - first[1]) >= (middle[1] - first[1]) * (last[0] - first[0])


# -- classes of sets -----------------------------------------------------------------------------------


def atoms_frontier(own: NDArray[np.int64], other: NDArray[np.int64]) -> Frontier:
    """Return the frontier of all subsets of atoms; the *last* count is of outputs without their own atom.

    Those may be anything, so the frontier counts them all as own with no other share: no way of telling them
    apart could do more.
    """
    p, q = own / own.sum(), other / other.sum()
    unseen, p, q = p[-1], p[:-1], q[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(-np.where(p > 0, p / q, 0.0), kind="stable")
    own_share = np.concatenate([[unseen], unseen + np.cumsum(p[order])])
    other_share = np.concatenate([[0.0], np.cumsum(q[order])])
    return Frontier.best_of((other_share, own_share))


def half_lines_frontier(own: Floats, other: Floats) -> Frontier:
    """Return the frontier of all half-lines, open and closed, to either side."""
    values = np.concatenate([own, other])
    order = np.argsort(values, kind="stable")
    mine = order < own.size
    ordered = values[order]
    # {x ≤ t} holds all ties of t; {x < t} is one of these
    last = np.append(ordered[1:] != ordered[:-1], True)
    below = np.cumsum(~mine)[last] / other.size, np.cumsum(mine)[last] / own.size
    above = (1 - below[0])[::-1], (1 - below[1])[::-1]
    return Frontier.best_of(below, above)


def intervals_gain(own: Floats, other: Floats, count: int, epsilons: Floats) -> Floats:
    """Return the largest P̂(S) − e^ε·Q̂(S) over unions of at most ``count`` intervals, rounded up.

    Args:
        own: Outputs of the input that the sets speak for.
        other: Outputs of the other input.
        count: How many intervals a set may have.
        epsilons: The ε at which the gain is wanted.
    """
    points, place = np.unique(np.concatenate([own, other]), return_inverse=True)
    p = np.bincount(place[: own.size], minlength=points.size) / own.size
    q = np.bincount(place[own.size :], minlength=points.size) / other.size
    return np.array([best_segments(p - factor * q, count) for factor in np.exp(epsilons)])


# -- unions of intervals: the heaviest union of a few segments -----------------------------------------


SHORT = 512
"""Rows up to this length are solved exactly."""

FIRST_PRICE = 1e-3
"""The first price that is tried: about the noise of the empirical shares of some 10⁵ runs."""

SLACK = 1e-9
"""More than the sums lose by rounding."""


def best_segments(weights: Floats, count: int) -> float:
    """Return an upper bound, sharp in practice, on the weight of at most ``count`` disjoint segments.

    >>> best_segments(np.array([1.0, -3.0, 2.0, -1.0, 2.0]), 1), best_segments(np.array([1.0, -3.0, 2.0]), 2)
    (3.0, 3.0)
    """
    if weights.size <= SHORT:
        return float(_by_count(weights, count)[count])
    # neighbours of one sign are taken together: no best union parts them
    runs = np.add.reduceat(weights, np.flatnonzero(np.append(True, np.diff(weights > 0))))
    price, best = FIRST_PRICE, priced_best(runs, FIRST_PRICE) + FIRST_PRICE * count
    for factor in (0.1, 10.0, 0.5, 2.0, 0.8, 1.25):  # convex in the price, so going downhill is enough
        while (tried := priced_best(runs, price * factor) + price * factor * count) < best:
            price, best = price * factor, tried
    return best + SLACK


def priced_best(weights: Floats, price: float) -> float:
    """Return the best of w(S) − price·segments(S) over all unions S of segments.

    Each weight maps (best so far outside, best so far inside a segment) to its successor by a 2×2 matrix in
    which sums are maxima and products sums. Such products may be bracketed at will, so neighbours are
    multiplied in pairs until one matrix is left.
    """
    stay = np.zeros(weights.size), np.zeros(weights.size)  # outside after: from outside, from inside
    go_in = weights - price, weights.copy()  # inside after: from outside, from inside
    while stay[0].size > 1:
        stay, go_in = _multiply_pairs(stay, go_in)
    return float(max(stay[0][0], go_in[0][0]))


Pair = tuple[Floats, Floats]


def _multiply_pairs(stay: Pair, go_in: Pair) -> tuple[Pair, Pair]:
    """Multiply every second matrix by the one before it; an odd one at the end waits for the next round."""
    even = stay[0].size // 2 * 2
    a, b = (each[0:even:2] for each in stay), (each[0:even:2] for each in go_in)
    c, d = (each[1:even:2] for each in stay), (each[1:even:2] for each in go_in)
    (a0, a1), (b0, b1), (c0, c1), (d0, d1) = a, b, c, d
    outside = np.maximum(c0 + a0, c1 + b0), np.maximum(c0 + a1, c1 + b1)
    inside = np.maximum(d0 + a0, d1 + b0), np.maximum(d0 + a1, d1 + b1)
    rest = tuple(
        np.append(new, old[even:]) for new, old in zip((*outside, *inside), (*stay, *go_in), strict=True)
    )
    return (rest[0], rest[1]), (rest[2], rest[3])


def _by_count(weights: Floats, count: int) -> Floats:
    """Return the best weight of at most 0, 1, …, ``count`` segments, by dynamic programming."""
    closed, opened = np.zeros(count + 1), np.full(count + 1, -np.inf)
    for weight in weights.tolist():
        opened[1:] = np.maximum(opened[1:], closed[:-1]) + weight
        closed = np.maximum(closed, opened)
    return np.maximum.accumulate(closed)


# -- the bound -----------------------------------------------------------------------------------------


Counts = NDArray[np.int64]

NO_ASSUMPTION = (
    "the upper bound assumes only independent runs: it is over all sets of outputs, those of equal value "
    "(1, 1.0 and true; a list and a tuple) taken as one"
)

MONOTONE = "the likelihood ratio of the two inputs rises or falls with the output (monotone likelihood ratio)"


def premise(intervals: int) -> str:
    """Return the assumption behind half-lines (0), or behind unions of this number of intervals."""
    if not intervals:
        return MONOTONE
    some = "one interval" if intervals == 1 else f"{intervals} intervals"
    return f"for every ε the outputs that favour one input make up at most {some}"


@dataclass(frozen=True, eq=False)
class Upper:
    """An upper bound on δ at each ε, the larger of both directions, and what it assumes."""

    delta: Floats
    premise: str | None = None
    """What has to be true of the mechanism for the bound to hold; None if outputs are counted."""

    @property
    def assumption(self) -> str:
        """What the bound assumes, in words to stand beside it."""
        if self.premise is None:
            return NO_ASSUMPTION
        unsure = "the audit found nothing against that, and cannot confirm it"
        return f"the upper bound holds only if {self.premise}; {unsure}"

    def contradiction(self, epsilons: Floats, lower: Floats) -> Contradiction | None:
        """Return where a lower bound exceeds this one most; None if nowhere, or if nothing was assumed.

        If the premise is true, both bounds hold together at their confidence. So it is false at the same one.
        """
        excess = lower - self.delta
        place = int(np.argmax(excess))
        if self.premise is None or not excess[place] > 0:
            return None
        at, least, most = (float(curve[place]) for curve in (epsilons, lower, self.delta))
        return Contradiction(self.premise, at, least, most)


@dataclass(frozen=True)
class Contradiction:
    """A premise that the runs refute: at ``epsilon`` it allows ``upper``, and δ is at least ``lower``."""

    premise: str
    epsilon: float
    lower: float
    upper: float

    @property
    def sentence(self) -> str:
        """What is false, and how it shows."""
        return (
            f"What was assumed is false: that {self.premise}. At ε = {self.epsilon:.4g} it allows "
            f"δ = {at_most(self.upper)} at most, and the runs show δ = {at_least(self.lower)} at least, both "
            "together at the confidence of this audit; the upper bound is withheld"
        )


def upper_bound(
    epsilons: Floats,
    failure: float,
    *,
    atoms: tuple[Counts, Counts] | None = None,
    values: tuple[Floats, Floats] | None = None,
    intervals: int = 0,
) -> Upper:
    """Return the bound from counts of finitely many outputs (``atoms``), or from plain values.

    Args:
        epsilons: The ε at which the bound is wanted.
        failure: The probability with which it may fail.
        atoms: Counts of finitely many outputs with either input, the last of them all others.
        values: Plain outputs of either input.
        intervals: With values: 0 for a monotone likelihood ratio, r for at most r intervals.
    """
    if values is None:
        assert atoms is not None
        bands = [Band(int(counts.sum()), failure / 2) for counts in atoms]
        return Upper(_larger([atoms_frontier(*atoms), atoms_frontier(*atoms[::-1])], bands, epsilons))
    bands = [Band(side.size, failure / 2) for side in values]
    if not intervals:
        frontiers = [half_lines_frontier(*values), half_lines_frontier(*values[::-1])]
        return Upper(_larger(frontiers, bands, epsilons), premise(0))
    (left, right), (own, other), factors = values, bands, np.exp(epsilons)
    forward = intervals_gain(left, right, intervals, epsilons) + own.reach + factors * other.reach
    backward = intervals_gain(right, left, intervals, epsilons) + other.reach + factors * own.reach
    return Upper(np.clip(np.maximum(forward, backward), 0.0, 1.0), premise(intervals))


def _larger(frontiers: Sequence[Frontier], bands: Sequence[Band], epsilons: Floats) -> Floats:
    """Return the larger bound of both directions."""
    forward, backward = frontiers
    return np.maximum(forward.upper(epsilons, *bands), backward.upper(epsilons, *bands[::-1]))
