"""Any classifier a user brings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone

from noisewright.audit.encoding import Features
from noisewright.audit.scores.score import Score
from noisewright.audit.scores.training import leaning, quiet, stacked
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

LOWEST = -1e300
ROWS = 400_000
CELLS = 20_000_000


@dataclass(frozen=True, eq=False)
class ForeignScore(Score):
    """A scikit-learn classifier, fitted afresh, read through its decision function or its probabilities.

    Its own complaints may quote rows, so only their type is told.
    """

    classifier: Any
    title: str
    cheap: ClassVar[bool] = False

    @classmethod
    def fit(cls, classifier: Any, left: Features, right: Features) -> Self:
        """Fit a copy of a classifier."""
        name = type(classifier).__name__
        table, labels = stacked(left, right, CELLS, ROWS)
        try:
            with quiet():
                fresh = clone(classifier).fit(table, labels)
        except Exception as error:
            raise InvalidParameter(
                f"score {name} could not be fitted ({type(error).__name__}); give another classifier"
            ) from None
        return cls(fresh, name)

    def values(self, features: Features) -> Floats:
        try:
            leans = leaning(self.classifier, features.table)
            return np.where(np.isnan(leans), LOWEST, leans)  # no opinion is one, too, and the same for all
        except Exception as error:
            raise InvalidParameter(
                f"score {self.title} could not read outputs ({type(error).__name__}); give another classifier"
            ) from None


def is_classifier(thing: Any) -> bool:
    """Whether something can be fitted and then asked how much it leans to a label."""
    fits = hasattr(thing, "fit") and hasattr(thing, "get_params")
    return fits and (hasattr(thing, "predict_proba") or hasattr(thing, "decision_function"))
