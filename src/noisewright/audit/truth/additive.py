"""Spectra of noise added to a number or a vector: Laplace and Gaussian."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr

from noisewright.audit.coordinates import read_epsilons
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import DELTA, EPSILON, real


def laplace(epsilon: float, epsilons: ArrayLike) -> Floats:
    """What Laplace noise of scale distance/``epsilon`` keeps of a number: (1 − e^((ε − epsilon)/2))₊.

    >>> laplace(2.0, [0.0, 2.0, 3.0]).round(4).tolist()
    [0.6321, 0.0, 0.0]
    """
    # Lu et al. 2024, lemma 2
    gap = np.minimum(read_epsilons(epsilons) - EPSILON.check(epsilon), 0.0)
    return np.asarray(-np.expm1(gap / 2) + 0.0)


def gaussian(sigma: float, epsilons: ArrayLike, distance: float = 1.0) -> Floats:
    """What Gaussian noise keeps of two vectors at a Euclidean ``distance``: Φ(a) − e^ε·Φ(a − distance/σ).

    a = distance/2σ − ε·σ/distance. Only the distance matters, in any number of dimensions, because the noise
    looks the same in every direction.

    >>> gaussian(1.0, [0.0, 1.0]).round(4).tolist()
    [0.3829, 0.1269]
    """
    grid, shift = read_epsilons(epsilons), _positive("distance", distance) / _positive("sigma", sigma)
    # Lu et al. 2024, lemma 3 (Balle and Wang 2018, thm 8), in logarithms: the difference of two tiny tails
    upper = shift / 2 - grid / shift
    share = log_ndtr(upper)
    return np.asarray(-np.exp(share) * np.expm1(np.minimum(grid + log_ndtr(upper - shift) - share, 0.0)))


def classical_sigma(epsilon: float, delta: float) -> float:
    """The textbook's σ for (ε, δ) at distance 1: √(2·ln(1.25/δ))/ε. Its proof needs ε < 1.

    >>> sigma = classical_sigma(1.0, 1e-5)
    >>> round(sigma, 4), bool(gaussian(sigma, 1.0) < 1e-5)
    (4.8448, True)
    >>> bool(gaussian(classical_sigma(10.0, 1e-5), 10.0) > 1e-5)  # the promise is broken for a large ε
    True
    """
    return math.sqrt(2 * math.log(1.25 / DELTA.check(delta))) / EPSILON.check(epsilon)


def _positive(name: str, value: float) -> float:
    number = real(name, value)
    if number <= 0:
        raise InvalidParameter(f"{name} must be above 0, got {number:g}")
    return number
