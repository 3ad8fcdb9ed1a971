"""Ledgers in the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from noisewright.collect.statement import Statement
from noisewright.collect.status import ColumnStatus, Status
from noisewright.collect.terms import Terms
from noisewright.guarantees.words import epsilon_words, numbers, remaining_words
from noisewright.randomness import SIMULATED

WIDTH = 40


def status_words(status: Status) -> str:
    """The status of all people as text.

    >>> print(status_words(Status(Terms(4.0), 0, (), 0, ())))
    Everybody may spend epsilon 4 in all.
    Nobody has spent anything yet.
    """
    return "\n".join([*_limits(status.terms), *_people(status)])


def statement_words(statement: Statement) -> str:
    """The statement of one person as text, with everything they paid for."""
    lines = [*_limits(statement.terms), f"Spent: {numbers(statement.spent)}. {statement.explain()}"]
    lines.append(f"Left: epsilon {remaining_words(statement.remaining)} in all")
    lines += [f"  {name}: {remaining_words(left)}" for name, left in statement.columns.items()]
    if statement.history:
        rows = [(e.column, numbers(e.guarantee), e.made_by) for e in statement.history]
        lines += ["Paid for:", *_table([("column", "price", "made by"), *rows])]
    return "\n".join(lines)


def _limits(terms: Terms) -> Iterator[str]:
    delta = f" and delta {terms.delta!r}" if terms.delta else ""
    columns = ", ".join(f"{epsilon_words(budget)} on {name}" for name, budget in terms.columns.items())
    most = f"epsilon {epsilon_words(terms.budget)}{delta} in all"
    yield f"Everybody may spend {most}{columns and f', at most {columns}'}."
    if terms.simulated:
        yield f"These people are {SIMULATED}."


def _people(status: Status) -> Iterator[str]:
    if not status.people:
        yield "Nobody has spent anything yet."
        return
    stuck = f"{status.exhausted:,} of them cannot pay for another" if status.exhausted else "all can go on"
    people, reports = _count(status.people, "person", "people"), _count(status.reports, "report", "reports")
    yield f"{people}, {reports}; {stuck}."
    yield "Epsilon spent: " + ", ".join(
        f"{name} {epsilon_words(value)}" for name, value in status.quantiles().items()
    )
    yield from _bars(status)
    head = ("column", "people", "reports", "budget", "used up")
    yield from _table([head, *map(_column, status.columns)])


def _column(column: ColumnStatus) -> tuple[str, ...]:
    budget = "" if column.budget is None else epsilon_words(column.budget)
    return column.name, f"{column.people:,}", f"{column.reports:,}", budget, f"{column.exhausted:,}"


def _bars(status: Status, parts: int = 4) -> Iterator[str]:
    """How many people are in each quarter of the budget."""
    share = [epsilon / status.terms.budget for epsilon in status.spent]
    places = [min(max(math.ceil(part * parts), 1), parts) for part in share]
    counts = [places.count(place) for place in range(1, parts + 1)]
    for place, count in enumerate(counts, start=1):
        bar = "█" * math.ceil(WIDTH * count / max(counts))
        yield f"  up to {100 * place // parts:3d} %  {bar} {count:,}"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip()


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
