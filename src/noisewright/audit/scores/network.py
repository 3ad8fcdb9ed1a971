"""A small neural network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import logit
from sklearn.neural_network import MLPClassifier

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.scores.score import Score
from noisewright.audit.scores.standard import Standard
from noisewright.audit.scores.training import leaning, quiet, stacked, state_of
from noisewright.domains import Floats

ROWS = 100_000
CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class NetworkScore(Score):
    """Sees smooth things that many columns say together: one hidden layer, stopped early."""

    standard: Standard
    classifier: Any
    title: str = "neural network"
    cheap: ClassVar[bool] = False

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        """Learn from the fitting rows of both inputs."""
        table, labels = stacked(left, right, CELLS, ROWS)
        standard = Standard.fit(table)
        classifier = MLPClassifier(
            hidden_layer_sizes=(32,),
            batch_size=min(500, len(labels)),
            learning_rate_init=3e-3,
            early_stopping=len(labels) >= 200,
            n_iter_no_change=3,
            max_iter=30,
            random_state=state_of(seed),
        )
        with quiet():
            classifier.fit(standard.scaled(table), labels)
        return cls(standard, classifier)

    def values(self, features: Features) -> Floats:
        chances = leaning(self.classifier, self.standard.scaled(features.table))
        return np.asarray(logit(np.clip(chances, 1e-15, 1 - 1e-15)))
