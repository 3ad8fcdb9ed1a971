"""Routes as tables: one row for each point, written as CSV or Parquet."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from noisewright.domains import Cells
from noisewright.engine.numbers import ArrowColumn, arrow
from noisewright.engine.outputs import report_writer
from noisewright.trajectory.files.about import KEY, to_text
from noisewright.trajectory.files.columns import PAIRS
from noisewright.trajectory.files.route_file import RouteFile
from noisewright.trajectory.files.times import microseconds, texts_of


def write_csv(draft: Path, content: RouteFile) -> None:
    """Write a CSV file; what is said of it stands beside it."""
    times = content.routes.times
    _write("csv", draft, _table(content, None if times is None else pa.array(texts_of(times), pa.string())))


def write_parquet(draft: Path, content: RouteFile) -> None:
    """Write a Parquet file, with what is said of it in the metadata of its schema."""
    times = content.routes.times
    table = _table(content, None if times is None else _whole(microseconds(times), pa.timestamp("us", "UTC")))
    if content.about is not None:
        table = table.replace_schema_metadata({KEY: to_text(content.about)})
    _write("parquet", draft, table)


def _table(content: RouteFile, times: ArrowColumn | None) -> pa.Table:
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
    """Whole numbers as an Arrow array of a type that is stored as such, without a copy."""
    return pa.Array.from_buffers(kind, values.size, [None, pa.py_buffer(values.data)])


def _write(kind: str, draft: Path, table: pa.Table) -> None:
    with report_writer(kind, draft, table.schema) as writer:
        writer.write_table(table)
