"""Files of cell reports: CSV or Parquet, a row for each report, with their description.

The columns are ``route``, ``time`` if there are times, and ``cell``: what the oracle drew, a name or bytes
(in hexadecimal in a CSV). The description is stored as for routes: in the metadata of a Parquet file, and in
``NAME.csv.json`` beside a CSV.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.io.description import column_of
from noisewright.io.file_access import existing_file, reading
from noisewright.io.numbers import ArrowColumn, ReportColumn
from noisewright.io.table_files import InputFile
from noisewright.trajectory.files.columns import route_names, seconds_since_1970
from noisewright.trajectory.files.route_file import kind_of, publish
from noisewright.trajectory.files.tables import open_table, route_columns, write_columns
from noisewright.trajectory.mechanisms import CellOracle, CellReports
from noisewright.trajectory.mechanisms.cells import FORMAT, KIND
from noisewright.trajectory.routes import Budget

CELL: Final = "cell"
TABLES: Final = ("csv", "parquet")


def check_cell_file(path: str | os.PathLike[str]) -> None:
    """Refuse a name that is not a CSV or Parquet file's: reports of cells are not places on a map."""
    if kind_of(path) not in TABLES:
        raise InvalidParameter("reports of cells are not locations; write them to a .parquet or .csv file")


def is_cell_file(path: str | os.PathLike[str]) -> bool:
    """Return whether a file's description says that it holds reports of cells."""
    found = Path(path)
    if not found.is_file() or kind_of(found) not in TABLES:
        return False
    about = open_table(found)[1]
    return about is not None and about.get("kind") == KIND


def write_cells(
    path: str | os.PathLike[str],
    reports: CellReports,
    *,
    replace: bool = False,
    original: str | os.PathLike[str] | None = None,
) -> Path:
    """Write reports of cells with their description, whole or not at all, and return where they are.

    A file that exists is replaced only if ``replace`` says so, and ``original``, the input, never.
    """
    check_cell_file(path)
    kind, about = kind_of(path), reports.to_dict()
    columns = cell_columns(kind, reports)
    return publish(path, about, lambda draft: write_columns(kind, draft, columns, about), replace, original)


def cell_columns(kind: str, reports: CellReports) -> dict[str, ArrowColumn]:
    """Return the columns of a table of reports of cells; codes are texts in a CSV."""
    part = column_of(CELL, reports.mechanism.oracle)
    drawn = part.stored(reports.reports)
    columns = route_columns(kind, reports.names, reports.lengths, reports.times)
    columns[CELL] = part.as_text(drawn) if kind == "csv" else drawn
    return columns


def read_cells(path: str | os.PathLike[str]) -> CellReports:
    """Read the reports of cells in a file, their mechanism rebuilt and proved again; or refuse it."""
    check_cell_file(path)
    found = existing_file(path)
    try:
        file, about = open_table(found)
        if about is None or about.get("kind") != KIND or about.get("format") != FORMAT:
            raise BadTable("this version cannot read the file's description as one of cell reports")
        return _rebuild(found, file, about)
    except (NoisewrightError, TypeError, KeyError, AttributeError, IndexError, ValueError) as broken:
        if isinstance(broken, BadTable) and str(found) in str(broken):
            raise
        raise BadTable(f"cannot use {found}: {str(broken)[:300]}") from None


def _rebuild(path: Path, file: InputFile, about: dict[str, Any]) -> CellReports:
    mechanism = CellOracle.from_dict(about["mechanism"])
    wanted: list[str] = [name for name in ("route", "time", CELL) if name in file.names]
    if "route" not in wanted or CELL not in wanted:
        raise BadTable("it lacks the column route or cell, which it was written with")
    with reading(path):
        table = pa.Table.from_batches(list(file.batches([], wanted)))
    part: ReportColumn = column_of(CELL, mechanism.oracle)
    drawn = part.read(table.column(CELL), first_row=0, where=str(path))
    owner, found = route_names(table.column("route"), "route")
    times = seconds_since_1970(table.column("time"), "time") if "time" in wanted else None
    order = np.argsort(owner, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(found)))])
    return CellReports(
        drawn[order], starts, tuple(found), None if times is None else times[order],
        mechanism, Budget(**about["budget"]), about["randomness"],
    ).check(about)  # fmt: skip
