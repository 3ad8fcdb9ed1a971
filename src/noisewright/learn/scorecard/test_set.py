"""Test records that may be looked at, and what a classifier says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.learn.rules import Rule


@dataclass(frozen=True, eq=False)
class EvaluatedRecords:
    """True and predicted codes of test records, the names of the classes, and probabilities of class 1.

    ``probabilities`` is None for more than two classes or where the classifier tells none.
    """

    codes: Cells
    said: Cells
    classes: tuple[Any, ...]
    probabilities: Floats | None

    @property
    def confusion(self) -> Cells:
        """How many records there are of each pair [predicted, true]."""
        count = len(self.classes)
        return np.bincount(self.said * count + self.codes, minlength=count**2).reshape(count, count)


def evaluate_records(model: Any, records: Any, labels: ArrayLike, classes: Any = None) -> EvaluatedRecords:
    """What a rule says of unit columns, or a fitted classifier of its own records.

    For a rule ``labels`` are codes, which ``classes`` may name; a classifier knows its own classes.

    >>> from noisewright.learn.rules import LinearRule
    >>> evaluate_records(LinearRule([1.0]), np.array([[-0.5], [0.5], [0.9]]), [0, 0, 1]).confusion.tolist()
    [[1, 0], [1, 1]]
    """
    truth = np.asarray(labels)
    if truth.ndim != 1 or not truth.size or truth.size != len(records):
        raise BadTable("labels must be one row with as many labels as there are records, at least one")
    if isinstance(model, Rule):
        return _ruled(model, np.asarray(records, dtype=np.float64), truth, classes)
    return _classified(model, records, truth)


def _ruled(rule: Rule, units: Floats, truth: NDArray[Any], classes: Any) -> EvaluatedRecords:
    if truth.dtype.kind not in "iub" or truth.min() < 0:
        raise InvalidParameter("labels for a rule must be codes 0, 1, … in the order of the classes")
    codes, said = truth.astype(np.int64), rule.predict(units)
    count = max(2, int(codes.max()) + 1, int(said.max()) + 1)
    names = tuple(range(count)) if classes is None else tuple(np.asarray(classes).tolist())
    if len(names) < count:
        raise InvalidParameter(f"classes must name all {count} labels that occur, got {len(names)} names")
    return EvaluatedRecords(
        codes, said, names, _told_by_scores(rule.scores(units)) if len(names) == 2 else None
    )


def _told_by_scores(scores: Floats) -> Floats | None:
    """Scores read as log odds of class 1, as the private classifiers' ``predict_proba`` reads them."""
    from scipy.special import expit  # noqa: PLC0415  (scipy is slow to load)

    return np.asarray(expit(scores)) if scores.ndim == 1 else None


def _classified(model: Any, records: Any, truth: NDArray[Any]) -> EvaluatedRecords:
    if not hasattr(model, "predict") or not hasattr(model, "classes_"):
        raise InvalidParameter("a scorecard is about a rule or a fitted classifier, which has classes_")
    known = np.asarray(model.classes_)
    if not np.isin(truth, known).all():
        raise OutOfDomain("labels hold one that the classifier has not learned; drop such records")
    codes, said = (np.searchsorted(known, row) for row in (truth, np.asarray(model.predict(records))))
    names = tuple(known.tolist())
    return EvaluatedRecords(codes, said, names, _told_by_model(model, records) if len(names) == 2 else None)


def _told_by_model(model: Any, records: Any) -> Floats | None:
    if not hasattr(model, "predict_proba"):
        return None
    return np.asarray(model.predict_proba(records), dtype=np.float64)[:, 1]
