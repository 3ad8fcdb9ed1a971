"""Locations in the order of a file, and how they become routes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import BadTable
from noisewright.trajectory.files.route_file import Coordinates, RouteFile
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces.base import Flags

CROWD = 0.1
"""Share of a route's points at a time that another of its points has, elsewhere, from which several people or
devices must have been mixed up."""

FEW = 5
"""Fewer such points a route may have however short it is."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Points as a file lists them, each with the number of its route; rows of a route may be scattered.

    >>> rows = Rows(np.eye(3, 2), np.array([0, 1, 0]), ["a", "b"], times=np.array([5.0, 1.0, 4.0]))
    >>> rows.gathered().routes.points.tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """

    points: Floats
    owner: Cells
    names: Sequence[str]
    times: Floats | None = None
    reported: Flags | None = None
    coordinates: Coordinates = "lonlat"

    def gathered(self, about: dict[str, Any] | None = None) -> RouteFile:
        """One route after another, in the order of time, or of the file where times are equal or absent."""
        order = self._order()
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
                'columns={"route": "NAME"}, or say one_route=True if all points are one route'
            )

    def _order(self) -> Cells:
        if self.times is None:
            return np.argsort(self.owner, kind="stable")
        return np.lexsort((self.times, self.owner))
