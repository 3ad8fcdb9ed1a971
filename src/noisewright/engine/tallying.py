"""Counting the reports of files and tables in bounded memory, by the mechanisms that they name themselves."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import pyarrow as pa

from noisewright.engine.batches import ahead, even_batches, rows_at_a_time
from noisewright.engine.description import Description
from noisewright.engine.files import Progress
from noisewright.engine.reading import open_input, read_description
from noisewright.engine.report_columns import Columns, chosen, tallied
from noisewright.engine.tallies import Tallies
from noisewright.errors import BadTable

PathLike = str | os.PathLike[str]


def tally_file(
    path: PathLike, columns: Sequence[str] | None = None, progress: Progress | None = None
) -> Tallies:
    r"""Count the reports of a CSV, Parquet or Arrow file, batch by batch; all its columns unless named.

    >>> import tempfile, pathlib
    >>> from noisewright import Interval
    >>> from noisewright.engine import perturb_file
    >>> from noisewright.mechanisms import PM
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "readings.csv").write_text("heart_rate\n71\n64.5\n")
    >>> reports = folder / "reports.parquet"
    >>> _ = perturb_file(folder / "readings.csv", reports, {"heart_rate": PM(Interval(40, 200), 2.0)})
    >>> tally_file(reports)["heart_rate"].count
    2
    """
    return tally_files([path], columns, progress)


def tally_files(
    paths: Sequence[PathLike], columns: Sequence[str] | None = None, progress: Progress | None = None
) -> Tallies:
    """Count the reports of several files together: the days, shards or partitions of one collection.

    Every file is looked at before the first is counted. Columns of one name are counted together, whatever
    their ε; a column that is asked for must be in every file.
    """
    if not paths:
        raise BadTable("name at least one file of reports")
    _refuse_repeats(paths)
    files = [_File.of(path, columns) for path in paths]
    rows = [file.rows for file in files]
    heard = _Heard(progress, None if None in rows else sum(count or 0 for count in rows))
    return reduce(add, [file.tally(heard) for file in files])


def tally_table(
    table: Any, columns: Sequence[str] | None = None, *, description: Description | None = None
) -> Tallies:
    """Count the reports of an Arrow table or a pandas frame that carries its description.

    A Polars frame can carry none; give the ``description`` of the file that it was read from.

    >>> from noisewright import Interval
    >>> from noisewright.engine import perturb_table
    >>> from noisewright.mechanisms import PM
    >>> readings = pa.table({"heart_rate": [71.0, 64.5]})
    >>> tally_table(perturb_table(readings, {"heart_rate": PM(Interval(40, 200), 2.0)}))["heart_rate"].count
    2
    """
    about = description or read_description(table)
    wanted = chosen(about, _names(table), columns, "the table")
    pieces = even_batches(_arrow(table, list(wanted)).to_batches(), rows_at_a_time(wanted.values()))
    return Tallies(tallied(pieces, wanted, "the table", _Heard()), (about,))


@dataclass
class _Heard:
    """Adds up the rows of all files for whoever watches the progress."""

    progress: Progress | None = None
    total: int | None = None
    done: int = 0

    def __call__(self, rows: int) -> None:
        self.done += rows
        if self.progress:
            self.progress(self.done, self.total)


@dataclass(frozen=True)
class _File:
    """A file of reports that has been looked at; it is open only while it is counted."""

    path: PathLike
    rows: int | None
    about: Description
    columns: Columns

    @classmethod
    def of(cls, path: PathLike, columns: Sequence[str] | None) -> _File:
        about, file = read_description(path), open_input(path)
        return cls(path, file.rows, about, chosen(about, file.names, columns, str(path)))

    def tally(self, heard: _Heard) -> Tallies:
        """Count the reports; another thread reads ahead."""
        rows = rows_at_a_time(self.columns.values())
        with closing(ahead(even_batches(self._batches(rows), rows))) as pieces:
            found = tallied(pieces, self.columns, str(self.path), heard)
        return Tallies(found, (self.about,), (str(self.path),))

    def _batches(self, rows: int) -> Iterator[pa.RecordBatch]:
        numbers = [name for name, column in self.columns.items() if column.numeric]
        texts = [name for name in self.columns if name not in numbers]
        return open_input(self.path).batches(numbers, texts, rows)


def _refuse_repeats(paths: Sequence[PathLike]) -> None:
    """Refuse a file that is named twice: its people would count double, and intervals would be too short."""
    seen: set[Path] = set()
    for path in paths:
        if (place := Path(path).resolve()) in seen:
            raise BadTable(f"{path} is given twice; its reports can be counted only once")
        seen.add(place)


def _names(table: Any) -> list[str]:
    found = getattr(table, "column_names", getattr(table, "columns", None))
    if found is None:
        raise BadTable(f"a table of reports is an Arrow table or a data frame, not a {type(table).__name__}")
    return list(found)


def _arrow(table: Any, names: list[str]) -> pa.Table:
    """The wanted columns of a table of any kind, as an Arrow table."""
    try:
        wanted = table.select(names) if isinstance(table, pa.Table | pa.RecordBatch) else table[names]
        return pa.Table.from_batches([wanted]) if isinstance(wanted, pa.RecordBatch) else pa.table(wanted)
    except (pa.ArrowException, TypeError, ValueError):
        raise BadTable("the table holds mixed values in a column, which reports never do") from None
