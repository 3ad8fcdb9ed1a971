"""How long work reports how far it is: one type for all rooms, shown as one bar on the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import pyarrow as pa

Progress: TypeAlias = Callable[[int, int | None], None]
"""Called with the amount done and the amount to do, or None where that is not known."""

Status: TypeAlias = Callable[[str], None]
"""Called with the name of the part that is being worked on."""


@dataclass
class RowCount:
    """Adds up the rows of several files for whoever watches the progress.

    Attributes:
        progress: Called with the rows done and the rows there are.
        total: The rows of all files, where they say so.
        done: The rows so far.
    """

    progress: Progress | None = None
    total: int | None = None
    done: int = 0

    def __call__(self, rows: int) -> None:
        self.done += rows
        if self.progress:
            self.progress(self.done, self.total)

    def watch(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield batches, and count their rows as they are taken."""
        for batch in batches:
            self(batch.num_rows)
            yield batch
