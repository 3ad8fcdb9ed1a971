"""Tables of locations, CSV and Parquet: one row for each point; only the columns that matter are decoded.

A table without a column of routes is one route. Then the texts in its other columns are counted, too: a
column that tells people or devices apart must not be overlooked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from noisewright.domains import Cells, Floats
from noisewright.errors import BadTable
from noisewright.io.description import KEY
from noisewright.io.file_access import reading
from noisewright.io.files import report_writer
from noisewright.io.numbers import ArrowColumn, arrow, floats
from noisewright.io.table_files import CsvInput, InputFile, ParquetInput
from noisewright.trajectory.files.columns import (
    PAIRS,
    Columns,
    is_text,
    report_marks,
    route_names,
    seconds_since_1970,
    text_counts,
)
from noisewright.trajectory.files.description import about_beside, from_text, to_text
from noisewright.trajectory.files.identifiers import Repeats
from noisewright.trajectory.files.route_file import RouteFile, kind_of
from noisewright.trajectory.files.rows import Rows
from noisewright.trajectory.files.values import check_points, iso_times, microseconds

MOST_ROWS: Final = 100_000_000
"""Most rows of one file: gigabytes of memory, and three years of a point every second."""


def open_table(path: Path) -> tuple[InputFile, dict[str, Any] | None]:
    """Open a CSV or Parquet file, with its description of how its reports were made.

    Names and times of a CSV stay text, so that 007 is not 7.
    """
    if kind_of(path) == "csv":
        return CsvInput(path), about_beside(path)
    file = ParquetInput(path)
    said = (file.file.schema_arrow.metadata or {}).get(KEY.encode())
    return file, None if said is None else from_text(said)


def read_table(path: Path, chosen: Mapping[str, str], one_route: bool = False) -> RouteFile:
    """Read a CSV or Parquet file of locations."""
    file, about = open_table(path)
    if about is not None and about.get("kind") == "cells":
        raise BadTable(
            "it holds reports of cells, which are not locations; noisewright routes count reads them"
        )
    columns = Columns.among(file.names, chosen, one_route=one_route)
    rows = _rows(path, file, columns)
    if about is None and not one_route and "route" not in chosen:
        rows.refuse_crowds()
        if columns.route is None:
            _refuse_repeats(file, columns, len(rows.points))
    return rows.to_route_file(about)


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
        return rows_of(_read_table(file, columns), columns)


def rows_of(table: pa.Table, columns: Columns) -> Rows:
    """Return the locations of a table, checked."""
    pair = [floats(table.column(name), name) for name in columns.pair]
    points = check_points(np.column_stack(pair), columns.coordinates, lambda row: f"data row {row + 1}")
    owner, found = np.zeros(len(points), dtype=np.int64), ["1"]
    if columns.route is not None:
        owner, found = route_names(table.column(columns.route), columns.route)
    times = None if columns.time is None else seconds_since_1970(table.column(columns.time), columns.time)
    reported = columns.reported
    marks = None if reported is None else report_marks(table.column(reported), reported)
    return Rows(points, owner, found, times, marks, columns.coordinates)


def _read_table(file: InputFile, columns: Columns) -> pa.Table:
    """Return the wanted columns of a file of bounded length."""
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


# -- writing ---------------------------------------------------------------------------------------


def write_locations(kind: str, draft: Path, content: RouteFile) -> None:
    """Write the columns route, time, the two coordinates and reported; unknown ones are left out."""
    write_columns(kind, draft, location_columns(kind, content), content.about)


def location_columns(kind: str, content: RouteFile) -> dict[str, ArrowColumn]:
    """Return the columns of a table of locations; unknown ones are left out."""
    routes = content.routes
    columns = route_columns(kind, routes.names, routes.lengths, routes.times)
    for name, values in zip(PAIRS[content.coordinates], routes.points.T, strict=True):
        columns[name] = arrow(np.ascontiguousarray(values))
    if content.reported is not None:
        columns["reported"] = pa.array(content.reported.tolist(), pa.bool_())
    return columns


def route_columns(
    kind: str, names: Sequence[str], lengths: Cells, times: Floats | None
) -> dict[str, ArrowColumn]:
    """Return the columns of names, one for each row, and of times if they are known: texts for a CSV."""
    owner = np.repeat(np.arange(lengths.size), lengths)
    columns: dict[str, ArrowColumn] = {"route": pa.array(names, pa.string()).take(_whole(owner, pa.int64()))}
    if times is not None and kind == "csv":
        columns["time"] = pa.array(iso_times(times), pa.string())
    elif times is not None:
        columns["time"] = _whole(microseconds(times), pa.timestamp("us", "UTC"))
    return columns


def write_columns(
    kind: str, draft: Path, columns: Mapping[str, ArrowColumn], about: dict[str, Any] | None
) -> None:
    """Write a table without gaps; in Parquet, its description is in the metadata of its schema."""
    table = table_of(columns, about if kind == "parquet" else None)
    with report_writer(kind, draft, table.schema) as writer:
        writer.write_table(table)


def table_of(columns: Mapping[str, ArrowColumn], about: dict[str, Any] | None) -> pa.Table:
    """Return a table without gaps, with its description in the metadata of its schema."""
    fields = [pa.field(name, column.type, nullable=False) for name, column in columns.items()]
    table = pa.table(list(columns.values()), schema=pa.schema(fields))
    return table if about is None else table.replace_schema_metadata({KEY: to_text(about)})


def _whole(values: Cells, kind: pa.DataType) -> ArrowColumn:
    """Wrap whole numbers as an Arrow array of a type that is stored as such, without a copy."""
    return pa.Array.from_buffers(kind, values.size, [None, pa.py_buffer(values.data)])
