"""The size and shape of the Earth, and distances along its surface."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats

EQUATOR_RADIUS = 6378137.0
FLATTENING = 1 / 298.257223563
ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING)
"""The ellipsoid of the Global Positioning System, WGS84, in metres."""

MEAN_RADIUS = 6371008.8
"""The radius of the sphere that stands for the ellipsoid: a third of the sum of its three half axes."""

METRES_PER_DEGREE = MEAN_RADIUS * np.pi / 180
HALF_ROUND = MEAN_RADIUS * np.pi
"""From any place to its antipode."""


def great_circle(first: ArrayLike, second: ArrayLike) -> Floats:
    """Distances in metres between places (longitude, latitude) in degrees, along the sphere.

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
    """Places as points in space, in metres from the centre of the sphere: longer ways have longer chords.

    >>> (sphere_vectors([(0, 0), (90, 0), (0, 90)]) / MEAN_RADIUS).round(12).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    east, north = _radians(places)
    level = np.cos(north)
    return MEAN_RADIUS * np.stack([level * np.cos(east), level * np.sin(east), np.sin(north)], axis=-1)


def wrap_longitude(degrees: Floats) -> Floats:
    """Longitudes in [−180, 180); those already there keep every bit.

    >>> wrap_longitude(np.array([139.7, 180.0, 190.0, -540.0])).tolist()
    [139.7, -180.0, -170.0, -180.0]
    """
    inside = (degrees >= -180) & (degrees < 180)
    wrapped = np.mod(degrees + 180, 360) - 180
    return np.where(inside, degrees, np.where(wrapped >= 180, -180.0, wrapped))


def _radians(places: ArrayLike) -> tuple[Floats, Floats]:
    radians = np.radians(np.asarray(places, dtype=np.float64))
    return radians[..., 0], radians[..., 1]
