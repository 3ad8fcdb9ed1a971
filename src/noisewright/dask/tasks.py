"""What Dask's workers do with one part of a frame: pandas in, one line of text or a part of reports out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from noisewright.errors import BadTable
from noisewright.io.description import KEY
from noisewright.io.file_access import reading
from noisewright.io.location import Location
from noisewright.io.part_task import (
    add_counts,
    count_part,
    outcome,
    outcome_text,
)
from noisewright.io.partitions import Partition
from noisewright.io.report_folder import Part
from noisewright.io.tables import from_pandas

if TYPE_CHECKING:
    import pandas as pd


def draw_part(frame: pd.DataFrame, shared: tuple[Any, ...], partition_info: Mapping[str, Any]) -> str:
    """Randomize one part on a worker, and answer with what was written."""
    task, kinds, starts = shared
    number = partition_info["number"]
    first_row = 0 if starts is None else starts[number]

    def work() -> Part:
        if starts is not None and len(frame) != starts[number + 1] - first_row:
            raise BadTable(f"part {number + 1} has other rows than when it was counted; nothing is used")
        part: Part = task.perturb(number, batches_of(frame, kinds), first_row=first_row)
        return part

    return outcome_text(work)


def draw_routes(frame: pd.DataFrame, shared: tuple[Any, ...], partition_info: Mapping[str, Any]) -> str:
    """Randomize the routes of one part on a worker, and answer with what was written."""
    [task] = shared
    return outcome_text(lambda: task.perturb(partition_info["number"], batches_of(frame, {})))


def count_frame(frame: pd.DataFrame, shared: tuple[Any, ...], partition_info: Mapping[str, Any]) -> str:
    """Count one part on a worker."""
    description, columns, by = shared
    where = f"part {partition_info['number'] + 1} of the frame"
    return outcome_text(lambda: count_part(batches_of(frame, {}), description, columns, by, where))


def add_parts(texts: Sequence[str]) -> str:
    """Add up on a worker what several parts counted."""
    return outcome_text(lambda: add_counts(map(outcome, texts)))


def measure_part(frame: pd.DataFrame, _: tuple[Any, ...]) -> str:
    """Count the rows of one part on a worker."""
    return outcome_text(lambda: [len(frame)])


def batches_of(frame: pd.DataFrame, kinds: Mapping[str, pa.DataType]) -> Iterator[pa.RecordBatch]:
    """Yield a part as Arrow; the types of kept columns are those of the whole frame."""
    columns = {name: from_pandas(frame[name], name, kinds.get(name)) for name in frame.columns}
    yield from pa.table(columns).to_batches()


def open_part(part: Part, folder: str) -> Any:
    """Open one part of a folder of reports; refuse a file that is not the one that was drawn."""
    return Partition(Location(folder).child(part.name), {}, part, folder).open()


def read_part(part: Part, folder: str, text: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Read one part of a folder of reports on a worker; refuse a file that is not the one that was drawn."""
    file = open_part(part, folder)
    with reading(file.path):
        return as_pandas(file.file.read(None if columns is None else list(columns)), text)


def as_pandas(table: pa.Table, text: str) -> pd.DataFrame:
    """Return reports as pandas holds them, with their description."""
    import pandas as pd  # noqa: PLC0415

    def kind(found: pa.DataType) -> Any:
        return pd.StringDtype("pyarrow") if is_text(found) else pd.ArrowDtype(found)

    plain = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    frame = pa.table(plain, names=table.column_names).to_pandas(types_mapper=kind)
    frame.attrs = {KEY: json.loads(text)}
    return frame


def is_text(kind: pa.DataType) -> bool:
    """Return whether a column of Arrow holds texts."""
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)
