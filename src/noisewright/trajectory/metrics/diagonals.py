"""The tables of route shapes filled along diagonals, in plain NumPy: each needs only the two before it.

Entry (i, j) stands for the first i + 1 points of one route and the first j + 1 of the other. Arrays are
indexed by i + 1, and their first entry is for what lies before the first point.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.trajectory.spaces import Space

Diagonal = tuple[slice, slice, Floats]
"""Where the entries of a diagonal are stored, where those one row above them are, and their distances."""


def warp_along(space: Space, first: Floats, second: Floats) -> tuple[float, int]:
    """The least total distance of a path through all pairs of points, and the steps it takes."""
    size = len(first) + 1
    nothing = np.full(size, np.inf), np.zeros(size, dtype=np.int64)
    before, last = (nothing[0].copy(), nothing[1]), nothing
    before[0][0] = 0.0
    for here, above, distances in _diagonals(space, first, second):
        best, taken = before[0][above], before[1][above]
        for cost, steps in ((last[0][above], last[1][above]), (last[0][here], last[1][here])):
            taken = np.where(cost < best, steps, taken)
            best = np.where(cost < best, cost, best)
        now = np.full(size, np.inf), np.zeros(size, dtype=np.int64)
        now[0][here], now[1][here] = best + distances, taken + 1
        before, last = last, now
    return float(last[0][-1]), int(last[1][-1])


def leash_along(space: Space, first: Floats, second: Floats) -> float:
    """The shortest leash with which both routes can be walked, never backwards."""
    size = len(first) + 1
    before, last = np.full(size, np.inf), np.full(size, np.inf)
    before[0] = 0.0
    for here, above, distances in _diagonals(space, first, second):
        now = np.full(size, np.inf)
        now[here] = np.maximum(np.minimum(before[above], np.minimum(last[above], last[here])), distances)
        before, last = last, now
    return float(last[-1])


def _diagonals(space: Space, first: Floats, second: Floats) -> Iterator[Diagonal]:
    rows, columns = len(first), len(second)
    for diagonal in range(rows + columns - 1):
        low, high = max(0, diagonal - columns + 1), min(diagonal, rows - 1)
        i: Cells = np.arange(low, high + 1)
        distances = space.distance(first[i], second[diagonal - i])
        yield slice(low + 1, high + 2), slice(low, high + 1), distances
