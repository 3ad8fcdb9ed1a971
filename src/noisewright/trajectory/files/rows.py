"""Locations in the order of a file, and how they become routes.

Tables give rows at once. Documents list routes in pieces: lines, segments or points, each with its name.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import BadTable
from noisewright.trajectory.files.route_file import RouteFile
from noisewright.trajectory.files.values import (
    LONGEST,
    Coordinates,
    check_points,
    distinct_names,
    is_name,
    seconds_of,
)
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Flags

CROWD = 0.1
"""Share of a route's points that have another point at the same time elsewhere, above which several people or
devices must have been mixed up."""

FEW = 5
"""A route may have fewer such points than this, however short it is."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Points as a file lists them, each with the number of its route; rows of a route may be scattered.

    >>> rows = Rows(np.eye(3, 2), np.array([0, 1, 0]), ["a", "b"], times=np.array([5.0, 1.0, 4.0]))
    >>> rows.to_route_file().routes.points.tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """

    points: Floats
    owner: Cells
    names: Sequence[str]
    times: Floats | None = None
    reported: Flags | None = None
    coordinates: Coordinates = "lonlat"

    def to_route_file(self, about: dict[str, Any] | None = None) -> RouteFile:
        """Return one route after another, by time, or as in the file where times are equal or absent."""
        order = np.lexsort((self.owner,) if self.times is None else (self.times, self.owner))  # stable
        starts = np.concatenate([[0], np.cumsum(np.bincount(self.owner, minlength=len(self.names)))])
        times = None if self.times is None else self.times[order]
        reported = None if self.reported is None else self.reported[order]
        routes = Routes(self.points[order], starts, tuple(self.names), times)
        return RouteFile(routes, about, reported, self.coordinates)

    def refuse_crowds(self, routes: Collection[int] | None = None) -> None:
        """Refuse routes (all, or the given ones) with many points at one time in different places."""
        if self.times is None:
            return
        order = np.lexsort((*self.points.T, self.times, self.owner))
        owner, times, points = self.owner[order], self.times[order], self.points[order]
        together = (np.diff(owner) == 0) & (np.diff(times) == 0) & (np.diff(points, axis=0) != 0).any(axis=1)
        crowds = np.bincount(owner[1:][together], minlength=len(self.names))
        many = (crowds >= FEW) & (crowds > CROWD * np.bincount(self.owner, minlength=len(self.names)))
        if routes is not None:
            many[[route for route in range(len(self.names)) if route not in routes]] = False
        if many.any():
            raise BadTable(
                f"route {int(np.argmax(many)) + 1} has many points at one time in different places, as if "
                "several people or devices were mixed up; name the column that tells them apart by "
                'columns={"route": "NAME"}, or pass one_route=True if all points are one route'
            )


class Series:
    """Values that a file gives for every point of every piece, or for none."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.values: list[object] = []

    def extend(self, more: Sequence[object], before: int, count: int, place: str) -> None:
        """Append the values of a piece of ``count`` points that follows ``before`` others."""
        if more and len(more) != count:
            raise BadTable(f"{place} has {count} points but {len(more)} {self.what}; each point needs one")
        if before and bool(more) != bool(self.values):
            raise BadTable(f"some of its points have {self.what} and {place} differs; give all or none")
        self.values.extend(more)


class Pieces:
    """Collects the pieces of a GeoJSON or GPX document and hands them on as rows.

    >>> pieces = Pieces()
    >>> pieces.add("feature 1", [139.70, 35.68, 139.71, 35.69], name="monday")
    >>> pieces.rows().names, pieces.place(1)
    (['monday'], 'point 2 of feature 1')
    """

    def __init__(self) -> None:
        self._places: list[str] = []
        self._ends: list[int] = []
        self._routes: list[int] = []
        self._names: list[str] = []
        self._joined: dict[Hashable, int] = {}
        self._flat = array("d")
        self._times = Series("times")
        self._reported = Series("marks of what is reported")

    def add(
        self,
        place: str,
        flat: Iterable[float],
        *,
        name: str | None = None,
        times: Sequence[object] = (),
        reported: Sequence[object] = (),
        join: bool = False,
    ) -> None:
        """Append a piece, longitude before latitude; ``join`` adds it to earlier pieces of its name."""
        before = len(self._flat) // 2
        try:
            self._flat.extend(flat)
        except OverflowError:
            raise BadTable(f"{place} has a number that is too large for a coordinate") from None
        count = len(self._flat) // 2 - before
        if not count:
            raise BadTable(f"{place} has no points; leave empty routes out")
        self._places.append(place)
        self._ends.append(before + count)
        self._routes.append(self._route(place, name, join))
        self._times.extend(times, before, count, place)
        self._reported.extend(reported, before, count, place)

    def _route(self, place: str, name: str | None, join: bool) -> int:
        """Return the number of the route that a piece belongs to; routes without a name are counted."""
        if name is not None and not is_name(name):
            raise BadTable(f"the name of {place} must be text of 1 to {LONGEST} letters")
        if join and name in self._joined:
            return self._joined[name]
        self._names.append(name or str(len(self._names) + 1))
        if join:
            self._joined[name] = len(self._names) - 1
        return len(self._names) - 1

    @property
    def joined(self) -> set[int]:
        """The numbers of the routes that were put together from single points."""
        return set(self._joined.values())

    def rows(self) -> Rows:
        """Return all points with their routes, checked."""
        if not self._ends:
            raise BadTable("it has no routes: no lines, no tracks, no points")
        points = check_points(np.array(self._flat).reshape(-1, 2), "lonlat", self.place)
        owner = np.repeat(self._routes, np.diff(self._ends, prepend=0))
        times = seconds_of(self._times.values, self.place) if self._times.values else None
        return Rows(points, owner, distinct_names(self._names), times, self._flags())

    def place(self, row: int) -> str:
        """Return a row in words: the number of its point and where its piece stands."""
        piece = bisect_right(self._ends, row)
        start = self._ends[piece - 1] if piece else 0
        alone = self._ends[piece] - start == 1
        return self._places[piece] if alone else f"point {row - start + 1} of {self._places[piece]}"

    def _flags(self) -> Flags | None:
        values = self._reported.values
        for row, value in enumerate(values):
            if not isinstance(value, bool):
                raise BadTable(f"reported of {self.place(row)} must be true or false")
        return np.array(values, dtype=np.bool_) if values else None
