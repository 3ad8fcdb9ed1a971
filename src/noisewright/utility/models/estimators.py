"""Fitted scikit-learn estimators, and whatever else has ``predict``, as classifiers."""

from __future__ import annotations

import warnings
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np

from noisewright.domains.base import Floats
from noisewright.errors import InvalidParameter
from noisewright.utility.models.classifier import Labels, labels_from


class EstimatorClassifier:
    """A fitted estimator or pipeline, asked through ``predict``.

    Columns must come in the order of the fit. An estimator that was fitted on a data frame gets one with the
    same names, as a pipeline that picks columns by name needs.

    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> model = EstimatorClassifier(LogisticRegression().fit([[0.0], [1.0]], ["no", "yes"]))
    >>> model.name, model.features, model.classes, model.labels(np.array([[0.9]])).tolist()
    ('LogisticRegression', 1, ('no', 'yes'), ['yes'])
    """

    def __init__(self, model: Any, classes: tuple[Any, ...] | None = None) -> None:
        _refuse_unusable(model)
        self.model = model
        self._declared = None if classes is None else tuple(classes)

    def __repr__(self) -> str:
        return f"EstimatorClassifier({self.name})"

    @property
    def name(self) -> str:
        """The estimator's type; of a pipeline, the type of its last step, too."""
        kind = type(self.model).__name__
        steps = getattr(self.model, "steps", None)
        return f"{kind} ending in {type(steps[-1][1]).__name__}" if steps else kind

    @cached_property
    def feature_names(self) -> tuple[str, ...] | None:
        """The names of the columns that the estimator was fitted on, if they had names."""
        names = getattr(self.model, "feature_names_in_", None)
        return None if names is None else tuple(str(name) for name in names)

    @cached_property
    def features(self) -> int | None:
        number = getattr(self.model, "n_features_in_", None)
        return None if number is None else int(number)

    @cached_property
    def classes(self) -> tuple[Any, ...] | None:
        known = getattr(self.model, "classes_", None)
        return self._declared if known is None else tuple(np.asarray(known).tolist())

    def labels(self, rows: Floats) -> Labels:
        if self.feature_names is None:
            return self._predict(rows)
        if find_spec("pandas") is not None:
            import pandas as pd  # noqa: PLC0415  # heavy, and only frames need it

            return self._predict(pd.DataFrame(rows, columns=list(self.feature_names)))
        with (
            warnings.catch_warnings()
        ):  # the columns are in the order of the fit, so the names say nothing new
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            return self._predict(rows)

    def _predict(self, rows: Any) -> Labels:
        return labels_from(self.model.predict(rows), self.classes)


def _refuse_unusable(model: Any) -> None:
    """Refuse what cannot name a class: regressors, estimators without a fit or with several answers a row."""
    name = type(model).__name__
    if _is_regressor(model):
        raise InvalidParameter(
            f"{name} predicts numbers, not classes; wrap it in a function that turns a number into a label"
        )
    if not _is_fitted(model):
        raise InvalidParameter(f"{name} has not been fitted; call its fit first")
    if isinstance(getattr(model, "classes_", None), list):
        raise InvalidParameter(
            f"{name} gives several labels a row; wrap it in a function that returns one of them"
        )


def _is_regressor(model: Any) -> bool:
    if _base_estimator() is not None and isinstance(model, _base_estimator()):
        from sklearn.base import is_regressor  # noqa: PLC0415

        return bool(is_regressor(model))
    return getattr(model, "_estimator_type", None) == "regressor"


def _is_fitted(model: Any) -> bool:
    """What scikit-learn says of its own estimators; of others nothing is known before they are asked."""
    base = _base_estimator()
    if base is None or not isinstance(model, base):
        return True
    from sklearn.exceptions import NotFittedError  # noqa: PLC0415
    from sklearn.utils.validation import check_is_fitted  # noqa: PLC0415

    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    return True


def _base_estimator() -> Any:
    """scikit-learn's root class, or None where it is not installed (then no model can be one of its own)."""
    try:
        from sklearn.base import BaseEstimator  # noqa: PLC0415
    except ImportError:
        return None
    return BaseEstimator
