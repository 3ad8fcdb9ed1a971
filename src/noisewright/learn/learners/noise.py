"""What a channel does to a number on average, so that it can be taken back.

For every channel in use the mean report is a straight line in the true value z, and the mean squared report
a parabola. Both are read off the exact law:

    value = (report − shift) / slope,     E[value | z] = z,     E[value² | z] = noise + growth · z².

So the mean of the values estimates E z, and (mean of value² − noise)/growth estimates E z². Leaving the noise
in would make every column look wider and its weight smaller: the errors-in-variables bias.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.questions.channels import unit_channel

TOLERANCE: Final = 0.005
"""How far the mean report, in true values, may be from a straight line."""

LEAST_GROWTH: Final = 0.05
"""The growth below which squares are not worth having: Duchi's two reports have the same square."""

PLACES: Final = np.linspace(-1, 1, 65)


@dataclass(frozen=True)
class Calibration:
    """The line of the mean report and the parabola of the mean squared value.

    >>> found = calibration("Laplace", 1.0)          # the noise has variance 2·(2/ε)² = 8
    >>> abs(round(found.shift, 3)), round(found.slope, 3), round(found.noise, 2), round(found.growth, 3)
    (0.0, 1.0, 8.0, 1.0)
    """

    shift: float
    slope: float
    noise: float
    growth: float

    def values(self, reports: Floats) -> Floats:
        """Unbiased values of the numbers behind some reports."""
        return np.asarray((reports - self.shift) / self.slope)

    @property
    def tells_squares(self) -> bool:
        """Whether a report says anything about the square of its number."""
        return self.growth > LEAST_GROWTH

    def squares(self, values: Floats) -> Floats:
        """Unbiased values of the squares of these numbers, if reports tell them at all."""
        return np.asarray((values**2 - self.noise) / self.growth)


@lru_cache(maxsize=256)
def calibration(mechanism: str, epsilon: float) -> Calibration:
    """The calibration of a channel for [−1, 1]; a channel whose mean report bends is refused.

    >>> calibration("OGPM", 1.0)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: the mean report of OGPM is no straight line in the true value; ...
    """
    law = unit_channel(mechanism, epsilon).law(PLACES)
    mean = law.mean()
    (shift, slope), bend = _fitted(PLACES, mean)
    if bend > TOLERANCE * slope:
        raise InvalidParameter(
            f"the mean report of {mechanism} is no straight line in the true value; moments need Laplace, "
            "PM, Hybrid, Duchi, UnbiasedOGPM, SW or designed"
        )
    (noise, growth), _ = _fitted(PLACES**2, (law.variance() + (mean - shift) ** 2) / slope**2)
    return Calibration(shift, slope, noise, growth)


def _fitted(places: Floats, heights: Floats) -> tuple[tuple[float, float], float]:
    """The line of least squares through some points, and how far the farthest is from it."""
    slope, level = np.polyfit(places, heights, 1)
    return (float(level), float(slope)), float(np.abs(heights - level - slope * places).max())
