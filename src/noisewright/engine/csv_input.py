"""CSV files as streams of batches: numbers are parsed strictly, and everything else stays text."""

from __future__ import annotations

import csv as python_csv
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyarrow import csv

from noisewright.engine.batches import ROWS
from noisewright.engine.inputs import InputFile
from noisewright.engine.naming import separator_hint
from noisewright.engine.numbers import place
from noisewright.engine.sentences import reading
from noisewright.errors import BadTable

BLOCK_BYTES: Final = 1 << 20
"""Text parsed at a time, and the longest row that can be read."""

NUMBERS: Final = (
    "write numbers as 71.5, without units or thousands separators, and times as hours such as 6.5"
)
WIDE_TEXT: Final = (b"\xff\xfe", b"\xfe\xff")


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
        """What Arrow meant, without the text of the row that it quotes."""
        if told := re.match(r"CSV parse error: Row #(\d+): Expected (\d+) columns, got (\d+)", said):
            row, wanted, found = int(told[1]) - 1, told[2], told[3]
            hint = separator_hint(self._header()) if wanted == "1" else None
            return (
                f"data row {row} of {self.path} does not fit its header: {found} fields instead of {wanted}"
                + (f"; {hint}" if hint else "")
            )
        if "Empty CSV" in said:
            return f"{self.path} has no rows; it needs a header line and at least one row below it"
        if "straddling" in said:
            return f"{self.path} has a row of more than {BLOCK_BYTES >> 20} MiB; is a quote left open?"
        if told := re.match(r"In CSV column #(\d+): Row #(\d+): CSV conversion error to (\w+)", said):
            what = f"not a number; {NUMBERS}" if told[3] == "double" else "not UTF-8 text"
            return f"{place(self.names[int(told[1])], int(told[2]) - 2)} is {what}"
        return f"cannot read {self.path}: it is not a CSV file"

    def _header(self) -> str:
        with self.path.open(encoding="utf-8", errors="replace") as file:
            return file.readline(BLOCK_BYTES)

    def _check_quotes(self) -> None:
        """Refuse an open quote, which Arrow takes to be closed at the end: it would swallow the last rows."""
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
