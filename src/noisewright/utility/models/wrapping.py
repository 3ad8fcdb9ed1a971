"""Whatever a user holds in hand, as a classifier."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from noisewright.errors import InvalidParameter
from noisewright.utility.models.callables import CallableClassifier
from noisewright.utility.models.classifier import Classifier
from noisewright.utility.models.estimators import EstimatorClassifier


def as_classifier(model: Any, *, classes: Sequence[Any] | None = None) -> Classifier:
    """A classifier from a function, a fitted estimator or pipeline, or an object that already is one.

    ``classes`` names every label of a model that does not know them itself, and the columns of one that
    answers with scores.

    >>> import numpy as np
    >>> as_classifier(lambda rows: rows[:, 0] > 0).labels(np.array([[1.0], [-1.0]])).tolist()
    [True, False]
    """
    declared = None if classes is None else tuple(classes)
    if isinstance(model, type):
        raise InvalidParameter(f"{model.__name__} is a class, not a model; give a fitted object of it")
    if isinstance(model, Classifier):
        return model
    if callable(getattr(model, "predict", None)):
        return EstimatorClassifier(model, declared)
    if callable(model):
        return CallableClassifier(model, declared)
    if isinstance(model, (str, os.PathLike)):
        raise InvalidParameter("a model's file or address must be opened first: pass open_model(...)")
    raise InvalidParameter(
        f"a {type(model).__name__} is no model; give a function, a fitted estimator or open_model(...)"
    )
