"""Reports of files and tables, counted in bounded memory by the mechanisms in their descriptions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from noisewright.errors import BadTable, InvalidParameter, NoisewrightError, OutOfDomain
from noisewright.estimate import Tally
from noisewright.io.codes import first_refused
from noisewright.io.description import Description, column_of, read_description
from noisewright.io.location import Location
from noisewright.io.numbers import ArrowColumn, ReportColumn, texts
from noisewright.io.partitions import Partition, find_partitions, without_repeats
from noisewright.io.table_files import absent, ahead, even_batches, open_input, rows_at_a_time
from noisewright.progress import Progress, RowCount

MOST_GROUPS: Final = 10_000
MISSING_GROUP: Final = "(missing)"
"""The group of those whose public value is missing."""


@dataclass(frozen=True, eq=False)
class Tallies(Mapping[str, Tally]):
    """A tally for each column, and the descriptions of the tables that were counted.

    Collections of parts add up to that of the whole. Columns of one name belong together, even if they were
    randomized with different ε; a column that only some of the parts have is counted from those.

    Attributes:
        columns: The tally of each column.
        descriptions: The description of each counted table.
        origins: The names of those tables, for refusals.

    >>> import pyarrow as pa
    >>> from noisewright import Interval
    >>> from noisewright.io import perturb_table, tally_table
    >>> from noisewright.mechanisms import PM
    >>> week = pa.table({"pulse": [71.0, 64.5]})
    >>> cautious, bold = (
    ...     tally_table(perturb_table(week, {"pulse": PM(Interval(40, 200), budget)})) for budget in (0.5, 2)
    ... )
    >>> both = cautious + bold
    >>> both["pulse"].count, len(both["pulse"].groups), both.private
    (4, 2, True)
    """

    columns: Mapping[str, Tally]
    descriptions: tuple[Description, ...]
    origins: tuple[str, ...] = ("the table",)

    def __getitem__(self, name: str) -> Tally:
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def private(self) -> bool:
        """Whether the promise holds; seeded noise is for tests only. All parts agree on that."""
        return self.descriptions[0].private

    @property
    def randomness(self) -> str:
        """Where the noise came from, in the words that every output must repeat."""
        return self.descriptions[0].randomness

    @property
    def clipped(self) -> bool:
        """Whether true values outside a domain may have been moved into it before they were randomized."""
        return any(about.out_of_domain == "clip" for about in self.descriptions)

    def promises(self) -> list[str]:
        """Return what one row reveals: one sentence for every kind of row."""
        return list(dict.fromkeys(about.explain_row() for about in self.descriptions))

    def __add__(self, other: Tallies) -> Tallies:
        if not isinstance(other, Tallies):
            return NotImplemented
        self.check_noise(other)
        merged = dict(self.columns)
        for name, tally in other.columns.items():
            merged[name] = self._with(name, tally, other) if name in merged else tally
        more = [about for about in other.descriptions if about not in self.descriptions[-1:]]
        origins = [origin for origin in other.origins if origin not in self.origins[-1:]]
        return Tallies(merged, (*self.descriptions, *more), (*self.origins, *origins))

    def check_noise(self, other: Tallies) -> None:
        """Refuse tallies of which only one has real noise."""
        if self.private != other.private:
            raise BadTable(
                f"{_listed(self.origins)} and {_listed(other.origins)} cannot be estimated together: the "
                "noise of only one of them is real, the other is simulated; estimate them apart"
            )

    def _with(self, name: str, tally: Tally, other: Tallies) -> Tally:
        try:
            return self.columns[name] + tally
        except NoisewrightError as refusal:
            where = f"column {name!r} of {_listed(self.origins)} and {_listed(other.origins)}"
            raise type(refusal)(f"{where}: {refusal}") from None


def _listed(names: tuple[str, ...]) -> str:
    """Name a few files; a collection may have a thousand.

    >>> _listed(("a.csv", "b.csv", "c.csv"))
    'a.csv and 2 more'
    """
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


Columns = Mapping[str, ReportColumn]


def choose_columns(
    about: Description, present: Sequence[str], wanted: Sequence[str] | None, where: str
) -> dict[str, ReportColumn]:
    """Return the columns to count: those that are asked for, or all that are present."""
    for name in wanted or ():
        if name not in about.mechanisms:
            said = ", ".join(map(repr, about.mechanisms))
            raise BadTable(f"{where} holds no reports of {name!r}; it has reports of {said}")
        if name not in present:
            raise BadTable(f"{where} has no column {name!r}; {absent(name, present)}")
    names = list(dict.fromkeys(wanted)) if wanted else [name for name in about.mechanisms if name in present]
    if not names:
        raise BadTable(f"{where} has none of the columns that its description names")
    for name in names:
        if (count := list(present).count(name)) > 1:
            raise BadTable(f"{where} has {count} columns named {name!r}; rename all but one")
    return {name: column_of(name, about.mechanisms[name]) for name in names}


Counts = dict[str | None, dict[str, Tally]]
"""The tally of each column in each group of people; the group None is everybody."""


def tally_pieces(
    pieces: Iterable[pa.Table],
    columns: Columns,
    where: str,
    heard: Callable[[int], None] = lambda _: None,
    by: str | None = None,
) -> Counts:
    """Count a stream of tables, one at a time.

    Args:
        pieces: The reports.
        columns: The columns to count.
        where: What a refusal calls the table.
        heard: Called with the rows of each piece.
        by: A public column whose values divide the people into groups.
    """
    found: Counts = {}
    done = 0
    for piece in pieces:
        for name, column in columns.items():
            reports, place = piece.column(name), done
            for group, rows in _groups(piece, by):
                part = reports if rows is None else reports.take(rows)
                try:
                    counted = _counted(part, column, place, where)
                except NoisewrightError:  # a refusal names the row of the table, not that of the group
                    _counted(reports, column, place, where)
                    raise
                tallies = found.setdefault(group, {})
                tallies[name] = tallies[name] + counted if name in tallies else counted
        done += piece.num_rows
        heard(piece.num_rows)
        _check_number(found)
    return found


def _check_number(groups: Mapping[str | None, object]) -> None:
    """Refuse more groups than a public class of many people can have."""
    if len(groups) > MOST_GROUPS:
        raise BadTable(
            f"the reports fall into more than {MOST_GROUPS:,} groups; a group is a public class of many "
            "people, such as a region"
        )


def _groups(piece: pa.Table, by: str | None) -> Iterator[tuple[str | None, Any]]:
    """Yield each group of a piece with the places of its rows; everybody is one group with all of them."""
    if by is None:
        yield None, None
        return
    coded: Any = texts(piece.column(by), by).fill_null(MISSING_GROUP).dictionary_encode()
    order = np.argsort(coded.indices.to_numpy(), kind="stable")
    ends = np.cumsum(np.bincount(coded.indices.to_numpy(), minlength=len(coded.dictionary)))
    for group, rows in zip(coded.dictionary.to_pylist(), np.split(order, ends[:-1]), strict=True):
        yield group, pa.array(rows)


def _counted(piece: ArrowColumn, column: ReportColumn, first_row: int, where: str) -> Tally:
    """Return the tally of one piece of a column; a refusal names the row and never the report."""
    reports = column.read(piece, first_row=first_row, where=where)
    with suppress(
        OutOfDomain
    ):  # its message names a place in the piece; the refusal below names the row of the table
        return Tally.of(reports, column.mechanism)
    row = first_refused(reports, lambda part: Tally.of(part, column.mechanism))
    raise OutOfDomain(column.misfit(first_row + row, where))


PathLike = str | os.PathLike[str]


def tally_file(
    path: PathLike, columns: Sequence[str] | None = None, progress: Progress | None = None
) -> Tallies:
    r"""Count the reports of a CSV, Parquet or Arrow file, batch by batch.

    Args:
        path: The file of reports.
        columns: The columns to count; by default, all.
        progress: Called with the rows done and the rows there are, where the file says so.

    >>> import tempfile, pathlib
    >>> from noisewright import Interval
    >>> from noisewright.io import perturb_file
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
    paths: Sequence[PathLike],
    columns: Sequence[str] | None = None,
    progress: Progress | None = None,
    *,
    description: Description | None = None,
) -> Tallies:
    """Count the reports of several files together: the days, shards or partitions of one collection.

    Every file is checked before the first is counted. Columns of one name are counted together, whatever
    their ε.

    Args:
        paths: The files of reports, each named once; folders and globs stand for the files in them.
        columns: The columns to count, which every file must have; by default, all that any file has.
        progress: Called with the rows done and the rows there are, where all files say so.
        description: What the files hold, where they lost their own description.
    """
    return tally_groups(paths, None, columns, progress, description=description)[None]


def tally_groups(
    paths: Sequence[PathLike],
    by: str | None,
    columns: Sequence[str] | None = None,
    progress: Progress | None = None,
    *,
    description: Description | None = None,
) -> dict[str | None, Tallies]:
    """Count the reports of each group of people; the group None is everybody.

    Args:
        paths: The files of reports, each named once; folders and globs stand for the files in them.
        by: A public column that was kept, or a value that folders such as ``region=north`` state.
        columns: The columns to count, which every file must have; by default, all that any file has.
        progress: Called with the rows done and the rows there are, where all files say so.
        description: What the files hold, where they lost their own description.
    """
    if not paths:
        raise BadTable("name at least one file of reports")
    partitions = without_repeats([each for path in paths for each in find_partitions(path)])
    files = [_File.of(each, columns, description, by) for each in partitions]
    rows = [file.rows for file in files]
    heard = RowCount(progress, None if None in rows else sum(count or 0 for count in rows))
    origin = str(Location(paths[0])) if len(paths) == 1 else "the collection"
    return add_groups((file.tally(heard, by) for file in files), origin)


def add_groups(parts: Iterable[Mapping[str | None, Tallies]], origin: str) -> dict[str | None, Tallies]:
    """Add the tallies of parts of a collection, group by group; refuse a collection without reports.

    Args:
        parts: The tallies of each part; a part without reports has none.
        origin: What a refusal calls the collection.
    """
    found: dict[str | None, Tallies] = {}
    for part in parts:
        for group, tallies in part.items():
            next(iter(found.values()), tallies).check_noise(tallies)
            found[group] = found[group] + tallies if group in found else tallies
        _check_number(found)
    if not found:
        raise BadTable(f"{origin} has columns but no rows; there are no reports to estimate from")
    return found


def tally_table(
    table: Any, columns: Sequence[str] | None = None, *, description: Description | None = None
) -> Tallies:
    """Count the reports of an Arrow table or a data frame.

    Args:
        table: An Arrow table or batch, or a pandas or Polars frame. Any other object with the Arrow stream
            protocol, such as a DuckDB relation, is counted batch by batch.
        columns: The columns to count; by default, all.
        description: What the table holds; by default, its own description. A Polars frame has none: give
            the description of the file that it was read from.

    >>> from noisewright import Interval
    >>> from noisewright.io import perturb_table
    >>> from noisewright.mechanisms import PM
    >>> readings = pa.table({"heart_rate": [71.0, 64.5]})
    >>> tally_table(perturb_table(readings, {"heart_rate": PM(Interval(40, 200), 2.0)}))["heart_rate"].count
    2
    """
    about = description or read_description(table)
    wanted = choose_columns(about, _names(table), columns, "the table")
    pieces = even_batches(
        _batches(table, list(wanted)),
        rows_at_a_time(column.row_bytes for column in wanted.values()),
    )
    found = tally_pieces(pieces, wanted, "the table")
    if not found:
        raise BadTable("the table has columns but no rows; there are no reports to estimate from")
    return Tallies(found[None], (about,))


@dataclass(frozen=True)
class _File:
    """A file of reports that has been checked; it is open only while it is counted."""

    partition: Partition
    rows: int | None
    about: Description
    columns: Columns

    @classmethod
    def of(
        cls, partition: Partition, columns: Sequence[str] | None, given: Description | None, by: str | None
    ) -> _File:
        where, file = str(partition), partition.open()
        about = partition_description(partition, given)
        check_group(by, about, [*file.names, *partition.fixed], where)
        return cls(partition, file.rows, about, choose_columns(about, file.names, columns, where))

    def tally(self, heard: RowCount, by: str | None) -> dict[str | None, Tallies]:
        """Count the reports of each group, none if the file is empty; another thread reads ahead."""
        rows = rows_at_a_time(column.row_bytes for column in self.columns.values())
        where, inside = str(self.partition), by if by not in self.partition.fixed else None
        with closing(ahead(even_batches(self._batches(rows, inside), rows))) as pieces:
            found = tally_pieces(pieces, self.columns, where, heard, inside)
        if found and by is not None and inside is None:
            found = {self.partition.fixed[by] or MISSING_GROUP: found[None]}
        origin = self.partition.folder or where
        return {group: Tallies(tallies, (self.about,), (origin,)) for group, tallies in found.items()}

    def _batches(self, rows: int, by: str | None) -> Iterator[pa.RecordBatch]:
        numbers = [name for name, column in self.columns.items() if column.numeric]
        texts = [name for name in self.columns if name not in numbers]
        more = [] if by is None else [by]
        return open_input(self.partition.file.address).batches(numbers, texts + more, rows)


def partition_description(partition: Partition, given: Description | None) -> Description:
    """Return what a file says of itself, or what it is said to hold if it says nothing.

    Args:
        partition: The file.
        given: What it is said to hold; refused if the file says something else.
    """
    if given is None:
        return read_description(partition.file.address)
    with suppress(BadTable):
        own = read_description(partition.file.address)
        if own != given:
            raise InvalidParameter(
                f"is not that of {partition}, which carries a description of its own", field="description"
            )
    return given


def check_group(by: str | None, about: Description, present: Sequence[str], where: str) -> None:
    """Refuse to group by a column of reports, or by one that is not there."""
    if by is None:
        return
    if by in about.mechanisms:
        raise BadTable(
            f"{by!r} holds reports, which are noise; people are grouped by a public column that was kept"
        )
    if by not in present:
        raise BadTable(f"{where} has no column {by!r} to group by; name it in keep when reports are drawn")


def _names(table: Any) -> list[str]:
    found = getattr(table, "column_names", getattr(table, "columns", None))
    if found is None:
        raise BadTable(f"a table of reports is an Arrow table or a data frame, not a {type(table).__name__}")
    return list(found)


def _batches(table: Any, names: list[str]) -> Iterable[pa.RecordBatch]:
    """Return the wanted columns of a table of any kind, as Arrow batches."""
    if isinstance(table, pa.RecordBatch):
        return [table.select(names)]
    try:
        if isinstance(table, pa.Table):
            return table.select(names).to_batches()
        if hasattr(table, "iloc") or hasattr(table, "lazy"):  # pandas and Polars
            return pa.table(table[names]).to_batches()
        stream = pa.RecordBatchReader.from_stream(table)
    except (pa.ArrowException, TypeError, ValueError):
        raise BadTable("the table holds mixed values in a column, which reports never do") from None
    return (batch.select(names) for batch in stream)
