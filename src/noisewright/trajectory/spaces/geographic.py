"""What spaces on the Earth share: points are (longitude, latitude) in degrees, distances are in metres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.trajectory.spaces.base import Flags, Space, spread_square
from noisewright.trajectory.spaces.earth import great_circle, sphere_vectors


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
    """Points that fill a belt between two meridians and two parallels evenly, longitudes not wrapped.

    The area between two parallels goes by the sine of latitude, so the sine is what is spread evenly.
    """
    square = spread_square(count)
    low, high = np.sin(np.radians([south, north]))
    latitude = np.degrees(np.arcsin(low + square[:, 1] * (high - low)))
    return np.stack([west + width * square[:, 0], np.clip(latitude, south, north)], axis=-1)
