"""Tables of locations, CSV and Parquet: one row for each point; only the columns that matter are decoded.

A table without routes is one way. Then its other columns of texts are counted, too: one that tells people or
devices apart must not be passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from noisewright.domains import Cells
from noisewright.errors import BadTable
from noisewright.io.description import KEY
from noisewright.io.file_errors import reading
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
from noisewright.trajectory.files.route_file import RouteFile
from noisewright.trajectory.files.rows import Rows
from noisewright.trajectory.files.values import check_points, iso_times, microseconds

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
        table = _read_table(file, columns)
        pair = [floats(table.column(name), name) for name in columns.pair]
        points = check_points(np.column_stack(pair), columns.coordinates, row_place)
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


def row_place(row: int) -> str:
    """Return a row of a table in words."""
    return f"data row {row + 1}"


# -- writing ---------------------------------------------------------------------------------------


def write_csv(draft: Path, content: RouteFile) -> None:
    """Write a CSV file; what is said of it stands beside it."""
    times = content.routes.times
    _write(
        "csv",
        draft,
        _stored_table(content, None if times is None else pa.array(iso_times(times), pa.string())),
    )


def write_parquet(draft: Path, content: RouteFile) -> None:
    """Write a Parquet file, with what is said of it in the metadata of its schema."""
    times = content.routes.times
    table = _stored_table(
        content, None if times is None else _whole(microseconds(times), pa.timestamp("us", "UTC"))
    )
    if content.about is not None:
        table = table.replace_schema_metadata({KEY: to_text(content.about)})
    _write("parquet", draft, table)


def _stored_table(content: RouteFile, times: ArrowColumn | None) -> pa.Table:
    """The columns route, time, the two coordinates and reported; those that are not known are left out."""
    routes = content.routes
    named = pa.array(routes.names, pa.string())
    columns: dict[str, ArrowColumn] = {"route": named.take(_whole(routes.owner, pa.int64()))}
    if times is not None:
        columns["time"] = times
    for name, values in zip(PAIRS[content.coordinates], routes.points.T, strict=True):
        columns[name] = arrow(np.ascontiguousarray(values))
    if content.reported is not None:
        columns["reported"] = pa.array(content.reported.tolist(), pa.bool_())
    fields = [pa.field(name, column.type, nullable=False) for name, column in columns.items()]
    return pa.table(list(columns.values()), schema=pa.schema(fields))


def _whole(values: Cells, kind: pa.DataType) -> ArrowColumn:
    """Wrap whole numbers as an Arrow array of a type that is stored as such, without a copy."""
    return pa.Array.from_buffers(kind, values.size, [None, pa.py_buffer(values.data)])


def _write(kind: str, draft: Path, table: pa.Table) -> None:
    with report_writer(kind, draft, table.schema) as writer:
        writer.write_table(table)
