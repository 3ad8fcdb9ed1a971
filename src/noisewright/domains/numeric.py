"""Intervals and circles, each with its lattice of equal cells."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains.base import Cells, Domain, Floats
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.parameters import real, whole
from noisewright.text import short, span

DEFAULT_CELLS = 1 << 20
"""Cells of a numeric lattice: fine enough that snapping costs less than one part in a million."""

LEAST, MOST = 1e-19, 1e19
"""The least width of a cell and the largest value: their sixteenth powers are still ordinary doubles."""

KINDS = {
    "U": "text",
    "S": "bytes",
    "O": "mixed",
    "b": "boolean",
    "c": "complex",
    "M": "date",
    "m": "duration",
}
"""NumPy's kinds of values in words; a full type would reveal the length of the longest text."""

WHAT_TO_DO = ("refuse", "clip")


@dataclass(frozen=True)
class NumericDomain(Domain):
    """What intervals and circles share: a low end, a length, and a lattice of equal cells."""

    @property
    @abstractmethod
    def start(self) -> float:
        """The left edge of cell 0."""

    @property
    @abstractmethod
    def length(self) -> float:
        """The length of the whole domain."""

    @property
    @abstractmethod
    def lattice(self) -> int:
        """Number of cells of the domain."""

    @property
    def pitch(self) -> float:
        """The width of one cell."""
        return self.length / self.lattice

    def _check_lattice(self) -> None:
        """Refuse a domain whose cells doubles cannot separate, or whose length is out of their range."""
        furthest = max(abs(self.start), abs(self.start + self.length))
        if not (self.pitch > max(LEAST, 4 * math.ulp(furthest)) and furthest < MOST):
            raise InvalidParameter(
                f"{self!r} is too wide or too narrow for a lattice of {self.lattice:,} cells"
            )

    @abstractmethod
    def contains(self, values: ArrayLike) -> NDArray[np.bool_]:
        """Return which values belong to the domain; NaN and infinities never do."""

    @abstractmethod
    def clip(self, values: Floats) -> Floats:
        """Move finite values outside the domain to where they belong."""

    @abstractmethod
    def distance(self, left: ArrayLike, right: ArrayLike) -> Floats:
        """Return the distance of two values in the domain's own metric."""

    @abstractmethod
    def places(self, count: int) -> Floats:
        """Return up to ``count`` values spread evenly over the domain, its ends included."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The domain for a reader.

        >>> Interval(0, 1).words, Circle(24).words
        ('the interval from 0 to 1', 'the circle of period 24')
        """

    def report_words(self, value: float) -> str:
        """Write a report for a reader; files keep its real value."""
        return short(value)

    def report_span(self, low: float, high: float) -> str:
        """Write a stretch of reports for a reader."""
        return span(low, high)

    @property
    @abstractmethod
    def remedy(self) -> str:
        """What to do about a value outside."""

    @abstractmethod
    def _outside(self, value: float) -> str:
        """Say how a value lies outside, without revealing it."""

    def admit(self, values: ArrayLike, *, name: str = "value", out_of_domain: str = "refuse") -> Floats:
        """Return values as floats of the domain, or refuse with the place of the first that is not.

        The offending number itself stays out of the message: it may be somebody's measurement.

        Args:
            values: Numbers.
            name: What they are called in a refusal.
            out_of_domain: "refuse" values outside the domain, or "clip" finite ones to where they belong.
        """
        if out_of_domain not in WHAT_TO_DO:
            raise InvalidParameter(
                f'must be "refuse" or "clip", not {out_of_domain!r}', field="out_of_domain"
            )
        array = as_floats(values, name)
        bad = ~self.contains(array)
        if not bad.any():
            return array
        finite = np.isfinite(array)
        if out_of_domain == "clip" and finite.all():
            return self.clip(array)
        if out_of_domain == "clip":
            bad = ~finite
        raise OutOfDomain(self._refusal(array, bad, name))

    def _refusal(self, array: Floats, bad: NDArray[np.bool_], name: str) -> str:
        place = tuple(int(i) for i in np.argwhere(np.atleast_1d(bad))[0])
        where = name if array.ndim == 0 else f"{name}[{', '.join(map(str, place))}]"
        value = float(np.atleast_1d(array)[place])
        others = int(bad.sum()) - 1
        also = f" (and {others} more)" if others else ""
        if not math.isfinite(value):
            what = "missing (NaN)" if math.isnan(value) else f"infinite ({value})"
            return f"{where} is {what}{also}; drop or impute such rows first"
        return f"{where} {self._outside(value)}{also}; {self._remedy_for(value)}"

    def _remedy_for(self, value: float) -> str:
        """Say what to do about one value, without revealing it."""
        return self.remedy

    def position(self, values: ArrayLike) -> Floats:
        """Return the real-valued place in units of cells; 0 is the left edge of cell 0."""
        return np.asarray((np.asarray(values, dtype=np.float64) - self.start) * (self.lattice / self.length))

    def snap(self, values: ArrayLike) -> Cells:
        """Return the cell that holds each value; values must belong to the domain.

        >>> Interval(0, 1, cells=4).snap([0.0, 0.3, 1.0])
        array([0, 1, 3])
        """
        place = self.position(values).astype(np.int64)
        return np.minimum(np.maximum(place, 0), self.lattice - 1)

    def centres(self, cells: ArrayLike) -> Floats:
        """Return the real value that a report in each cell stands for."""
        return np.asarray(self.start + (np.asarray(cells, dtype=np.float64) + 0.5) * self.pitch)


@dataclass(frozen=True, repr=False)
class Interval(NumericDomain):
    """Numbers between two ends, both included.

    Attributes:
        low: The lower end.
        high: The upper end, above ``low``.
        cells: Number of cells of the lattice; values in one cell cannot be distinguished.

    >>> Interval(0, 1).distance(0.25, 1.0)
    array(0.75)
    """

    low: float
    high: float
    cells: int = field(default=DEFAULT_CELLS, kw_only=True)
    kind: ClassVar[str] = "interval"

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", real("the low end of an Interval", self.low))
        object.__setattr__(self, "high", real("the high end of an Interval", self.high))
        object.__setattr__(self, "cells", whole("cells", self.cells, 1, 1 << 52))
        if not self.low < self.high:
            raise InvalidParameter(f"{self!r} needs its low end below its high end")
        self._check_lattice()

    def __repr__(self) -> str:
        return f"Interval({self.low}, {self.high}{lattice_note(self.cells)})"

    @property
    def start(self) -> float:
        return self.low

    @property
    def length(self) -> float:
        return self.high - self.low

    @property
    def lattice(self) -> int:
        return self.cells

    def contains(self, values: ArrayLike) -> NDArray[np.bool_]:
        array = np.asarray(values, dtype=np.float64)
        return (array >= self.low) & (array <= self.high)

    def clip(self, values: Floats) -> Floats:
        return np.clip(values, self.low, self.high)

    def places(self, count: int) -> Floats:
        """Return up to ``count`` values spread evenly over the domain, its ends included.

        >>> Interval(0, 1).places(3).tolist()
        [0.0, 0.5, 1.0]
        """
        return np.linspace(self.low, self.high, count)

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest value."""
        return self.low, self.high

    def as_interval(self) -> Interval:
        """Return the same interval with every real number in it, as a domain of reports."""
        return self

    @property
    def words(self) -> str:
        return f"the interval {span(self.low, self.high)}"

    @property
    def remedy(self) -> str:
        return 'widen the interval or pass out_of_domain="clip"'

    def _outside(self, value: float) -> str:
        return f"lies {'below' if value < self.low else 'above'} {self!r}"

    def distance(self, left: ArrayLike, right: ArrayLike) -> Floats:
        return np.asarray(np.abs(np.asarray(left, dtype=np.float64) - np.asarray(right, dtype=np.float64)))

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "low": self.low, "high": self.high, "cells": self.cells}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        return cls(fields["low"], fields["high"], cells=fields["cells"])


@dataclass(frozen=True, repr=False)
class Circle(NumericDomain):
    """Values that wrap round after one period: hours of the day, compass bearings, phases.

    Values lie in [0, period); the distance of two values is the shorter way round.

    Attributes:
        period: The length of one turn, above 0; by default 2π.
        cells: Number of cells of the lattice; values in one cell cannot be distinguished.

    >>> float(Circle(24).distance(23.5, 0.5))
    1.0
    """

    period: float = 2 * math.pi
    cells: int = field(default=DEFAULT_CELLS, kw_only=True)
    kind: ClassVar[str] = "circle"

    def __post_init__(self) -> None:
        object.__setattr__(self, "period", real("the period of a Circle", self.period))
        object.__setattr__(self, "cells", whole("cells", self.cells, 1, 1 << 52))
        if self.period <= 0:
            raise InvalidParameter(f"{self!r} needs a period above 0")
        self._check_lattice()

    def __repr__(self) -> str:
        return f"Circle({self.period}{lattice_note(self.cells)})"

    @property
    def start(self) -> float:
        return 0.0

    @property
    def length(self) -> float:
        return self.period

    @property
    def lattice(self) -> int:
        return self.cells

    def contains(self, values: ArrayLike) -> NDArray[np.bool_]:
        array = np.asarray(values, dtype=np.float64)
        return (array >= 0) & (array < self.period)

    def clip(self, values: Floats) -> Floats:
        """Take values modulo the period: on a circle nothing is outside."""
        wrapped = np.mod(values, self.period)
        return np.where(wrapped >= self.period, 0.0, wrapped)

    def places(self, count: int) -> Floats:
        """Return ``count`` values spread evenly round the circle; the end of a turn is its beginning.

        >>> Circle(24).places(4).tolist()
        [0.0, 6.0, 12.0, 18.0]
        """
        return np.linspace(0.0, self.period, count, endpoint=False)

    @property
    def words(self) -> str:
        return f"the circle of period {short(self.period)}"

    @property
    def remedy(self) -> str:
        return 'write the end of a turn as 0, or pass out_of_domain="clip" to wrap values round'

    def _outside(self, value: float) -> str:
        how = "negative" if value < 0 else "a full turn or more"
        return f"is {how}, outside [0, {self.period:g}) of {self!r}"

    def distance(self, left: ArrayLike, right: ArrayLike) -> Floats:
        gap = np.mod(
            np.abs(np.asarray(left, dtype=np.float64) - np.asarray(right, dtype=np.float64)), self.period
        )
        return np.asarray(np.minimum(gap, self.period - gap))

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "period": self.period, "cells": self.cells}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        return cls(fields["period"], cells=fields["cells"])


def as_floats(values: ArrayLike, name: str = "value") -> Floats:
    """Return numbers as an array of doubles; refuse text, booleans, complex numbers and empty arrays.

    Args:
        values: A number or an array of numbers.
        name: What they are called in a refusal.
    """
    if isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
        raise OutOfDomain(f"{name} has masked values; drop or impute them first")
    try:
        array = np.asarray(values)
    except ValueError as ragged:
        raise OutOfDomain(f"{name} is not a rectangular array of numbers") from ragged
    if array.dtype.kind not in "iuf":
        kind = KINDS.get(array.dtype.kind, "other")
        raise OutOfDomain(f"{name} holds {kind} values where numbers are needed")
    if array.size == 0:
        raise OutOfDomain(f"{name} is empty; there is nothing to randomize")
    return array.astype(np.float64, copy=False)


def lattice_note(cells: int) -> str:
    """Return the part of a ``repr`` that names a lattice other than the usual one."""
    return "" if cells == DEFAULT_CELLS else f", cells={cells}"
