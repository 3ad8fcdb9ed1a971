"""The interface of a classifier: rows of numbers in, one label per row out.

Python functions and fitted scikit-learn estimators become classifiers here; :func:`as_classifier` accepts
whatever a user passes.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from noisewright.domains.base import Floats
from noisewright.errors import BadModel, InvalidParameter
from noisewright.parameters import whole

Labels = NDArray[Any]


@runtime_checkable
class Classifier(Protocol):
    """Anything that returns a class for each row.

    Your own object with these four members is used directly:

    >>> import numpy as np
    >>> class OverForty:
    ...     name, features, classes = "over forty", 1, (False, True)
    ...     def labels(self, rows):
    ...         return rows[:, 0] > 40
    >>> isinstance(OverForty(), Classifier)
    True
    """

    @property
    def name(self) -> str:
        """The name of the model in reports; public."""

    @property
    def features(self) -> int | None:
        """The number of columns of a row, if it is known."""

    @property
    def classes(self) -> tuple[Any, ...] | None:
        """Every label that the model can return, if they are known."""

    def labels(self, rows: Floats) -> Labels:
        """Return the label of each of n rows, unchecked."""


def feature_names(classifier: Classifier) -> tuple[str, ...] | None:
    """Return the names of the columns in the model's order, if the model stores them.

    Args:
        classifier: The model.
    """
    names = getattr(classifier, "feature_names", None)
    return None if names is None else tuple(str(name) for name in names)


def labels_from(answer: Any, classes: tuple[Any, ...] | None) -> Labels:
    """Return the labels in an answer: one a row, or the class of the highest score in each row.

    Args:
        answer: The result of a model.
        classes: The class of each column of scores; None treats the answer as labels.

    >>> labels_from([[0.2, 0.8], [0.7, 0.3]], ("no", "yes")).tolist()
    ['yes', 'no']
    """
    array = _as_array(answer)
    if array.ndim == 2 and array.shape[1] == 1:
        return array[:, 0]
    scores = array.ndim == 2 and array.dtype.kind == "f"
    if scores and classes is not None and array.shape[1] == len(classes):
        return highest(array, classes)
    return array  # the caller refuses a wrong shape


def highest(scores: NDArray[Any], classes: tuple[Any, ...]) -> Labels:
    """Return the class of the highest score in each row (the first in a tie); NaN if a score is NaN."""
    names = np.empty(len(classes), dtype=object)
    names[:] = classes
    labels: Labels = names[np.argmax(scores, axis=1)]
    labels[np.isnan(scores).any(axis=1)] = np.nan  # refused when labels are checked
    return labels


def _as_array(answer: Any) -> NDArray[Any]:
    """Return an answer as an array; a list that mixes texts and numbers keeps its items unchanged."""
    try:
        array = np.asarray(answer)
    except ValueError:
        raise BadModel("the model's answer is not rectangular; it must be one label per row") from None
    if array.dtype.kind in "US" and not isinstance(answer, np.ndarray):
        return np.asarray(answer, dtype=object)
    return array


MOST_FEATURES = 1_000_000


@dataclass(frozen=True, eq=False)
class CallableClassifier:
    """A function from rows (n, d) to n labels, or to (n, K) scores of K declared classes.

    Use it for every library without an adapter here: a PyTorch or JAX network needs one line.

    Args:
        function: Takes an array of rows and returns labels or scores.
        classes: Every label, or the class of each column of scores; None if any label is allowed.
        features: Number of columns of a row; None if it is unknown.
        title: Name of the model in reports; None uses the function's name.

    >>> import numpy as np
    >>> model = CallableClassifier(lambda rows: np.stack([-rows[:, 0], rows[:, 0]], axis=1), ("low", "high"))
    >>> model.labels(np.array([[-2.0], [3.0]])).tolist()
    ['low', 'high']
    """

    function: Callable[[Floats], Any]
    classes: tuple[Any, ...] | None = None
    features: int | None = None
    title: str | None = None

    def __post_init__(self) -> None:
        classes: Sequence[Any] | None = self.classes
        object.__setattr__(self, "classes", None if classes is None else tuple(classes))
        if self.features is not None:
            whole("features", self.features, 1, MOST_FEATURES)

    @property
    def name(self) -> str:
        known: object = getattr(self.function, "__name__", None) or type(self.function).__name__
        return self.title or f"function {known}"

    def labels(self, rows: Floats) -> Labels:
        return labels_from(self.function(rows), self.classes)


class EstimatorClassifier:
    """A fitted estimator or pipeline, asked through ``predict``.

    Columns must come in the order of the fit. An estimator that was fitted on a data frame gets one with the
    same names, as a pipeline that picks columns by name needs.

    Args:
        model: The fitted estimator.
        classes: Every label of an estimator that does not declare them.

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
        """The estimator's type; for a pipeline, also the type of its last step."""
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
        with warnings.catch_warnings():
            # the columns are in the order of the fit, so names are not needed
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            return self._predict(rows)

    def _predict(self, rows: Any) -> Labels:
        return labels_from(self.model.predict(rows), self.classes)


def _refuse_unusable(model: Any) -> None:
    """Refuse regressors, unfitted estimators, and estimators with several answers per row."""
    name = type(model).__name__
    is_regressor, is_fitted = _kind_and_fit(model)
    if is_regressor:
        raise InvalidParameter(
            f"{name} predicts numbers, not classes; wrap it in a function that turns a number into a label"
        )
    if not is_fitted:
        raise InvalidParameter(f"{name} has not been fitted; call its fit first")
    if isinstance(getattr(model, "classes_", None), list):
        raise InvalidParameter(
            f"{name} gives several labels per row; wrap it in a function that returns one of them"
        )


def _kind_and_fit(model: Any) -> tuple[bool, bool]:
    """Return whether a model predicts numbers, and whether it was fitted.

    scikit-learn knows this for its own estimators; for others it shows only when they are asked.
    """
    roots = [(kind.__module__, kind.__name__) for kind in type(model).__mro__]
    if ("sklearn.base", "BaseEstimator") not in roots:
        return getattr(model, "_estimator_type", None) == "regressor", True
    from sklearn.base import is_regressor  # noqa: PLC0415  (slow to load)
    from sklearn.exceptions import NotFittedError  # noqa: PLC0415
    from sklearn.utils.validation import check_is_fitted  # noqa: PLC0415

    try:
        check_is_fitted(model)
    except NotFittedError:
        return bool(is_regressor(model)), False
    return bool(is_regressor(model)), True


def is_exactly(model: object, *names: str) -> bool:
    """Return whether a model is one of scikit-learn's own classes; a subclass may answer differently.

    >>> is_exactly(3, "LogisticRegression")
    False
    """
    kind = type(model)
    return kind.__module__.partition(".")[0] == "sklearn" and kind.__qualname__ in names


def as_classifier(model: Any, *, classes: Sequence[Any] | None = None) -> Classifier:
    """Return a classifier from a function, a fitted estimator or pipeline, or an object that already is one.

    Args:
        model: The function, estimator or object.
        classes: Every label of a model that does not declare them, or the class of each column of scores;
            None takes the classes that the model declares.

    >>> import numpy as np
    >>> as_classifier(lambda rows: rows[:, 0] > 0).labels(np.array([[1.0], [-1.0]])).tolist()
    [True, False]
    """
    declared = None if classes is None else tuple(classes)
    if isinstance(model, type):
        raise InvalidParameter(f"{model.__name__} is a class, not a model; pass a fitted instance")
    if isinstance(model, Classifier):
        return model
    if callable(getattr(model, "predict", None)):
        return EstimatorClassifier(model, declared)
    if callable(model):
        return CallableClassifier(model, declared)
    if isinstance(model, (str, os.PathLike)):
        raise InvalidParameter("a model's file or address must be opened first: pass open_model(...)")
    raise InvalidParameter(
        f"a {type(model).__name__} is not a model; give a function, a fitted estimator or open_model(...)"
    )
