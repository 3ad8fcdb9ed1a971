"""What Noisewright needs of a classifier: rows of numbers in, one label a row out."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from noisewright.domains.base import Floats
from noisewright.errors import BadModel

Labels = NDArray[Any]


@runtime_checkable
class Classifier(Protocol):
    """Anything that names a class for each row, whatever stands behind it.

    An object of your own with these four members is taken as it is:

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
        """What a report calls the model; public."""

    @property
    def features(self) -> int | None:
        """How many columns a row has, if the model knows it."""

    @property
    def classes(self) -> tuple[Any, ...] | None:
        """Every label that the model can answer, if it knows them."""

    def labels(self, rows: Floats) -> Labels:
        """The label of each of n rows, as the model says it; checked by whoever asks."""


def feature_names(classifier: Classifier) -> tuple[str, ...] | None:
    """The names of the columns in the model's order, if the model remembers them."""
    names = getattr(classifier, "feature_names", None)
    return None if names is None else tuple(str(name) for name in names)


def labels_from(answer: Any, classes: tuple[Any, ...] | None) -> Labels:
    """The labels in an answer: one a row, or one column of scores for each class.

    >>> labels_from([[0.2, 0.8], [0.7, 0.3]], ("no", "yes")).tolist()
    ['yes', 'no']
    """
    array = _as_array(answer)
    if array.ndim == 2 and array.shape[1] == 1:
        return array[:, 0]
    scores = array.ndim == 2 and array.dtype.kind == "f"
    if scores and classes is not None and array.shape[1] == len(classes):
        return highest(array, classes)
    return array  # of a wrong shape, if it is no list of labels; refused by whoever asks


def highest(scores: NDArray[Any], classes: tuple[Any, ...]) -> Labels:
    """The class of the highest score in each row (the first of equals); NaN where a score is NaN."""
    names = np.empty(len(classes), dtype=object)
    names[:] = classes
    labels: Labels = names[np.argmax(scores, axis=1)]
    labels[np.isnan(scores).any(axis=1)] = np.nan  # refused by whoever checks the labels
    return labels


def _as_array(answer: Any) -> NDArray[Any]:
    """An answer as an array; a list that mixes texts and numbers keeps its items as they are."""
    try:
        array = np.asarray(answer)
    except ValueError:
        raise BadModel("the model's answer is no rectangular array; it must be one label a row") from None
    if array.dtype.kind in "US" and not isinstance(answer, np.ndarray):
        return np.asarray(answer, dtype=object)
    return array
