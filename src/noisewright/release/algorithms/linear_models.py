"""What linear classifiers share: one plane a class, laid out alike in every world.

The vector is [coefficients, intercept] for each class in the public order; two classes need one plane, on
whose positive side the second class lies.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from scipy.linalg import LinAlgWarning
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning

from noisewright.domains import Cells, Floats
from noisewright.release.algorithms.base import Facts, Labels
from noisewright.release.algorithms.classifier import Classifier, known_classes, known_codes
from noisewright.release.algorithms.naming import named_columns

MOST_STEPS = 10_000
"""Steps after which a solver gives what it has; the usual number is below a hundred."""


class LinearClassifier(Classifier):
    """A classifier of planes.

    A class that is missing in a world gets the plane of somebody who saw only its absence: coefficients 0
    and an intercept of −(the score of certainty). A world of one class gives that class the same with a plus.
    """

    @abstractmethod
    def _planes(self, rows: Floats, codes: Cells, seed: int) -> Floats:
        """[coefficients, intercept] of each code present, or of the larger code when there are two."""

    @abstractmethod
    def _certainty(self, records: int) -> float:
        """The score of a class that all of ``records`` rows belong to."""

    @abstractmethod
    def _both(self, plane: Floats) -> Floats:
        """The planes of two classes from the one that parts them."""

    @abstractmethod
    def _estimator(self) -> Any:
        """The unfitted scikit-learn estimator that the released planes are put into."""

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        codes = known_codes(labels, facts)
        present = np.unique(codes)
        if len(present) == len(known_classes(facts)):
            return np.asarray(self._solved(rows, codes, seed).ravel())
        table = np.zeros((len(known_classes(facts)), facts.features + 1))
        table[:, -1] = -self._certainty(len(rows))
        table[present] = self._some(rows, codes, seed, -table[present])
        return np.asarray(table[-1] if len(table) == 2 else table.ravel())

    def _some(self, rows: Floats, codes: Cells, seed: int, alone: Floats) -> Floats:
        """The planes of the classes present, where others are missing."""
        if len(alone) == 1:
            return alone
        planes = self._solved(rows, codes, seed)
        return self._both(planes) if len(alone) == 2 else planes

    def _solved(self, rows: Floats, codes: Cells, seed: int) -> Floats:
        with quiet_solver():
            return self._planes(rows, codes, seed)

    def model(self, vector: Floats, facts: Facts) -> Any:
        """A fitted scikit-learn estimator that holds the released planes and nothing else."""
        planes = vector.reshape(-1, facts.features + 1)
        estimator = self._estimator()
        estimator.coef_, estimator.intercept_ = planes[:, :-1].copy(), planes[:, -1].copy()
        estimator.classes_ = known_classes(facts)
        return named_columns(estimator, facts)

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
    """Solve without repeated checks of checked rows, and take the last iterate where a limit is reached.

    An early stop costs utility only: the privacy proof takes whatever the algorithm returned.
    """
    with warnings.catch_warnings(), config_context(assume_finite=True, skip_parameter_validation=True):
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", LinAlgWarning)
        yield
