"""Inputs of a mechanism under audit: values as they are typed, and files of data.

What a function is called with is what its author would expect of the file: a NumPy array where everything is
a number (one column: a vector; several: a matrix of rows), an Arrow table where it is not, and whatever a
JSON file holds. A refusal never shows a value.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from noisewright.errors import BadDocument, BadTable, MissingExtra
from noisewright.io.file_errors import read_json
from noisewright.io.strict_json import strict_json
from noisewright.io.table_files import KINDS, open_input

LARGEST: Final = 64 << 20
"""Bytes of the largest JSON file that is read."""


def read_value(text: str) -> Any:
    """Return an input as it is typed: JSON if it is JSON, otherwise the text itself.

    >>> read_value("[1, 0, 2.5]"), read_value("yes"), read_value("3")
    (array([1. , 0. , 2.5]), 'yes', 3)
    """
    try:
        return as_data(strict_json(text))
    except BadDocument:
        return text


def read_data(path: str | Path) -> Any:
    """Return the content of a file, as a function is called with it."""
    if Path(path).suffix.lower() == ".json":
        return as_data(read_json(path, LARGEST, "input of an audit"))
    if Path(path).suffix.lower() not in KINDS:
        raise BadTable(f"{path} must end in one of {', '.join(KINDS)} or .json, which says what it holds")
    table = _table(Path(path))
    columns = [_number_or_same(column) for column in table.columns]
    return _as_array(pa.Table.from_arrays(columns, table.column_names))


def read_for_programs(path: str | Path) -> Any:
    """A database whose neighbours are written to files for a program: every cell stays the text it was.

    A CSV file becomes a frame, which is written as CSV again; a JSON file is what it holds.
    """
    if Path(path).suffix.lower() == ".json":
        return read_data(path)
    if Path(path).suffix.lower() != ".csv":
        raise BadTable(f"{path} must be CSV or JSON: its neighbours are written so for a command or endpoint")
    try:
        return _table(Path(path)).to_pandas()
    except ImportError:
        raise MissingExtra("searching neighbours for a command needs pandas; install pandas") from None


def column_names(path: str | Path) -> tuple[str, ...] | None:
    """Return what the columns of a file are called; a JSON file says so itself, if at all."""
    return None if Path(path).suffix.lower() == ".json" else tuple(open_input(Path(path)).names)


def as_data(content: Any) -> Any:
    """Lists of numbers, and lists of such lists of one length, as arrays; all else as it is.

    >>> as_data([[1, 2], [3, 4]]).shape, as_data([1, "x"])
    ((2, 2), [1, 'x'])
    """
    if not isinstance(content, list) or not content:
        return content
    rows = [row if isinstance(row, list) else [row] for row in content]
    numbers = all(type(cell) in (int, float) for row in rows for cell in row)
    if (
        not numbers
        or len({len(row) for row in rows}) != 1
        or len({type(row) is list for row in content}) != 1
    ):
        return content
    return np.asarray(content, dtype=np.float64)


def _table(path: Path) -> pa.Table:
    file = open_input(path)
    batches = list(file.batches([], list(file.names)))
    if not sum(batch.num_rows for batch in batches):
        raise BadTable(f"{path} has columns but no rows")
    return pa.Table.from_batches(batches)


def _number_or_same(column: Any) -> Any:
    """A column of text as numbers, if every one of its values is a number; an empty cell is a missing one."""
    if not pa.types.is_string(column.type):
        return column
    filled = pc.if_else(pc.equal(column, pa.scalar("")), pa.scalar(None, column.type), column)
    if filled.null_count == len(filled):
        return column
    try:
        return pc.cast(filled, pa.float64())
    except pa.ArrowInvalid:
        return column


def _as_array(table: pa.Table) -> Any:
    """An array where all columns are numbers and nothing is missing; the table itself otherwise."""
    kinds = [column.type for column in table.columns]
    numbers = all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in kinds)
    if not numbers or any(column.null_count for column in table.columns):
        return table
    rows = np.column_stack([np.asarray(column.to_numpy(), dtype=np.float64) for column in table.columns])
    return rows[:, 0] if rows.shape[1] == 1 else rows
