"""A weighted sum of the columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from sklearn.linear_model import LogisticRegression

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.scores.score import Score
from noisewright.audit.scores.standard import Standard
from noisewright.audit.scores.training import quiet, stacked
from noisewright.domains import Cells, Floats

CELLS = 30_000_000
ROWS = 1_000_000


FAR = 3.5
"""Spreads: one Gaussian number in two thousand lies beyond, and many of a heavier tail."""


@dataclass(frozen=True, eq=False)
class LinearScore(Score):
    """Right for Gaussian noise on a vector, with few numbers to learn: a logistic regression."""

    standard: Standard
    weights: Floats
    title: str = "linear model"

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        """Learn from the fitting rows of both inputs."""
        table, labels = stacked(left, right, CELLS, ROWS)
        standard = Standard.fit(table)
        return cls(standard, logistic_weights(near(standard.scaled(table)), labels))

    def values(self, features: Features) -> Floats:
        return np.asarray(near(self.standard.scaled(features.table)) @ self.weights)


def near(columns: Floats) -> Floats:
    """Scaled columns held to a few spreads: one far number must not outweigh all the others."""
    return np.asarray(np.clip(columns, -FAR, FAR, out=columns))


def logistic_weights(columns: Floats, labels: Cells) -> Floats:
    """The weights under which a logistic regression makes the labels likeliest."""
    model = LogisticRegression(C=1.0, max_iter=100, tol=1e-5)
    with quiet():
        model.fit(columns, labels)
    return np.asarray(model.coef_[0], dtype=np.float64)
