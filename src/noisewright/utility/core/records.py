"""The records of a prediction: rows of numbers, some of whose features are sensitive.

:func:`read_records` reads them from arrays, frames and tables and checks them before any question to a model.
Errors name the record (its row, counted from 1) and the feature, never the value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats, Interval
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.parameters import whole
from noisewright.text import counted
from noisewright.utility.core.channels import Lattice


@dataclass(frozen=True)
class Sensitive:
    """A feature that is reported through a mechanism.

    Args:
        name: Its name.
        column: Its index among the model's columns.
        domain: The interval of its values.
    """

    name: str
    column: int
    domain: Interval


@dataclass(frozen=True, eq=False)
class Records:
    """Rows of finite numbers whose sensitive values lie in their intervals (:func:`read_records` checks).

    Args:
        values: One row per record, one column per feature, in the model's order.
        names: The features' names.
        sensitive: The features that are reported through a mechanism.
        numbers: The rows as the user counts them, from 1, for errors and tables.
    """

    values: Floats = field(repr=False)
    names: tuple[str, ...]
    sensitive: tuple[Sensitive, ...]
    numbers: Cells

    def __len__(self) -> int:
        return len(self.values)

    def units(self) -> Floats:
        """Return the sensitive values in unit coordinates, one row per record: the centres of their cells.

        A mechanism sees only the cell of a value. The cell is computed on the feature's own interval: scaling
        the value first could miss it by one, through rounding.
        """
        columns = [
            (one.domain.snap(self.values[:, one.column]) + 0.5) / one.domain.cells for one in self.sensitive
        ]
        return np.stack(columns, axis=1)

    @property
    def lattice(self) -> int:
        """The number of cells of the sensitive intervals, which is the same for all."""
        return self.sensitive[0].domain.cells

    def with_values(self, record: int, units: Floats) -> Floats:
        """Return rows of one record with values in unit coordinates in place of its sensitive ones."""
        rows = np.repeat(self.values[record : record + 1], len(units), axis=0)
        for axis, one in enumerate(self.sensitive):
            rows[:, one.column] = one.domain.low + units[:, axis] * one.domain.length
        return rows

    def with_reports(self, record: int, lattice: Lattice, cells: Cells) -> Floats:
        """Return rows of one record with reports, one cell per sensitive feature, in place of its values."""
        rows = np.repeat(self.values[record : record + 1], len(cells), axis=0)
        for axis, one in enumerate(self.sensitive):
            rows[:, one.column] = lattice.values(cells[:, axis], one.domain)
        return rows

    def take(self, which: ArrayLike) -> Records:
        """Return some of the records."""
        chosen = np.asarray(which)
        return replace(self, values=self.values[chosen], numbers=self.numbers[chosen])


Ends = Interval | tuple[float, float]
SensitiveFeatures = Mapping[str, Ends] | Mapping[int, Ends] | Mapping[str | int, Ends]
"""Names or indices of features, each with the ends of its interval."""

MOST_NAMED = 12
"""Largest number of columns that an error lists."""


def read_records(data: Any, sensitive: SensitiveFeatures, features: Sequence[str] | None = None) -> Records:
    """Read the features of a model, in its order, from an array or a table with named columns.

    Args:
        data: A two-dimensional array, or a mapping, a pandas or Polars frame or an Arrow table.
        sensitive: The features that are reported through a mechanism, by name or index, with their intervals.
        features: The columns that the model takes, in its order (for an array, their names); None takes all.

    >>> records = read_records({"age": [40, 60], "bmi": [22.0, 31.5]}, {"age": (0, 100)})
    >>> records.names, records.units().round(3).tolist()
    (('age', 'bmi'), [[0.4], [0.6]])
    """
    if not sensitive:
        raise InvalidParameter("say which features are sensitive, for example sensitive={'age': (0, 100)}")
    is_array = isinstance(data, (np.ndarray, list, tuple))
    values, names = _array(data, features) if is_array else _table(data, features)
    if not values.size:
        raise BadTable("the data has no records")
    _refuse_missing(values, names)
    found = tuple(_sensitive(key, ends, names) for key, ends in sensitive.items())
    if len({one.column for one in found}) < len(found):
        raise InvalidParameter("a sensitive feature is named twice")
    if len({one.domain.cells for one in found}) > 1:
        raise InvalidParameter("all sensitive features need intervals with the same number of cells")
    _refuse_outside(values, found)
    return Records(values, names, found, np.arange(1, len(values) + 1))


def _array(data: Any, features: Sequence[str] | None) -> tuple[Floats, tuple[str, ...]]:
    try:
        values = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadTable("the data must be numbers, one row per record and one column per feature") from None
    if values.ndim != 2:
        raise BadTable(
            f"the data must have one row per record and one column per feature, not shape {values.shape}"
        )
    names = tuple(features) if features is not None else tuple(f"x{i}" for i in range(values.shape[1]))
    if len(names) != values.shape[1]:
        raise BadTable(f"the data has {values.shape[1]} columns, but {len(names)} features are named")
    return values, names


def _table(data: Any, features: Sequence[str] | None) -> tuple[Floats, tuple[str, ...]]:
    there = _columns(data)
    names = tuple(there) if features is None else tuple(features)
    if lacking := [name for name in names if name not in there]:
        raise BadTable(f"the data has no column {lacking[0]!r}; it has {_first_names(there)}")
    columns = [_numbers(data[name], name) for name in names]
    if len({len(column) for column in columns}) > 1:
        raise BadTable("the columns of the data differ in length")
    return np.stack(columns, axis=1), names


def _columns(data: Any) -> list[str]:
    """Return the names of a table's columns: a mapping, a pandas or Polars frame, or an Arrow table."""
    names = getattr(data, "column_names", None) or getattr(data, "columns", None)
    if names is None and isinstance(data, Mapping):
        names = data
    if names is None:
        raise BadTable(f"records come as an array or a table with named columns, not a {type(data).__name__}")
    return [str(name) for name in names]


def _numbers(column: Any, name: str) -> Floats:
    """Return a column as floats; missing values become NaN and are refused later, by record."""
    try:
        return np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else column, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadTable(
            f"column {name!r} holds something other than numbers; name the model's columns with features=…"
        ) from None


def _refuse_missing(values: Floats, names: tuple[str, ...]) -> None:
    bad = ~np.isfinite(values)
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        others = int(bad.any(axis=1).sum()) - 1
        also = f" (and {counted(others, 'more record')})" if others else ""
        raise BadTable(
            f"record {row + 1}: {names[column]} is missing or infinite{also}; drop or impute it first"
        )


def _sensitive(key: str | int, ends: Ends, names: tuple[str, ...]) -> Sensitive:
    if isinstance(key, str) and key not in names:
        raise InvalidParameter(f"no feature is called {key!r}; the model takes {_first_names(names)}")
    column = (
        names.index(key) if isinstance(key, str) else whole("a sensitive feature", key, 0, len(names) - 1)
    )
    if isinstance(ends, Interval):
        return Sensitive(names[column], column, ends)
    if not isinstance(ends, Sequence) or isinstance(ends, str) or len(ends) != 2:
        raise InvalidParameter(f"{names[column]} needs an interval, for example (0, 100)")
    return Sensitive(names[column], column, Interval(*ends))


def _refuse_outside(values: Floats, sensitive: Sequence[Sensitive]) -> None:
    for one in sensitive:
        column = values[:, one.column]
        outside = np.flatnonzero(~one.domain.contains(column))
        if outside.size:
            value, domain = float(column[outside[0]]), one.domain  # the value itself is not shown
            how, remedy = (
                f"lies {'below' if value < domain.low else 'above'} {domain!r}",
                "widen the interval",
            )
            if domain.low <= value <= domain.high:
                how, remedy = "is not a whole number", "round it, or declare an interval"
            also = f" (and {counted(outside.size - 1, 'more record')})" if outside.size > 1 else ""
            raise OutOfDomain(f"record {outside[0] + 1}: {one.name} {how}{also}; {remedy}")


def _first_names(names: Sequence[str]) -> str:
    rest = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(map(str, names[:MOST_NAMED])) + rest
