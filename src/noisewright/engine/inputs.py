"""Files of true values as streams of Arrow batches, in bounded memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from noisewright.engine.batches import ROWS
from noisewright.engine.sentences import reading
from noisewright.errors import BadTable

PARQUET_MAGIC: Final = b"PAR1"
ARROW_MAGIC: Final = b"ARROW1"


class InputFile(ABC):
    """A file that names its columns and hands out some of them batch by batch."""

    names: list[str]
    rows: int | None
    """How many rows the file says it has; a CSV does not say."""

    @abstractmethod
    def batches(self, numbers: list[str], texts: list[str], rows: int = ROWS) -> Iterator[pa.RecordBatch]:
        """The wanted columns only, about ``rows`` rows at a time; nothing else in the file is even decoded.

        A CSV does not say what its columns hold: ``numbers`` are read as numbers and ``texts`` as text.
        """


class ParquetInput(InputFile):
    """A Parquet file."""

    def __init__(self, path: Path) -> None:
        check_magic(path, PARQUET_MAGIC, "a Parquet file")
        self.path = path
        with reading(path):
            # Buffered reads instead of whole row groups: some files are a single row group.
            self.file = pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)
            self.names, self.rows = self.file.schema_arrow.names, self.file.metadata.num_rows

    def batches(self, numbers: list[str], texts: list[str], rows: int = ROWS) -> Iterator[pa.RecordBatch]:
        with reading(self.path):
            yield from self.file.iter_batches(batch_size=rows, columns=[*numbers, *texts])


class ArrowInput(InputFile):
    """An Arrow file (also called Feather, version 2); its own batches bound the memory."""

    def __init__(self, path: Path) -> None:
        check_magic(path, ARROW_MAGIC, "an Arrow file")
        self.path = path
        self.rows = None
        with reading(path), pa.OSFile(str(path), "rb") as file:
            self.names = pa.ipc.open_file(file).schema.names

    def batches(self, numbers: list[str], texts: list[str], rows: int = ROWS) -> Iterator[pa.RecordBatch]:
        wanted = [self.names.index(name) for name in (*numbers, *texts)]
        with reading(self.path), pa.OSFile(str(self.path), "rb") as file:
            reader = pa.ipc.open_file(file, options=pa.ipc.IpcReadOptions(included_fields=wanted))
            for place in range(reader.num_record_batches):
                batch = reader.get_batch(place)
                batch.validate(full=True)  # a damaged file must not crash what comes after
                yield batch


def check_magic(path: Path, magic: bytes, kind: str) -> None:
    """Refuse a file that does not begin and end as its kind does."""
    with reading(path), path.open("rb") as file:
        begins = file.read(len(magic)) == magic
        file.seek(-min(path.stat().st_size, len(magic)), 2)
        ends = file.read() == magic
    if not begins:
        raise BadTable(f"{path} is not {kind}, though its name says so")
    if not ends:
        raise BadTable(f"{path} is truncated: it begins as {kind} but its end is missing; copy it again")
