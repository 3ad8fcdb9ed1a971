"""Boosted trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from sklearn.ensemble import HistGradientBoostingClassifier

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.scores.score import Score
from noisewright.audit.scores.training import leaning, quiet, stacked, state_of
from noisewright.domains import Floats

ROWS = 200_000
CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class BoostingScore(Score):
    """Sees columns that matter together: gradient-boosted trees, stopped where fresh rows gain no more."""

    classifier: Any
    title: str = "boosted trees"
    cheap: ClassVar[bool] = False

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        """Learn from the fitting rows of both inputs."""
        table, labels = stacked(left, right, CELLS, ROWS)
        few = len(labels) < 200  # too few to set some aside
        classifier = HistGradientBoostingClassifier(
            max_iter=30 if few else 100,
            max_leaf_nodes=15,
            min_samples_leaf=20,
            early_stopping=not few,
            n_iter_no_change=5,
            random_state=state_of(seed),
        )
        with quiet():
            classifier.fit(table, labels)
        return cls(classifier)

    def values(self, features: Features) -> Floats:
        return leaning(self.classifier, features.table)
