"""Streams of batches: cut to one size, and worked on while the last one is being used."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

import pyarrow as pa

from noisewright.io.report_column import ReportColumn

T = TypeVar("T")

ROWS: Final = 1 << 18
"""Rows drawn at a time: just enough for the fused loop to be worth it, 2 MiB a column.

Files and tables are all cut this way, so one seed gives the same reports whatever holds the data.
"""


WIDE: Final = 1 << 24
"""Bytes of one column of a batch: wide codes, a bit for each of many labels, are drawn fewer at a time."""


def rows_at_a_time(columns: Iterable[ReportColumn]) -> int:
    """How many rows are worked on at a time; it depends on the mechanisms alone, and never on the data."""
    return max(1, min(ROWS, WIDE // max(column.row_bytes for column in columns)))


def even_batches(batches: Iterable[pa.RecordBatch], rows: int = ROWS) -> Iterator[pa.Table]:
    """The same rows in tables of exactly ``rows`` rows, the last one excepted; empty batches vanish.

    >>> pieces = [pa.record_batch({"x": [1.0] * size}) for size in (3, 0, 4)]
    >>> [table.num_rows for table in even_batches(pieces, rows=5)]
    [5, 2]
    """
    held: list[pa.RecordBatch] = []
    room = rows
    for batch in batches:
        while batch.num_rows:
            held.append(batch.slice(0, room))
            batch = batch.slice(held[-1].num_rows)  # noqa: PLW2901  (what is left of it)
            room -= held[-1].num_rows
            if not room:
                yield pa.Table.from_batches(held)
                held, room = [], rows
    if held:
        yield pa.Table.from_batches(held)


def ahead(items: Iterator[T]) -> Generator[T]:
    """The same items in the same order, each made by another thread while the one before is being used.

    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    worker = ThreadPoolExecutor(1)
    try:
        coming = worker.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = worker.submit(next, items, None)
            yield item
    finally:
        # Never wait for the thread here. An abandoned generator is finished by the garbage collector, at any
        # moment and in any thread, even in one that is just starting and holds the locks a wait would need.
        worker.shutdown(wait=False, cancel_futures=True)
