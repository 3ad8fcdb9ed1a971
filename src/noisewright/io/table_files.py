"""Tables in files of the kind that their name says: streams of Arrow batches, in bounded memory.

In a CSV, numbers are parsed strictly, and everything else stays text. Refusals show only column names that
are close to the wanted one: without a header line, the names are somebody's record.
"""

from __future__ import annotations

import csv as python_csv
import difflib
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from noisewright.errors import BadTable
from noisewright.io.file_access import existing_file, reading
from noisewright.io.location import Location
from noisewright.io.numbers import place

KINDS: Final = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".arrow": "arrow",
    ".feather": "arrow",
}
"""The kind of a file by the end of its name."""

ROWS: Final = 1 << 18
"""Rows drawn at a time: just enough for the fused loop to be worth it, 2 MiB a column.

Files and tables are all cut this way, so one seed gives the same reports whatever holds the data.
"""

WIDE: Final = 1 << 24
"""Bytes of one column of a batch: wide codes, a bit for each of many labels, are drawn fewer at a time."""

BLOCK_BYTES: Final = 1 << 20
"""Text parsed at a time, and the longest row that can be read."""

NUMBERS: Final = (
    "write numbers as 71.5, without units or thousands separators, and times as hours such as 6.5"
)
WIDE_TEXT: Final = (b"\xff\xfe", b"\xfe\xff")

PARQUET_MAGIC: Final = b"PAR1"
ARROW_MAGIC: Final = b"ARROW1"


LIKENESS: Final = 0.6
"""How similar a name must be to the wanted one to be shown."""

OTHER_SEPARATORS: Final = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}

T = TypeVar("T")


class InputFile(ABC):
    """A file that names its columns and hands out some of them batch by batch."""

    names: list[str]
    rows: int | None
    """Number of rows that the file states; a CSV states none."""

    @abstractmethod
    def batches(self, numbers: list[str], texts: list[str], rows: int = ROWS) -> Iterator[pa.RecordBatch]:
        """Yield the wanted columns, about ``rows`` rows at a time; nothing else in the file is decoded.

        A CSV has no types: ``numbers`` are read as numbers and ``texts`` as text.
        """


class ParquetInput(InputFile):
    """A Parquet file of this machine or of a store."""

    def __init__(self, path: Path | Location) -> None:
        local = path if isinstance(path, Path) else path.local
        if local is not None:
            check_magic(local, PARQUET_MAGIC, "a Parquet file")
        self.path = path
        with reading(path):
            # Buffered reads instead of whole row groups: some files are a single row group.
            source: Any = path.open() if isinstance(path, Location) and local is None else local
            self.file = pq.ParquetFile(source, pre_buffer=False, buffer_size=1 << 20)
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


class CsvInput(InputFile):
    """A CSV file with a header line, in UTF-8, separated by commas.

    Labels and kept columns stay text: guessing their type from the first rows would turn 007 into 7.
    Values in quotes may hold line breaks; empty lines are skipped, except where a row has one column only
    and an empty line is a missing value.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.rows = path, None
        self.names: list[str] = []
        with self._reading():
            with path.open("rb") as file:
                if file.read(2) in WIDE_TEXT:
                    raise BadTable(f"{path} is UTF-16 text; save it as UTF-8")
            self.names = self._open(csv.ConvertOptions()).schema.names

    def batches(self, numbers: list[str], texts: list[str], rows: int = ROWS) -> Iterator[pa.RecordBatch]:
        kinds: dict[str, pa.DataType] = dict.fromkeys(texts, pa.string())
        options = csv.ConvertOptions(
            include_columns=[*numbers, *texts],
            column_types=kinds | dict.fromkeys(numbers, pa.float64()),
            strings_can_be_null=False,
        )
        with self._reading():
            yield from self._open(options)
            self._check_quotes()

    def _open(self, options: csv.ConvertOptions) -> csv.CSVStreamingReader:
        return csv.open_csv(
            self.path,
            # One thread: only then does Arrow number the rows, and it is no slower than two.
            read_options=csv.ReadOptions(use_threads=False, block_size=BLOCK_BYTES),
            parse_options=csv.ParseOptions(
                newlines_in_values=True,
                ignore_empty_lines=len(self.names) != 1,
            ),
            convert_options=options,
        )

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with reading(self.path):
            try:
                yield
            except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
                raise BadTable(self._sentence(str(error))) from None

    def _sentence(self, said: str) -> str:
        """Say what Arrow meant, without the text of the row that it quotes."""
        if parts := re.match(r"CSV parse error: Row #(\d+): Expected (\d+) columns, got (\d+)", said):
            row, wanted, found = int(parts[1]) - 1, parts[2], parts[3]
            hint = separator_hint(self._header()) if wanted == "1" else None
            return (
                f"data row {row} of {self.path} does not fit its header: {found} fields instead of {wanted}"
                + (f"; {hint}" if hint else "")
            )
        if "Empty CSV" in said:
            return f"{self.path} has no rows; it needs a header line and at least one row below it"
        if "straddling" in said:
            return f"{self.path} has a row of more than {BLOCK_BYTES >> 20} MiB; is a quote left open?"
        if parts := re.match(r"In CSV column #(\d+): Row #(\d+): CSV conversion error to (\w+)", said):
            what = f"not a number; {NUMBERS}" if parts[3] == "double" else "not UTF-8 text"
            return f"{place(self.names[int(parts[1])], int(parts[2]) - 2)} is {what}"
        return f"cannot read {self.path}: it is not a CSV file"

    def _header(self) -> str:
        with self.path.open(encoding="utf-8", errors="replace") as file:
            return file.readline(BLOCK_BYTES)

    def _check_quotes(self) -> None:
        """Refuse an open quote: Arrow would close it at the end, and it would swallow the last rows."""
        with self.path.open("rb") as raw:
            blocks = iter(partial(raw.read, BLOCK_BYTES), b"")
            if sum(block.count(b'"') for block in blocks) % 2 == 0:
                return
        with self.path.open(newline="", encoding="utf-8", errors="replace") as file:
            rows = python_csv.reader(file, strict=True)
            try:
                for _ in rows:
                    pass
            except python_csv.Error:
                raise BadTable(f"{self.path} has a quote that is opened and never closed") from None


OPENERS: Final[dict[str, Callable[[Path], InputFile]]] = {
    "parquet": ParquetInput,
    "csv": CsvInput,
    "arrow": ArrowInput,
}


def kind_of(path: str | os.PathLike[str]) -> str:
    """Return the kind of file that a name promises.

    >>> kind_of("readings.CSV")
    'csv'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in KINDS:
        raise BadTable(f"{path} must end in one of {', '.join(KINDS)}, which says what kind of file it is")
    return KINDS[suffix]


def open_input(path: str | os.PathLike[str]) -> InputFile:
    """Open a file of true values, checked as far as possible without reading its rows."""
    if (stored := Location(path)).local is None:
        if kind_of(str(stored)) != "parquet":
            raise BadTable(f"{stored} must be a Parquet file; other kinds are read from this machine only")
        return ParquetInput(stored)
    if not stored.local.suffix:
        existing_file(stored.local)  # a folder whose name is misspelt
    return OPENERS[kind_of(stored.local)](existing_file(stored.local))


def sidecar(path: Path) -> Path:
    """Return the path of the description beside a file.

    >>> str(sidecar(Path("reports.csv")))
    'reports.csv.json'
    """
    return path.with_name(path.name + ".json")


def check_names(wanted: Sequence[str], present: Sequence[str], *, where: str) -> None:
    """Refuse a table that lacks a column or has two of one name, without showing other names."""
    for name in wanted:
        if name not in present:
            raise BadTable(f"{where} has no column {name!r}; {absent(name, present)}")
        if present.count(name) > 1:
            raise BadTable(f"{where} has {present.count(name)} columns named {name!r}; rename all but one")


def absent(name: str, present: Sequence[str]) -> str:
    """Say why a column may be missing; of the present names, only close matches are shown.

    >>> absent("heart_rate", ["name", "heart_rate "])
    "did you mean 'heart_rate '?"
    >>> absent("heart_rate", ["Ada", "71", "6.5"])
    'it has 3 columns, none of that name; is the header line missing?'
    """
    if len(present) == 1 and (hint := separator_hint(present[0])):
        return hint
    close = difflib.get_close_matches(name, dict.fromkeys(present), n=3, cutoff=LIKENESS)
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    if not present:  # a pandas frame without a header has numbers for names
        return "none of its columns has a name; is the header line missing?"
    count = "1 column, not" if len(present) == 1 else f"{len(present)} columns, none"
    return f"it has {count} of that name; is the header line missing?"


def separator_hint(header: str) -> str | None:
    """Say that a header of one name contains another separator of fields; None if it does not.

    >>> separator_hint("name;pulse")
    'fields must be separated by commas; this file seems to use semicolons'
    """
    for sign, name in OTHER_SEPARATORS.items():
        if sign in header:
            return f"fields must be separated by commas; this file seems to use {name}"
    return None


def even_batches(batches: Iterable[pa.RecordBatch], rows: int = ROWS) -> Iterator[pa.Table]:
    """Yield the same rows in tables of exactly ``rows`` rows, except the last; empty batches vanish.

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


def rows_at_a_time(row_bytes: Iterable[int]) -> int:
    """Return the number of rows to process at a time, given the bytes of a row in each column.

    It depends on the mechanisms alone, and never on the data.
    """
    return max(1, min(ROWS, WIDE // max(row_bytes)))


def ahead(items: Iterator[T]) -> Generator[T]:
    """Yield the same items in order, each made by another thread while the one before is in use.

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
