"""Curves as features: a scikit-learn transformer that every client can run alone.

Nothing is fitted on people's data. The basis, the grid and the rescaling are public, and a curve's features
depend on that curve only, so a device and a simulation of a thousand devices find the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import qr, solve_triangular
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, validate_data  # no public check of names exists

from noisewright.domains import Floats, Interval
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.learn.functional.basis import Basis, BSplineBasis, Rescaling, find_rescaling
from noisewright.learn.models.private_classifier import hide_quoted_values

FLATTEST = 1e-10
"""Smallest diagonal entry of R against the largest; below it the grid cannot tell the functions apart."""


@dataclass(frozen=True, eq=False)
class Projection:
    """The least-squares fit of Σ zₖ φₖ(t) to curves on one public grid (Qin and Bai 2026, eq. 12).

    With the design matrix Φ = QR the coefficients are z = R⁻¹Qᵀx; normal equations would square the condition
    of Φ. What Φ cannot express is left out of the report.

    Attributes:
        basis: The functions φₖ.
        grid: The points of the measurements, rising.

    >>> from noisewright.learn.functional import BSplineBasis
    >>> grid = np.linspace(0, 1, 11)
    >>> Projection(BSplineBasis(4), grid).coefficients(np.ones((1, 11))).round(6).tolist()
    [[1.0, 1.0, 1.0, 1.0]]
    """

    basis: Basis
    grid: Floats

    def __post_init__(self) -> None:
        grid = np.asarray(self.grid, dtype=np.float64)
        if grid.ndim != 1 or not grid.size or not np.isfinite(grid).all() or (np.diff(grid) <= 0).any():
            raise InvalidParameter("the grid must be a row of finite numbers in increasing order")
        object.__setattr__(self, "grid", grid)
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
        """Return one row of coefficients a curve; refuse a gap anywhere by its place."""
        rows, points = np.ascontiguousarray(curves, dtype=np.float64), self.grid.size
        if rows.ndim != 2 or rows.shape[1] != points:
            raise BadTable(
                f"curves must be rows of {points} values, one a grid point, not of shape {rows.shape}"
            )
        if not (finite := np.isfinite(rows)).all():
            row, place = np.argwhere(~finite)[0].tolist()
            raise OutOfDomain(
                f"curves[{row}, {place}] is missing (NaN) or infinite; "
                "fill gaps on the device or leave such curves out"
            )
        # A matrix product may round a row differently among others than alone on a device; this sum does not.
        return np.asarray(np.einsum("nt,kt->nk", rows, self._solution))

    def curves(self, coefficients: ArrayLike) -> Floats:
        """Return curves on the grid, from true or from randomized coefficients."""
        return self.basis.curves(coefficients, self.grid)


def even_grid(basis: Basis, points: int) -> Floats:
    """Return equidistant points from one end of the basis's domain to the other.

    Args:
        basis: The basis whose domain is covered.
        points: Number of points.

    >>> from noisewright.learn.functional import FourierBasis
    >>> even_grid(FourierBasis(3), 3).tolist()
    [0.0, 0.5, 1.0]
    """
    return np.linspace(*basis.domain, points)


class FunctionalFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """A transformer of curves on a grid to the few numbers from −1 to 1 that a client randomizes and reports.

    Each curve is projected onto a basis by least squares and its coefficients are rescaled (Qin and Bai 2026,
    section 5.1).

    Args:
        basis: The basis functions; None is four cubic B-splines on [0, 1].
        rescale: How coefficients are brought to [−1, 1]: "tanh" or "max-abs".
        scale: A public guess of the size of coefficients; tanh of values far above it is ±1 and carries
            little.
        grid: The points of the measurements; None is equidistant over the basis's domain.

    >>> features = FunctionalFeatures(BSplineBasis(4))
    >>> features.transform(np.linspace([1.0], [2.0], 21).T).round(3).tolist()
    [[0.762, 0.87, 0.931, 0.964]]
    """

    def __init__(
        self, basis: Basis | None = None, rescale: str = "tanh", *, scale: float = 1.0, grid: Any = None
    ) -> None:
        self.basis = basis
        self.rescale = rescale
        self.scale = scale
        self.grid = grid

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803  (scikit-learn's name)
        """Learn nothing; only note the number of grid points, and whether the basis fits them."""
        with hide_quoted_values():
            curves = validate_data(self, X, dtype=np.float64, ensure_all_finite=False)
        self._encode(curves)
        return self

    def transform(self, X: Any) -> Floats:  # noqa: N803
        """Return one row of unit coefficients a curve; works without :meth:`fit`, as on a device."""
        with hide_quoted_values():
            curves = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite=False)
        return self._encode(curves)

    def _encode(self, curves: Floats) -> Floats:
        return self.rescaling.shrink(self.projection(curves.shape[1]).coefficients(curves))

    def reconstruct(self, reports: ArrayLike, grid: ArrayLike) -> Floats:
        """Return the perturbed curves Σ zₖ φₖ(t) of randomized coefficients, as the server may look at them.

        Args:
            reports: Rows of randomized coefficients.
            grid: Where the curves are evaluated.
        """
        return self.functions.curves(reports, grid)

    @property
    def functions(self) -> Basis:
        """The basis in use."""
        return self.basis if self.basis is not None else BSplineBasis(4)

    @property
    def rescaling(self) -> Rescaling:
        """The map from coefficients to numbers from −1 to 1."""
        return find_rescaling(self.rescale, self.scale)

    @property
    def domain(self) -> Interval:
        """The domain of each of these features, for a classifier."""
        return Interval(-1, 1)

    def projection(self, points: int) -> Projection:
        """Return the least-squares fit on the grid; refuse a grid of another size than the curves.

        Args:
            points: Number of grid points of a curve.
        """
        grid = even_grid(self.functions, points) if self.grid is None else self.grid
        return Projection(self.functions, grid)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return a name for each coefficient."""
        _check_feature_names_in(self, input_features)
        kind = self.functions.kind
        names = [f"{kind} {place + 1}" for place in range(self.functions.functions)]
        return np.asarray(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags
