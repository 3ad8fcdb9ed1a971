"""Linear models as numbers: one score w·x + b for each class, in the units of the columns themselves.

A model with two classes has one score, and answers the second class where it is above 0; a model with more
answers the class whose score is largest. The rounding error of the library's own floating-point sums is part
of the model: reports that close to the boundary may fall on either side.

Scalers in front of a model are read as one line for each column, x' = scale·x + offset, and folded into the
weights. Only scalers that shift and stretch each column separately are read; any other step makes a pipeline
unreadable.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.models.classifier import is_exactly
from noisewright.utility.models.scalers import OPERATIONS, scaler_moves

SCORED = (
    "LogisticRegression",
    "LogisticRegressionCV",
    "LinearSVC",
    "RidgeClassifier",
    "RidgeClassifierCV",
    "SGDClassifier",
    "Perceptron",
    "PassiveAggressiveClassifier",
    "LinearDiscriminantAnalysis",
)
"""Classes of scikit-learn that answer by ``coef_`` and ``intercept_`` alone."""

_UNIT = 2.0**-52
"""Twice a bound on the relative error of one floating-point operation."""

_LARGEST = 1e150
"""Numbers as large as this, or as near to 0, are not folded: products might overflow or underflow."""

_STEPS = 16
"""Operations beside the sum itself: scaling a column, placing a report, folding the scalers."""


@dataclass(frozen=True, eq=False)
class LinearModel:
    """The scores of a linear classifier.

    A computed score differs from the exact one by at most ``intercept_noise`` + Σ ``weight_noise``·|x|.

    Args:
        weights: One row per score, one column per feature.
        intercept: One number per score.
        classes: The labels, in the model's order.
        weight_noise: A bound on the library's rounding error for each weight.
        intercept_noise: A bound on its remaining rounding error.

    >>> from sklearn.linear_model import Perceptron
    >>> model = read_linear(Perceptron().fit([[0.0], [1.0]], ["no", "yes"]))
    >>> model.weights.shape, model.classes
    ((1, 1), ('no', 'yes'))
    """

    weights: Floats
    intercept: Floats
    classes: tuple[Any, ...]
    weight_noise: Floats
    intercept_noise: Floats

    def answers(self, rows: Floats) -> Cells:
        """Return the class of each row as an index into ``classes``."""
        scores = rows @ self.weights.T + self.intercept
        return np.asarray(scores[:, 0] > 0 if scores.shape[1] == 1 else scores.argmax(axis=1), dtype=np.int64)

    def boundaries(self, reference: int) -> LinearModel:
        """Return the scores that are all above 0 exactly where the answer is the given class."""
        if len(self.weights) == 1:
            sign = 1.0 if reference == 1 else -1.0
            return replace(self, weights=sign * self.weights, intercept=sign * self.intercept)
        others = np.arange(len(self.weights)) != reference
        return replace(
            self,
            weights=self.weights[reference] - self.weights[others],
            intercept=self.intercept[reference] - self.intercept[others],
            weight_noise=self.weight_noise[reference] + self.weight_noise[others],
            intercept_noise=self.intercept_noise[reference] + self.intercept_noise[others],
        )


def read_linear(model: Any) -> LinearModel | None:
    """Read the scores of a fitted scikit-learn model, scalers folded in; None if it has no such scores.

    Support vector machines are read with a linear kernel and two classes: with more, pairs of classes vote.

    Args:
        model: A fitted estimator or pipeline.

    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> machine = make_pipeline(StandardScaler(), SVC(kernel="linear"))
    >>> model = read_linear(machine.fit([[0.0], [10.0]], [0, 1]))
    >>> model.weights.round(3).tolist(), model.intercept.round(3).tolist()   # the boundary is at 5
    ([[0.2]], [-1.0])
    """
    read = affine_steps(model)
    if read is None:
        return None
    scale, offset, last = read
    if is_exactly(last, *SCORED):
        return _from_scores(last, scale, offset)
    if is_exactly(last, "SVC", "NuSVC"):
        return _from_vectors(last, scale, offset)
    return None


def _from_scores(model: Any, scale: Floats, offset: Floats) -> LinearModel | None:
    if hasattr(model.coef_, "toarray"):  # sparse weights are added in another order
        return None
    weights = np.atleast_2d(np.asarray(model.coef_, dtype=np.float64))
    binarizer = getattr(model, "_label_binarizer", None)  # of a ridge classifier
    many_labels = binarizer is not None and str(binarizer.y_type_).startswith("multilabel")
    if isinstance(model.classes_, list) or many_labels:
        return None
    return _fold_scalers(model, weights, np.abs(weights), weights.shape[1], scale, offset)


def _from_vectors(machine: Any, scale: Floats, offset: Floats) -> LinearModel | None:
    if machine.kernel != "linear" or len(machine.classes_) != 2 or hasattr(machine.dual_coef_, "toarray"):
        return None
    sizes = np.abs(machine.dual_coef_) @ np.abs(machine.support_vectors_)  # the terms of the library's sum
    terms = sum(machine.support_vectors_.shape)
    return _fold_scalers(machine, np.asarray(machine.coef_, dtype=np.float64), sizes, terms, scale, offset)


def _fold_scalers(
    model: Any, weights: Floats, sizes: Floats, terms: int, scale: Floats, offset: Floats
) -> LinearModel | None:
    """Return scores in the units of the columns, from scores of scaled columns; None if out of range."""
    intercept = np.broadcast_to(np.asarray(model.intercept_, dtype=np.float64), (len(weights),))
    noise = _UNIT * (terms + _STEPS)
    folded, start = weights * scale, intercept + weights @ offset
    if not (_ordinary(weights) and _ordinary(intercept) and _ordinary(folded) and _ordinary(start)):
        return None
    return LinearModel(
        folded,
        start,
        tuple(model.classes_.tolist()),
        noise * sizes * np.abs(scale),
        noise * (np.abs(intercept) + sizes @ np.abs(offset)),
    )


def _ordinary(numbers: Floats) -> bool:
    """Return whether sums of numbers neither overflow nor lose bits to underflow."""
    sizes = np.abs(numbers[numbers != 0])
    return bool(np.isfinite(sizes).all() and (sizes < _LARGEST).all() and (sizes > 1 / _LARGEST).all())


Affine = tuple[Floats, Floats, Any]
"""Scale and offset of each column, and the estimator behind them."""


def affine_steps(pipeline: Any) -> Affine | None:
    """Read the scalers of a pipeline; None if a step is not a scaler of single columns.

    A bare estimator is a pipeline without scalers: its scale is 1 and its offset 0.

    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import MinMaxScaler
    >>> rows = np.array([[0.0, 10.0], [4.0, 30.0]])
    >>> model = make_pipeline(MinMaxScaler(), LogisticRegression()).fit(rows, [0, 1])
    >>> scale, offset, last = affine_steps(model)
    >>> scale.tolist(), offset.tolist(), type(last).__name__
    ([0.25, 0.05], [0.0, -0.5], 'LogisticRegression')
    """
    if not is_exactly(pipeline, "Pipeline"):
        columns = getattr(pipeline, "n_features_in_", None)
        return None if columns is None else (np.ones(columns), np.zeros(columns), pipeline)
    lines = [_line(step) for _, step in pipeline.steps[:-1] if step not in (None, "passthrough")]
    inner = affine_steps(pipeline.steps[-1][1])
    if inner is None or any(line is None for line in lines):
        return None
    scale, offset = np.ones_like(inner[0]), np.zeros_like(inner[0])
    for line in (*lines, inner[:2]):
        assert line is not None
        scale, offset = line[0] * scale, line[0] * offset + line[1]
    return scale, offset, inner[2]


def _line(scaler: Any) -> tuple[Floats, Floats] | None:
    """Return scale and offset of one fitted scaler; None if it does more than shift and stretch columns."""
    moves = scaler_moves(scaler)
    if moves is None:
        return None
    scale, offset = np.ones(scaler.n_features_in_), np.zeros(scaler.n_features_in_)
    for name, numbers in moves:
        if name in ("divide", "multiply"):
            scale = OPERATIONS[name](scale, numbers)
        offset = OPERATIONS[name](offset, numbers)
    return scale, offset
