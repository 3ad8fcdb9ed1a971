"""The Earth: its size, distances along its surface, and the sphere, the space of all its places.

Points of every space on the Earth are (longitude, latitude) in degrees, and distances are in metres.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Circle, Floats, Interval
from noisewright.trajectory.spaces.base import Flags, Space, angle_of, spread_square

MEAN_RADIUS = 6371008.8
"""The sphere's radius in metres: the mean of the three half axes of the WGS84 ellipsoid."""

METRES_PER_DEGREE = MEAN_RADIUS * np.pi / 180
HALF_ROUND = MEAN_RADIUS * np.pi
"""Metres from any place to its antipode."""


def great_circle(first: ArrayLike, second: ArrayLike) -> Floats:
    """Return distances in metres between places (longitude, latitude) in degrees, along the sphere.

    The haversine h and its complement are sums of squares, so nothing cancels, however near the places are
    to each other or to being antipodes:

        h = sin²(Δφ/2) + cos φ₁ cos φ₂ sin²(Δλ/2),    1 − h = sin²(φ₁/2 + φ₂/2) + cos φ₁ cos φ₂ cos²(Δλ/2).

    Distances on the ellipsoid are between 0.56 % shorter (along a meridian at the equator) and 0.45 % longer
    (at the poles).

    >>> float(great_circle((0, -90), (77, 90)).round(1))    # pole to pole
    20015114.4
    """
    (east, north), (other_east, other_north) = _radians(first), _radians(second)
    both = np.cos(north) * np.cos(other_north)
    turn = (other_east - east) / 2
    apart = np.sin((other_north - north) / 2) ** 2 + both * np.sin(turn) ** 2
    opposite = np.sin((other_north + north) / 2) ** 2 + both * np.cos(turn) ** 2
    return np.asarray(2 * MEAN_RADIUS * np.arctan2(np.sqrt(apart), np.sqrt(opposite)))


def sphere_vectors(places: ArrayLike) -> Floats:
    """Return places as points in space, in metres from the sphere's centre; longer ways have longer chords.

    >>> (sphere_vectors([(0, 0), (90, 0), (0, 90)]) / MEAN_RADIUS).round(12).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    east, north = _radians(places)
    level = np.cos(north)
    return MEAN_RADIUS * np.stack([level * np.cos(east), level * np.sin(east), np.sin(north)], axis=-1)


def wrap_longitude(degrees: Floats) -> Floats:
    """Return longitudes in [−180, 180); those already there keep every bit.

    >>> wrap_longitude(np.array([139.7, 180.0, 190.0, -540.0])).tolist()
    [139.7, -180.0, -170.0, -180.0]
    """
    inside = (degrees >= -180) & (degrees < 180)
    wrapped = np.mod(degrees + 180, 360) - 180
    return np.where(inside, degrees, np.where(wrapped >= 180, -180.0, wrapped))


def _radians(places: ArrayLike) -> tuple[Floats, Floats]:
    radians = np.radians(np.asarray(places, dtype=np.float64))
    return radians[..., 0], radians[..., 1]


@dataclass(frozen=True)
class Geographic(Space):
    """A part of the Earth's surface. Longitudes run from −180 to 180, which are the same meridian."""

    units: ClassVar[str] = "metres"
    names: ClassVar[tuple[str, str]] = ("longitude", "latitude")

    def distance(self, first: ArrayLike, second: ArrayLike) -> Floats:
        return great_circle(first, second)

    def embed(self, points: Floats) -> Floats:
        return sphere_vectors(points)

    def _hint(self, points: Floats, bad: Flags) -> str | None:
        if hint := super()._hint(points, bad):
            return hint
        if (points[bad, 0] > 180).any():
            return "longitudes run from -180 to 180: subtract 360 from those above"
        if (np.abs(points[bad, 1]) > 90).any():
            return "latitudes run from -90 to 90: points are degrees, with longitude first"
        return None


def spread_belt(count: int, west: float, width: float, south: float, north: float) -> Floats:
    """Return points that fill a belt between two meridians and two parallels evenly, longitudes not wrapped.

    The area between two parallels goes by the sine of latitude, so the sine is what is spread evenly.
    """
    square = spread_square(count)
    low, high = np.sin(np.radians([south, north]))
    latitude = np.degrees(np.arcsin(low + square[:, 1] * (high - low)))
    return np.stack([west + width * square[:, 0], np.clip(latitude, south, north)], axis=-1)


@dataclass(frozen=True)
class Sphere(Geographic):
    """The whole Earth, taken as a sphere.

    Its axes are longitude, on a circle, and latitude (Zheng 2026, 6.2.5). Its directions are those in which a
    great circle leaves the reference, counted from east to north. Its shares are of the way to the antipode.
    So there is no boundary, and all references, poles included, are equivalent.

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
        """Solve the inverse geodesic problem of the sphere, by components to the reference's east and north.

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
        """Solve the direct geodesic problem: add the steps east, north and up, and read off the place."""
        here, way = np.radians(references[..., 1]), np.pi * np.asarray(shares)
        east, north, up = np.sin(way) * np.cos(angles), np.sin(way) * np.sin(angles), np.cos(way)
        outward = up * np.cos(here) - north * np.sin(here)  # from the axis, in the reference's meridian
        upward = up * np.sin(here) + north * np.cos(here)  # along the axis
        longitude = references[..., 0] + np.degrees(np.arctan2(east, outward))
        latitude = np.degrees(np.arctan2(upward, np.hypot(east, outward)))
        return np.stack([wrap_longitude(longitude), np.clip(latitude, -90, 90)], axis=-1)
