"""Mechanisms with two inputs whose spectrum is known exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.audit import Spectrum, audit
from noisewright.audit.truth import classical_sigma, finite, gaussian, laplace, laplace_vector
from noisewright.domains import Floats
from noisewright.published.gallery.local import RandomizedResponse, right_replacement
from noisewright.published.gallery.maxima import ExponentialCount

Draw = Callable[[Any, int, np.random.Generator], NDArray[Any]]
Curve = Callable[[Floats], Floats]

GRID = np.linspace(0.0, 1.5, 61)
"""The ε at which curves are compared."""

SIGMA = classical_sigma(1.0, 1e-5)


@dataclass(frozen=True)
class Known:
    """A mechanism, two inputs, and δ(ε), the larger of both directions."""

    title: str
    draw: Draw
    left: Any
    right: Any
    truth: Curve

    def audited(self, samples: int, seed: int, **options: Any) -> Spectrum:
        """An audit in this process, for processor times that can be compared."""
        options = {"epsilons": GRID, **options}
        return audit(
            self.draw, self.left, self.right, samples=samples, seed=seed, vectorized=True, jobs=1, **options
        )


def laplace_noise(data: Any, count: int, generator: np.random.Generator) -> Floats:
    """Laplace noise of scale 1 on a number or a vector."""
    return np.asarray(data + generator.laplace(size=(count, *np.shape(data))))


def gaussian_noise(data: Any, count: int, generator: np.random.Generator) -> Floats:
    """Gaussian noise for (1, 10⁻⁵) by the textbook, on a number or a vector."""
    return np.asarray(data + SIGMA * generator.standard_normal(size=(count, *np.shape(data))))


def one_coordinate(dims: int) -> Floats:
    """A vector at distance 1 from 0, all of it in the first coordinate."""
    return np.asarray(np.eye(1, dims)[0], dtype=np.float64)


def of_laws(title: str, draw: Any, left: Any, right: Any) -> Known:
    """A mechanism of finitely many outputs whose law can be written down."""
    p, q = draw.law(left).shares, draw.law(right).shares
    return Known(title, draw, left, right, lambda grid: np.maximum(finite(p, q, grid), finite(q, p, grid)))


LAPLACE = Known("Laplace(1)", laplace_noise, 0.0, 1.0, lambda grid: laplace(1.0, grid))
GAUSSIAN = Known("Gaussian(1, 1e-5)", gaussian_noise, 0.0, 1.0, lambda grid: gaussian(SIGMA, grid))
EXPONENTIAL = of_laws(
    "exponential mechanism {0,1,1}", ExponentialCount(rate=1.0, most=3), (0, 1, 1), (0, 0, 1)
)
RESPONSE = of_laws("4-ary response", RandomizedResponse(4, right_replacement(4, 1.0)), 0, 1)


def gaussian_vector(dims: int, spread: bool) -> Known:
    """Vectors at Euclidean distance 1, apart in one coordinate or a little in each."""
    right = np.full(dims, dims**-0.5) if spread else one_coordinate(dims)
    title = f"Gaussian, {dims} dims, {'spread' if spread else 'one coordinate'}"
    return Known(title, gaussian_noise, np.zeros(dims), right, lambda grid: gaussian(SIGMA, grid))


def laplace_vectors(dims: int, spread: bool) -> Known:
    """Vectors at L1 distance 1, apart in one coordinate or a little in each."""
    title = f"Laplace, {dims} dims, {'spread' if spread else 'one coordinate'}"
    if spread:
        right = np.full(dims, 1 / dims)
        return Known(
            title, laplace_noise, np.zeros(dims), right, lambda grid: laplace_vector(1.0, dims, grid)
        )
    return Known(title, laplace_noise, np.zeros(dims), one_coordinate(dims), lambda grid: laplace(1.0, grid))
