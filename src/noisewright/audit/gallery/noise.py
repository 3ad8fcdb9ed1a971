"""Noise added to numbers: Laplace, Gaussian, and the ways in which its size goes wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from noisewright.audit.gallery.mechanism import Numbers, ShownMechanism
from noisewright.audit.truth import gaussian
from noisewright.domains import Floats


@dataclass(frozen=True)
class LaplaceNoise(ShownMechanism):
    """Every number with Laplace noise, ``copies`` times over.

    Densities fall by e^(−|x|/scale), so the whole output spends copies·Σ|difference|/scale, and no less.

    >>> noise = LaplaceNoise(scale=10.0)
    >>> noise([0.0, 5.0], 3, np.random.default_rng(0)).shape, noise.epsilon([0.0, 5.0], [1.0, 5.0])
    ((3, 2), 0.1)
    """

    scale: float
    copies: int = 1

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> Floats:
        numbers = np.tile(np.asarray(data, dtype=np.float64), self.copies)
        return np.asarray(numbers + self.scale * generator.laplace(size=(count, numbers.size)))

    def epsilon(self, left: Numbers, right: Numbers, delta: float = 0.0) -> float | None:
        if delta:
            return None
        return self.copies * float(np.abs(np.subtract(left, right)).sum()) / self.scale


@dataclass(frozen=True)
class LaplaceSum(ShownMechanism):
    """The sum of a column with Laplace noise.

    >>> LaplaceSum(scale=1.0).epsilon([5.0, 3.0], [0.0, 3.0])
    5.0
    """

    scale: float

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> Floats:
        return LaplaceNoise(self.scale)([math.fsum(data)], count, generator)

    def epsilon(self, left: Numbers, right: Numbers, delta: float = 0.0) -> float | None:
        return LaplaceNoise(self.scale).epsilon([math.fsum(left)], [math.fsum(right)], delta)


@dataclass(frozen=True)
class GaussianNoise(ShownMechanism):
    """Every number with normal noise of one deviation.

    >>> noise = GaussianNoise(deviation=4.8448)  # the textbook's for (1, 10⁻⁵)
    >>> noise([0.0], 4, np.random.default_rng(0)).shape, round(noise.epsilon([0.0], [1.0], 1e-5), 3)
    ((4, 1), 0.751)
    """

    deviation: float

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> Floats:
        numbers = np.asarray(data, dtype=np.float64)
        return np.asarray(numbers + self.deviation * generator.standard_normal(size=(count, numbers.size)))

    def epsilon(self, left: Numbers, right: Numbers, delta: float = 0.0) -> float | None:
        distance = float(np.linalg.norm(np.subtract(left, right)))
        if distance == 0:
            return 0.0
        return gaussian_epsilon(self.deviation, distance, delta) if delta else math.inf


def gaussian_epsilon(deviation: float, distance: float, delta: float) -> float:
    """The ε that normal noise keeps with δ, from its exact spectrum.

    >>> round(gaussian_epsilon(1.0, 1.0, 0.1269), 2)
    1.0
    """

    def excess(epsilon: float) -> float:
        return float(gaussian(deviation, epsilon, distance)) - delta

    low, high = 0.0, 1.0
    while excess(high) > 0:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return high
