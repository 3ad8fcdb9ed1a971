"""A public list of places, the only locations that a method for finite sets can take or report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats, as_floats
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.trajectory.spaces import Rectangle, Space
from noisewright.trajectory.spaces.lonlat_box import DegreeBox

MOST_PLACES = 1 << 15
"""Most places of a list; the exact check takes time quadratic in them."""

BLOCK_ENTRIES = 1 << 20
"""Entries of a table in memory at a time: a list of 8,000 places is processed in blocks of 131 rows."""


@dataclass(frozen=True, eq=False)
class Places:
    """Distinct public points of a space, with their distances; never taken from the private routes alone.

    Attributes:
        points: The points (n × 2).
        space: The space they lie in.

    >>> places = Places.of([(0, 0), (1, 0), (0, 2)])
    >>> places.nearest(np.array([[0.9, 0.2]])).tolist(), round(places.diameter, 3), places.longer_side
    ([1], 2.236, 2.0)
    """

    points: Floats
    space: Space

    @classmethod
    def of(cls, points: ArrayLike | Places, space: Space | None = None) -> Places:
        """Return places from an array of two columns.

        Args:
            points: The points, 2 to 32,768, all different.
            space: The space they lie in; by default the rectangle around them.
        """
        if isinstance(points, Places) and space in (None, points.space):
            return points  # with its distances, which several methods can share
        if isinstance(points, Places):
            points = points.points
        found = _pairs(points)
        area = _around(found) if space is None else space
        if not isinstance(area, Space):
            raise InvalidParameter(f"the space of places must be a space such as Rectangle, got {space!r}")
        if not 2 <= len(found) <= MOST_PLACES or len(np.unique(found, axis=0)) < len(found):
            raise InvalidParameter(f"must be 2 to {MOST_PLACES} different places", field="points")
        try:
            kept = area.admit(found, "points").copy()
        except OutOfDomain as outside:
            raise InvalidParameter(str(outside)) from None
        kept.setflags(write=False)
        return cls(kept, area)

    def __len__(self) -> int:
        return len(self.points)

    def distances(self, rows: Cells) -> Floats:
        """Return distances from some places (rows) to all (columns)."""
        return self.space.distance(self.points[rows][:, None, :], self.points[None, :, :])

    def blocks(self) -> Iterator[Cells]:
        """Yield the numbers of all places, in blocks of as many as a table should have rows."""
        rows = max(BLOCK_ENTRIES // len(self), 1)
        return (np.arange(at, min(at + rows, len(self))) for at in range(0, len(self), rows))

    @cached_property
    def diameter(self) -> float:
        """The largest distance between two places."""
        return max(float(self.distances(rows).max()) for rows in self.blocks())

    @cached_property
    def longer_side(self) -> float:
        """The longer side of the space's map, measured through its middle."""
        left, bottom, right, top = self.space.bounds
        across, up = (left + right) / 2, (bottom + top) / 2
        sides = self.space.distance([(left, up), (across, bottom)], [(right, up), (across, top)])
        return float(sides.max())

    @cached_property
    def flat(self) -> Floats:
        """Coordinates on a flat map, for directions from one place to another."""
        return self.space.to_chart(self.points) if isinstance(self.space, DegreeBox) else self.points

    def nearest(self, locations: Floats) -> Cells:
        """Return the place nearest to each location."""
        _, found = self._tree.query(self.space.embed(locations))
        return np.asarray(found, dtype=np.int64)

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree  # noqa: PLC0415  (slow to load)

        return cKDTree(self.space.embed(self.points))


def _pairs(points: ArrayLike) -> Floats:
    try:
        found = as_floats(points, "points")
    except OutOfDomain as broken:
        raise InvalidParameter(str(broken)) from None
    if found.ndim != 2 or found.shape[1] != 2 or not np.isfinite(found).all():
        raise InvalidParameter("must be an array of two columns of finite numbers", field="points")
    return found


def _around(points: Floats) -> Rectangle:
    (left, bottom), (right, top) = points.min(axis=0), points.max(axis=0)
    if left == right or bottom == top:
        raise InvalidParameter("points on one line have no rectangle around them; pass their space")
    return Rectangle(float(left), float(bottom), float(right), float(top))
