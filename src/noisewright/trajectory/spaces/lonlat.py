"""The box in degrees: the space of a city, a region or an ocean in longitude and latitude."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.domains import Circle, Floats, NumericDomain
from noisewright.trajectory.spaces.degree_box import DegreeBox
from noisewright.trajectory.spaces.earth import METRES_PER_DEGREE
from noisewright.trajectory.spaces.rectangle import Rectangle


@dataclass(frozen=True)
class LonLatBox(DegreeBox):
    """Places between two meridians and two parallels, randomized in degrees.

    Its axes are longitude and latitude (Zheng 2026, 6.2.1). A box of all longitudes wraps: its first axis is
    a circle. Directions and shares are taken on a chart whose degrees of longitude have the length they have
    halfway between south and north, where the box is a rectangle; :meth:`distance` is along the sphere.

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
        """From unwrapped degrees to metres."""
        return np.asarray((points - (self.meridian, 0.0)) * self.metres)

    def inverse(self, metres: Floats) -> Floats:
        """From metres to unwrapped degrees."""
        return np.asarray(metres / self.metres + (self.meridian, 0.0))
