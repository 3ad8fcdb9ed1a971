"""Tables of locations, CSV and Parquet, as rows; only the columns that matter are ever decoded.

A table without routes is one way. Then its other columns of texts are counted, too: one that tells people or
devices apart must not be passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from noisewright.engine.csv_input import CsvInput
from noisewright.engine.inputs import InputFile, ParquetInput
from noisewright.engine.numbers import floats
from noisewright.engine.sentences import reading
from noisewright.errors import BadTable
from noisewright.trajectory.files.about import KEY, about_beside, from_text
from noisewright.trajectory.files.arrow_columns import flags, is_text, names, seconds, text_counts
from noisewright.trajectory.files.columns import Columns
from noisewright.trajectory.files.degrees import checked
from noisewright.trajectory.files.repeats import Repeats
from noisewright.trajectory.files.route_file import RouteFile
from noisewright.trajectory.files.rows import Rows

MOST_ROWS: Final = 100_000_000
"""Rows of one file that are read: gigabytes of memory, and three years of a point every second."""


def read_csv(path: Path, chosen: Mapping[str, str], one_route: bool = False) -> RouteFile:
    """Read a CSV file of locations; names and times stay text, so that 007 is not 7."""
    return _routes(path, CsvInput(path), chosen, about_beside(path), one_route)


def read_parquet(path: Path, chosen: Mapping[str, str], one_route: bool = False) -> RouteFile:
    """Read a Parquet file of locations."""
    file = ParquetInput(path)
    said = (file.file.schema_arrow.metadata or {}).get(KEY.encode())
    return _routes(path, file, chosen, None if said is None else from_text(said), one_route)


def _routes(
    path: Path, file: InputFile, chosen: Mapping[str, str], about: dict[str, Any] | None, one_route: bool
) -> RouteFile:
    if about is not None and about.get("kind") == "cells":
        raise BadTable(
            "it holds reports of cells, which are no locations; noisewright routes count reads them"
        )
    columns = Columns.among(file.names, chosen, one_route=one_route)
    rows = _rows(path, file, columns)
    if about is None and not one_route and "route" not in chosen:
        rows.refuse_crowds()
        if columns.route is None:
            _refuse_repeats(file, columns, len(rows.points))
    return rows.gathered(about)


def _refuse_repeats(file: InputFile, columns: Columns, rows: int) -> None:
    """Refuse a table of one route with a column of texts that repeat."""
    used = (*columns.pair, columns.time, columns.reported)
    texts = [name for name in file.names if name not in used]
    if isinstance(file, ParquetInput):
        schema = file.file.schema_arrow
        texts = [name for name in texts if is_text(schema.field(name).type)]
    seen = Repeats()
    for batch in file.batches([], texts) if texts else ():
        for name in texts:
            seen.add(name, text_counts(batch.column(name)))
    seen.refuse(rows, "the column")


def _rows(path: Path, file: InputFile, columns: Columns) -> Rows:
    with reading(path):
        table = _table(file, columns)
        pair = [floats(table.column(name), name) for name in columns.pair]
        points = checked(np.column_stack(pair), columns.coordinates, row_place)
        owner, found = np.zeros(len(points), dtype=np.int64), ["1"]
        if columns.route is not None:
            owner, found = names(table.column(columns.route), columns.route)
        times = None if columns.time is None else seconds(table.column(columns.time), columns.time)
        marks = None if columns.reported is None else flags(table.column(columns.reported), columns.reported)
    return Rows(points, owner, found, times, marks, columns.coordinates)


def _table(file: InputFile, columns: Columns) -> pa.Table:
    """The wanted columns of a file of bounded length."""
    texts = [name for name in (columns.route, columns.time, columns.reported) if name is not None]
    batches, rows = [], 0
    for batch in file.batches(list(columns.pair), texts):
        batches.append(batch)
        rows += batch.num_rows
        if rows > MOST_ROWS:
            raise BadTable(f"it has more than {MOST_ROWS:,} rows; split it into several files")
    if not rows:
        raise BadTable("it has columns but no rows, and so no routes")
    return pa.Table.from_batches(batches)


def row_place(row: int) -> str:
    """A row of a table in words."""
    return f"data row {row + 1}"
