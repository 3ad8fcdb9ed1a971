"""The labels that a model may return, each with its code; everything else is refused."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains.base import Cells
from noisewright.errors import InvalidParameter

LARGEST_WHOLE = 2.0**53
"""Beyond this, floats can no longer tell neighbouring whole numbers apart."""

UNKNOWN = -1


class NoLabel(Exception):
    """Row ``row`` of an answer is not a label; ``what`` describes it, without the value."""

    def __init__(self, row: int, what: str) -> None:
        super().__init__(what)
        self.row, self.what = row, what


class LabelBook:
    """Labels in a fixed order; the code of a label is its index.

    1, 1.0 and True are one label, and a text stands for the label that is written in this way (classes typed
    on a command line are texts).

    >>> book = LabelBook(["no", "yes"])
    >>> book.encode(np.array(["yes", "no", "yes"])).tolist()
    [1, 0, 1]
    """

    def __init__(self, labels: Iterable[Any] = ()) -> None:
        self.labels: list[Any] = []
        self._codes: dict[Any, int] = {}
        for number, label in enumerate(labels, start=1):
            try:
                plain = plain_label(label)
            except ValueError as problem:
                raise InvalidParameter(
                    f"class {number} {problem}; a class is a whole number or a text"
                ) from None
            if self.code(plain) != UNKNOWN:
                raise InvalidParameter(f"class {number} is named twice; name each class once")
            self.add(plain)

    def __len__(self) -> int:
        return len(self.labels)

    def add(self, label: Any) -> int:
        """Give a plain label the next code."""
        code = len(self.labels)
        self.labels.append(label)
        self._codes[label] = code
        self._codes.setdefault(str(label), code)
        return code

    def code(self, label: Any) -> int:
        """Return the code of a plain label, or ``UNKNOWN``."""
        return self._codes.get(label, self._codes.get(str(label), UNKNOWN))

    def encode(self, answer: NDArray[Any], *, learn: bool = False) -> Cells:
        """Return the code of each label of an answer; new labels get a code only with ``learn``."""
        kind = answer.dtype.kind
        if kind == "f":
            answer, kind = _whole_numbers(answer), "i"
        if kind in "iub":
            distinct, places = np.unique(answer, return_inverse=True)
            return np.array([self._find(x, learn) for x in distinct.tolist()], np.int64)[places]
        if kind in "UO":
            return self._encode_each(answer.tolist(), learn)
        raise NoLabel(0, f"is neither a whole number nor a text ({answer.dtype.name})")

    def _encode_each(self, answers: list[Any], learn: bool) -> Cells:
        try:
            codes = np.array([self._codes.get(label, UNKNOWN) for label in answers], np.int64)
        except TypeError:  # a list or a table in place of a label; found and named below
            codes = np.full(len(answers), UNKNOWN)
        for row in np.flatnonzero(codes == UNKNOWN).tolist():
            try:
                codes[row] = self._find(plain_label(answers[row]), learn)
            except ValueError as problem:
                raise NoLabel(row, str(problem)) from None
        return codes

    def _find(self, label: Any, learn: bool) -> int:
        code = self.code(label)
        return self.add(label) if code == UNKNOWN and learn else code


def plain_label(label: Any) -> bool | int | str:
    """Return a label as a plain Python value; a ValueError never shows the label itself."""
    if isinstance(label, (bool, np.bool_)):
        return bool(label)
    if isinstance(label, (int, np.integer)):
        return int(label)
    if isinstance(label, str):
        return str(label)
    if isinstance(label, (float, np.floating)):
        return _whole(float(label))
    if label is None:
        raise ValueError("is missing (None)")
    raise ValueError(f"is neither a whole number nor a text ({type(label).__name__})")


def _whole(number: float) -> int:
    if not math.isfinite(number):
        raise ValueError("is missing (NaN)" if math.isnan(number) else "is infinite")
    if number != int(number) or abs(number) > LARGEST_WHOLE:
        raise ValueError("is a fraction, not a label; a model that returns scores must declare its classes")
    return int(number)


def _whole_numbers(answer: NDArray[Any]) -> Cells:
    """Return floats that are whole numbers, as integers; refuse the first that is not."""
    with np.errstate(invalid="ignore"):
        bad = ~((answer == np.trunc(answer)) & (np.abs(answer) <= LARGEST_WHOLE))
    if bad.any():
        row = int(np.argmax(bad))
        try:
            _whole(float(answer[row]))
        except ValueError as problem:
            raise NoLabel(row, str(problem)) from None
    return answer.astype(np.int64)
