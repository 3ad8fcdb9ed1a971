"""The heaviest union of a few segments of a long row of weights, never rounded down.

With a price μ on each segment the best union is found in one pass over the row, and for every μ ≥ 0

    max over at most r segments of w(S)  ≤  max over all S of [w(S) − μ·segments(S)] + μ·r,

with equality at the right price, because the left side is concave in r. The right side is convex in μ, so the
best price is found by going downhill; a poor one would only make the bound looser.
"""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats

SHORT = 512
"""Rows up to this length are solved exactly."""

FIRST_PRICE = 1e-3
"""Where the search for a price starts: about the noise of the empirical shares of some 10⁵ runs."""

SLACK = 1e-9
"""More than the sums lose by rounding."""


def best_segments(weights: Floats, count: int) -> float:
    """An upper bound, sharp in practice, on the weight of at most ``count`` disjoint segments.

    >>> best_segments(np.array([1.0, -3.0, 2.0, -1.0, 2.0]), 1), best_segments(np.array([1.0, -3.0, 2.0]), 2)
    (3.0, 3.0)
    """
    if weights.size <= SHORT:
        return float(_by_count(weights, count)[count])
    runs = _runs(weights)
    price, best = FIRST_PRICE, priced_best(runs, FIRST_PRICE) + FIRST_PRICE * count
    for factor in (0.1, 10.0, 0.5, 2.0, 0.8, 1.25):  # convex in the price, so going downhill is enough
        while (tried := priced_best(runs, price * factor) + price * factor * count) < best:
            price, best = price * factor, tried
    return best + SLACK


def priced_best(weights: Floats, price: float) -> float:
    """The best of w(S) − price·segments(S) over all unions S of segments.

    Each weight maps (best so far outside, best so far inside a segment) to its successor by a 2×2 matrix in
    which sums are maxima and products sums. Such products may be bracketed at will, so neighbours are
    multiplied in pairs until one matrix is left.
    """
    stay = np.zeros(weights.size), np.zeros(weights.size)  # outside after: from outside, from inside
    go_in = weights - price, weights.copy()  # inside after: from outside, from inside
    while stay[0].size > 1:
        stay, go_in = _paired(stay, go_in)
    return float(max(stay[0][0], go_in[0][0]))


Pair = tuple[Floats, Floats]


def _paired(stay: Pair, go_in: Pair) -> tuple[Pair, Pair]:
    """Every second matrix times the one before it; an odd one at the end is left for the next round."""
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


def _runs(weights: Floats) -> Floats:
    """Neighbours of one sign taken together: no best union parts them."""
    starts = np.flatnonzero(np.append(True, np.diff(weights > 0)))
    return np.asarray(np.add.reduceat(weights, starts))


def _by_count(weights: Floats, count: int) -> Floats:
    """The best weight of at most 0, 1, …, ``count`` segments, by dynamic programming over the row."""
    closed, opened = np.zeros(count + 1), np.full(count + 1, -np.inf)
    for weight in weights.tolist():
        opened[1:] = np.maximum(opened[1:], closed[:-1]) + weight
        closed = np.maximum(closed, opened)
    return np.maximum.accumulate(closed)
