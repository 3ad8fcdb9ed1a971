"""How well a private route keeps the shape of the true one: dynamic time warping and the Fréchet distance.

Both walk along the two routes together, where each step advances by a point on one route or on both, and
find the best such walk. Time grows with the product of the two lengths, memory with their sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.compiled import compiled
from noisewright.trajectory.spaces import Space

Diagonal = tuple[slice, slice, Floats]
"""Where the entries of a diagonal are stored, where those one row above them are, and their distances."""


def warp_along(space: Space, first: Floats, second: Floats) -> tuple[float, int]:
    """Return the least total distance of a path through all pairs of points, and the steps it takes."""
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
    """Return the shortest leash with which both routes can be walked, never backwards."""
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


LONGEST = 20_000
"""Most points of a route whose shape is compared: 400 million pairs, some ten seconds."""

WORTH_COMPILING = 1 << 16
"""Below this many pairs of points the second that numba takes to load is not worth it."""

AT_ONCE = 1 << 18
"""Distances held in memory at a time."""


@dataclass(frozen=True)
class Warping:
    """The best walk along two routes.

    Attributes:
        total: The sum of the distances of its pairs of points.
        steps: The number of pairs.
    """

    total: float
    steps: int

    @property
    def per_step(self) -> float:
        """The mean distance of the pairs."""
        return self.total / self.steps


def kernels() -> ModuleType | None:
    """Return the compiled loops, if there are any."""
    return compiled("noisewright.trajectory.metrics.shape_kernels")


def dynamic_time_warping(space: Space, true: ArrayLike, private: ArrayLike) -> Warping:
    """Return the least total distance of a walk along two routes, over all ways to walk them.

    Args:
        space: The space, which measures distances.
        true: The points of the true route (n × 2).
        private: The points of the private route (m × 2).

    >>> from noisewright.trajectory import Rectangle
    >>> found = dynamic_time_warping(Rectangle(0, 0, 9, 9), [(0, 0), (3, 0)], [(0, 1), (0, 1), (3, 1)])
    >>> found.total, found.steps, found.per_step
    (3.0, 3, 1.0)
    """
    first, second = _route(true), _route(private)
    if (loops := _loops(first, second)) is None:
        return Warping(*warp_along(space, first, second))
    cost, steps = _start(second), np.zeros(len(second) + 1, dtype=np.int64)
    for block in _blocks(space, first, second):
        loops.warp_rows(block, cost, steps)
    return Warping(float(cost[-1]), int(steps[-1]))


def frechet_distance(space: Space, true: ArrayLike, private: ArrayLike) -> float:
    """Return the discrete Fréchet distance: the least possible maximum distance along a walk.

    Args:
        space: The space, which measures distances.
        true: The points of the true route (n × 2).
        private: The points of the private route (m × 2).

    >>> from noisewright.trajectory import Rectangle
    >>> frechet_distance(Rectangle(0, 0, 9, 9), [(0, 0), (3, 0)], [(0, 1), (0, 2), (3, 1)])
    2.0
    """
    first, second = _route(true), _route(private)
    if (loops := _loops(first, second)) is None:
        return leash_along(space, first, second)
    leash = _start(second)
    for block in _blocks(space, first, second):
        loops.leash_rows(block, leash)
    return float(leash[-1])


def _route(points: ArrayLike) -> Floats:
    route = np.asarray(points, dtype=np.float64)
    if route.ndim != 2 or route.shape[1] != 2 or not len(route) or not np.isfinite(route).all():
        raise InvalidParameter("a route is an array of at least one finite point with two coordinates")
    if len(route) > LONGEST:
        raise InvalidParameter(
            f"shapes are compared for routes of at most {LONGEST:,} points, got {len(route):,}; "
            "thin the routes or compare them piece by piece"
        )
    return route


def _loops(first: Floats, second: Floats) -> ModuleType | None:
    return kernels() if len(first) * len(second) >= WORTH_COMPILING else None


def _start(second: Floats) -> Floats:
    """Return the row before the first: nothing has been walked yet."""
    row = np.full(len(second) + 1, np.inf)
    row[0] = 0.0
    return row


def _blocks(space: Space, first: Floats, second: Floats) -> Iterator[Floats]:
    step = max(AT_ONCE // len(second), 1)
    for at in range(0, len(first), step):
        yield space.distance(first[at : at + step, None], second[None])
