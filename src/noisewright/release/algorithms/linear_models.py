"""Linear models: support vector machines, logistic regression and ridge regression.

The vector of a classifier is [coefficients, intercept] for each class in the public order, with the same
layout in every world. Two classes need only one plane, with the second class on its positive side.
"""

from __future__ import annotations

import math
import warnings
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.linalg import LinAlgWarning
from scipy.special import expit, log_softmax, logsumexp
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as RidgeRegression
from sklearn.svm import LinearSVC

from noisewright.domains import Cells, Floats
from noisewright.errors import OutOfDomain
from noisewright.release.algorithms.base import Algorithm, Facts, Labels, name_columns, positive
from noisewright.release.algorithms.classifier import (
    Classifier,
    known_classes,
    known_codes,
    require_labels,
    true_and_others,
)

MOST_STEPS = 10_000
"""Steps after which a solver returns its last iterate; the usual number is below a hundred."""

NEWTON_WIDTH = 500
"""Unknowns up to which Newton's method beats L-BFGS: its matrix has the square of this number of entries."""


@dataclass(frozen=True)
class LinearClassifier(Classifier):
    """A linear classifier, whose C trades fit for stability.

    A class that is missing in a world gets the plane that is certain of its absence: coefficients 0 and an
    intercept of −(the score of certainty). In a world of one class, that class gets the same with a plus.
    """

    C: float = 1.0

    def __post_init__(self) -> None:
        positive("C", self.C)

    @abstractmethod
    def _planes(self, rows: Floats, codes: Cells, seed: int) -> Floats:
        """Return [coefficients, intercept] of each code present, or of the larger code if there are two."""

    @abstractmethod
    def _certainty(self, records: int) -> float:
        """Return the score of a class that all of ``records`` rows belong to."""

    @abstractmethod
    def _both(self, plane: Floats) -> Floats:
        """Return the planes of two classes from the one that separates them."""

    @abstractmethod
    def _estimator(self) -> Any:
        """Return the unfitted scikit-learn estimator that the released planes are put into."""

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        codes, classes = known_codes(labels, facts), len(known_classes(facts))
        present = np.unique(codes)
        table = np.zeros((classes, facts.features + 1))
        table[:, -1] = -self._certainty(len(rows))
        if len(present) == 1:
            table[present] *= -1
        else:
            with quiet_solver():
                planes = self._planes(rows, codes, seed)
            if len(present) == classes:
                return np.asarray(planes.ravel())
            table[present] = self._both(planes) if len(present) == 2 else planes
        return np.asarray(table[-1] if classes == 2 else table.ravel())

    def model(self, vector: Floats, facts: Facts) -> Any:
        """Return a fitted scikit-learn estimator that holds the released planes and nothing else."""
        planes = vector.reshape(-1, facts.features + 1)
        estimator = self._estimator()
        estimator.coef_, estimator.intercept_ = planes[:, :-1].copy(), planes[:, -1].copy()
        estimator.classes_ = known_classes(facts)
        return name_columns(estimator, facts)

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        classes = known_classes(facts).tolist()
        shown = classes[1:] if len(classes) == 2 else classes
        return tuple(f"{name} for {label}" for label in shown for name in (*facts.columns(), "intercept"))

    def scores(self, vectors: Floats, rows: Floats, facts: Facts) -> Floats:
        planes = vectors.reshape(len(vectors), -1, facts.features + 1)
        scores = rows @ planes[:, :, :-1].transpose(0, 2, 1) + planes[:, None, :, -1]
        return np.asarray(np.concatenate([-scores, scores], axis=2) if planes.shape[1] == 1 else scores)


@contextmanager
def quiet_solver() -> Iterator[None]:
    """Solve without checking the rows again, and take the last iterate where a limit is reached.

    An early stop costs utility only: the privacy proof takes whatever the algorithm returned.
    """
    with warnings.catch_warnings(), config_context(assume_finite=True, skip_parameter_validation=True):
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", LinAlgWarning)
        yield


@dataclass(frozen=True)
class LinearSVM(LinearClassifier):
    """A linear classifier with the widest margins, whose C trades fit for stability.

    For each class against the rest, w and b minimize ½(‖w‖² + b²) + C Σ max(0, 1 − y(w·x + b))². Small C
    keeps the planes nearly the same in all worlds, so that they need little noise. The squared hinge
    (where Sridhar et al. 2024, eq. 4, print the plain one) has one solution, found without chance.

    A class that is missing in a world has w = 0 and b = −1, where its hinges are all 0.

    Args:
        C: Weight of the errors, above 0; small values need less noise.

    >>> rows = np.array([[0.0], [0.2], [0.8], [1.0]]); labels = np.array(["a", "a", "b", "b"])
    >>> svm = LinearSVM(C=100.0); facts = svm.facts(rows, labels)
    >>> vector = svm.fit(rows, labels, seed=0, facts=facts)
    >>> dict(zip(svm.coordinates(facts), vector.round(2).tolist()))
    {'x0 for b': 3.22, 'intercept for b': -1.61}
    >>> svm.model(vector, facts).predict([[0.1], [0.9]]).tolist()
    ['a', 'b']
    """

    title: ClassVar[str] = "a linear support vector machine"

    def sureness(self, scores: Floats, codes: Cells | None) -> Floats:
        """Return the lead of the true class, the stronger attack; without labels Platt's 1/(1 + e^−score)."""
        if codes is None:  # Sridhar et al. 2024, § 8.1
            return np.asarray(expit(scores.max(axis=2)))
        return super().sureness(scores, codes)

    def _planes(self, rows: Floats, codes: Cells, seed: int) -> Floats:
        # Newton steps make a tight tolerance nearly free; the error of a loose one would cost extra noise.
        solver = LinearSVC(C=self.C, dual=False, tol=1e-6, max_iter=MOST_STEPS, random_state=seed)
        solver.fit(rows, codes)
        return np.column_stack([solver.coef_, solver.intercept_])

    def _certainty(self, records: int) -> float:
        return 1.0

    def _both(self, plane: Floats) -> Floats:
        return np.vstack([-plane, plane])

    def _estimator(self) -> Any:
        return LinearSVC(C=self.C, dual=False)


@dataclass(frozen=True)
class Logistic(LinearClassifier):
    """A linear classifier that gives probabilities, whose C trades fit for stability.

    The planes minimize ½‖W‖² − C Σ ln softmax(Wx + b)_y; small C means less noise. Adding one number to all
    intercepts changes nothing, so they are kept in the form that sums to 0.

    A class that is missing among n rows has coefficients 0 and the intercept −ln(1 + n). It is then never
    the answer: the scores of the others sum to 0, so the largest is not below 0.

    Args:
        C: Weight of the errors, above 0; small values need less noise.

    >>> rows = np.array([[0.0], [0.2], [0.8], [1.0]]); labels = np.array([0, 0, 1, 1])
    >>> logistic = Logistic(C=10.0); facts = logistic.facts(rows, labels)
    >>> vector = logistic.fit(rows, labels, seed=0, facts=facts)
    >>> logistic.model(vector, facts).predict_proba([[0.5]]).round(3).tolist()
    [[0.5, 0.5]]
    """

    title: ClassVar[str] = "a logistic regression"

    def sureness(self, scores: Floats, codes: Cells | None) -> Floats:
        """Return the log odds of the true class; without labels, the log probability of the answer."""
        if scores.shape[2] == 2:
            scores = scores / 2  # ± the log odds, so that half of each is the logit
        if codes is None:
            return np.asarray(log_softmax(scores, axis=2).max(axis=2))
        true, others = true_and_others(scores, codes)
        return np.asarray(true - logsumexp(others, axis=2))

    def _planes(self, rows: Floats, codes: Cells, seed: int) -> Floats:
        wide = (rows.shape[1] + 1) * len(np.unique(codes)) > NEWTON_WIDTH
        settings = {"solver": "lbfgs", "tol": 1e-6} if wide else {"solver": "newton-cholesky", "tol": 1e-8}
        solver = LogisticRegression(C=self.C, max_iter=MOST_STEPS, random_state=seed, **settings)
        solver.fit(rows, codes)
        planes = np.column_stack([solver.coef_, solver.intercept_])
        return planes if len(planes) == 1 else planes - planes.mean(axis=0)

    def _certainty(self, records: int) -> float:
        return math.log1p(records)

    def _both(self, plane: Floats) -> Floats:
        return np.vstack([-plane / 2, plane / 2])

    def _estimator(self) -> Any:
        return LogisticRegression(C=self.C)


@dataclass(frozen=True)
class Ridge(Algorithm):
    """A linear prediction of a number, regularized so that it depends less on single records.

    The vector is [coefficients, intercept], the minimum of Σ (y − w·x − b)² + alpha ‖w‖².

    Args:
        alpha: Weight of the regularization, above 0; large values need less noise.

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
        """Return a fitted scikit-learn ``Ridge``."""
        estimator = RidgeRegression(alpha=self.alpha)
        estimator.coef_, estimator.intercept_ = vector[:-1].copy(), float(vector[-1])
        return name_columns(estimator, facts)

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        return (*facts.columns(), "intercept")

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return minus the size of the residual; None without labels."""
        return None if labels is None else -np.abs(_predictions(vectors, rows) - targets(labels))

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return minus the root mean squared error, in the unit of the labels; None without labels."""
        if labels is None:
            return None
        residuals = _predictions(vectors, rows) - targets(labels)
        return np.asarray(-np.sqrt(np.square(residuals).mean(axis=1)))


def targets(labels: Labels | None) -> Floats:
    """Return labels as finite numbers, or reject them."""
    labels = require_labels(labels, Ridge.title)
    try:
        numbers = np.asarray(labels, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.array([np.nan])
    if numbers.ndim != 1 or not np.isfinite(numbers).all():
        raise OutOfDomain("y must be one finite number per row for a ridge regression; drop other rows")
    return numbers


def _predictions(vectors: Floats, rows: Floats) -> Floats:
    return np.asarray(vectors[:, :-1] @ rows.T + vectors[:, -1:])
