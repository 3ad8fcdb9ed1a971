"""The sphere: the space of travellers who may be anywhere on Earth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Circle, Floats, Interval
from noisewright.trajectory.spaces.base import Flags
from noisewright.trajectory.spaces.convex import angle_of
from noisewright.trajectory.spaces.earth import HALF_ROUND, wrap_longitude
from noisewright.trajectory.spaces.geographic import Geographic, spread_belt


@dataclass(frozen=True)
class Sphere(Geographic):
    """The whole Earth, taken as a sphere.

    Its axes are longitude, on a circle, and latitude (Zheng 2026, 6.2.5). Its directions are those in which a
    great circle leaves the reference, counted from east to north, and its shares are of the way to the
    antipode, so that there is no boundary and every reference, a pole too, sees the Earth alike.

    >>> angle, share = Sphere().to_polar(np.array([139.7, 35.7]), np.array([139.7, 90.0]))
    >>> round(float(angle / np.pi), 3), round(float(share), 3)    # north, a third of the way round
    (0.5, 0.302)
    """

    kind: ClassVar[str] = "sphere"

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        return -180.0, -90.0, 180.0, 90.0

    @property
    def centre(self) -> Floats:
        """The origin of coordinates: no place of a sphere is more central than another."""
        return np.zeros(2)

    @property
    def diameter(self) -> float:
        return HALF_ROUND

    def contains(self, points: ArrayLike) -> Flags:
        longitude, latitude = np.moveaxis(np.asarray(points, dtype=np.float64), -1, 0)
        return np.asarray((np.abs(longitude) <= 180) & (np.abs(latitude) <= 90))

    def project(self, points: Floats) -> Floats:
        longitude = np.where(np.abs(points[..., 0]) <= 180, points[..., 0], wrap_longitude(points[..., 0]))
        return np.stack([longitude, np.clip(points[..., 1], -90, 90)], axis=-1)

    def spread(self, count: int) -> Floats:
        return spread_belt(count, -180.0, 360.0, -90.0, 90.0)

    @cached_property
    def axes(self) -> tuple[Circle, Interval]:
        return Circle(360.0), Interval(-90.0, 90.0)

    def to_axes(self, points: Floats) -> Floats:
        return np.stack([self.axes[0].clip(points[..., 0]), points[..., 1]], axis=-1)

    def from_axes(self, coordinates: Floats) -> Floats:
        longitude = wrap_longitude(coordinates[..., 0])
        return np.stack([longitude, np.clip(coordinates[..., 1], -90, 90)], axis=-1)

    def to_polar(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        """The inverse geodesic problem of the sphere, from components along the reference's east and north.

        The northern one is cos φ₁ sin φ₂ − sin φ₁ cos φ₂ cos Δλ, written so that near places do not cancel.
        """
        here, there = np.radians(references[..., 1]), np.radians(points[..., 1])
        turn = np.radians(points[..., 0] - references[..., 0])
        east = np.cos(there) * np.sin(turn)
        north = np.sin(there - here) + 2 * np.sin(here) * np.cos(there) * np.sin(turn / 2) ** 2
        up = np.sin(here) * np.sin(there) + np.cos(here) * np.cos(there) * np.cos(turn)
        shares = np.arctan2(np.hypot(east, north), up) / np.pi
        return angle_of(np.stack([east, north], axis=-1)), np.asarray(shares)

    def from_polar(self, references: Floats, angles: Floats, shares: Floats) -> Floats:
        """The direct geodesic problem: add the steps east, north and up, then read off the new place."""
        here, way = np.radians(references[..., 1]), np.pi * np.asarray(shares)
        east, north, up = np.sin(way) * np.cos(angles), np.sin(way) * np.sin(angles), np.cos(way)
        outward = up * np.cos(here) - north * np.sin(here)  # from the axis, in the reference's meridian
        upward = up * np.sin(here) + north * np.cos(here)  # along the axis
        longitude = references[..., 0] + np.degrees(np.arctan2(east, outward))
        latitude = np.degrees(np.arctan2(upward, np.hypot(east, outward)))
        return np.stack([wrap_longitude(longitude), np.clip(latitude, -90, 90)], axis=-1)
