"""The reports of a ledger: how far everybody's budgets are spent, and what one person has spent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from noisewright.ledger.status import ColumnStatus, Statement, Status
from noisewright.ledger.terms import Terms
from noisewright.randomness import SIMULATED
from noisewright.report import Block, Facts, Figure, Report, Section, Table, number
from noisewright.report.plots import PAGE_WIDTH, new_figure
from noisewright.report.svg import INK, drawing_style
from noisewright.text import epsilon_words, remaining_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

WIDTH = 40
"""Letters of the longest bar."""

PARTS = 4
"""Parts of the budget whose people are counted."""


def status_report(status: Status) -> Report:
    """Describe the budgets of all people as a document.

    >>> print(status_report(Status(Terms(4.0), 0, (), 0, ())).lead)
    Everybody may spend epsilon 4 in all.
    """
    sections = [Section("People", _people(status))]
    if status.people:
        header = ["column", "people", "reports", "budget", "used up"]
        table = Table("Columns of the ledger", header, list(map(_column, status.columns)))
        sections.append(Section("Columns", [table]))
    return Report(
        title="Budgets of all people",
        lead=_limits(status.terms),
        cautions=_cautions(status.terms),
        sections=sections,
        verb="budget",
        data=status.to_dict(),
    )


def statement_report(statement: Statement) -> Report:
    """Describe the budget of one person as a document, with everything they paid for."""
    left = [(name, remaining_words(rest)) for name, rest in statement.columns.items()]
    sections = [
        Section("Spent", [f"{statement.spent.numbers().capitalize()} in all. {statement.explain()}"]),
        Section("Left", [f"Epsilon {remaining_words(statement.remaining)} in all", Facts(left)]),
    ]
    if statement.history:
        rows = [[entry.column, entry.guarantee.numbers(), entry.made_by] for entry in statement.history]
        table = Table("Everything that was paid for", ["column", "price", "made by"], rows)
        sections.append(Section("Paid for", [table]))
    return Report(
        title="The budget of one person",
        lead=_limits(statement.terms),
        cautions=_cautions(statement.terms),
        sections=sections,
        verb="budget",
        data=statement.to_dict(),
    )


def _limits(terms: Terms) -> str:
    delta = f" and delta {terms.delta!r}" if terms.delta else ""
    columns = ", ".join(f"{epsilon_words(budget)} on {name}" for name, budget in terms.columns.items())
    most = f"epsilon {epsilon_words(terms.budget)}{delta} in all"
    return f"Everybody may spend {most}{columns and f', at most {columns}'}."


def _cautions(terms: Terms) -> list[str]:
    return [f"These people are {SIMULATED}."] if terms.simulated else []


def _people(status: Status) -> list[Block]:
    if not status.people:
        return ["Nobody has spent anything yet."]
    stuck = f"{status.exhausted:,} of them cannot pay for another" if status.exhausted else "all can go on"
    people, reports = _count(status.people, "person", "people"), _count(status.reports, "report", "reports")
    spent = ", ".join(f"{name} {epsilon_words(value)}" for name, value in status.quantiles().items())
    title = "Bars of people over the epsilon they spent."
    return [
        f"{people}, {reports}; {stuck}.",
        f"Epsilon spent: {spent}",
        Figure(
            "spent",
            [(title, lambda: _drawn(status))],
            "How many people have spent how much.",
            _bars(status),
        ),
    ]


def _drawn(status: Status) -> Drawing:
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 3)
        axes = status.plot(drawn.add_subplot())
        axes.lines[0].set_color(INK)  # the budget, in the colour of the page's letters
        axes.legend()
    return drawn


def _column(column: ColumnStatus) -> list[object]:
    budget = "" if column.budget is None else epsilon_words(column.budget)
    counts = (f"{column.people:,}", f"{column.reports:,}", budget, f"{column.exhausted:,}")
    return [column.name, *map(number, counts)]


def _bars(status: Status) -> list[str]:
    """Return how many people are in each part of the budget, as lines of a terminal."""
    share = [epsilon / status.terms.budget for epsilon in status.spent]
    places = [min(max(math.ceil(part * PARTS), 1), PARTS) for part in share]
    counts = [places.count(place) for place in range(1, PARTS + 1)]
    return [
        f"up to {100 * place // PARTS:3d} %  {'█' * math.ceil(WIDTH * count / max(counts))} {count:,}"
        for place, count in enumerate(counts, start=1)
    ]


def _count(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
