"""Linear support vector machines, one against the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit
from sklearn.svm import LinearSVC

from noisewright.domains import Cells, Floats
from noisewright.release.algorithms import linear_models
from noisewright.release.algorithms.checks import positive
from noisewright.release.algorithms.linear_models import LinearClassifier


@dataclass(frozen=True)
class LinearSVM(LinearClassifier):
    """A linear classifier with the widest margins, whose C trades fit for stability.

    For each class against the rest, w and b minimize ½(‖w‖² + b²) + C Σ max(0, 1 − y(w·x + b))². Small C
    keeps the planes nearly the same in all worlds, so that they need little noise. The squared hinge
    (where Sridhar et al. 2024, eq. 4, print the plain one) has one solution, found without chance.

    A class that is missing in a world has w = 0 and b = −1, where its hinges are all 0.

    >>> rows = np.array([[0.0], [0.2], [0.8], [1.0]]); labels = np.array(["a", "a", "b", "b"])
    >>> svm = LinearSVM(C=100.0); facts = svm.facts(rows, labels)
    >>> vector = svm.fit(rows, labels, seed=0, facts=facts)
    >>> dict(zip(svm.coordinates(facts), vector.round(2).tolist()))
    {'x0 for b': 3.22, 'intercept for b': -1.61}
    >>> svm.model(vector, facts).predict([[0.1], [0.9]]).tolist()
    ['a', 'b']
    """

    C: float = 1.0

    title: ClassVar[str] = "a linear support vector machine"

    def __post_init__(self) -> None:
        positive("C", self.C)

    def sureness(self, scores: Floats, codes: Cells | None) -> Floats:
        """The lead of the true class, the stronger attack; without labels Platt's 1/(1 + e^−score)."""
        if codes is None:  # Sridhar et al. 2024, § 8.1
            return np.asarray(expit(scores.max(axis=2)))
        return super().sureness(scores, codes)

    def _planes(self, rows: Floats, codes: Cells, seed: int) -> Floats:
        # Newton steps make a tight tolerance nearly free; what a loose one leaves would be noise to pay for.
        solver = LinearSVC(
            C=self.C, dual=False, tol=1e-6, max_iter=linear_models.MOST_STEPS, random_state=seed
        )
        solver.fit(rows, codes)
        return np.column_stack([solver.coef_, solver.intercept_])

    def _certainty(self, records: int) -> float:
        return 1.0

    def _both(self, plane: Floats) -> Floats:
        return np.vstack([-plane, plane])

    def _estimator(self) -> Any:
        return LinearSVC(C=self.C, dual=False)
