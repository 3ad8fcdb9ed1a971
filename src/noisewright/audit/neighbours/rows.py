"""A database as rows that can be left out, repeated or swapped, in whatever kind the mechanism takes.

Every neighbour that a search proposes is a choice of rows, with repetition, from one pool: the rows of the
database and, behind them, two rows of extreme values. So all that a kind of database must be able to do is to
name the ranges of its numbers, to take two more rows, and to be rebuilt from a choice of rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import BadTable, InvalidParameter
from noisewright.parameters import is_number, real

Label = int | str
"""What a column is called: its place in an array or a tuple, its name in a table."""

Range = tuple[float, float]


class Rows(ABC):
    """One kind of database: how many rows it has, what its numbers span, and any choice of its rows."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many rows there are."""

    @abstractmethod
    def take(self, chosen: Cells) -> Any:
        """Return the database that consists of these rows, in this order and of the same kind."""

    @abstractmethod
    def ranges(self) -> dict[Label, Range]:
        """Return the smallest and the largest value of every column of numbers."""

    @abstractmethod
    def extend(self, ranges: Mapping[Label, Range]) -> Rows:
        """Return it with two more rows, all smallest and all largest; other columns repeat the first row."""


def range_of(values: Floats) -> Range | None:
    """Return the smallest and largest finite value, if there is one."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else None


def widen_ranges(
    seen: Mapping[Label, Range], bounds: Mapping[Label, Range] | Range | None
) -> dict[Label, Range]:
    """The ranges seen, replaced where the user knows better: one range for all columns, or one for some.

    >>> widen_ranges({"age": (31.0, 57.0), "pay": (0.0, 9.0)}, {"age": (0, 120)})
    {'age': (0.0, 120.0), 'pay': (0.0, 9.0)}
    """
    if bounds is None:
        return dict(seen)
    given = bounds if isinstance(bounds, Mapping) else dict.fromkeys(seen, bounds)
    if not seen:
        raise InvalidParameter("bounds are for columns of numbers, and the database has none")
    strange = [label for label in given if label not in seen]
    if strange:
        raise InvalidParameter(f"bounds name {strange[0]!r}, not a column of numbers of the database")
    return dict(seen) | {label: _check_range(label, pair) for label, pair in given.items()}


def _check_range(label: Label, pair: Range) -> Range:
    if np.shape(pair) != (2,):
        raise InvalidParameter(f"bounds of column {label!r} are a smallest and a largest value")
    low, high = (real(f"a bound of column {label!r}", end) for end in pair)
    if not low < high:
        raise InvalidParameter(f"bounds of column {label!r} must rise, got {low:g} and {high:g}")
    return low, high


# -- arrays --------------------------------------------------------------------------------------------


NUMBERS = "iuf"


@dataclass(frozen=True, eq=False)
class ArrayRows(Rows):
    """An array (people,) or (people, columns); columns are named by their place.

    >>> rows = ArrayRows(np.array([3.0, 1.0, 2.0]))
    >>> rows.extend(rows.ranges()).take(np.array([0, 3, 4]))
    array([3., 1., 3.])
    """

    array: NDArray[Any]

    def __post_init__(self) -> None:
        if self.array.ndim not in {1, 2}:
            raise BadTable(
                f"a database as an array has one or two axes, people first, got {self.array.ndim} axes"
            )

    @property
    def count(self) -> int:
        return len(self.array)

    def take(self, chosen: Cells) -> NDArray[Any]:
        return self.array[chosen]

    def ranges(self) -> dict[Label, Range]:
        if self.array.dtype.kind not in NUMBERS:
            return {}
        columns = self.array.reshape(self.count, -1).T
        found = {place: range_of(column.astype(np.float64)) for place, column in enumerate(columns)}
        return {place: span for place, span in found.items() if span is not None}

    def extend(self, ranges: Mapping[Label, Range]) -> ArrayRows:
        more = self.array[[0, 0]].reshape(2, -1)
        for place, span in ranges.items():
            more[:, int(place)] = span
        return ArrayRows(np.concatenate([self.array, more.reshape(2, *self.array.shape[1:])]))


@dataclass(frozen=True, eq=False)
class ColumnRows(Rows):
    """A dictionary of arrays (people,), all of one length.

    >>> ColumnRows({"age": np.array([31, 57]), "city": np.array(["A", "B"])}).ranges()
    {'age': (31.0, 57.0)}
    """

    columns: dict[str, NDArray[Any]]

    def __post_init__(self) -> None:
        shapes = {column.shape for column in self.columns.values()}
        if len(shapes) != 1 or len(next(iter(shapes))) != 1:
            raise BadTable("a database as a dictionary holds columns of one axis and all of one length")

    @property
    def count(self) -> int:
        return len(next(iter(self.columns.values())))

    def take(self, chosen: Cells) -> dict[str, NDArray[Any]]:
        return {name: column[chosen] for name, column in self.columns.items()}

    def ranges(self) -> dict[Label, Range]:
        spans = {name: ArrayRows(column).ranges() for name, column in self.columns.items()}
        return {name: span[0] for name, span in spans.items() if span}

    def extend(self, ranges: Mapping[Label, Range]) -> ColumnRows:
        found = {}
        for name, column in self.columns.items():
            span: dict[Label, Range] = {0: ranges[name]} if name in ranges else {}
            found[name] = ArrayRows(column).extend(span).array
        return ColumnRows(found)


# -- lists of records ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class RecordRows(Rows):
    """A list of records. A column is a field that is a number in every record.

    >>> rows = RecordRows([{"age": 31, "city": "A"}, {"age": 57, "city": "B"}])
    >>> rows.extend(rows.ranges()).take(np.array([1, 2]))
    [{'age': 57, 'city': 'B'}, {'age': 31, 'city': 'A'}]
    """

    records: list[Any]

    @property
    def count(self) -> int:
        return len(self.records)

    def take(self, chosen: Cells) -> list[Any]:
        return [self.records[row] for row in chosen.tolist()]

    def ranges(self) -> dict[Label, Range]:
        every = [_fields(record) for record in self.records]
        shared = [label for label in every[0] if all(label in fields for fields in every)]
        found = {label: range_of(np.array([float(fields[label]) for fields in every])) for label in shared}
        return {label: span for label, span in found.items() if span is not None}

    def extend(self, ranges: Mapping[Label, Range]) -> RecordRows:
        more = [
            _overwrite(self.records[0], {label: span[end] for label, span in ranges.items()})
            for end in (0, 1)
        ]
        return RecordRows(self.records + more)


def _fields(record: Any) -> dict[Label, Any]:
    """Return the numbers of a record by the names of their fields."""
    fields: dict[Label, Any]
    match record:
        case Mapping():
            fields = {str(label): value for label, value in record.items()}
        case tuple() | list() | np.ndarray():
            fields = dict(enumerate(record))
        case _:
            fields = {0: record}
    return {label: value for label, value in fields.items() if is_number(value)}


def _overwrite(record: Any, values: dict[Label, float]) -> Any:
    """Return a record with some fields replaced; whole numbers stay whole."""
    former = _fields(record)
    fitting = {
        label: int(value) if isinstance(former[label], int | np.integer) and value.is_integer() else value
        for label, value in values.items()
    }
    match record:
        case Mapping():
            return {label: fitting.get(str(label), value) for label, value in record.items()}
        case tuple() | list():
            return type(record)([fitting.get(place, value) for place, value in enumerate(record)])
        case np.ndarray():
            return np.array([fitting.get(place, value) for place, value in enumerate(record)])
        case _:
            return fitting.get(0, record)
