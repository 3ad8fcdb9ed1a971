"""The common part of private classifiers: scikit-learn's interface around records that clients keep.

``fit(X, y)`` simulates the clients: row i of ``X`` and ``y`` is what client i holds, and everything that is
learned comes from randomized answers. A subclass says how, in one method.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from noisewright.domains import Cells, FiniteDomain, Floats
from noisewright.errors import InvalidParameter, NoisewrightError, OutOfDomain
from noisewright.learn.questions.rounds import Chance, read_chance
from noisewright.learn.rules.schema import Schema, read_schema
from noisewright.parameters import EPSILON


class PrivateClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]  # scikit-learn is untyped
    """A classifier learned from randomized answers, with scikit-learn's interface.

    A subclass has the parameters ``epsilon`` (the total of every client), ``domain`` (public; see
    :func:`~noisewright.learn.read_schema`), ``classes`` (the public list of labels; ``None`` reads it off
    ``y``, which is right only where the list is no secret) and ``random_state`` (``None`` draws secure noise;
    anything else repeats and is not private), and implements :meth:`_learn`, which sets ``rule_``. Fitting
    sets ``classes_``, ``n_features_in_``, ``feature_names_in_`` when columns have names, ``schema_`` and
    ``simulated_`` (whether the noise was seeded).
    """

    two_classes: ClassVar[bool] = False
    """Whether the method is for two classes only."""

    epsilon: float
    domain: Any
    classes: Any
    random_state: Any

    rule_: Any
    schema_: Schema
    classes_: NDArray[Any]
    simulated_: bool

    @abstractmethod
    def _learn(self, units: Floats, codes: Cells, chance: Chance) -> None:
        """Ask the clients, one row each; set ``rule_``, whose ``scores(units)`` are (n,) or (n, classes)."""

    def fit(self, X: Any, y: ArrayLike) -> Self:  # noqa: N803  (scikit-learn's name)
        """Simulate the clients with the rows of ``X`` and ``y``, and learn from their answers."""
        EPSILON.check(self.epsilon)
        with hide_quoted_values():
            records, labels = validate_data(self, X, y, dtype=self._dtype(), ensure_all_finite=False)
        check_classification_targets(labels)
        self.classes_ = read_classes(self.classes, labels)
        if self.two_classes and len(self.classes_) > 2:
            found = f"y has {len(self.classes_)} classes; MRMA takes more"
            raise InvalidParameter(f"Only binary classification is supported: {found}")
        named = hasattr(self, "feature_names_in_")
        self.schema_ = read_schema(
            self.domain, list(self.feature_names_in_) if named else self.n_features_in_
        )
        chance = read_chance(self.random_state)
        self.simulated_ = chance.simulated
        codes = np.searchsorted(self.classes_, labels).astype(np.int64)
        self._learn(self._units(records), codes, chance)
        return self

    def decision_function(self, X: Any) -> Floats:  # noqa: N803
        """Return scores of true records: above 0 means the second of two classes; of more, a column each."""
        check_is_fitted(self, "rule_")
        with hide_quoted_values():
            records = validate_data(self, X, reset=False, dtype=self._dtype(), ensure_all_finite=False)
        return np.asarray(self.rule_.scores(self._units(records)), dtype=np.float64)

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the label of the larger score."""
        codes = class_codes(self.decision_function(X))
        return np.asarray(self.classes_[codes])

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """Return scores through the logistic function: ordered as the scores, but not calibrated."""
        return probabilities(self.decision_function(X))

    def _units(self, records: NDArray[Any]) -> Floats:
        """Return records as the unit columns that questions are asked about."""
        if records.dtype.kind == "f" and not np.isfinite(records).all():
            row, column = np.argwhere(~np.isfinite(records))[0].tolist()
            what = "missing (NaN)" if np.isnan(records[row, column]) else "infinite (inf)"
            raise OutOfDomain(
                f"X[{row}, {column}] is {what}; drop or impute such rows before clients are asked"
            )
        return self.schema_.encode(records, getattr(self, "out_of_domain", "refuse"))

    def _dtype(self) -> str | None:
        """Return the type of records: numbers, unless the domain has labels."""
        return None if has_labels(self.domain) else "numeric"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Honest noise on a hundred records leaves little to learn: no score can be promised.
        tags.classifier_tags.poor_score = True
        tags.classifier_tags.multi_class = not self.two_classes
        return tags


@contextmanager
def hide_quoted_values() -> Iterator[None]:
    """Refuse bad records without the values that scikit-learn and NumPy would quote from them.

    >>> with hide_quoted_values():
    ...     raise ValueError("Complex data not supported: array=[37.1 36.9]")
    Traceback (most recent call last):
    ...
    noisewright.errors.OutOfDomain: Complex data not supported
    """
    try:
        yield
    except NoisewrightError:
        raise
    except ValueError as quoted:
        said = str(quoted).split("array=")[0].splitlines()[0].strip().rstrip(":")
        if "Reshape your data" in str(quoted):
            said = f"{said}; Reshape your data into rows of records and columns of features"
        if "could not convert" in said:
            said = "X holds text where numbers are needed; declare Categories for columns of labels"
        raise OutOfDomain(said) from None


def has_labels(domain: Any) -> bool:
    """Return whether a public domain holds columns of labels, which need not be numbers.

    >>> from noisewright import Categories, Interval
    >>> has_labels({"age": Interval(0, 99)}), has_labels([Interval(0, 1), Categories(["a", "b"])])
    (False, True)
    """
    parts = getattr(domain, "parts", domain)
    if isinstance(parts, Schema):
        parts = [block.domain for block in parts.blocks]
    if isinstance(parts, Mapping):
        parts = list(parts.values())
    columns = parts if isinstance(parts, list | tuple) else [parts]
    return any(isinstance(part, FiniteDomain) for part in columns)


def read_classes(classes: Any, labels: NDArray[Any]) -> NDArray[Any]:
    """Return the public list of labels, sorted; read off ``labels`` when none is given.

    >>> read_classes(["yes", "no"], np.array(["no", "no"])).tolist()
    ['no', 'yes']
    """
    known = np.unique(labels if classes is None else np.asarray(classes))
    if len(known) < 2:
        which = "y holds" if classes is None else "classes names"
        raise InvalidParameter(
            f"{which} one class only; a classifier needs two or more (name them all with classes=[...])"
        )
    if classes is not None and not np.isin(labels, known).all():
        raise OutOfDomain("y holds a label that is not among classes; add it to classes or drop such rows")
    return np.asarray(known)


def class_codes(scores: Floats) -> Cells:
    """Return the class of each row: the second of two for a score above 0, else that of the largest score.

    >>> class_codes(np.array([-1.0, 0.0, 2.0])).tolist(), class_codes(np.array([[0.0, 1.0, 0.5]])).tolist()
    ([0, 0, 1], [1])
    """
    return np.asarray(scores > 0 if scores.ndim == 1 else scores.argmax(axis=1), dtype=np.int64)


def probabilities(scores: Floats) -> Floats:
    """Return scores read as log-odds, a column for each class: ordered as the scores, but not calibrated.

    >>> probabilities(np.array([0.0])).tolist()
    [[0.5, 0.5]]
    """
    if scores.ndim == 2:
        return np.asarray(softmax(scores, axis=1))
    return np.column_stack([expit(-scores), expit(scores)])
