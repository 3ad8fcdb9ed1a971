"""Asking a model carefully: in batches, on time, within a budget, and believing only what is a label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains.base import Cells, Floats
from noisewright.errors import BadModel, BadTable, InvalidParameter
from noisewright.parameters import real, whole
from noisewright.utility.models.batches import Asker, rows_and_numbers
from noisewright.utility.models.classifier import CallableClassifier, Classifier, as_classifier, labels_from
from noisewright.utility.models.labels import UNKNOWN, LabelBook, NoLabel, plain_label

BATCH = 65536
LARGEST_BATCH = 1 << 24
FEW = 64
SMALL_BATCH = 7
"""A model that mixes up the rows of a batch answers differently in batches of an odd small size."""


class BlackBox(Asker):
    """A classifier behind a counter: rows in, codes of labels out, and every answer checked.

    Each row belongs to a numbered record; a refusal names the record and what was wrong, never a value of it.
    Labels are checked against the classes that the model or the caller declares. If nobody does, a function
    may answer any label, and each new one is another class; every other model, an endpoint above all, is held
    to the labels of the first question (and of later ones with ``learn=True``), which should be the true
    records: a message in place of an answer would otherwise pass for a class.

    Args:
        classifier: What :func:`as_classifier` takes.
        batch: Rows of one question; None means 65,536, or fewer where the model takes less at once.
        timeout: Seconds that one batch may take; None waits for ever.
        budget: Rows that may be asked in all; None sets no limit.
        classes: Every label that the model may answer; None takes those that it declares.

    >>> import numpy as np
    >>> box = BlackBox(lambda rows: rows[:, 0] > 40, budget=3, classes=(False, True))
    >>> box.ask(np.array([[39.0], [41.0]]), np.array([1, 2])).tolist(), box.queries
    ([0, 1], 2)
    >>> box.ask(np.array([[39.0], [41.0]]), 1)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: 2 more questions would exceed the budget of 3: 2 were asked ...
    """

    def __init__(
        self,
        classifier: Any,
        *,
        batch: int | None = None,
        timeout: float | None = 60,
        budget: int | None = None,
        classes: Sequence[Any] | None = None,
    ) -> None:
        model = as_classifier(classifier, classes=classes)
        self._book = _label_book(model, classes)
        self._closed = len(self._book) > 0
        self._open = not self._closed and isinstance(model, CallableClassifier)
        super().__init__(
            model,
            None if timeout is None else _above_zero("timeout", timeout),
            None if budget is None else whole("budget", budget, 1, 1 << 62),
            self.classes if self._closed else None,
        )
        most = getattr(model, "batch", LARGEST_BATCH)  # an endpoint takes less in one request
        self.batch = min(most, whole("batch", BATCH if batch is None else batch, 1, LARGEST_BATCH))

    def __repr__(self) -> str:
        return f"BlackBox({self.classifier.name}, queries={self.queries})"

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels known so far; a label's place is its code."""
        return tuple(self._book.labels)

    @property
    def settled(self) -> bool:
        """Whether the classes need not be learned from records: all are declared, or any may come."""
        return self._closed or self._open

    def label_of(self, code: int) -> Any:
        """Return the label that a code stands for."""
        return self._book.labels[whole("code", code, 0, len(self._book) - 1)]

    def code_of(self, label: Any) -> int | None:
        """Return the code of a label, a true answer say, or None if the model does not know it."""
        try:
            code = self._book.code(plain_label(label))
        except ValueError:
            return None
        return None if code == UNKNOWN else code

    def codes(self, labels: ArrayLike, numbers: ArrayLike) -> Cells:
        """Return the codes of the true answers of records; a label that is no class of the model is refused.

        Where no classes are declared, the answers of a data set declare theirs.

        Args:
            labels: True answers.
            numbers: The record number of each.
        """
        given = labels_from(labels, None)
        owners = np.broadcast_to(np.asarray(numbers, dtype=np.int64), given.shape)
        try:
            codes = self._book.encode(given, learn=not self._closed)
        except NoLabel as problem:
            raise BadTable(f"the true answer of record {owners[problem.row]} {problem.what}") from None
        if (codes == UNKNOWN).any():
            number = int(owners[np.argmax(codes == UNKNOWN)])
            raise BadTable(f"the true answer of record {number} is none of the classes of the model")
        return codes

    def ask(
        self, rows: ArrayLike, numbers: ArrayLike, *, learn: bool = False, batch: int | None = None
    ) -> Cells:
        """Return the code of the label of each row.

        Args:
            rows: One row a question, in the model's columns.
            numbers: Whose row each is, or one number for all.
            learn: Whether labels that are not known yet become classes, if none are declared.
            batch: Rows of one question; None takes the box's own.
        """
        table, owners = rows_and_numbers(rows, numbers, self.classifier.features)
        self.afford(len(table))
        learn = self._open or (not self._closed and (learn or not len(self._book)))
        size = self.batch if batch is None else batch
        pieces = [
            self._ask_batch(table[start : start + size], owners[start : start + size], learn)
            for start in range(0, len(table), size)
        ]
        return np.concatenate(pieces) if pieces else np.empty(0, np.int64)

    def _ask_batch(self, rows: Floats, numbers: Cells, learn: bool) -> Cells:
        answer = self.answers(rows, numbers)
        try:
            codes = self._book.encode(answer, learn=learn)
        except NoLabel as problem:
            number = int(numbers[problem.row])
            raise BadModel(f"the model's answer for record {number} {problem.what}") from None
        if (codes == UNKNOWN).any():
            number = int(numbers[np.argmax(codes == UNKNOWN)])
            raise BadModel(
                f"the model answered a label for record {number} that is none of its {len(self._book)} known "
                "classes; declare all classes with classes=..."
            )
        return codes

    def check_repeatable(self, rows: ArrayLike, numbers: ArrayLike, *, few: int = FEW) -> None:
        """Refuse a model whose answer to the same row changes; every certificate assumes that it does not.

        A few of the rows, which should be true records, are asked twice: once in order and all at once, then
        in reverse and in small batches. Chance, the clock and the other rows of a batch show here, if they
        sway the answers often enough to matter.

        Args:
            rows: One row a question, in the model's columns.
            numbers: Whose row each is.
            few: How many of the rows are asked at most.
        """
        table, owners = rows_and_numbers(rows, numbers, self.classifier.features)
        chosen = np.unique(np.linspace(0, len(table) - 1, min(few, len(table))).astype(np.int64))
        self.afford(2 * len(chosen))
        once = self.ask(table[chosen], owners[chosen], learn=True)
        back, small = chosen[::-1], SMALL_BATCH if len(chosen) > SMALL_BATCH else 1
        again = self.ask(table[back], owners[back], learn=True, batch=small)[::-1]
        if (once != again).any():
            number = int(owners[chosen[np.argmax(once != again)]])
            raise BadModel(
                f"the model gave two answers for record {number}; a prediction needs one that always answers "
                "the same (switch off dropout, sampling and whatever depends on the rest of a batch)"
            )


def _label_book(classifier: Classifier, classes: Sequence[Any] | None) -> LabelBook:
    """Return the classes in the model's own order; those of the caller only where the model declares none."""
    given = LabelBook(() if classes is None else classes)
    if classifier.classes is None:
        return given
    own = LabelBook(classifier.classes)
    known = {own.code(label) for label in given.labels}
    if given.labels and known != set(range(len(own))):
        raise InvalidParameter(
            f"the {len(given)} classes given are not the {len(own)} that the model declares; leave them out"
        )
    return own


def _above_zero(what: str, value: object) -> float:
    number = real(what, value)
    if number <= 0:
        raise InvalidParameter(f"{what} must be above 0 seconds, got {number:g}")
    return number
