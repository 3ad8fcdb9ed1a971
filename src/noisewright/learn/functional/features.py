"""Curves as features: a scikit-learn transformer that every client can run alone.

Nothing is fitted on people's data. The basis, the grid and the rescaling are public, and a curve's features
depend on that curve only, so a device and a simulation of a thousand devices find the same numbers.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, validate_data  # no public check of names exists

from noisewright.domains import Floats, Interval
from noisewright.learn.estimator import no_values_told
from noisewright.learn.functional.basis import Basis, BSplineBasis
from noisewright.learn.functional.projection import Projection, even_grid
from noisewright.learn.functional.rescaling import Rescaling, find_rescaling


class FunctionalFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Curves on a grid to the few numbers from −1 to 1 that a client randomizes and reports.

    Each curve is projected onto ``basis`` by least squares and its coefficients are rescaled by ``"tanh"`` or
    ``"max-abs"`` (Qin and Bai 2026, section 5.1). ``scale`` is a public guess of the size of coefficients:
    tanh of what is far above it is ±1 and tells little. ``grid`` holds the points of the measurements, by
    default equidistant over the basis's domain. ``basis=None`` stands for four cubic B-splines on [0, 1].

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
        """Learn nothing; only the number of grid points is noted, and whether the basis fits them."""
        with no_values_told():
            curves = validate_data(self, X, dtype=np.float64, ensure_all_finite=False)
        self._encode(curves)
        return self

    def transform(self, X: Any) -> Floats:  # noqa: N803
        """One row of unit coefficients a curve; works without :meth:`fit`, as on a device."""
        with no_values_told():
            curves = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite=False)
        return self._encode(curves)

    def _encode(self, curves: Floats) -> Floats:
        return self.rescaling.shrink(self.projection(curves.shape[1]).coefficients(curves))

    def reconstruct(self, reports: ArrayLike, grid: ArrayLike) -> Floats:
        """The perturbed curves Σ zₖ φₖ(t) of randomized coefficients, as the server may look at them."""
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
        """What a classifier of these features is told of every one of them."""
        return Interval(-1, 1)

    def projection(self, points: int) -> Projection:
        """The least-squares fit on the grid; a grid of another size than the curves is refused with them."""
        grid = even_grid(self.functions, points) if self.grid is None else self.grid
        return Projection(self.functions, grid)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """A name for each coefficient."""
        _check_feature_names_in(self, input_features)
        kind = self.functions.kind
        names = [f"{kind} {place + 1}" for place in range(self.functions.functions)]
        return np.asarray(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags
