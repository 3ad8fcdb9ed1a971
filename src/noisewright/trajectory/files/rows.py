"""Locations in the order of a file, and how they become routes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.trajectory.files.route_file import Coordinates, RouteFile
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces.base import Flags


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

    def _order(self) -> Cells:
        if self.times is None:
            return np.argsort(self.owner, kind="stable")
        return np.lexsort((self.times, self.owner))
