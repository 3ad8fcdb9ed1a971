"""The transverse Mercator projection of the ellipsoid: the map behind UTM, about any meridian.

The conformal sphere is rolled into a cylinder along the central meridian, and a short Fourier series (that of
Krüger, to the sixth power of the third flattening) bends the cylinder to true lengths along that meridian.
The coefficients are those of Karney 2011, equations 35 and 36, where the error is shown to stay below a few
nanometres within 3,900 km of the meridian.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.trajectory.spaces.conformal_latitude import conformal_tangent, geographic_tangent
from noisewright.trajectory.spaces.earth import (
    ECCENTRICITY_SQUARED,
    EQUATOR_RADIUS,
    FLATTENING,
    wrap_longitude,
)

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
        """From degrees to metres; the longitudes less than 90° from the meridian."""
        sphere = self._cylinder(*self._sphere(points))
        plane = self.scale * RECTIFYING_RADIUS * (sphere + _sines(TO_PLANE, sphere))
        return np.stack([plane.imag, plane.real], axis=-1)

    def inverse(self, metres: Floats) -> Floats:
        """From metres to degrees."""
        plane = np.asarray(metres[..., 1] + 1j * metres[..., 0], dtype=np.complex128)
        plane = plane / (self.scale * RECTIFYING_RADIUS)
        sphere = plane + _sines(FROM_PLANE, plane)
        aside, along = np.sinh(sphere.imag), np.cos(sphere.real)
        longitude = np.degrees(np.arctan2(aside, along))
        tangent = geographic_tangent(np.sin(sphere.real) / np.hypot(aside, along))
        return np.stack([wrap_longitude(longitude + self.meridian), np.degrees(np.arctan(tangent))], axis=-1)

    def magnification(self, points: Floats) -> Floats:
        """How many metres on the map one metre at each place becomes, in every direction."""
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
    """The derivative of :func:`_sines`, which is 2 c₁ cos 2ζ + 4 c₂ cos 4ζ + … at each angle."""
    cosine = np.cos(2 * angle)
    first, second = _clenshaw(tuple(2 * j * c for j, c in enumerate(coefficients, 1)), cosine)
    return np.asarray(first * cosine - second)


def _clenshaw(coefficients: tuple[float, ...], cosine: NDArray[np.complex128]) -> tuple[Any, Any]:
    first, second = np.zeros_like(cosine), np.zeros_like(cosine)
    for coefficient in reversed(coefficients):
        first, second = coefficient + 2 * cosine * first - second, first
    return first, second
