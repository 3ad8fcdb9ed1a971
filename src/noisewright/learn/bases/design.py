"""Arithmetic on stacks of design matrices (B, n, p): B samples of n clients with p columns each."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats

SPECK = 1e-14
"""What rounding loses of a diagonal of ones."""


def sizes(deviations: Floats, units: Floats) -> Floats:
    """The deviations (B, …) as divisors: one in place of those that are zero but for rounding."""
    largest = np.abs(units).max(axis=(1, 2)).reshape(-1, *[1] * (deviations.ndim - 1))
    return np.where(deviations > 1e-12 * largest, deviations, 1.0)


def with_intercept(units: Floats, intercept: bool) -> Floats:
    """The units (B, n, d), followed by a column of ones when the rules have an intercept."""
    if not intercept:
        return units
    return np.concatenate([units, np.ones((*units.shape[:2], 1))], axis=2)


def split_intercept(solution: Floats, intercept: bool) -> tuple[Floats, Floats]:
    """Weights (B, d) and intercepts (B,) of a solution over the columns of the design."""
    if not intercept:
        return solution, np.zeros(len(solution))
    return solution[:, :-1], solution[:, -1]


def penalised_columns(width: int, intercept: bool) -> Floats:
    """One for each column whose coefficient is penalised, zero for the intercept, which never is."""
    columns = np.ones(width + intercept)
    columns[width:] = 0
    return columns


def row_products(design: Floats, coefficients: Floats) -> Floats:
    """Each client's row times the coefficients (B, p) of its sample: (B, n)."""
    products: Floats = (design @ coefficients[:, :, None])[:, :, 0]
    return products


def weighted_rows(design: Floats, weights: Floats) -> Floats:
    """The sum of each sample's rows, weighted by (B, n): (B, p)."""
    sums: Floats = (weights[:, None, :] @ design)[:, 0, :]
    return sums


def ridged_gram(design: Floats, weights: Floats, ridge: Floats) -> Floats:
    """The matrices Σᵢ weightᵢ·rowᵢ·rowᵢᵀ + diag(ridge), from weights (B, n) and ridges (B, p): (B, p, p)."""
    gram: Floats = (np.swapaxes(design, 1, 2) * weights[:, None, :]) @ design
    diagonal = np.arange(design.shape[2])
    gram[:, diagonal, diagonal] += ridge
    return gram


def solve_each(matrices: Floats, targets: Floats) -> Floats:
    """The solutions (B, p) of B small, symmetric, positive definite systems.

    Columns are first scaled to a diagonal of ones, on which a speck is added: an intercept of little weight
    is not lost beside large columns, and columns that are equal but for rounding do not stop the solver.
    """
    diagonal = np.arange(matrices.shape[1])
    scale = 1 / np.sqrt(matrices[:, diagonal, diagonal])
    level: Floats = matrices * scale[:, :, None] * scale[:, None, :]
    level[:, diagonal, diagonal] += SPECK
    solutions: Floats = scale * np.linalg.solve(level, (scale * targets)[:, :, None])[:, :, 0]
    return solutions
