"""How much noise along each direction: three shapes, one rule.

For noise variances e_i along directions in which the outputs of the worlds have variances λ_i (correlated or
not), the release carries at most

    ½ Σ ln(1 + λ_i / e_i)    nats,

by the largest entropy at a given covariance, and Hadamard's inequality for what is not diagonal. A shape
spends a budget β of that: *optimal* with the least total variance Σ e_i, *isotropic* with all e_i alike (and
no larger than needed), *paper* as published, which bounds ln(1 + x) by x and so adds more than it must.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

SHAPES = ("optimal", "paper", "isotropic")


def noise_variances(variances: Floats, nats: float, shape: str = "optimal") -> Floats:
    """The noise variance along each direction; a direction without variance needs none.

    >>> noise_variances(np.array([4.0, 1.0, 0.0]), nats=0.25).round(3).tolist()
    [10.125, 5.5, 0.0]
    >>> noise_variances(np.array([4.0, 1.0, 0.0]), nats=0.25, shape="paper").round(3).tolist()
    [12.0, 6.0, 0.0]
    """
    if shape not in SHAPES:
        raise InvalidParameter(f"noise must be one of {', '.join(SHAPES)}, got {shape!r}")
    noise = np.zeros_like(variances)
    alive = variances > 0
    if alive.any():
        scale = float(variances.max())  # so that tiny and huge outputs are treated alike
        noise[alive] = _RULES[shape](variances[alive] / scale, nats) * scale
    return noise


def information(variances: Floats, noise: Floats) -> float:
    """½ Σ ln(1 + λ/e) over the directions that vary, in nats."""
    alive = variances > 0
    return 0.5 * float(np.log1p(variances[alive] / noise[alive]).sum())


def _optimal(variances: Floats, nats: float) -> Floats:
    """The noise e = (−λ + √(λ² + 2Lλ))/2, the stationary point of Σ e + L·½ Σ ln(1 + λ/e)."""

    def noise(multiplier: float) -> Floats:
        root = np.sqrt(variances * variances + 2 * multiplier * variances)
        # (root − λ)/2 without cancellation where λ is large beside the multiplier
        return np.asarray(multiplier * variances / (root + variances))

    return _least(noise, variances, nats)


def _isotropic(variances: Floats, nats: float) -> Floats:
    return _least(lambda level: np.full_like(variances, level), variances, nats)


def _paper(variances: Floats, nats: float) -> Floats:
    deviations = np.sqrt(variances)
    return np.asarray(deviations * deviations.sum() / (2 * nats))  # Sridhar et al. 2024, alg. 1


def _least(noise: Callable[[float], Floats], variances: Floats, nats: float) -> Floats:
    """The noise at the smallest level that keeps the budget, found by bisection of its logarithm."""
    low, high = -1.0, 1.0
    while information(variances, noise(2.0**high)) > nats:
        low, high = high, 2 * high
    while information(variances, noise(2.0**low)) <= nats:
        low, high = 2 * low, low
    while low < (middle := (low + high) / 2) < high:
        kept = information(variances, noise(2.0**middle)) <= nats
        low, high = (low, middle) if kept else (middle, high)
    return noise(2.0**high)


_RULES: dict[str, Callable[[Floats, float], Floats]] = {
    "optimal": _optimal,
    "paper": _paper,
    "isotropic": _isotropic,
}
