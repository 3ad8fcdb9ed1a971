"""True values in files, randomized in bounded memory: one file into another, or a data set into a folder.

A data set is a folder, a glob, or a folder of a store (``partitions.py``). Its reports go to a folder that is
drawn once and is whole or refused (``report_folder.py``), a part for each file. The part that a report stands
in says which file its person was in. So a value that stands in the names of folders, such as
``region=north``, can be kept as a public column, but never randomized.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from noisewright.domains import Domain
from noisewright.errors import BadTable, NoisewrightError
from noisewright.io.columns import Bounds, ColumnPlan, with_mechanisms
from noisewright.io.files import Written, report_file, report_targets
from noisewright.io.location import Location
from noisewright.io.numbers import Notice, note_whole_numbers
from noisewright.io.part_task import PartTask, check_source, outcome_text, part_run, with_place
from noisewright.io.partitions import Partition, find_partitions, is_data_set, without_repeats
from noisewright.io.report_folder import Part
from noisewright.io.table_files import KINDS, ahead, even_batches, kind_of, open_input
from noisewright.mechanisms import Mechanism
from noisewright.progress import Progress, RowCount
from noisewright.randomness import SecureSource, Source

PathLike = str | os.PathLike[str]


def perturb_file(
    original: PathLike,
    output: PathLike,
    mechanisms: Mapping[str, Mechanism | Domain],
    *,
    source: Source | None = None,
    keep: Sequence[str] = (),
    out_of_domain: str = "refuse",
    replace: bool = False,
    progress: Progress | None = None,
    notice: Notice | None = None,
    epsilon: float | Mapping[str, float] | None = None,
    purpose: str | Mapping[str, str] | None = None,
    bins: Bounds | None = None,
) -> Written:
    r"""Randomize columns of a CSV, Parquet or Arrow file into another that appears whole or not at all.

    Columns and rows stay in the order of the original. The description of the reports travels in the file;
    beside a CSV it stands in ``<name>.json``. The output gets the permissions of any new file (the umask
    decides), or those of the file that it replaces.

    Files of a folder, a glob or a store become a folder of Parquet files, in their order. It, too, is whole
    or refused, even after a crash.

    Args:
        original: File of true values, whose ending says what kind it is; or a folder or glob of such files.
            An address such as ``s3://bucket/people`` names Parquet files of a store.
        output: File for the reports, of any of these kinds. For several files, and in a store, it is a
            folder: a name without such an ending.
        mechanisms: The mechanism of each column to randomize, or the domain of its true values.
        source: Randomness; by default a :class:`~noisewright.randomness.SecureSource`. A seed gives the same
            reports however the rows are divided into files.
        keep: Columns that are passed on as they are; all others are not even read. A value in the names of
            folders, such as ``region=north``, is kept as a column of text.
        out_of_domain: "refuse" values outside a domain, or "clip" numbers into it.
        replace: Whether a file that exists already is replaced, or the reports in a folder.
        progress: Called with the rows done and the rows there are, where the files say so.
        notice: Called with each column on an interval that holds whole numbers only, before anything is
            randomized; by default a :class:`WholeNumbers` warning.
        epsilon: Budget of all columns given as domains together, or of each by name.
        purpose: What the reports of those columns are wanted for, as for :func:`perturb_table`.
        bins: Edges, or the number, of the bins of some of those columns.

    >>> import tempfile, pathlib
    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> readings = folder / "readings.csv"
    >>> _ = readings.write_text("name,heart_rate\nAda,71\nBo,64.5\n")
    >>> perturb_file(readings, folder / "reports.parquet", {"heart_rate": OGPM(Interval(40, 200), 2.0)}).rows
    2
    """
    plan = ColumnPlan(with_mechanisms(mechanisms, epsilon, purpose, bins), keep, out_of_domain)
    run = _perturb_data_set if writes_folder(original, output) else _perturb_one_file
    return run(plan, original, output, source or SecureSource(), replace, progress, notice)


def writes_folder(original: PathLike, output: PathLike) -> bool:
    """Return whether reports go to a folder; refuse an output that does not fit the original.

    Args:
        original: True values.
        output: Where their reports are to go.
    """
    several, target = is_data_set(original), Location(output)
    ending = Path(str(target)).suffix.lower()
    if ending in KINDS and (several or target.local is None):
        why = f"{Location(original)} is a folder or a glob" if several else "it lies in a store"
        raise BadTable(
            f"{target} ends like a file, but {why}; reports need a folder, without {ending} at its end"
        )
    return several or target.local is None


# -- one file --------------------------------------------------------------------------------------------


def _perturb_one_file(
    plan: ColumnPlan,
    original: PathLike,
    output: PathLike,
    source: Source,
    replace: bool,
    progress: Progress | None,
    notice: Notice | None,
) -> Written:
    where, target = Location(original), Location(output).local
    assert target is not None
    table, kind = open_input(original), kind_of(target)
    if target.is_symlink():  # replace its target, not the link
        target = target.resolve()
    plan.check(table.names, where=str(where))
    targets = report_targets(target, where.local, replace=replace)
    read = table.batches(plan.numbers, plan.texts, plan.rows)
    pieces = (plan.select(piece, table.names) for piece in ahead(even_batches(read, plan.rows)))
    values = next(pieces, None)
    if values is None:
        raise BadTable(f"{where} has columns but no rows; there is nothing to randomize")
    note_whole_numbers(plan.mechanisms, values, notice, complete=values.num_rows < plan.rows)
    reports = _reports(plan, chain([values], pieces), source, kind)
    first = next(reports)
    description, rows = plan.describe(source), 0
    with closing(reports), report_file(kind, targets, description, first.schema) as writer:
        for piece in chain([first], reports):
            writer.write_table(piece)
            rows += piece.num_rows
            if progress:
                progress(rows, table.rows)
    return Written(rows, target, targets[0] if kind == "csv" else None, description)


def _reports(plan: ColumnPlan, pieces: Iterator[pa.Table], source: Source, kind: str) -> Generator[pa.Table]:
    """Tables of reports; one thread reads, one draws, and the caller writes."""
    drawn = plan.perturb_batches(pieces, source)
    return ahead(map(plan.as_text, drawn) if kind == "csv" else drawn)


# -- several files ---------------------------------------------------------------------------------------


def _perturb_data_set(
    plan: ColumnPlan,
    original: PathLike,
    output: PathLike,
    source: Source,
    replace: bool,
    progress: Progress | None,
    notice: Notice | None,
) -> Written:
    seed, where = check_source(source), Location(original)
    partitions = without_repeats(find_partitions(original))
    check_apart(where, partitions, Location(output))
    values = _DataSet.of(plan, partitions, count=seed is not None)
    first = next(even_batches(chain.from_iterable(map(values.batches, partitions)), plan.rows), None)
    if first is None:
        raise BadTable(f"{where} has columns but no rows; there is nothing to randomize")
    note_whole_numbers(plan.mechanisms, first, notice, complete=first.num_rows < plan.rows)
    heard = RowCount(progress, values.total)
    with part_run(plan, seed, os.fspath(output), rows=values.total, replace=replace) as (task, finish):
        work = (partial(values.draw, number, task, heard) for number in range(len(partitions)))
        return finish(map(outcome_text, work)).to_written()


@dataclass(frozen=True)
class _DataSet:
    """The files of a data set, all checked before the first is randomized.

    Attributes:
        plan: Which column goes through which mechanism.
        partitions: The files; each is open only while it is read.
        rows: The number of rows of each file, where it is known.
        names: The columns of the output, in the order of the first file.
        kinds: The types of kept columns, as the first file has them.
    """

    plan: ColumnPlan
    partitions: Sequence[Partition]
    rows: list[int | None] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    kinds: dict[str, pa.DataType] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: ColumnPlan, partitions: Sequence[Partition], *, count: bool) -> _DataSet:
        """Check all files.

        Args:
            plan: Which column goes through which mechanism.
            partitions: The files.
            count: Whether the rows of files that do not state their number are counted.
        """
        found = cls(plan, partitions)
        for each in partitions:
            file = each.open()
            check_folder_columns(plan, each, partitions[0], file.names)
            present = [*file.names, *(name for name in each.fixed if name not in file.names)]
            plan.check(present, where=str(each))
            found.names[:] = found.names or plan.in_order_of(present)
            rows = file.rows
            if count and rows is None:
                rows = sum(batch.num_rows for batch in found.batches(each))
            found.rows.append(rows)
        return found

    @property
    def total(self) -> int | None:
        """Number of all rows; None if a file does not state it and was not counted."""
        return None if None in self.rows else sum(rows or 0 for rows in self.rows)

    def batches(self, partition: Partition) -> Iterator[pa.RecordBatch]:
        """Yield the wanted columns of one file; a refusal names it."""
        try:
            file = partition.open()
            inside = [name for name in self.plan.texts if name in file.names]
            for batch in file.batches(self.plan.numbers, inside, self.plan.rows):
                yield self._whole(batch, partition)
        except NoisewrightError as refusal:
            raise with_place(refusal, str(partition)) from None

    def _whole(self, batch: pa.RecordBatch, partition: Partition) -> pa.RecordBatch:
        """Return a batch with the kept values of its folders as columns, all in the order of the output."""
        for name in self.names:
            if name not in batch.schema.names:
                value: Any = pa.scalar(partition.fixed[name], pa.string())
                batch = batch.append_column(name, pa.repeat(value, batch.num_rows))
        for name in self.plan.keep:
            kind = batch.schema.field(name).type
            kind = kind.value_type if pa.types.is_dictionary(kind) else kind
            if kind != self.kinds.setdefault(name, kind):
                raise BadTable(
                    f"column {name!r} holds {kind} values here and {self.kinds[name]} in files before; a "
                    "column that is kept needs one type"
                )
        return batch.select(self.names)

    def draw(self, number: int, task: PartTask, heard: RowCount) -> Part:
        """Randomize one file into its part.

        Args:
            number: Which file it is, from 0.
            task: The task of the run.
            heard: Called with the rows of each batch.
        """
        partition, rows = self.partitions[number], self.rows[number]
        before = sum(each or 0 for each in self.rows[:number])
        with closing(ahead(self.batches(partition))) as batches:
            part = task.perturb(number, heard.watch(batches), first_row=before, where=str(partition))
        if rows is not None and part.rows != rows:
            raise BadTable(f"{partition} has other rows than when it was counted; nothing is used")
        return part


def check_folder_columns(
    plan: ColumnPlan, partition: Partition, other: Partition, inside: Sequence[str]
) -> None:
    """Refuse to randomize a value that folders state: the part of a report would reveal it.

    Args:
        plan: Which column goes through which mechanism.
        partition: A file of the data set.
        other: Another one.
        inside: The columns in the file.
    """
    for name in plan.mechanisms:
        differ = partition.fixed.get(name) != other.fixed.get(name)
        if differ or (name in partition.fixed and name not in inside):
            raise BadTable(
                f"column {name!r} stands in the names of folders and cannot be randomized: the file that a "
                "report is in would reveal the true value. Write files that mix all values, or keep it as a "
                "public column"
            )


def check_apart(original: Location, partitions: Sequence[Partition], output: Location) -> None:
    """Refuse an output that would replace an input, or would be one in the next run.

    Args:
        original: The data set.
        partitions: Its files.
        output: The folder for the reports.
    """
    for each in partitions:
        if each.file.is_inside(output):
            raise BadTable(f"the output {output} holds {each}, which is an input; choose another folder")
    if output.is_inside(original):
        raise BadTable(
            f"the output {output} lies inside {original}, where reports would be taken for true values; "
            "choose a folder beside it"
        )
