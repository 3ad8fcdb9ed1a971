"""The box in degrees: the space of a city, a region or an ocean in longitude and latitude.

Directions and distances are those of a flat chart of the area between two meridians and two parallels.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Circle, Floats, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.parameters import real
from noisewright.trajectory.spaces.base import Flags
from noisewright.trajectory.spaces.earth import (
    HALF_ROUND,
    METRES_PER_DEGREE,
    Geographic,
    great_circle,
    spread_belt,
    wrap_longitude,
)
from noisewright.trajectory.spaces.rectangle import Rectangle

LIMITS = {"west": 180, "south": 90, "east": 180, "north": 90}


class FlatMap(Protocol):
    """A flat map: from degrees to metres on a plane, and back."""

    def forward(self, points: Floats) -> Floats: ...
    def inverse(self, metres: Floats) -> Floats: ...


@dataclass(frozen=True)
class DegreeBox(Geographic):
    """A box in degrees; it crosses the antimeridian if its west is greater than its east.

    Directions and ways to the boundary are those of a rectangle on a chart that holds the box. A report in
    the rectangle but outside the box is moved to its nearest side, which costs no privacy.
    """

    west: float
    south: float
    east: float
    north: float

    def __post_init__(self) -> None:
        for side, limit in LIMITS.items():
            degrees = real(f"the {side} of a box in degrees", getattr(self, side))
            if abs(degrees) > limit:
                across = "; a box across 180 degrees has its west above its east, such as 176 and -178"
                raise InvalidParameter(
                    f"the {side} of a box must lie from -{limit} to {limit} degrees (the order is west, "
                    f"south, east, north){across * (limit == 180)}"
                )
            object.__setattr__(self, side, degrees)
        if not self.south < self.north:
            raise InvalidParameter(
                f"a box in degrees needs south < north, got {self.south} and {self.north} "
                "(in the order west, south, east, north)"
            )
        west, east = wrap_longitude(np.array([self.west, self.east]))
        if west == east and self.west >= self.east:
            raise InvalidParameter("a box needs some width; for all longitudes write west -180 and east 180")
        _ = self.degrees, self.frame  # refuses sides too short for a lattice

    def _hint(self, points: Floats, bad: Flags) -> str | None:
        between = (self.east <= points[:, 0]) & (points[:, 0] <= self.west)
        if self.west > self.east and 2 * between.sum() > len(points):
            return "its west lies above its east, so it crosses 180 degrees; exchange them if that is wrong"
        return super()._hint(points, bad)

    # -- the chart, which each kind of box chooses -------------------------------------------------

    @property
    @abstractmethod
    def chart(self) -> FlatMap:
        """The flat map on which directions and shares are measured."""

    @property
    @abstractmethod
    def frame(self) -> Rectangle:
        """The rectangle of the chart that holds the box, in metres."""

    def to_chart(self, points: Floats) -> Floats:
        """Convert degrees to metres on the chart."""
        return self.chart.forward(self.unwrap(points))

    def from_chart(self, metres: Floats) -> Floats:
        """Convert metres on the chart to degrees, moved into the box."""
        return self._settle(self.chart.inverse(metres))

    def to_polar(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        return self.frame.to_polar(self.to_chart(references), self.to_chart(points))

    def from_polar(self, references: Floats, angles: Floats, shares: Floats) -> Floats:
        return self.from_chart(self.frame.from_polar(self.to_chart(references), angles, shares))

    # -- the area ----------------------------------------------------------------------------------

    @property
    def far_east(self) -> float:
        """The eastern side counted on from the western one, above 180 if the box crosses the antimeridian."""
        return self.east if self.west < self.east else self.east + 360

    @property
    def width(self) -> float:
        """Degrees from west to east."""
        return self.far_east - self.west

    @property
    def all_round(self) -> bool:
        """Whether the box holds all longitudes."""
        return self.width == 360

    @property
    def plain(self) -> bool:
        """Whether the box keeps clear of the antimeridian: then longitudes are ordinary numbers."""
        return -180 < self.west < self.east < 180

    @cached_property
    def degrees(self) -> Rectangle:
        """The box as a rectangle of longitudes, counted on from the western side, and latitudes."""
        return Rectangle(self.west, self.south, self.far_east, self.north)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        return self.degrees.bounds

    @property
    def centre(self) -> Floats:
        middle = np.array([self.west + self.width / 2, (self.south + self.north) / 2])
        return self._settle(middle)

    @cached_property
    def diameter(self) -> float:
        """The largest distance; it grows with the difference of longitude, up to half a turn.

        With the greatest difference Δ, one of the two furthest points lies on the southern or northern side.
        The other lies there, too, or where the distance is stationary: tan φ₂ = tan φ₁ / cos Δ.
        """
        turn = min(self.width, 180.0)
        ends = np.array([self.south, self.north])
        with np.errstate(divide="ignore"):
            still = np.degrees(np.arctan(np.tan(np.radians(ends)) / np.cos(np.radians(turn))))
        others = np.concatenate([ends, np.clip(still, self.south, self.north)])
        first = np.stack([np.zeros(2), ends], axis=-1)[:, None, :]
        second = np.stack([np.full(4, turn), others], axis=-1)
        return min(float(great_circle(first, second).max()) * (1 + 1e-12), HALF_ROUND)

    def contains(self, points: ArrayLike) -> Flags:
        if self.plain:
            return self.degrees.contains(points)
        longitude, latitude = np.moveaxis(np.asarray(points, dtype=np.float64), -1, 0)
        between = (np.abs(longitude) <= 180) & self._between(longitude)
        return np.asarray(between & (latitude >= self.south) & (latitude <= self.north))

    def _between(self, longitude: Floats) -> Flags:
        after, before = longitude >= self.west, longitude <= self.east
        between = after & before if self.west < self.east else after | before
        return np.where(np.abs(longitude) == 180, not self.plain, between)  # one meridian, two names

    def project(self, points: Floats) -> Floats:
        longitude = points[..., 0]
        longitude = np.where(np.abs(longitude) <= 180, longitude, wrap_longitude(longitude))
        to_west = np.mod(self.west - longitude, 360)
        to_east = np.mod(longitude - self.east, 360)
        side = np.where(to_west < to_east, self.west, self.east)
        latitude = np.clip(points[..., 1], self.south, self.north)
        return np.stack([np.where(self._between(longitude), longitude, side), latitude], axis=-1)

    def _settle(self, points: Floats) -> Floats:
        """Move points into the box where rounding or the chart left it, with longitudes in [−180, 180)."""
        if self.plain:
            return self.degrees.project(points)
        wrapped = np.stack([wrap_longitude(points[..., 0]), points[..., 1]], axis=-1)
        settled = self.project(wrapped)
        return np.stack([wrap_longitude(settled[..., 0]), settled[..., 1]], axis=-1)

    def unwrap(self, points: Floats) -> Floats:
        """Count longitudes on from the western side, so that a map is in one piece.

        >>> from noisewright.trajectory.spaces.lonlat_box import LonLatBox
        >>> LonLatBox(170, -20, -170, 0).unwrap(np.array([[175.0, -10.0], [-175.0, -10.0]])).tolist()
        [[175.0, -10.0], [185.0, -10.0]]
        """
        if self.plain:
            return points
        longitude = points[..., 0]
        longitude = np.where(longitude < self.west, longitude + 360, longitude)
        longitude = np.where(longitude > self.far_east, longitude - 360, longitude)
        return np.stack([longitude, points[..., 1]], axis=-1)

    def spread(self, count: int) -> Floats:
        return self._settle(spread_belt(count, self.west, self.width, self.south, self.north))


@dataclass(frozen=True)
class LonLatBox(DegreeBox):
    """Places between two meridians and two parallels, randomized in degrees.

    Its axes are longitude and latitude (Zheng 2026, 6.2.1). A box of all longitudes wraps: its first axis is
    a circle. Directions and shares are taken on a chart whose degrees of longitude have the length they have
    halfway between south and north, where the box is a rectangle; :meth:`distance` is along the sphere.

    Args:
        west: The western longitude in degrees, from −180 to 180; above ``east`` across the antimeridian.
        south: The southern latitude in degrees, from −90 to 90.
        east: The eastern longitude in degrees, from −180 to 180.
        north: The northern latitude in degrees, above ``south``.

    >>> fiji = LonLatBox(170, -20, -170, 0)    # across the antimeridian
    >>> fiji.contains([[178.4, -18.1], [-175.2, -21.1]]).tolist()
    [True, False]
    >>> fiji.axes
    (Interval(170.0, 190.0), Interval(-20.0, 0.0))
    """

    kind: ClassVar[str] = "lonlat"

    @property
    def upright(self) -> bool:
        return self.plain

    @cached_property
    def chart(self) -> PlainChart:
        middle = (self.south + self.north) / 2
        return PlainChart(self.west + self.width / 2, float(np.cos(np.radians(middle))))

    @cached_property
    def frame(self) -> Rectangle:
        west, south, east, north = self.bounds
        corners = self.chart.forward(np.array([[west, south], [east, north]]))
        return Rectangle(*corners.ravel().tolist())

    @property
    def plane(self) -> Rectangle:
        return self.frame

    def to_plane(self, points: Floats) -> Floats:
        return self.to_chart(points)

    def from_plane(self, points: Floats) -> Floats:
        return self.from_chart(points)

    @cached_property
    def axes(self) -> tuple[NumericDomain, NumericDomain]:
        longitudes, latitudes = self.degrees.axes
        return (Circle(360.0) if self.all_round else longitudes), latitudes

    def to_axes(self, points: Floats) -> Floats:
        if self.plain:
            return points
        unwrapped = self.unwrap(points)
        return np.stack([self.axes[0].clip(unwrapped[..., 0]), unwrapped[..., 1]], axis=-1)

    def from_axes(self, coordinates: Floats) -> Floats:
        return self._settle(coordinates)


@dataclass(frozen=True)
class PlainChart:
    """Degrees times fixed lengths: straight meridians and parallels, true along one parallel."""

    meridian: float
    narrowing: float

    @property
    def metres(self) -> Floats:
        """Metres of a degree of longitude, and of latitude."""
        return METRES_PER_DEGREE * np.array([self.narrowing, 1.0])

    def forward(self, points: Floats) -> Floats:
        """Convert unwrapped degrees to metres."""
        return np.asarray((points - (self.meridian, 0.0)) * self.metres)

    def inverse(self, metres: Floats) -> Floats:
        """Convert metres to unwrapped degrees."""
        return np.asarray(metres / self.metres + (self.meridian, 0.0))
