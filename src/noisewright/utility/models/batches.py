"""One batch of questions: put to the model on time, its answer checked, and a failure traced to a record."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains.base import Cells, Floats
from noisewright.errors import BadModel, InvalidParameter, MissingExtra
from noisewright.utility.models.classifier import Classifier, Labels, labels_from


class TookTooLong(Exception):
    """The call was still running when its time was up."""


T = TypeVar("T")


def within(seconds: float | None, call: Callable[[], T]) -> T:
    """Return what the call returns or raises, or :class:`TookTooLong` after so many seconds.

    The call runs in a daemon thread: Python cannot stop it, but the caller goes on and the interpreter can
    exit. Code that hangs without ever releasing the interpreter's lock is beyond this.

    >>> within(5.0, lambda: 6 * 7)
    42
    """
    if seconds is None:
        return call()
    outcome: list[T] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(call())
        except BaseException as error:  # handed to the caller, whatever it is
            failure.append(error)

    thread = threading.Thread(target=copy_context().run, args=(work,), daemon=True, name="asked model")
    thread.start()
    thread.join(min(seconds, threading.TIMEOUT_MAX))
    if failure:
        raise failure[0]
    if not outcome:
        raise TookTooLong
    return outcome[0]


class Asker:
    """Puts batches to one classifier and counts the rows."""

    def __init__(
        self,
        classifier: Classifier,
        timeout: float | None,
        budget: int | None,
        classes: tuple[Any, ...] | None,
    ) -> None:
        self.classifier, self.timeout, self.budget = classifier, timeout, budget
        self.queries = 0
        self._declared = classes
        self._stuck = False

    def can_afford(self, more: int) -> bool:
        """Tell whether so many rows more stay within the budget."""
        return self.budget is None or self.queries + more <= self.budget

    def afford(self, more: int) -> None:
        """Refuse before anything is asked that the budget does not cover."""
        if not self.can_afford(more):
            raise InvalidParameter(
                f"{more} more questions would exceed the budget of {self.budget}: {self.queries} were asked "
                "already; raise the budget or ask about fewer records"
            )

    def answers(self, rows: Floats, numbers: Cells) -> Labels:
        """Return one raw label a row of a batch.

        What the model raised is named by its type alone, for its text may quote the data; the original is the
        ``__context__`` of the refusal.
        """
        try:
            labels = self._put(rows, numbers)
        except (BadModel, MissingExtra):
            raise
        except (Exception, SystemExit) as error:
            who = describe_records(self._trace(rows, numbers))
            raise BadModel(f"the model raised {type(error).__name__} when asked about {who}") from None
        _check_shape(labels, numbers)
        return labels

    def _put(self, rows: Floats, numbers: Cells) -> Labels:
        """Ask once, within the time; the model gets a copy, so that it cannot change our rows."""
        if self._stuck:
            raise BadModel("the model still works on an earlier question; open it anew, with more time")
        self.queries += len(rows)
        try:
            return within(
                self.timeout, lambda: labels_from(self.classifier.labels(rows.copy()), self._declared)
            )
        except TookTooLong:
            self._stuck = True
            raise BadModel(
                f"the model did not answer within {self.timeout:g} seconds when asked about "
                f"{describe_records(numbers)}; raise the timeout or make the batch smaller"
            ) from None
        except BadModel as refusal:
            raise BadModel(f"{refusal} (asked about {describe_records(numbers)})") from None

    def _trace(self, rows: Floats, numbers: Cells) -> Cells:
        """The record at which the model raises, found by halving; or several, if halves no longer raise."""
        while numbers.min() != numbers.max():
            half = _middle(numbers)
            for part in (slice(0, half), slice(half, None)):
                if self._raises(rows[part], numbers[part]):
                    rows, numbers = rows[part], numbers[part]
                    break
            else:
                return numbers
        return numbers

    def _raises(self, rows: Floats, numbers: Cells) -> bool:
        """Tell whether the model raises on these rows, too; not asked if the budget does not cover it."""
        try:
            if self.can_afford(len(rows)):
                self._put(rows, numbers)
        except BadModel:
            raise
        except (Exception, SystemExit):
            return True
        return False


def _middle(numbers: Cells) -> int:
    """Tell where one record ends and the next begins, as near to the middle as can be."""
    change = np.flatnonzero(np.diff(numbers)) + 1
    return int(change[np.argmin(np.abs(change - len(numbers) // 2))])


def _check_shape(labels: Labels, numbers: Cells) -> None:
    if labels.shape != numbers.shape:
        got = " x ".join(map(str, labels.shape)) or "a single value"
        raise BadModel(
            f"the model's answer about {describe_records(numbers)} has the wrong shape: {got} where "
            f"{len(numbers)} labels belong, one a row; a model that answers scores must declare a class for "
            "each of them"
        )


def describe_records(numbers: Cells) -> str:
    """Return records in words: "record 7", or "records 3 to 9"."""
    first, last = int(numbers.min()), int(numbers.max())
    return f"record {first}" if first == last else f"records {first} to {last}"


def rows_and_numbers(rows: ArrayLike, numbers: ArrayLike, features: int | None) -> tuple[Floats, Cells]:
    """Return rows (n, d) of finite doubles and the record number of each, or a refusal."""
    try:
        table = np.asarray(rows, dtype=np.float64)
        owners = np.broadcast_to(np.asarray(numbers, dtype=np.int64), table.shape[:1])
    except (TypeError, ValueError):  # its text may quote a value
        raise InvalidParameter(
            "rows must be a table of numbers, and every row needs a record number"
        ) from None
    if table.ndim != 2 or (features is not None and table.shape[1] != features):
        wanted = "a table" if features is None else f"{features} columns"
        got = f"{table.shape[1]} columns" if table.ndim == 2 else f"an array of {table.ndim} dimensions"
        raise InvalidParameter(f"the model takes {wanted}, got {got}; give its features in its own order")
    bad = ~np.isfinite(table).all(axis=1)
    if bad.any():
        raise InvalidParameter(f"record {owners[np.argmax(bad)]} has a missing or infinite value; impute it")
    return table, owners
