"""What Spark's workers do with one part of a frame: Arrow batches in, one line of text out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from noisewright.errors import BadTable
from noisewright.io.part_task import add_counts, count_part, outcome, outcome_text


def draw_part(
    task: Any, starts: list[int] | None, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Randomize one part on a worker, and answer with what was written."""
    number = _context().partitionId()

    def work() -> Any:
        if starts is None:
            return task.perturb(number, batches)
        first_row = starts[number]
        part = task.perturb(number, batches, first_row=first_row)
        if part.rows != starts[number + 1] - first_row:
            raise BadTable(f"part {number + 1} has other rows than when it was counted; nothing is used")
        return part

    yield _answer(outcome_text(work))


def count_part_here(
    description: str, columns: Sequence[str], by: str | None, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Count one part on a worker."""
    where = f"part {_context().partitionId() + 1} of the frame"
    yield _answer(outcome_text(lambda: count_part(batches, description, columns, by, where)))


def add_parts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Add up on a worker what several parts counted."""
    texts = (str(text) for batch in batches for text in batch.column(0).to_pylist())
    yield _answer(outcome_text(lambda: add_counts(outcome(text) for text in texts)))


def measure_part(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Count the rows of one part on a worker."""
    yield _answer(f"{_context().partitionId()} {sum(batch.num_rows for batch in batches)}")


def _context() -> Any:
    """Return what Spark tells a task about itself."""
    from pyspark import TaskContext  # noqa: PLC0415  (only a worker needs it)

    return TaskContext.get()


def send_part(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pack the rows of one part on a worker, to be drawn where the ledger is."""
    number = _context().partitionId()
    for batch in batches:
        packed = pa.BufferOutputStream()
        with pa.ipc.new_stream(packed, batch.schema) as stream:
            stream.write_batch(batch)
        content = pa.array([packed.getvalue().to_pybytes()], pa.binary())
        yield pa.RecordBatch.from_arrays([pa.array([number], pa.int32()), content], ["part", "content"])


def _answer(text: str) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"outcome": [text]})


def find_row(number: int, row: int, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Find on a worker where a row of a part stands in its file."""
    mine, done = _context().partitionId() == number, 0
    for batch in batches:
        if mine and 0 <= row - done < batch.num_rows:
            yield batch.slice(row - done, 1).rename_columns(["file", "row"])
        done += batch.num_rows
