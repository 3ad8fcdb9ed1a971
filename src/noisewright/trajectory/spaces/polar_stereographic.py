"""The polar stereographic projection of the ellipsoid: the map behind UPS, where meridians run together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.trajectory.spaces.conformal_latitude import (
    ECCENTRICITY,
    conformal_tangent,
    geographic_tangent,
)
from noisewright.trajectory.spaces.earth import ECCENTRICITY_SQUARED, EQUATOR_RADIUS, wrap_longitude

# Snyder 1987, "Map Projections: A Working Manual", equation 21-33, for a map true at the pole.
REACH = (
    2
    * EQUATOR_RADIUS
    / np.sqrt((1 + ECCENTRICITY) ** (1 + ECCENTRICITY) * (1 - ECCENTRICITY) ** (1 - ECCENTRICITY))
)
NEAREST = 1e-18
"""The least share of the reach that is told from the pole itself: far below an atom."""


@dataclass(frozen=True)
class PolarStereographic:
    """Metres from a pole, with the central meridian straight down (north) or straight up (south), and back.

    The pole is an ordinary point of this map. A place of conformal latitude χ lies REACH · tan(π/4 − χ/2)
    from it.

    >>> chart = PolarStereographic(0.0, scale=0.994)    # the northern UPS grid, without its false origin
    >>> chart.forward(np.array([0.0, 84.0])).round(3)
    array([      0.   , -666727.704])
    """

    meridian: float
    south: bool = False
    scale: float = 1.0

    @property
    def sign(self) -> float:
        """1 on the northern map, −1 on the southern."""
        return -1.0 if self.south else 1.0

    def forward(self, points: Floats) -> Floats:
        """From degrees to metres."""
        turn = np.radians(wrap_longitude(points[..., 0] - self.meridian))
        radius = self._radius(self.sign * np.tan(np.radians(points[..., 1])))
        return np.stack([radius * np.sin(turn), -self.sign * radius * np.cos(turn)], axis=-1)

    def inverse(self, metres: Floats) -> Floats:
        """From metres to degrees; the pole itself has the central meridian's longitude, or its opposite's."""
        east, down = metres[..., 0], -self.sign * metres[..., 1]
        share = np.maximum(np.hypot(east, down) / (self.scale * REACH), NEAREST)
        latitude = self.sign * np.degrees(np.arctan(geographic_tangent((1 / share - share) / 2)))
        longitude = np.degrees(np.arctan2(east, down)) + self.meridian
        return np.stack([wrap_longitude(longitude), latitude], axis=-1)

    def magnification(self, points: Floats) -> Floats:
        """How many metres on the map one metre at each place becomes, in every direction."""
        tangent = self.sign * np.tan(np.radians(points[..., 1]))
        secant = np.hypot(1.0, tangent)
        across = secant * np.sqrt(1 - ECCENTRICITY_SQUARED * (tangent / secant) ** 2)
        return np.asarray(self._radius(tangent) * across / EQUATOR_RADIUS)

    def _radius(self, tangent: Floats) -> Floats:
        """Distance from the pole on the map: tan(π/4 − χ/2) is sec χ − tan χ, one over sec χ + tan χ."""
        conformal = conformal_tangent(tangent)
        secant = np.hypot(1.0, conformal)
        share = np.where(conformal > 0, 1 / (secant + np.abs(conformal)), secant - conformal)
        return np.asarray(self.scale * REACH * share)
