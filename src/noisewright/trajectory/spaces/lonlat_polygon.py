"""The polygon in degrees: a city or a district with its border, on the Earth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.trajectory.spaces.base import Flags, spread_inside
from noisewright.trajectory.spaces.earth import Geographic, wrap_longitude
from noisewright.trajectory.spaces.lonlat_box import LonLatBox
from noisewright.trajectory.spaces.polygon import Pair, Polygon, pair

ROUNDING = 1e-6
"""How many metres a point of the border may be off it; degrees are rounded a thousand times finer."""


@dataclass(frozen=True)
class LonLatPolygon(Geographic):
    """The area inside a closed line through places on the Earth, straight on the chart of the box around it.

    Locations are randomized in that box, and a report outside the polygon moves to the nearest point of its
    border on the chart, which costs no privacy.

    Args:
        vertices: The corners (longitude, latitude) in degrees, in the order of the border. A polygon wider
            than half a turn is taken to cross the antimeridian.

    >>> bay = LonLatPolygon([(139.6, 35.5), (139.9, 35.5), (139.8, 35.8)])
    >>> bay.contains([(139.75, 35.6), (139.65, 35.75)]).tolist()
    [True, False]
    """

    vertices: Sequence[Pair]
    kind: ClassVar[str] = "lonlat_polygon"

    def __post_init__(self) -> None:
        vertices = [pair(f"vertex {number} of a polygon", v) for number, v in enumerate(self.vertices, 1)]
        if any(abs(longitude) > 180 or abs(latitude) > 90 for longitude, latitude in vertices):
            raise InvalidParameter(
                "the vertices of a polygon on Earth are longitudes from -180 to 180 and latitudes from -90 "
                "to 90, longitude first"
            )
        object.__setattr__(self, "vertices", tuple(vertices))
        _ = self.area  # refuses lines that enclose nothing

    @cached_property
    def _unwrapped(self) -> Floats:
        """The vertices with longitudes that do not jump at the antimeridian."""
        corners = np.array(self.vertices, dtype=np.float64).reshape(-1, 2)
        if len(corners) and np.ptp(corners[:, 0]) > 180:
            corners[corners[:, 0] < 0, 0] += 360
        return corners

    @cached_property
    def box(self) -> LonLatBox:
        """The box in degrees around the polygon."""
        corners = self._unwrapped
        if len(corners) < 3:
            raise InvalidParameter("a polygon needs at least 3 vertices, all different")
        (west, south), (east, north) = corners.min(axis=0), corners.max(axis=0)
        east = east if east <= 180 else float(wrap_longitude(np.array(east)))
        return LonLatBox(float(west), float(south), float(east), float(north))

    @cached_property
    def area(self) -> Polygon:
        """The polygon on the chart of its box, in metres."""
        return Polygon([(float(x), float(y)) for x, y in self.box.chart.forward(self._unwrapped)])

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        return self.box.bounds

    @cached_property
    def centre(self) -> Floats:
        return self.box.from_chart(self.area.centre)

    @cached_property
    def diameter(self) -> float:
        # on Earth, a straight line of the chart is at most as long as along the widest of its parallels
        _, south, _, north = self.bounds
        widest = 0.0 if south <= 0 <= north else min(abs(south), abs(north))
        stretch = max(1.0, float(np.cos(np.radians(widest))) / self.box.chart.narrowing)
        return min(self.box.diameter, stretch * self.area.diameter * (1 + 1e-12))

    def unwrap(self, points: Floats) -> Floats:
        """Return the same points with longitudes counted on from the western side."""
        return self.box.unwrap(points)

    def contains(self, points: ArrayLike) -> Flags:
        array = np.asarray(points, dtype=np.float64)
        inside = self.box.contains(array)
        inside[inside] = self.area.outline.holds(self.box.to_chart(array[inside]), ROUNDING)
        return inside

    def project(self, points: Floats) -> Floats:
        outside = ~self.contains(points)
        moved = np.array(points, dtype=np.float64)
        boxed = self.box.to_chart(self.box.project(moved[outside]))
        moved[outside] = self.box.from_chart(self.area.project(boxed))
        return moved

    def spread(self, count: int) -> Floats:
        return spread_inside(count, self.box.spread, self.contains)

    @property
    def axes(self) -> tuple[NumericDomain, NumericDomain]:
        return self.box.axes

    def to_axes(self, points: Floats) -> Floats:
        return self.box.to_axes(points)

    def from_axes(self, coordinates: Floats) -> Floats:
        return self.project(self.box.from_axes(coordinates))

    def to_polar(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        return self.box.to_polar(references, points)

    def from_polar(self, references: Floats, angles: Floats, shares: Floats) -> Floats:
        return self.project(self.box.from_polar(references, angles, shares))
