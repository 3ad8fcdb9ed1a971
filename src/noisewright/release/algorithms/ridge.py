"""Ridge regression: a number from a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.linear_model import Ridge as RidgeRegression

from noisewright.domains import Floats
from noisewright.errors import OutOfDomain
from noisewright.release.algorithms.base import Algorithm, Facts, Labels
from noisewright.release.algorithms.checks import positive
from noisewright.release.algorithms.classifier import given
from noisewright.release.algorithms.linear_models import quiet_solver
from noisewright.release.algorithms.naming import named_columns


@dataclass(frozen=True)
class Ridge(Algorithm):
    """A linear prediction of a number, held back by ``alpha`` so that it depends less on who was in.

    The vector is [coefficients, intercept], the minimum of Σ (y − w·x − b)² + alpha ‖w‖².

    >>> rows = np.array([[0.0], [1.0], [2.0], [3.0]]); labels = np.array([1.0, 3.0, 5.0, 7.0])
    >>> ridge = Ridge(alpha=1e-9); facts = ridge.facts(rows, labels)
    >>> ridge.fit(rows, labels, seed=0, facts=facts).round(3).tolist()
    [2.0, 1.0]
    """

    alpha: float = 1.0

    title: ClassVar[str] = "a ridge regression"
    needs_labels: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive("alpha", self.alpha)

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        targets(labels)
        return super().facts(rows, None, names)

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        with quiet_solver():
            solver = RidgeRegression(alpha=self.alpha, random_state=seed).fit(rows, targets(labels))
        return np.append(solver.coef_, solver.intercept_)

    def model(self, vector: Floats, facts: Facts) -> Any:
        """A fitted scikit-learn ``Ridge``."""
        estimator = RidgeRegression(alpha=self.alpha)
        estimator.coef_, estimator.intercept_ = vector[:-1].copy(), float(vector[-1])
        return named_columns(estimator, facts)

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        return (*facts.columns(), "intercept")

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Minus the size of the residual; None without labels."""
        return None if labels is None else -np.abs(_predictions(vectors, rows) - targets(labels))

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Minus the root mean squared error, in the unit of the labels; None without labels."""
        if labels is None:
            return None
        residuals = _predictions(vectors, rows) - targets(labels)
        return np.asarray(-np.sqrt(np.square(residuals).mean(axis=1)))


def targets(labels: Labels | None) -> Floats:
    """Labels as finite numbers, or a refusal."""
    labels = given(labels, Ridge.title)
    try:
        numbers = np.asarray(labels, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.array([np.nan])
    if numbers.ndim != 1 or not np.isfinite(numbers).all():
        raise OutOfDomain("y must be one finite number a row for a ridge regression; drop or mend such rows")
    return numbers


def _predictions(vectors: Floats, rows: Floats) -> Floats:
    return np.asarray(vectors[:, :-1] @ rows.T + vectors[:, -1:])
