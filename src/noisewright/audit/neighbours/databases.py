"""Telling which kind of database a user handed over."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pyarrow as pa

from noisewright.audit.neighbours.array_rows import ArrayRows, ColumnRows
from noisewright.audit.neighbours.record_rows import RecordRows
from noisewright.audit.neighbours.rows import Rows
from noisewright.audit.neighbours.table_rows import FrameRows, TableRows
from noisewright.errors import BadTable

FEWEST: Final = 2
"""A database of one person has no neighbour but the empty one, which few mechanisms can read."""


def rows_of(database: Any) -> Rows:
    """A database as rows: an array, a list of records, an Arrow or pandas table, a dictionary of columns.

    >>> rows_of([4, 8, 15]).count, rows_of({"age": [31, 57], "pay": [1.0, 2.0]}).count
    (3, 2)
    """
    rows = _kind(database)
    if rows.count < FEWEST:
        raise BadTable(f"a database to search has at least {FEWEST} rows, got {rows.count}")
    return rows


def is_one_database(thing: Any) -> bool:
    """Whether something is a database by itself, and not a list of several."""
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
    """Without importing pandas: who holds a frame has imported it."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(thing, pandas.DataFrame)
