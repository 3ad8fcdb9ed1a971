"""From a curve measured on a grid to its coefficients: least squares, done by each client alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import qr, solve_triangular

from noisewright.domains import Floats
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.learn.functional.basis import Basis

FLATTEST = 1e-10
"""Smallest diagonal entry of R against the largest; below it the grid cannot tell the functions apart."""


@dataclass(frozen=True, eq=False)
class Projection:
    """The least-squares fit of Σ zₖ φₖ(t) to curves on one public grid (Qin and Bai 2026, eq. 12).

    With the design matrix Φ = QR the coefficients are z = R⁻¹Qᵀx; normal equations would square the condition
    of Φ. What Φ cannot express is left out of the report.

    >>> from noisewright.learn.functional import BSplineBasis
    >>> grid = np.linspace(0, 1, 11)
    >>> Projection(BSplineBasis(4), grid).coefficients(np.ones((1, 11))).round(6).tolist()
    [[1.0, 1.0, 1.0, 1.0]]
    """

    basis: Basis
    grid: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid", read_grid(self.grid))
        if self.grid.size < self.basis.functions:
            raise InvalidParameter(
                f"{self.basis.functions} functions need a grid of at least as many points, "
                f"got {self.grid.size}; take fewer functions or a finer grid"
            )
        self._solution  # noqa: B018  (a grid that cannot tell the functions apart is refused here)

    @cached_property
    def _solution(self) -> Floats:
        """R⁻¹Qᵀ, one row a function."""
        rotation, triangle = qr(self.basis.values(self.grid), mode="economic")
        diagonal = np.abs(np.diag(triangle))
        if diagonal.min() <= FLATTEST * diagonal.max():
            raise InvalidParameter(
                "the grid has too few points in a part of the domain to tell the functions apart; "
                "take fewer functions or spread the grid"
            )
        return np.ascontiguousarray(solve_triangular(triangle, rotation.T))

    def coefficients(self, curves: Any) -> Floats:
        """One row of coefficients a curve; a gap anywhere is refused by its place."""
        # A matrix product may round a row differently among others than alone on a device; this sum does not.
        return np.asarray(np.einsum("nt,kt->nk", read_curves(curves, self.grid.size), self._solution))

    def curves(self, coefficients: ArrayLike) -> Floats:
        """The way back to the grid, from true or from randomized coefficients."""
        return self.basis.curves(coefficients, self.grid)


def even_grid(basis: Basis, points: int) -> Floats:
    """So many equidistant points from one end of the basis's domain to the other.

    >>> from noisewright.learn.functional import FourierBasis
    >>> even_grid(FourierBasis(3), 3).tolist()
    [0.0, 0.5, 1.0]
    """
    return np.linspace(*basis.domain, points)


def read_grid(grid: Any) -> Floats:
    """Finite numbers in increasing order, or a refusal."""
    points = np.asarray(grid, dtype=np.float64)
    if points.ndim != 1 or not points.size or not np.isfinite(points).all() or (np.diff(points) <= 0).any():
        raise InvalidParameter("the grid must be a row of finite numbers in increasing order")
    return points


def read_curves(curves: Any, points: int) -> Floats:
    """Curves as rows of finite numbers, one for each point of the grid."""
    rows = np.ascontiguousarray(curves, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != points:
        raise BadTable(f"curves must be rows of {points} values, one a grid point, not of shape {rows.shape}")
    finite = np.isfinite(rows)
    if not finite.all():
        row, place = (int(where) for where in np.argwhere(~finite)[0])
        raise OutOfDomain(
            f"curves[{row}, {place}] is missing (NaN) or infinite; "
            "fill gaps on the device or leave such curves out"
        )
    return rows
