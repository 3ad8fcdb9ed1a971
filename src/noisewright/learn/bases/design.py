"""Linear bases that fit a margin loss, and their arithmetic on stacks of design matrices (B, n, p).

B samples of n clients with p columns each are solved together. Columns are first brought to a size near one,
so that one solver serves every noise level; a last column of ones stands for the intercept.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.bases.base import LinearBase

SPECK = 1e-14
"""Relative error of rounding on a diagonal of ones."""


@dataclass(frozen=True)
class MarginBase(LinearBase):
    """A base whose hyperplanes minimise a loss of the margins sign·score and a ridge on the weights."""

    @abstractmethod
    def _sizes(self, units: Floats) -> Floats:
        """Return the size of each sample's columns (B, d), or one for all of them (B, 1)."""

    @abstractmethod
    def _solve(self, signed: Floats, penalised: Floats, size: Floats) -> Floats:
        """Return the coefficients (B, p) of rows times signs (B, n, p).

        ``penalised`` (p,) is one for each weight and zero for the intercept (never penalised); weights are
        those of columns divided by ``size``.
        """

    def coefficients(self, units: Floats, signs: Floats) -> tuple[Floats, Floats]:
        width, sizes = units.shape[2], self._sizes(units)
        largest = np.abs(units).max(axis=(1, 2))[:, None]
        size = np.where(sizes > 1e-12 * largest, sizes, 1.0)  # some are zero but for rounding
        design = units / size[:, None, :]
        if self.intercept:
            design = np.concatenate([design, np.ones((*signs.shape, 1))], axis=2)
        penalised = (np.arange(design.shape[2]) < width).astype(np.float64)
        solution = self._solve(design * signs[:, :, None], penalised, size)
        intercepts = solution[:, width] if self.intercept else np.zeros(len(solution))
        return solution[:, :width] / size, intercepts


def row_products(design: Floats, coefficients: Floats) -> Floats:
    """Return each client's row times the coefficients (B, p) of its sample: (B, n)."""
    products: Floats = (design @ coefficients[:, :, None])[:, :, 0]
    return products


def weighted_rows(design: Floats, weights: Floats) -> Floats:
    """Return the sum of each sample's rows, weighted by (B, n): (B, p)."""
    sums: Floats = (weights[:, None, :] @ design)[:, 0, :]
    return sums


def ridged_gram(design: Floats, weights: Floats, ridge: Floats) -> Floats:
    """Return Σᵢ weightᵢ·rowᵢ·rowᵢᵀ + diag(ridge) from weights (B, n) and ridges (B, p), as (B, p, p)."""
    gram: Floats = (np.swapaxes(design, 1, 2) * weights[:, None, :]) @ design
    diagonal = np.arange(design.shape[2])
    gram[:, diagonal, diagonal] += ridge
    return gram


def solve_each(matrices: Floats, targets: Floats) -> Floats:
    """Return the solutions (B, p) of B small, symmetric, positive definite systems.

    Columns are first scaled to a diagonal of ones, plus a tiny term: an intercept of little weight
    is not lost beside large columns, and columns that are equal but for rounding do not stop the solver.
    """
    diagonal = np.arange(matrices.shape[1])
    scale = 1 / np.sqrt(matrices[:, diagonal, diagonal])
    level: Floats = matrices * scale[:, :, None] * scale[:, None, :]
    level[:, diagonal, diagonal] += SPECK
    solutions: Floats = scale * np.linalg.solve(level, (scale * targets)[:, :, None])[:, :, 0]
    return solutions
