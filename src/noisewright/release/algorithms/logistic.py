"""Logistic regression for two classes or more."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import log_softmax, logsumexp
from sklearn.linear_model import LogisticRegression

from noisewright.domains import Cells, Floats
from noisewright.release.algorithms import linear_models
from noisewright.release.algorithms.checks import positive
from noisewright.release.algorithms.classifier import true_and_others
from noisewright.release.algorithms.linear_models import LinearClassifier

NEWTON_WIDTH = 500
"""Unknowns up to which Newton's method beats L-BFGS: its matrix has the square of this."""


@dataclass(frozen=True)
class Logistic(LinearClassifier):
    """A linear classifier that gives probabilities, whose C trades fit for stability.

    The planes minimize ½‖W‖² − C Σ ln softmax(Wx + b)_y; small C means less noise. Adding one number to all
    intercepts changes nothing, so they are kept in the form that sums to 0.

    A class that is missing among n rows has coefficients 0 and the intercept −ln(1 + n). It is then never
    the answer: the scores of the others sum to 0, so the largest is not below 0.

    >>> rows = np.array([[0.0], [0.2], [0.8], [1.0]]); labels = np.array([0, 0, 1, 1])
    >>> logistic = Logistic(C=10.0); facts = logistic.facts(rows, labels)
    >>> vector = logistic.fit(rows, labels, seed=0, facts=facts)
    >>> logistic.model(vector, facts).predict_proba([[0.5]]).round(3).tolist()
    [[0.5, 0.5]]
    """

    C: float = 1.0

    title: ClassVar[str] = "a logistic regression"

    def __post_init__(self) -> None:
        positive("C", self.C)

    def sureness(self, scores: Floats, codes: Cells | None) -> Floats:
        """The log odds of the true class; without labels, the log probability of the answer."""
        if scores.shape[2] == 2:
            scores = scores / 2  # ± the log odds, so that half of each is the logit
        if codes is None:
            return np.asarray(log_softmax(scores, axis=2).max(axis=2))
        true, others = true_and_others(scores, codes)
        return np.asarray(true - logsumexp(others, axis=2))

    def _planes(self, rows: Floats, codes: Cells, seed: int) -> Floats:
        wide = (rows.shape[1] + 1) * len(np.unique(codes)) > NEWTON_WIDTH
        settings = {"solver": "lbfgs", "tol": 1e-6} if wide else {"solver": "newton-cholesky", "tol": 1e-8}
        solver = LogisticRegression(
            C=self.C, max_iter=linear_models.MOST_STEPS, random_state=seed, **settings
        )
        solver.fit(rows, codes)
        planes = np.column_stack([solver.coef_, solver.intercept_])
        return planes if len(planes) == 1 else planes - planes.mean(axis=0)

    def _certainty(self, records: int) -> float:
        return math.log1p(records)

    def _both(self, plane: Floats) -> Floats:
        return np.vstack([-plane / 2, plane / 2])

    def _estimator(self) -> Any:
        return LogisticRegression(C=self.C)
