"""A model behind checks: asked in batches, within a time and a budget, with every answer checked.

A failure is traced to a record; no error shows a value of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextvars import copy_context
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains.base import Cells, Floats
from noisewright.errors import BadModel, BadTable, InvalidParameter, MissingExtra
from noisewright.parameters import real, whole
from noisewright.utility.models.classifier import (
    CallableClassifier,
    Classifier,
    Labels,
    as_classifier,
    labels_from,
)
from noisewright.utility.models.labels import UNKNOWN, LabelBook, NoLabel

BATCH = 65536
LARGEST_BATCH = 1 << 24
FEW = 64
SMALL_BATCH = 7
"""Batch size of the second run; a model that mixes up the rows of a batch answers differently with it."""


class BlackBox:
    """A classifier behind a counter: rows in, codes of labels out, and every answer checked.

    Each row belongs to a numbered record; an error names the record and the problem, never a value of it.
    Labels are checked against the classes that the model or the caller declares. If neither does, a function
    may return any label, and each new one is another class. Every other model, such as an endpoint, is
    limited to the labels of the first question (and of later ones with ``learn=True``), which should be the
    true records: otherwise an error message could pass for a class.

    Args:
        classifier: Anything that :func:`as_classifier` takes.
        batch: Rows of one question; None means 65,536, or fewer if the model takes fewer at once.
        timeout: Seconds that one batch may take; None waits for ever.
        budget: Rows that may be asked in total; None sets no limit.
        classes: Every label that the model may return; None takes those that it declares.

    >>> import numpy as np
    >>> box = BlackBox(lambda rows: rows[:, 0] > 40, budget=3, classes=(False, True))
    >>> box.ask(np.array([[39.0], [41.0]]), np.array([1, 2])).tolist(), box.queries
    ([0, 1], 2)
    >>> box.ask(np.array([[39.0], [41.0]]), 1)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: 2 more questions would exceed budget=3: 2 were asked already; ...
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
        self.classifier = as_classifier(classifier, classes=classes)
        self._book = _label_book(self.classifier, classes)
        self._closed = len(self._book) > 0
        self._open = not self._closed and isinstance(self.classifier, CallableClassifier)
        self._declared = self.classes if self._closed else None
        if timeout is not None and real("timeout", timeout) <= 0:
            raise InvalidParameter(f"must be above 0 seconds, got {timeout:g}", field="timeout")
        self.timeout = timeout
        self.budget = None if budget is None else whole("budget", budget, 1, 1 << 62)
        most = getattr(self.classifier, "batch", LARGEST_BATCH)  # an endpoint takes fewer in one request
        self.batch = min(most, whole("batch", BATCH if batch is None else batch, 1, LARGEST_BATCH))
        self.queries = 0
        self._stuck = False

    def __repr__(self) -> str:
        return f"BlackBox({self.classifier.name}, queries={self.queries})"

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels known so far; the index of a label is its code."""
        return tuple(self._book.labels)

    @property
    def settled(self) -> bool:
        """Whether the classes need not be learned from records: all are declared, or any label is allowed."""
        return self._closed or self._open

    def codes(self, labels: ArrayLike, numbers: ArrayLike) -> Cells:
        """Return the codes of the true answers of records; refuse a label that is not a class of the model.

        If no classes are declared, the answers of a data set declare them.

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
            raise BadTable(f"the true answer of record {number} is not a class of the model")
        return codes

    def ask(
        self, rows: ArrayLike, numbers: ArrayLike, *, learn: bool = False, batch: int | None = None
    ) -> Cells:
        """Return the code of the label of each row.

        Args:
            rows: One row per question, in the model's columns.
            numbers: The record number of each row, or one number for all.
            learn: Whether unknown labels become classes, if none are declared.
            batch: Rows of one question; None takes the box's own.
        """
        table, owners = rows_and_numbers(rows, numbers, self.classifier.features)
        self._afford(len(table))
        learn = self._open or (not self._closed and (learn or not len(self._book)))
        size = self.batch if batch is None else batch
        pieces = [
            self._ask_batch(table[start : start + size], owners[start : start + size], learn)
            for start in range(0, len(table), size)
        ]
        return np.concatenate(pieces) if pieces else np.empty(0, np.int64)

    def check_repeatable(self, rows: ArrayLike, numbers: ArrayLike, *, few: int = FEW) -> None:
        """Refuse a model whose answer to the same row changes; every certificate assumes a fixed answer.

        A few of the rows, which should be true records, are asked twice: once in order and all at once, then
        in reverse and in small batches. This detects answers that depend on randomness, the clock or the
        other rows of a batch, if they change often enough to matter.

        Args:
            rows: One row per question, in the model's columns.
            numbers: The record number of each row.
            few: Largest number of rows that are asked.
        """
        table, owners = rows_and_numbers(rows, numbers, self.classifier.features)
        chosen = np.unique(np.linspace(0, len(table) - 1, min(few, len(table))).astype(np.int64))
        self._afford(2 * len(chosen))
        once = self.ask(table[chosen], owners[chosen], learn=True)
        back, small = chosen[::-1], SMALL_BATCH if len(chosen) > SMALL_BATCH else 1
        again = self.ask(table[back], owners[back], learn=True, batch=small)[::-1]
        if (once != again).any():
            number = int(owners[chosen[np.argmax(once != again)]])
            raise BadModel(
                f"the model gave two answers for record {number}; a prediction needs one that always answers "
                "the same (switch off dropout, sampling and whatever depends on the rest of a batch)"
            )

    def _can_afford(self, more: int) -> bool:
        return self.budget is None or self.queries + more <= self.budget

    def _afford(self, more: int) -> None:
        """Raise an error if the budget does not cover ``more`` questions, before anything is asked."""
        if not self._can_afford(more):
            raise InvalidParameter(
                f"{more} more questions would exceed budget={self.budget}: {self.queries} were asked "
                "already; raise the budget or ask about fewer records"
            )

    def _ask_batch(self, rows: Floats, numbers: Cells, learn: bool) -> Cells:
        """Return the codes of one batch of rows.

        An exception of the model is named only by its type, because its text may quote the data; the original
        is the ``__context__`` of the error.
        """
        try:
            answer = self._put(rows, numbers)
        except (BadModel, MissingExtra):
            raise
        except (Exception, SystemExit) as error:
            who = describe_records(self._trace(rows, numbers))
            raise BadModel(f"the model raised {type(error).__name__} when asked about {who}") from None
        _check_shape(answer, numbers)
        try:
            codes = self._book.encode(answer, learn=learn)
        except NoLabel as problem:
            number = int(numbers[problem.row])
            raise BadModel(f"the model's answer for record {number} {problem.what}") from None
        if (codes == UNKNOWN).any():
            number = int(numbers[np.argmax(codes == UNKNOWN)])
            raise BadModel(
                f"the model's label for record {number} is not one of its {len(self._book)} known classes; "
                "declare all classes with classes=..."
            )
        return codes

    def _put(self, rows: Floats, numbers: Cells) -> Labels:
        """Ask once, within the time limit; the model gets a copy, so that it cannot change the rows."""
        if self._stuck:
            raise BadModel(
                "the model still works on an earlier question; open it again, with a longer timeout=..."
            )
        self.queries += len(rows)
        try:
            return within(
                self.timeout, lambda: labels_from(self.classifier.labels(rows.copy()), self._declared)
            )
        except TookTooLong:
            self._stuck = True
            raise BadModel(
                f"the model did not answer within {self.timeout:g} seconds when asked about "
                f"{describe_records(numbers)}; raise timeout=... or lower batch=..."
            ) from None
        except BadModel as refusal:
            raise BadModel(f"{refusal} (asked about {describe_records(numbers)})") from None

    def _trace(self, rows: Floats, numbers: Cells) -> Cells:
        """Return the record at which the model raises, found by bisection; several if no half raises."""
        while numbers.min() != numbers.max():
            ends = np.flatnonzero(np.diff(numbers)) + 1  # where one record ends and the next begins
            half = int(ends[np.argmin(np.abs(ends - len(numbers) // 2))])
            for part in (slice(0, half), slice(half, None)):
                if self._raises(rows[part], numbers[part]):
                    rows, numbers = rows[part], numbers[part]
                    break
            else:
                return numbers
        return numbers

    def _raises(self, rows: Floats, numbers: Cells) -> bool:
        """Return whether the model raises on these rows, too; False if the budget does not allow it."""
        try:
            if self._can_afford(len(rows)):
                self._put(rows, numbers)
        except BadModel:
            raise
        except (Exception, SystemExit):
            return True
        return False


def _label_book(classifier: Classifier, classes: Sequence[Any] | None) -> LabelBook:
    """Return the classes in the model's own order; those of the caller only if the model declares none."""
    given = LabelBook(() if classes is None else classes)
    if classifier.classes is None:
        return given
    own = LabelBook(classifier.classes)
    known = {own.code(label) for label in given.labels}
    if given.labels and known != set(range(len(own))):
        raise InvalidParameter(
            f"lists {len(given)} labels, which are not the {len(own)} that the model declares; leave it out",
            field="classes",
        )
    return own


T = TypeVar("T")


class TookTooLong(Exception):
    """The call was still running when its time was up."""


def within(seconds: float | None, call: Callable[[], T]) -> T:
    """Return or raise the result of the call, or raise :class:`TookTooLong` after ``seconds``.

    The call runs in a daemon thread: Python cannot stop it, but the caller continues and the interpreter can
    exit. This cannot help against code that hangs without releasing the interpreter's lock.

    >>> within(5.0, lambda: 6 * 7)
    42
    """
    if seconds is None:
        return call()
    outcome: Future[T] = Future()

    def work() -> None:
        try:
            outcome.set_result(call())
        except BaseException as error:  # passed to the caller, whatever it is
            outcome.set_exception(error)

    threading.Thread(target=copy_context().run, args=(work,), daemon=True, name="asked model").start()
    wait([outcome], min(seconds, threading.TIMEOUT_MAX))
    if not outcome.done():
        raise TookTooLong
    return outcome.result()


def _check_shape(labels: Labels, numbers: Cells) -> None:
    if labels.shape != numbers.shape:
        got = " x ".join(map(str, labels.shape)) or "a single value"
        raise BadModel(
            f"the model's answer about {describe_records(numbers)} has the wrong shape: {got} instead of "
            f"{len(numbers)} labels, one per row; a model that returns scores must declare a class for each"
        )


def describe_records(numbers: Cells) -> str:
    """Return records in words: "record 7", or "records 3 to 9"."""
    first, last = int(numbers.min()), int(numbers.max())
    return f"record {first}" if first == last else f"records {first} to {last}"


def rows_and_numbers(rows: ArrayLike, numbers: ArrayLike, features: int | None) -> tuple[Floats, Cells]:
    """Return rows (n, d) of finite doubles and the record number of each, or refuse them."""
    try:
        table = np.asarray(rows, dtype=np.float64)
        owners = np.broadcast_to(np.asarray(numbers, dtype=np.int64), table.shape[:1])
    except (TypeError, ValueError):  # its text may quote a value
        raise InvalidParameter(
            "must be a table of numbers, and every row needs a record number", field="rows"
        ) from None
    if table.ndim != 2 or (features is not None and table.shape[1] != features):
        wanted = "a table" if features is None else f"{features} columns"
        got = f"{table.shape[1]} columns" if table.ndim == 2 else f"an array of {table.ndim} dimensions"
        raise InvalidParameter(f"the model takes {wanted}, got {got}; give its features in its own order")
    bad = ~np.isfinite(table).all(axis=1)
    if bad.any():
        raise InvalidParameter(f"record {owners[np.argmax(bad)]} has a missing or infinite value; impute it")
    return table, owners
