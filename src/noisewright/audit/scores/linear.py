"""A weighted sum of the columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from sklearn.linear_model import LogisticRegression

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.scores.score import Score
from noisewright.audit.scores.standard import Standard
from noisewright.audit.scores.training import quiet, stacked
from noisewright.domains import Cells, Floats

CELLS = 30_000_000
ROWS = 2_000_000


@dataclass(frozen=True, eq=False)
class LinearScore(Score):
    """Right for Gaussian noise on a vector, with few numbers to learn: a logistic regression."""

    standard: Standard
    weights: Floats
    title: str = "linear model"

    far: ClassVar[float] = 3.5
    """Spreads: one Gaussian number in two thousand lies beyond, and many of a heavier tail."""

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        """Learn from the fitting rows of both inputs."""
        table, labels = stacked(left, right, CELLS, ROWS)
        standard = Standard.fit(table)
        return cls(standard, logistic_weights(cls._near(standard.scaled(table)), labels))

    def values(self, features: Features) -> Floats:
        return np.asarray(self._near(self.standard.scaled(features.table)) @ self.weights)

    @classmethod
    def _near(cls, columns: Floats) -> Floats:
        """Scaled columns held to a few spreads: one far number must not outweigh all the others."""
        return np.asarray(np.clip(columns, -cls.far, cls.far, out=columns))


@dataclass(frozen=True, eq=False)
class SidesScore(LinearScore):
    """Right for much Laplace noise on a vector, where only the side of the middle tells anything."""

    title: str = "linear model of sides"

    far: ClassVar[float] = 0.25
    """So few spreads that a number says hardly more than on which side it lies."""


def logistic_weights(columns: Floats, labels: Cells) -> Floats:
    """The weights under which a logistic regression makes the labels likeliest."""
    model = LogisticRegression(C=1.0, max_iter=100, tol=1e-5)
    with quiet():
        model.fit(columns, labels)
    return np.asarray(model.coef_[0], dtype=np.float64)
