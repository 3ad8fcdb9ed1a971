"""Simulated curves with known answers: the two experiments of Qin and Bai (2026, section 6).

A curve is X(t) = Σ ξⱼ ζⱼ φⱼ(t) over 50 cosines φⱼ, with ξⱼ uniform on ±√3 and ζⱼ = (−1)^(j+1)/j; its label
is 1 with probability 1/(1 + e^(−f)), f = 0.1 + ∫ X(t) β(t) dt. No real data is involved, so an ordinary
generator draws it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.signal import lfilter
from scipy.special import expit

from noisewright.domains import Cells, Floats
from noisewright.parameters import whole

TERMS = 50
INTERCEPT = 0.1
GRID_POINTS = 101
_ORDERS = np.arange(1, TERMS + 1)
_SIGNS = np.where(_ORDERS % 2 == 1, 1.0, -1.0)

OPPOSED, UNRELATED, ALIKE = 1, 2, 3
"""The groups of servers of section 6.2, by number."""

FORGETTING = 15.0
"""Rate at which random slopes of the second group lose correlation: their covariance is e^(−15|s − t|)."""

FINE_POINTS = 1000


@dataclass(frozen=True, eq=False)
class CurveSample:
    """Curves of some people on a grid, their labels 0 and 1, and the probability that each label was 1."""

    grid: Floats
    curves: Floats
    labels: Cells
    chances: Floats

    @property
    def least_error(self) -> float:
        """The share of these people whom even the best rule gets wrong, on average over their labels."""
        return float(np.minimum(self.chances, 1 - self.chances).mean())


@dataclass(frozen=True, eq=False)
class CurvePopulation:
    """People whose labels follow one slope function, given by its coefficients of the 50 cosines.

    >>> people = single_server().draw(1000, np.random.default_rng(7))
    >>> people.curves.shape, 0.08 < people.least_error < 0.12
    ((1000, 101), True)
    """

    slope: Floats
    intercept: float = INTERCEPT

    def draw(self, people: int, generator: np.random.Generator, grid: ArrayLike | None = None) -> CurveSample:
        """Draw curves and labels of new people, on 101 equidistant points unless a grid is given."""
        count = whole("people", people, 1, 1 << 31)
        points = np.linspace(0, 1, GRID_POINTS) if grid is None else np.asarray(grid, dtype=np.float64)
        terms = generator.uniform(-np.sqrt(3), np.sqrt(3), (count, TERMS)) * _SIGNS / _ORDERS
        chances = expit(self.intercept + terms @ self.slope)  # the cosines are orthonormal
        labels = (generator.random(count) < chances).astype(np.int64)
        return CurveSample(points, terms @ cosines(points).T, labels, chances)

    def slope_values(self, grid: ArrayLike) -> Floats:
        """Return the true β(t) on a grid."""
        return np.asarray(cosines(grid) @ self.slope)


def cosines(grid: ArrayLike) -> Floats:
    """Return the 50 orthonormal functions 1, √2 cos(πt), √2 cos(2πt), … on a grid, one column each."""
    angles = np.pi * np.multiply.outer(np.asarray(grid, dtype=np.float64), _ORDERS - 1)
    return np.where(_ORDERS == 1, 1.0, np.sqrt(2) * np.cos(angles))


def single_server() -> CurvePopulation:
    """Return the people of section 6.1: β = Σ 4 (−1)^(j+1) j⁻² φⱼ."""
    return CurvePopulation(4 * _SIGNS / _ORDERS**2)


def server(group: int, generator: np.random.Generator) -> CurvePopulation:
    """Return the people of one server of section 6.2, with a slope of its own.

    Groups 1 and 3 have the slope of section 6.1 with each factor drawn anew, from −8 to −2 and from 2 to 8:
    what helps one group misleads the other. The slope of group 2 is a random walk unrelated to either.

    >>> [bool(server(group, np.random.default_rng(1)).slope[0] > 0) for group in (OPPOSED, ALIKE)]
    [False, True]
    """
    if whole("group", group, OPPOSED, ALIKE) == UNRELATED:
        return CurvePopulation(_forgetful_slope(generator))
    low, high = (-8, -2) if group == OPPOSED else (2, 8)
    return CurvePopulation(generator.uniform(low, high, TERMS) * _SIGNS / _ORDERS**2)


def server_groups() -> tuple[int, ...]:
    """Return the group of each of the 25 servers."""
    return (OPPOSED,) * 10 + (UNRELATED,) * 5 + (ALIKE,) * 10


def _forgetful_slope(generator: np.random.Generator) -> Floats:
    """Draw a Gaussian process with covariance e^(−15|s − t|), as coefficients of the cosines.

    On equidistant points such a process is an autoregression: value = kept · last value + fresh noise.
    """
    points = (np.arange(FINE_POINTS) + 0.5) / FINE_POINTS
    kept = np.exp(-FORGETTING / FINE_POINTS)
    noise = generator.standard_normal(FINE_POINTS)
    noise[1:] *= np.sqrt(1 - kept**2)
    return np.asarray(cosines(points).T @ lfilter([1.0], [1.0, -kept], noise) / FINE_POINTS)
