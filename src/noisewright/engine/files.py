"""Randomizing a whole file in bounded memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pyarrow as pa

from noisewright.domains import Domain
from noisewright.engine.batches import ahead, even_batches
from noisewright.engine.columns import ColumnPlan
from noisewright.engine.description import Description
from noisewright.engine.outputs import check_target, published, report_writer
from noisewright.engine.purposes import Bounds, with_mechanisms
from noisewright.engine.reading import kind_of, open_input, sidecar
from noisewright.engine.sentences import writing
from noisewright.engine.whole_numbers import Notice, tell_whole_numbers
from noisewright.errors import BadTable
from noisewright.mechanisms import Mechanism
from noisewright.randomness import SecureSource, Source

Progress = Callable[[int, int | None], None]
"""Called with the rows done so far and the rows there are, where the file says so."""


@dataclass(frozen=True)
class Written:
    """What a finished run left behind."""

    rows: int
    path: Path
    sidecar: Path | None
    description: Description


def perturb_file(
    original: str | os.PathLike[str],
    output: str | os.PathLike[str],
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

    Only the randomized columns and those in ``keep`` are read and written, columns and rows in the order of
    the original. The description of the reports travels in the file; beside a CSV it stands in
    ``<name>.json``. A file that exists is replaced only if ``replace`` says so. A column on an interval that
    holds whole numbers only is named to ``notice``, a warning if not given, before anything is randomized.
    The output gets the
    permissions of any new file (the umask decides), or those of the file that it replaces.

    A column may have a domain instead of a mechanism; ``epsilon``, ``purpose`` and ``bins`` then choose one,
    as for :func:`perturb_table`.

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
    kind, target = kind_of(output), Path(output)
    if target.is_symlink():  # what it points to is replaced, not the link
        target = target.resolve()
    source = source or SecureSource()
    table = open_input(original)
    plan.check(table.names, where=str(original))
    # The description of a CSV takes its name first: reports must never stand without one.
    targets = [sidecar(target), target] if kind == "csv" else [target]
    for each in targets:
        check_target(each, Path(original), replace=replace)
    read, order = table.batches(plan.numbers, plan.texts, plan.rows), plan.in_order_of(table.names)
    pieces = (_plain(piece).select(order) for piece in ahead(even_batches(read, plan.rows)))
    values = next(pieces, None)
    if values is None:
        raise BadTable(f"{original} has columns but no rows; there is nothing to randomize")
    tell_whole_numbers(plan, values, notice, complete=values.num_rows < plan.rows)
    reports = _reports(plan, chain([values], pieces), source, kind)
    first = next(reports)
    description, rows = plan.describe(source), 0
    with closing(reports), writing(target), published(*targets) as drafts:
        if kind == "csv":
            drafts[0].write_text(description.to_json() + "\n", encoding="utf-8")
        with report_writer(kind, drafts[-1], first.schema) as writer:
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


def _plain(table: pa.Table) -> pa.Table:
    """The same values without dictionaries, which may differ from batch to batch."""
    for place, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            table = table.set_column(place, field.name, table.column(place).cast(field.type.value_type))
    return table
