"""How a value becomes what a tree compares: scalers before the model, in the library's own arithmetic.

A tree asks whether a prepared value is at most a threshold. Every step of the way there is a rounded but
increasing function of the value, so the values that go left are still a half-line, whose end is one exact
double: bisection over doubles finds it, whatever the rounding of scalers and of single precision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.utility.exact.scalers import OPERATIONS

Condition = Callable[[Floats], NDArray[np.bool_]]

_TOP = int(np.array(np.finfo(np.float64).max).view(np.int64))
"""The largest double, counted in doubles from 0."""


@dataclass(frozen=True, eq=False)
class Columns:
    """The steps that every column goes through, and whether the end of them is rounded to single precision.

    >>> Columns((("divide", np.array([3.0])),), single=False).prepared(np.array([[1.0]]))
    array([[0.33333333]])
    """

    steps: tuple[tuple[str, Floats], ...] = ()
    single: bool = True

    def after(self, name: str, numbers: Floats) -> Columns:
        """The same steps with one more before the model."""
        return replace(self, steps=(*self.steps, (name, np.asarray(numbers, dtype=np.float64))))

    def prepared(self, rows: Floats) -> Floats:
        """Whole rows as the trees see them."""
        for name, numbers in self.steps:
            rows = OPERATIONS[name](rows, numbers)
        return self._rounded(rows)

    def prepared_column(self, values: Floats, column: int) -> Floats:
        """Values of one column as the trees see them."""
        for name, numbers in self.steps:
            values = OPERATIONS[name](values, numbers[column])
        return self._rounded(values)

    def _rounded(self, values: Floats) -> Floats:
        return values.astype(np.float32).astype(np.float64) if self.single else values

    def reach(self, thresholds: Floats, column: int) -> Floats:
        """For thresholds of a column, the largest value that still goes left.

        It is −∞ where no value goes left, and the largest double where all do.

        >>> Columns((("multiply", np.array([2.0])),), single=False).reach(np.array([30.0]), 0)
        array([15.])
        """

        def goes_left(values: Floats) -> NDArray[np.bool_]:
            return np.asarray(self.prepared_column(values, column) <= thresholds)

        with np.errstate(over="ignore", invalid="ignore"):
            return _last_true(goes_left, thresholds.size)


def _last_true(holds: Condition, size: int) -> Floats:
    """The largest double at which each of several decreasing conditions holds, or −∞."""
    low, high = np.full(size, -_TOP - 1, dtype=np.int64), np.full(size, _TOP + 1, dtype=np.int64)
    while (high > low + 1).any():
        middle = (low >> 1) + (high >> 1) + (low & high & 1)  # their sum might not fit
        true = holds(_double(middle))
        low, high = np.where(true, middle, low), np.where(true, high, np.maximum(middle, low + 1))
    return _double(low)


def _double(count: Cells) -> Floats:
    """The double that stands so many doubles above 0; one past the largest is infinite."""
    size = np.abs(count).view(np.float64)
    return np.asarray(np.where(count < 0, -size, size))
