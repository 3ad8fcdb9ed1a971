"""Files of reports as they are written: of each kind, with their description, whole or not at all.

Excel, LibreOffice and others run cells that begin with ``=``, ``+``, ``-`` or ``@``, so a label chosen by a
stranger can call programs or send the sheet away. Values are still written to a CSV as they are, because
other programs expect them so; whoever writes the file is warned.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv

from noisewright.errors import FormulaCells
from noisewright.io.description import Description, column_of
from noisewright.io.file_access import check_target, published, warn_caller, writing
from noisewright.io.location import Location
from noisewright.io.table_files import kind_of, sidecar
from noisewright.mechanisms import Mechanism
from noisewright.randomness import SecureSource, Source, label
from noisewright.text import plain

FORMULA: Final = r"^[=+\-@＝＋－＠\t\r\n]"
"""The beginning of a formula; spreadsheets also read the wide signs of East Asian keyboards."""

NUMBER: Final = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
MOST_NAMES: Final = 3


@dataclass(frozen=True)
class Written:
    """The files of a finished run.

    Attributes:
        rows: Number of rows of reports.
        path: The file of reports, or the folder; a folder of a store is a
            :class:`~noisewright.io.location.Location`.
        sidecar: The file beside a CSV that holds its description; None for other kinds.
        description: What the reports say of themselves.
        parts: Number of files in a folder of reports; None for a single file.
    """

    rows: int
    path: Path | Location
    sidecar: Path | None
    description: Description
    parts: int | None = None


def write_reports(
    output: str | os.PathLike[str],
    reports: Mapping[str, Any],
    mechanisms: Mapping[str, Mechanism],
    *,
    source: Source | None = None,
    replace: bool = False,
) -> Written:
    """Write columns of reports, as their mechanisms returned them, for ``noisewright estimate`` to read.

    Only their kind is checked: whoever made the reports is responsible for the promise.

    Args:
        output: File for the reports; its ending says what kind it is.
        reports: The reports of each column, all of one length.
        mechanisms: The mechanism that made each column.
        source: Where the noise came from, if it was seeded; by default the noise counts as real.
        replace: Whether a file that exists already is replaced.

    >>> import tempfile
    >>> from noisewright import Categories
    >>> from noisewright.io import tally_file
    >>> from noisewright.mechanisms import JointRandomizedResponse
    >>> joint = JointRandomizedResponse(Categories(["no", "yes"]), epsilon=1.0, users=4, correlation=-0.1)
    >>> answers = joint.respond(["no", "yes", "yes", "no"], [True, False, True, True])
    >>> target = tempfile.mkdtemp() + "/reports.parquet"
    >>> _ = write_reports(target, {"smokes": answers}, {"smokes": joint})
    >>> tally_file(target)["smokes"].count
    4
    """
    targets = report_targets(output, replace=replace)
    kind, target = kind_of(output), targets[-1]
    about = Description(dict(mechanisms), randomness=label(source or SecureSource()))
    table = _table(reports, mechanisms, about, text=kind == "csv")
    with report_file(kind, targets, about, table.schema) as writer:
        writer.write_table(table)
    return Written(table.num_rows, target, targets[0] if kind == "csv" else None, about)


def report_targets(
    output: str | os.PathLike[str], original: Path | None = None, *, replace: bool = False
) -> list[Path]:
    """Return the files that reports will go to, the reports last; refuse those that cannot be written.

    Call it before people are asked for reports that would then have nowhere to go.
    """
    target = Path(output)
    # The description of a CSV takes its name first: reports must never stand without one.
    targets = [sidecar(target), target] if kind_of(output) == "csv" else [target]
    for each in targets:
        check_target(each, original, replace=replace)
    return targets


@contextmanager
def report_file(kind: str, targets: Sequence[Path], about: Description, schema: pa.Schema) -> Iterator[Any]:
    """Yield a writer of reports whose files, with their description, appear together or not at all."""
    with writing(targets[-1]), published(*targets) as drafts:
        if kind == "csv":
            drafts[0].write_text(about.to_json() + "\n", encoding="utf-8")
        with report_writer(kind, drafts[-1], schema) as writer:
            yield writer


def _table(
    reports: Mapping[str, Any], mechanisms: Mapping[str, Mechanism], about: Description, *, text: bool
) -> pa.Table:
    columns = {name: column_of(name, mechanism) for name, mechanism in mechanisms.items()}
    stored = {name: column.stored(reports[name]) for name, column in columns.items()}
    if text:
        stored = {name: column.as_text(stored[name]) for name, column in columns.items()}
    fields = [pa.field(name, array.type, nullable=False) for name, array in stored.items()]
    return pa.Table.from_arrays(list(stored.values()), schema=pa.schema(fields, metadata=about.metadata()))


@contextmanager
def report_writer(kind: str, path: Path, schema: pa.Schema) -> Iterator[Any]:
    """Yield an object with ``write_table`` for a file of a given kind; closed at the end whatever happens.

    A CSV with cells that a spreadsheet would run is written as it is, with a warning.
    """
    with pa.OSFile(str(path), "wb") as sink:
        writer = _writer(kind, sink, schema)
        try:
            yield writer
        except BaseException:
            with suppress(OSError, pa.ArrowException):
                writer.close()  # the draft is about to be removed: only release what the writer holds
            raise
        writer.close()
    if isinstance(writer, FormulaWatch):
        writer.warn()


def _writer(kind: str, sink: Any, schema: pa.Schema) -> Any:
    if kind == "csv":
        return FormulaWatch(csv.CSVWriter(sink, schema), schema.names)
    if kind == "arrow":
        return pa.ipc.new_file(sink, schema)
    return parquet_writer(sink, schema)


def parquet_writer(sink: Any, schema: pa.Schema) -> Any:
    """Return a writer of reports as Parquet into an open file."""
    reports = [field for field in schema if not field.nullable]
    numbers = [field.name for field in reports if pa.types.is_floating(field.type)]
    codes = [field.name for field in reports if pa.types.is_fixed_size_binary(field.type)]
    # Noise has no repeated values for a dictionary to save, but the bytes of numbers, taken column by column,
    # do shrink: half the size at twice the speed of the usual settings. Labels do repeat.
    return pq.ParquetWriter(
        sink,
        schema,
        compression="snappy",
        use_dictionary=[  # type: ignore[arg-type]  # the stubs know only yes and no
            name for name in schema.names if name not in (*numbers, *codes)
        ],
        column_encoding=dict.fromkeys(numbers, "BYTE_STREAM_SPLIT"),
    )


class FormulaWatch:
    """A writer of a CSV that remembers columns with formula-like cells and warns of them at the end.

    Args:
        writer: has ``write_table`` and ``close``.
        names: of the columns, which stand in the first line.
    """

    def __init__(self, writer: Any, names: Iterable[str]) -> None:
        self._writer = writer
        self._found = dict.fromkeys(name for name in names if _any_formula(pa.array([name])))

    def write_table(self, table: pa.Table) -> None:
        """Write some rows."""
        self._writer.write_table(table)
        for name, column in zip(table.column_names, table.columns, strict=True):
            if name not in self._found and any(map(_any_formula, column.chunks)):
                self._found[name] = None

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()

    def warn(self) -> None:
        """Warn of the columns that were found, if any."""
        warn_formulas(self._found)


def warn_formulas(columns: Iterable[str]) -> None:
    """Warn of columns written to a CSV that have a formula-like cell or name, if there are any."""
    names = [repr(plain(name)) for name in columns]
    if names:
        more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
        warn_caller(
            f"a spreadsheet would run cells of {', '.join(names[:MOST_NAMES])}{more} as formulas, since they "
            "begin with =, +, -, @, a tab or a line break; the values are written as they are, so import the "
            "CSV as text",
            FormulaCells,
        )


def starts_formula(text: str) -> bool:
    """Return whether a spreadsheet would take a text for a formula; numbers are not formulas.

    >>> [starts_formula(text) for text in ("=1+1", "-cmd", "@SUM(A1)", "-1.5e3", "+.5", "a=1", "")]
    [True, True, True, False, False, False, False]
    """
    return _any_formula(pa.array([text]))


def _any_formula(column: Any) -> bool:
    if pa.types.is_dictionary(column.type):
        column = column.dictionary
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return False
    suspects = column.filter(pc.match_substring_regex(column, FORMULA), null_selection_behavior="drop")
    return bool(len(suspects)) and not pc.all(pc.match_substring_regex(suspects, NUMBER)).as_py()
