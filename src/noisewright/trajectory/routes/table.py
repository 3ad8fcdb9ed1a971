"""Routes: many sequences of locations in one table, as mechanisms, files and estimates pass them on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import BadTable
from noisewright.trajectory.spaces import Flags


@dataclass(frozen=True, eq=False)
class Routes:
    """Routes one after another: all their points, and where each route begins.

    Mechanisms for locations protect *where* somebody was. Names, times and the number of points of a route
    pass through them as they are.

    Args:
        points: All points (n × 2): (x, y), or (longitude, latitude) in degrees.
        starts: The first row of every route, and at the end the number of rows.
        names: A name for each route.
        times: Seconds since 1970 (UTC) of every point, never falling within a route; unknown by default.

    >>> routes = Routes.of([[(0.1, 0.2), (0.3, 0.2)], [(0.9, 0.9)]], names=["a", "b"])
    >>> len(routes), routes.lengths.tolist(), routes.names
    (2, [2, 1], ('a', 'b'))
    """

    points: Floats
    starts: Cells
    names: tuple[str, ...]
    times: Floats | None = None

    def __post_init__(self) -> None:
        points = _points(self.points, "the routes")
        starts = np.asarray(self.starts, dtype=np.int64)
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "starts", starts)
        object.__setattr__(self, "names", tuple(str(name) for name in self.names))
        if starts.size < 2 or starts[0] != 0 or starts[-1] != len(points):
            raise BadTable("routes need at least one route, and rows that belong to one route each")
        if (empty := np.diff(starts) < 1).any():
            raise BadTable(f"route {int(np.argmax(empty)) + 1} is empty; leave empty routes out")
        if len(self.names) != starts.size - 1:
            raise BadTable(f"{starts.size - 1} routes need as many names, got {len(self.names)}")
        if (bad := ~np.isfinite(points).all(axis=1)).any():
            where = self.place(int(np.argmax(bad)))
            raise BadTable(f"{where} has a missing or infinite coordinate; drop such points first")
        if self.times is not None:
            object.__setattr__(self, "times", self._checked_times(self.times))

    def _checked_times(self, times: ArrayLike) -> Floats:
        seconds = np.asarray(times, dtype=np.float64)
        if seconds.shape != (len(self.points),) or not np.isfinite(seconds).all():
            raise BadTable("times must be one finite number of seconds for each point")
        falls = np.diff(seconds) < 0
        falls[self.starts[1:-1] - 1] = False  # between two routes the clock may jump back
        if falls.any():
            raise BadTable(f"{self.place(int(np.argmax(falls)) + 1)} is earlier than the point before it")
        return seconds

    @classmethod
    def of(
        cls,
        routes: Iterable[ArrayLike],
        names: Sequence[str] | None = None,
        times: Iterable[ArrayLike] | None = None,
    ) -> Self:
        """Join routes, each a sequence of points.

        Args:
            routes: The points of each route, n × 2.
            names: The names of the routes; by default numbers from 1.
            times: The times of each route in seconds since 1970 (UTC); unknown by default.
        """
        pieces = [_points(route, f"route {number}") for number, route in enumerate(routes, 1)]
        if not pieces:
            raise BadTable("there are no routes")
        starts = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])])
        seconds = None if times is None else np.concatenate([np.atleast_1d(np.asarray(t)) for t in times])
        numbers = map(str, range(1, len(pieces) + 1))
        return cls(np.concatenate(pieces), starts, tuple(numbers if names is None else names), seconds)

    def __len__(self) -> int:
        return self.starts.size - 1

    def __iter__(self) -> Iterator[Floats]:
        return (self.points[a:b] for a, b in zip(self.starts[:-1], self.starts[1:], strict=True))

    @property
    def lengths(self) -> Cells:
        """The number of points of each route."""
        return np.diff(self.starts)

    @property
    def owner(self) -> Cells:
        """For every row, the number of its route, from 0."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def with_points(self, points: Floats) -> Self:
        """Return the same routes at other places."""
        return replace(self, points=points)

    def select(self, rows: Flags) -> Routes:
        """Return the routes restricted to some rows; those without any row are left out."""
        counts = np.add.reduceat(rows.astype(np.int64), self.starts[:-1])
        starts = np.concatenate([[0], np.cumsum(counts[counts > 0])])
        times = None if self.times is None else self.times[rows]
        return Routes(self.points[rows], starts, tuple(compress(self.names, counts)), times)

    def place(self, row: int) -> str:
        """Return a row in words that reveal nothing: the number of its route and of its point."""
        route = int(np.searchsorted(self.starts, row, side="right")) - 1
        return f"route {route + 1}, point {row - int(self.starts[route]) + 1}"


def repeat_route(route: Floats, count: int) -> tuple[Floats, Cells]:
    """Return the points of a route repeated ``count`` times, and where each repetition starts.

    >>> [part.tolist() for part in repeat_route(np.array([[0.0, 1.0]]), 2)]
    [[[0.0, 1.0], [0.0, 1.0]], [0, 1, 2]]
    """
    return np.tile(route, (count, 1)), np.arange(0, count * len(route) + 1, len(route))


def digest_of(about: Mapping[str, Any], *parts: NDArray[Any]) -> str:
    """Return a digest that ties a description to the arrays that it was written for."""
    said = {name: value for name, value in about.items() if name != "fingerprint"}
    digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode())
    for part in parts:
        digest.update(part.tobytes())
    return digest.hexdigest()


def _points(values: ArrayLike, name: str) -> Floats:
    try:
        points = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as broken:
        raise BadTable(f"{name} must be pairs of numbers") from broken
    if points.size == 0:
        raise BadTable(f"{name} is empty; leave empty routes out")
    if points.ndim != 2 or points.shape[1] != 2:
        raise BadTable(f"{name} must be points of two coordinates each")
    return np.ascontiguousarray(points)
