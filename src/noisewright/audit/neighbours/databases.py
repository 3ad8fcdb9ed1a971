"""Databases of users: their kinds, and tables (Arrow, pandas), which mechanisms get in the same kind."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import pyarrow as pa

from noisewright.audit.neighbours.rows import ArrayRows, ColumnRows, Label, Range, RecordRows, Rows, range_of
from noisewright.domains import Cells
from noisewright.errors import BadTable

FEWEST: Final = 2
"""The only neighbour of a database of one person is the empty one, which few mechanisms can read."""


def rows_of(database: Any) -> Rows:
    """Return a database as rows: an array, list of records, Arrow or pandas table, or dictionary of columns.

    >>> rows_of([4, 8, 15]).count, rows_of({"age": [31, 57], "pay": [1.0, 2.0]}).count
    (3, 2)
    """
    rows = _kind(database)
    if rows.count < FEWEST:
        raise BadTable(f"a database to search has at least {FEWEST} rows, got {rows.count}")
    return rows


def is_one_database(thing: Any) -> bool:
    """Return whether something is a database by itself, and not a list of several."""
    return isinstance(thing, np.ndarray | pa.Table | Mapping) or _is_frame(thing)


def _kind(database: Any) -> Rows:
    if isinstance(database, np.ndarray):
        return ArrayRows(database)
    if isinstance(database, pa.Table):
        return TableRows(database)
    if _is_frame(database):
        return FrameRows(database)
    if isinstance(database, Mapping) and database:
        return ColumnRows({str(name): np.asarray(column) for name, column in database.items()})
    if isinstance(database, list | tuple):
        return RecordRows(list(database))
    raise BadTable(
        "a database is an array, a list of records, an Arrow or pandas table or a dictionary of columns, "
        f"not a {type(database).__name__}"
    )


def _is_frame(thing: Any) -> bool:
    """Return whether something is a pandas frame, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(thing, pandas.DataFrame)


# -- tables --------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TableRows(Rows):
    """An Arrow table.

    >>> rows = TableRows(pa.table({"age": [31, 57], "city": ["A", "B"]}))
    >>> rows.extend(rows.ranges()).take(np.array([3])).to_pylist()
    [{'age': 57, 'city': 'A'}]
    """

    table: pa.Table

    @property
    def count(self) -> int:
        return int(self.table.num_rows)

    def take(self, chosen: Cells) -> pa.Table:
        return self.table.take(chosen)

    def ranges(self) -> dict[Label, Range]:
        kinds = {name: self.table.schema.field(name).type for name in self.table.column_names}
        numeric = [
            name for name, kind in kinds.items() if pa.types.is_integer(kind) or pa.types.is_floating(kind)
        ]
        columns = {name: self.table.column(name).cast(pa.float64()).drop_null() for name in numeric}
        found = {name: range_of(np.asarray(column.to_numpy())) for name, column in columns.items()}
        return {name: span for name, span in found.items() if span is not None}

    def extend(self, ranges: Mapping[Label, Range]) -> TableRows:
        more = self.table.take([0, 0])
        for place, field in enumerate(self.table.schema):
            if field.name in ranges:
                ends = pa.array(np.array(ranges[field.name])).cast(field.type, safe=False)
                more = more.set_column(place, field, ends)
        return TableRows(pa.concat_tables([self.table, more]).combine_chunks())


@dataclass(frozen=True, eq=False)
class FrameRows(Rows):
    """A pandas frame. The index may name people, so a choice of rows gets a fresh one.

    A column of text in which every cell is a number counts as numbers and stays text.
    """

    frame: Any

    @property
    def count(self) -> int:
        return len(self.frame)

    def take(self, chosen: Cells) -> Any:
        return self.frame.iloc[chosen].reset_index(drop=True)

    def ranges(self) -> dict[Label, Range]:
        numeric = self.frame.select_dtypes("number")
        found = {
            name: range_of(numeric[name].to_numpy(np.float64, na_value=np.nan)) for name in numeric.columns
        }
        found |= {name: range_of(np.array(list(typed))) for name, typed in self._typed.items()}
        return {name: span for name, span in found.items() if span is not None}

    @cached_property
    def _typed(self) -> dict[Label, dict[float, str]]:
        """Return the numbers of every column that holds them as text."""
        text = self.frame.select_dtypes(["object", "string"])
        columns = {name: typed_numbers(text[name].where(text[name].notna(), "")) for name in text.columns}
        return {name: typed for name, typed in columns.items() if typed is not None}

    def extend(self, ranges: Mapping[Label, Range]) -> FrameRows:
        import pandas as pd  # noqa: PLC0415  (who holds a frame has it; nobody else needs it)

        more = self.frame.iloc[[0, 0]].reset_index(drop=True)
        for name, span in ranges.items():
            kind: Any = self.frame[name].dtype
            ends: Any = span
            if name in self._typed:
                ends = typed_ends(span, self._typed[name])
            elif kind.kind in "iu":
                ends = np.trunc(span)
            more[name] = pd.Series(ends).astype(kind)
        return FrameRows(pd.concat([self.frame, more], ignore_index=True))


# -- numbers that stand in a column as text, the way they were typed -----------------------------------


WHOLE: Final = re.compile(r"\s*[+-]?\d+\s*")


def typed_numbers(cells: Iterable[Any]) -> dict[float, str] | None:
    """Return every number of a column by its value, as it was first typed; None if a cell is something else.

    Empty cells are missing values and say nothing.

    >>> typed_numbers(["007", "2.50", ""]), typed_numbers(["007", "Bond"])
    ({7.0: '007', 2.5: '2.50'}, None)
    """
    found: dict[float, str] = {}
    for cell in cells:
        number = _number(cell)
        if number is None:
            return None
        if math.isfinite(number):
            found.setdefault(number, cell)
    return found or None


def typed_ends(ends: Range, typed: dict[float, str]) -> list[str]:
    """Two ends as they would be typed in such a column: as they were, if they were, and whole among whole.

    >>> typed_ends((0.0, 7.0), {7.0: "007", 31.0: "031"}), typed_ends((0.0, 2.5), {2.5: "2.50"})
    (['0', '007'], ['0.0', '2.50'])
    """
    whole = all(WHOLE.fullmatch(text) for text in typed.values())
    return [typed.get(end) or (str(int(end)) if whole and end.is_integer() else repr(end)) for end in ends]


def _number(cell: Any) -> float | None:
    """Return the number in a cell, NaN if it is empty, None if it is text."""
    if not isinstance(cell, str):
        return None
    try:
        return float(cell) if cell.strip() else math.nan
    except ValueError:
        return None
