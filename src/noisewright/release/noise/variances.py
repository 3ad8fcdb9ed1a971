"""The noise variance along each direction, and the proof that it is enough.

For noise variances e_i along directions in which the outputs of the worlds have variances λ_i (correlated or
not), the release carries at most

    ½ Σ ln(1 + λ_i / e_i)    nats,

by the largest entropy at a given covariance, and Hadamard's inequality for the other entries. The shapes
spend a budget β differently: *optimal* with the least total variance Σ e_i, *isotropic* with the least equal
e_i, *paper* as published, which bounds ln(1 + x) by x and so adds more noise than necessary.

**The proof** is about the integers that are added. Along direction i the release is Z_i = q_i(J) + B_i: the
lattice cell of the secret world's output plus an offset of the table, independent of everything. A whole
number with variance s has entropy at most ½ ln(2πe(s + 1/12)), so with v and H(B) of the table

    I(J; Z) ≤ Σ [H(Z_i) − H(B_i)] ≤ Σ [½ ln(2πe(v + s_i + 1/12)) − H(B)],    s_i = variance of q_i(J).

The sum is about exactly the integers that are drawn, without floating-point noise or a limit theorem
(``docs/theory/release.md``, section 27).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.parameters import one_of
from noisewright.release.noise import table
from noisewright.statistics.roots import bisect

SHAPES = ("optimal", "paper", "isotropic")

OUTWARD = 1e-11
"""Relative slack for the rounding of the sum itself."""


def noise_variances(variances: Floats, nats: float, shape: str = "optimal") -> Floats:
    """Return the noise variance along each direction; a direction without variance needs none.

    Args:
        variances: Variance of the outputs over the worlds along each direction.
        nats: Most information that a release may carry.
        shape: "optimal" (least total variance), "paper" or "isotropic".

    >>> noise_variances(np.array([4.0, 1.0, 0.0]), nats=0.25).round(3).tolist()
    [10.125, 5.5, 0.0]
    >>> noise_variances(np.array([4.0, 1.0, 0.0]), nats=0.25, shape="paper").round(3).tolist()
    [12.0, 6.0, 0.0]
    """
    rule = _RULES[one_of("noise", shape, SHAPES)]
    noise = np.zeros_like(variances)
    alive = variances > 0
    if alive.any():
        scale = float(variances.max())  # so that tiny and huge outputs behave the same
        noise[alive] = rule(variances[alive] / scale, nats) * scale
    return noise


def information(variances: Floats, noise: Floats) -> float:
    """Return ½ Σ ln(1 + λ/e) over the directions that vary, in nats."""
    alive = variances > 0
    return 0.5 * float(np.log1p(variances[alive] / noise[alive]).sum())


def _optimal(variances: Floats, nats: float) -> Floats:
    """Return the noise e = (−λ + √(λ² + 2Lλ))/2, the stationary point of Σ e + L·½ Σ ln(1 + λ/e)."""

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
    """Return the noise at the smallest level that keeps the budget, by bisection of its logarithm."""

    def keeps(exponent: Any) -> bool:
        return information(variances, noise(2.0 ** float(exponent))) <= nats

    low, high = -1.0, 1.0
    while not keeps(high):
        low, high = high, 2 * high
    while keeps(low):
        low, high = 2 * low, low
    return noise(2.0 ** float(bisect(keeps, high, low)[0]))


_RULES: dict[str, Callable[[Floats, float], Floats]] = {
    "optimal": _optimal,
    "paper": _paper,
    "isotropic": _isotropic,
}


def information_upper(cell_variances: Floats) -> float:
    """Return a bound on the nats of a release from the variances of the worlds' cells.

    Args:
        cell_variances: Variance of the cells along each direction, in steps²; where it is 0, all worlds share
            one cell, which reveals nothing.

    >>> one_deviation = float(table.DEVIATION) ** 2
    >>> round(information_upper(np.array([one_deviation, 0.0])), 9)  # ½ ln 2 and the price of the lattice
    0.34657359
    """
    alive = cell_variances[cell_variances > 0]
    steps = np.log1p((alive + 1 / 12) / table.variance())
    short = 0.5 * math.log(2 * math.pi * math.e * table.variance()) - table.entropy_lower()
    return float(0.5 * math.fsum(steps.tolist()) + alive.size * short) * (1 + OUTWARD)
