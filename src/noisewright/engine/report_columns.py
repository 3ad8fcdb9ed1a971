"""The columns of a table of reports: which to count, and their counts, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from noisewright.domains import Floats
from noisewright.engine.description import Description
from noisewright.engine.naming import absent
from noisewright.engine.numbers import Column, floats, place
from noisewright.errors import BadTable, OutOfDomain
from noisewright.estimate import Tally
from noisewright.mechanisms import NumericMechanism

CHANGED = "a mechanism never leaves a report out, so the table was changed after it was written"

Mechanisms = Mapping[str, NumericMechanism]


def chosen(
    about: Description, present: Sequence[str], wanted: Sequence[str] | None, where: str
) -> dict[str, NumericMechanism]:
    """The columns to count, with their mechanisms: those that are asked for, or all that are there."""
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
    return {name: about.mechanisms[name] for name in names}


def tallied(
    pieces: Iterable[pa.Table], mechanisms: Mechanisms, where: str, heard: Callable[[int], None]
) -> dict[str, Tally]:
    """Counts of a stream of tables, of which only one is held at a time; ``heard`` is told their rows."""
    found: dict[str, Tally] = {}
    done = 0
    for piece in pieces:
        for name, mechanism in mechanisms.items():
            counted = _counted(piece.column(name), name, mechanism, done, where)
            found[name] = found[name] + counted if name in found else counted
        done += piece.num_rows
        heard(piece.num_rows)
    if not found:
        raise BadTable(f"{where} has columns but no rows; there are no reports to estimate from")
    return found


def _counted(column: Column, name: str, mechanism: NumericMechanism, first_row: int, where: str) -> Tally:
    """The tally of one piece of a column; a refusal names the row of the table and never the report."""
    reports = _complete(column, name, first_row, where)
    with suppress(OutOfDomain):  # it names a place in the piece; the refusal below names the one in the table
        return Tally.of(reports, mechanism)
    row = first_row + _first_refused(reports, mechanism)
    raise OutOfDomain(
        f"{place(name, row)} of {where} was not made by {type(mechanism).__name__}: its reports are the "
        f"centres of the cells of {mechanism.reports!r}; true values must never be given here"
    )


def _complete(column: Column, name: str, first_row: int, where: str) -> Floats:
    """The numbers of a column of reports, in which nothing may be missing."""
    gaps: Any = column.is_null(nan_is_null=pa.types.is_floating(column.type))
    row = pc.index(gaps, True).as_py()
    if row >= 0:
        raise BadTable(f"{place(name, first_row + row)} of {where} is missing; {CHANGED}")
    return floats(column, name, first_row)


def _first_refused(reports: Floats, mechanism: NumericMechanism) -> int:
    """The place of the first report that a tally refuses, by halving: there is at least one."""
    low, high = 0, reports.size
    while high - low > 1:
        middle = (low + high) // 2
        try:
            Tally.of(reports[low:middle], mechanism)
        except OutOfDomain:
            high = middle
        else:
            low = middle
    return low
