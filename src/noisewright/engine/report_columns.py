"""The columns of a table of reports: which to count, and their counts, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

import pyarrow as pa

from noisewright.engine.description import Description
from noisewright.engine.halving import first_refused
from noisewright.engine.kinds import column_of
from noisewright.engine.naming import absent
from noisewright.engine.numbers import ArrowColumn
from noisewright.engine.report_column import ReportColumn
from noisewright.errors import BadTable, OutOfDomain
from noisewright.estimate import Tally

Columns = Mapping[str, ReportColumn]


def chosen(
    about: Description, present: Sequence[str], wanted: Sequence[str] | None, where: str
) -> dict[str, ReportColumn]:
    """The columns to count: those that are asked for, or all that are there."""
    for name in wanted or ():
        if name not in about.mechanisms:
            said = ", ".join(map(repr, about.mechanisms))
            raise BadTable(f"{where} holds no reports of {name!r}; it has reports of {said}")
        if name not in present:
            raise BadTable(f"{where} has no column {name!r}; {absent(name, present)}")
    names = list(dict.fromkeys(wanted)) if wanted else [name for name in about.mechanisms if name in present]
    if not names:
        raise BadTable(f"{where} has none of the columns that its description speaks of")
    for name in names:
        if (count := list(present).count(name)) > 1:
            raise BadTable(f"{where} has {count} columns named {name!r}; rename all but one")
    return {name: column_of(name, about.mechanisms[name]) for name in names}


def tallied(
    pieces: Iterable[pa.Table], columns: Columns, where: str, heard: Callable[[int], None]
) -> dict[str, Tally]:
    """Counts of a stream of tables, of which only one is held at a time; ``heard`` is told their rows."""
    found: dict[str, Tally] = {}
    done = 0
    for piece in pieces:
        for name, column in columns.items():
            counted = _counted(piece.column(name), column, done, where)
            found[name] = found[name] + counted if name in found else counted
        done += piece.num_rows
        heard(piece.num_rows)
    if not found:
        raise BadTable(f"{where} has columns but no rows; there are no reports to estimate from")
    return found


def _counted(piece: ArrowColumn, column: ReportColumn, first_row: int, where: str) -> Tally:
    """The tally of one piece of a column; a refusal names the row of the table and never the report."""
    reports = column.read(piece, first_row=first_row, where=where)
    with suppress(OutOfDomain):  # it names a place in the piece; the refusal below names the one in the table
        return Tally.of(reports, column.mechanism)
    row = first_refused(reports, lambda part: Tally.of(part, column.mechanism))
    raise OutOfDomain(column.strange(first_row + row, where))
