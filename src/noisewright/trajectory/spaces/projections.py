"""Conformal projections of the ellipsoid: the maps behind UTM and UPS, about any meridian or pole.

Both begin with the conformal latitude, the step from the ellipsoid to a sphere that keeps all angles.
Latitudes go by their tangents, which lose nothing near the poles (Karney 2011, "Transverse Mercator with an
accuracy of a few nanometers", equations 7 to 9 and 19 to 21).

*Transverse Mercator.* The conformal sphere is rolled into a cylinder along the central meridian, and a short
Fourier series (that of Krüger, to the sixth power of the third flattening) bends the cylinder to true lengths
along that meridian. The coefficients are those of Karney 2011, equations 35 and 36, where the error is shown
to stay below a few nanometres within 3,900 km of the meridian.

*Polar stereographic.* Where meridians run together, the map is taken from the pole, an ordinary point of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.trajectory.spaces.earth import (
    ECCENTRICITY_SQUARED,
    EQUATOR_RADIUS,
    FLATTENING,
    wrap_longitude,
)

ECCENTRICITY = ECCENTRICITY_SQUARED**0.5
NEWTON_STEPS = 4
"""Each doubles the digits and the first guess has five of them; one step is to spare."""


def conformal_tangent(tangent: Floats) -> Floats:
    """Return tangents of conformal latitudes, from tangents of latitudes."""
    secant = np.hypot(1.0, tangent)
    stretch = np.sinh(ECCENTRICITY * np.arctanh(ECCENTRICITY * tangent / secant))
    return np.asarray(tangent * np.hypot(1.0, stretch) - stretch * secant)


def geographic_tangent(conformal: Floats) -> Floats:
    """Return tangents of latitudes, from tangents of conformal latitudes: Newton's method.

    >>> tangents = np.tan(np.radians([-89.999, -20.0, 0.0, 84.0]))
    >>> bool(np.allclose(geographic_tangent(conformal_tangent(tangents)), tangents, rtol=1e-15, atol=0))
    True
    """
    shrink = 1 - ECCENTRICITY_SQUARED
    tangent = conformal / shrink
    for _ in range(NEWTON_STEPS):
        reached = conformal_tangent(tangent)
        slope = shrink * np.hypot(1.0, tangent) / (1 + shrink * tangent**2)
        tangent = tangent + (conformal - reached) / (slope * np.hypot(1.0, reached))
    return np.asarray(tangent)


# -- transverse Mercator ---------------------------------------------------------------------------

THIRD_FLATTENING = FLATTENING / (2 - FLATTENING)
# The meridian's length over 2π: Krüger 1912.
RECTIFYING_RADIUS = (
    EQUATOR_RADIUS
    / (1 + THIRD_FLATTENING)
    * float(np.polyval([1 / 256, 0, 1 / 64, 0, 1 / 4, 0, 1], THIRD_FLATTENING))
)


def _series(*rows: tuple[float, ...]) -> tuple[float, ...]:
    """Coefficients of sin 2ζ, sin 4ζ, …; row j lists those of nʲ, nʲ⁺¹, … with n the third flattening."""
    return tuple(
        float(np.polyval((*reversed(row), *[0.0] * power), THIRD_FLATTENING))
        for power, row in enumerate(rows, 1)
    )


TO_PLANE = _series(
    (1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37800),
    (13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1983433 / 1935360),
    (61 / 240, -103 / 140, 15061 / 26880, 167603 / 181440),
    (49561 / 161280, -179 / 168, 6601661 / 7257600),
    (34729 / 80640, -3418889 / 1995840),
    (212378941 / 319334400,),
)
FROM_PLANE = _series(
    (-1 / 2, 2 / 3, -37 / 96, 1 / 360, 81 / 512, -96199 / 604800),
    (-1 / 48, -1 / 15, 437 / 1440, -46 / 105, 1118711 / 3870720),
    (-17 / 480, 37 / 840, 209 / 4480, -5569 / 90720),
    (-4397 / 161280, 11 / 504, 830251 / 7257600),
    (-4583 / 161280, 108847 / 3991680),
    (-20648693 / 638668800,),
)


@dataclass(frozen=True)
class TransverseMercator:
    """Metres east of a central meridian and north of the equator, and back.

    >>> tokyo_tower = np.array([139.7454, 35.6586])
    >>> chart = TransverseMercator(141.0, scale=0.9996)    # zone 54 of UTM, without its false easting
    >>> chart.forward(tokyo_tower).round(2)
    array([-113562.4 , 3946808.16])
    >>> chart.inverse(chart.forward(tokyo_tower)).round(9)
    array([139.7454,  35.6586])
    """

    meridian: float
    scale: float = 1.0

    def forward(self, points: Floats) -> Floats:
        """Convert degrees to metres; the longitudes less than 90° from the meridian."""
        sphere = self._cylinder(*self._sphere(points))
        plane = self.scale * RECTIFYING_RADIUS * (sphere + _sines(TO_PLANE, sphere))
        return np.stack([plane.imag, plane.real], axis=-1)

    def inverse(self, metres: Floats) -> Floats:
        """Convert metres to degrees."""
        plane = np.asarray(metres[..., 1] + 1j * metres[..., 0], dtype=np.complex128)
        plane = plane / (self.scale * RECTIFYING_RADIUS)
        sphere = plane + _sines(FROM_PLANE, plane)
        aside, along = np.sinh(sphere.imag), np.cos(sphere.real)
        longitude = np.degrees(np.arctan2(aside, along))
        tangent = geographic_tangent(np.sin(sphere.real) / np.hypot(aside, along))
        return np.stack([wrap_longitude(longitude + self.meridian), np.degrees(np.arctan(tangent))], axis=-1)

    def magnification(self, points: Floats) -> Floats:
        """Return how many metres on the map one metre at each place becomes, in every direction."""
        turn, tangent = self._sphere(points)
        conformal = conformal_tangent(tangent)
        secant = np.hypot(1.0, tangent)
        sphere = np.sqrt(1 - ECCENTRICITY_SQUARED * (tangent / secant) ** 2) * secant
        bend = np.abs(1 + _slopes(TO_PLANE, self._cylinder(turn, tangent)))
        rolled = sphere / np.hypot(conformal, np.cos(turn))
        return np.asarray(self.scale * RECTIFYING_RADIUS / EQUATOR_RADIUS * bend * rolled)

    def _sphere(self, points: Floats) -> tuple[Floats, Floats]:
        """Longitude from the meridian in radians, and the tangent of the latitude."""
        turn = np.radians(wrap_longitude(points[..., 0] - self.meridian))
        return turn, np.tan(np.radians(points[..., 1]))

    @staticmethod
    def _cylinder(turn: Floats, tangent: Floats) -> NDArray[np.complex128]:
        """Place on the cylinder: north as the real part, east as the imaginary part."""
        conformal, along = conformal_tangent(tangent), np.cos(turn)
        north = np.arctan2(conformal, along)
        return np.asarray(north + 1j * np.arcsinh(np.sin(turn) / np.hypot(conformal, along)))


def _sines(coefficients: tuple[float, ...], angle: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """The sum of c₁ sin 2ζ + c₂ sin 4ζ + … by Clenshaw's recurrence: one sine and one cosine for all."""
    first, _ = _clenshaw(coefficients, np.cos(2 * angle))
    return np.asarray(first * np.sin(2 * angle))


def _slopes(coefficients: tuple[float, ...], angle: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Return the derivative of :func:`_sines`, which is 2 c₁ cos 2ζ + 4 c₂ cos 4ζ + … at each angle."""
    cosine = np.cos(2 * angle)
    first, second = _clenshaw(tuple(2 * j * c for j, c in enumerate(coefficients, 1)), cosine)
    return np.asarray(first * cosine - second)


def _clenshaw(coefficients: tuple[float, ...], cosine: NDArray[np.complex128]) -> tuple[Any, Any]:
    first, second = np.zeros_like(cosine), np.zeros_like(cosine)
    for coefficient in reversed(coefficients):
        first, second = coefficient + 2 * cosine * first - second, first
    return first, second


# -- polar stereographic ---------------------------------------------------------------------------


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
        """Convert degrees to metres."""
        turn = np.radians(wrap_longitude(points[..., 0] - self.meridian))
        radius = self._radius(self.sign * np.tan(np.radians(points[..., 1])))
        return np.stack([radius * np.sin(turn), -self.sign * radius * np.cos(turn)], axis=-1)

    def inverse(self, metres: Floats) -> Floats:
        """Convert metres to degrees; the pole has the longitude of the central meridian or its opposite."""
        east, down = metres[..., 0], -self.sign * metres[..., 1]
        share = np.maximum(np.hypot(east, down) / (self.scale * REACH), NEAREST)
        latitude = self.sign * np.degrees(np.arctan(geographic_tangent((1 / share - share) / 2)))
        longitude = np.degrees(np.arctan2(east, down)) + self.meridian
        return np.stack([wrap_longitude(longitude), latitude], axis=-1)

    def magnification(self, points: Floats) -> Floats:
        """Return how many metres on the map one metre at each place becomes, in every direction."""
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
