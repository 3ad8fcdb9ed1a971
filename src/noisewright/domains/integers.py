"""Whole numbers between two ends: ages, counts, hours worked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains.base import Cells, Floats
from noisewright.domains.numeric import DEFAULT_CELLS, Interval, lattice_note
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole

FURTHEST = 1 << 50
"""The largest whole number whose half a double holds exactly."""


@dataclass(frozen=True, repr=False, init=False)
class Integers(Interval):
    """Whole numbers from ``low`` to ``high``, both included.

    As an interval it reaches from ``low − ½`` to ``high + ½``, so that every whole number has a stretch of
    the same length around it; ``.low`` and ``.high`` are those two ends, ``.first`` and ``.last`` the whole
    numbers. True values are whole numbers, and nothing else is admitted. Reports are cells like those of
    any interval: :meth:`as_interval` is where they live.

    Args:
        low: the least whole number.
        high: the greatest whole number, above ``low``.
        cells: cells of the lattice, at least as many as there are whole numbers.

    >>> ages = Integers(0, 99)
    >>> ages, ages.size, ages.low, ages.high
    (Integers(0, 99), 100, -0.5, 99.5)
    >>> ages.contains([30, 30.5, 100]).tolist()
    [True, False, False]
    """

    kind: ClassVar[str] = "integers"

    def __init__(self, low: int, high: int, *, cells: int = DEFAULT_CELLS) -> None:
        first = whole("the low end of Integers", low, -FURTHEST, FURTHEST)
        last = whole("the high end of Integers", high, -FURTHEST, FURTHEST)
        if not first < last:
            raise InvalidParameter(f"Integers({first}, {last}) needs its low end below its high end")
        object.__setattr__(self, "low", first - 0.5)
        object.__setattr__(self, "high", last + 0.5)
        object.__setattr__(self, "cells", whole("cells", cells, 1, 1 << 52))
        if self.size > self.cells:
            raise InvalidParameter(
                f"{self!r} holds {self.size:,} whole numbers, more than its lattice of {self.cells:,} cells; "
                "declare more cells, or an Interval"
            )
        self._check_lattice()

    def __repr__(self) -> str:
        return f"Integers({self.first}, {self.last}{lattice_note(self.cells)})"

    @property
    def first(self) -> int:
        """The least whole number."""
        return int(self.low + 0.5)

    @property
    def last(self) -> int:
        """The greatest whole number."""
        return int(self.high - 0.5)

    @property
    def size(self) -> int:
        """Number of whole numbers."""
        return self.last - self.first + 1

    @property
    def values(self) -> Floats:
        """All whole numbers of the domain."""
        return np.arange(self.first, self.last + 1, dtype=np.float64)

    @property
    def ends(self) -> tuple[float, float]:
        return self.first, self.last

    def as_interval(self) -> Interval:
        """Return the interval from ``low − ½`` to ``high + ½``, on the same lattice."""
        return Interval(self.low, self.high, cells=self.cells)

    def contains(self, values: ArrayLike) -> NDArray[np.bool_]:
        array = np.asarray(values, dtype=np.float64)
        return np.asarray(super().contains(array) & (array == np.floor(array)))

    def clip(self, values: Floats) -> Floats:
        """Return the nearest whole number of the domain."""
        return np.clip(np.rint(values), self.first, self.last)

    @property
    def words(self) -> str:
        return f"the range of whole numbers {self.report_span(self.low, self.high)}"

    def report_words(self, value: float) -> str:
        """Round a report to a whole number for a reader; files keep its real value.

        >>> Integers(0, 99).report_words(41.237)
        '41'
        """
        return f"{round(value):,}"

    def report_span(self, low: float, high: float) -> str:
        """Write the whole numbers that the reports of a stretch round to.

        >>> Integers(0, 99).report_span(-0.5, 99.5)
        'from 0 to 99'
        """
        least = math.floor(low + 0.5)
        return f"from {least:,} to {max(least, math.ceil(high - 0.5)):,}"

    @property
    def remedy(self) -> str:
        return 'widen the range or pass out_of_domain="clip"'

    def _outside(self, value: float) -> str:
        if self.low <= value <= self.high:
            return "is not a whole number"
        return super()._outside(value)

    def _remedy_for(self, value: float) -> str:
        if self.low <= value <= self.high:
            return 'round it, declare an Interval, or pass out_of_domain="clip"'
        return self.remedy

    def snap(self, values: ArrayLike) -> Cells:
        """Return the cell that holds the whole number nearest to each value.

        >>> Integers(0, 3, cells=8).snap([0, 0.4, 3])
        array([1, 1, 7])
        """
        return super().snap(self.clip(np.asarray(values, dtype=np.float64)))

    def places(self, count: int) -> Floats:
        if count >= self.size:
            return self.values
        return np.unique(np.rint(np.linspace(self.first, self.last, count)))

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "low": self.first, "high": self.last, "cells": self.cells}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        return cls(fields["low"], fields["high"], cells=fields["cells"])
