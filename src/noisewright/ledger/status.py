"""How far the budgets of all people are spent, and the account of one person."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np

from noisewright.guarantees import Guarantee
from noisewright.guarantees.base import round_down, round_up
from noisewright.ledger.cost import Cost, add_up
from noisewright.ledger.terms import Terms, total
from noisewright.randomness import SIMULATED
from noisewright.report import Report, Reportable
from noisewright.report.plots import new_axes

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
BARS = 20


@dataclass(frozen=True)
class ColumnStatus:
    """How far the budgets of one column are spent.

    Attributes:
        name: The column.
        budget: The ε that each person may spend on it; None if only the whole budget limits it.
        people: Number of people who spent anything on it.
        reports: Number of reports that were paid for.
        exhausted: Number of people who cannot pay for the cheapest report of the column so far.
    """

    name: str
    budget: float | None
    people: int
    reports: int
    exhausted: int

    def to_dict(self) -> dict[str, Any]:
        """Return the column in plain JSON values."""
        return dict(vars(self))


@dataclass(frozen=True)
class Status(Reportable):
    """How far the budgets of all people are spent.

    Attributes:
        terms: What everybody may spend.
        reports: Number of reports that were paid for.
        spent: The ε that each person spent, in rising order, rounded up.
        exhausted: Number of people who cannot pay for any report.
        columns: The same for each column.
    """

    terms: Terms
    reports: int
    spent: tuple[float, ...]
    exhausted: int
    columns: tuple[ColumnStatus, ...]

    @property
    def people(self) -> int:
        """Number of people who spent anything."""
        return len(self.spent)

    def quantiles(self) -> dict[str, float]:
        """Return the ε spent: the least, the quartiles and the most."""
        names = ("least", "lower quarter", "median", "upper quarter", "most")
        last = len(self.spent) - 1
        return {name: self.spent[round(share * last)] for name, share in zip(names, SHARES, strict=True)}

    def to_dict(self) -> dict[str, Any]:
        """Return the status in plain JSON values."""
        return {
            "terms": self.terms.to_dict(),
            "people": self.people,
            "reports": self.reports,
            "exhausted": self.exhausted,
            "spent": self.quantiles() if self.spent else {},
            "columns": [column.to_dict() for column in self.columns],
        }

    def plot(self, axes: Any = None) -> Any:
        """Draw bars of people over the ε they spent, from nothing to the whole budget.

        Args:
            axes: Matplotlib axes to draw on; by default, new ones.
        """
        axes = axes if axes is not None else new_axes()
        axes.hist(self.spent, bins=np.linspace(0, self.terms.budget, BARS + 1).tolist())
        axes.axvline(self.terms.budget, linestyle="--", color="black", label="budget")
        axes.set(xlabel="ε spent", ylabel="people", title=SIMULATED if self.terms.simulated else None)
        axes.legend()
        return axes

    def report(self) -> Report:
        """Describe the status as a document."""
        from noisewright.ledger.report import status_report  # noqa: PLC0415  (it needs this module)

        return status_report(self)


def read_status(connection: sqlite3.Connection, terms: Terms) -> Status:
    """Read the status, looking at every account once."""
    cheapest = _cheapest(connection)
    spent: list[float] = []
    exhausted = 0
    people: dict[str, int] = defaultdict(int)
    out_of: dict[str, int] = defaultdict(int)
    for account in _accounts(connection):
        spent.append(round_up(total(account).epsilon))
        stuck = [name for name in cheapest if terms.left(account, name) < cheapest[name]]
        exhausted += 0 < len(stuck) == len(cheapest)
        for name in account:
            people[name] += 1
            out_of[name] += name in stuck
    reports = dict(connection.execute("SELECT column_name, COUNT(*) FROM spends GROUP BY 1"))
    columns = tuple(
        ColumnStatus(name, terms.columns.get(name), people[name], reports.get(name, 0), out_of[name])
        for name in sorted({*terms.columns, *reports})
    )
    return Status(terms, sum(reports.values()), tuple(sorted(spent)), exhausted, columns)


def _cheapest(connection: sqlite3.Connection) -> dict[str, Fraction]:
    """Return the least cost of a report of each column so far."""
    rows = connection.execute("SELECT column_name, MIN(epsilon) FROM spends WHERE epsilon > 0 GROUP BY 1")
    return {name: Fraction(epsilon) for name, epsilon in rows}


def _accounts(connection: sqlite3.Connection) -> Iterator[Mapping[str, Cost]]:
    """Yield what each person spent in each column."""
    rows = connection.execute(
        "SELECT person, column_name, epsilon, delta, COUNT(*) FROM spends GROUP BY 1, 2, 3, 4 ORDER BY 1"
    )
    for _, lines in groupby(rows, key=lambda row: row[0]):
        yield add_up(line[1:] for line in lines)


@dataclass(frozen=True)
class Entry:
    """One thing that was paid for.

    Attributes:
        column: The column that was reported.
        guarantee: What the report cost.
        made_by: The class name of the mechanism, or "elsewhere".
    """

    column: str
    guarantee: Guarantee
    made_by: str

    def to_dict(self) -> dict[str, Any]:
        """Return the entry in plain JSON values."""
        return {"column": self.column, "guarantee": self.guarantee.to_dict(), "made_by": self.made_by}


@dataclass(frozen=True)
class Statement(Reportable):
    """What a person spent and has left.

    Attributes:
        spent: What all reports together cost, rounded up.
        remaining: The ε that is left in all, rounded down.
        columns: The ε that is left for each column, rounded down.
        history: Everything that was paid for, in order.
        terms: What everybody may spend.
    """

    spent: Guarantee
    remaining: float
    columns: Mapping[str, float]
    history: tuple[Entry, ...]
    terms: Terms

    @classmethod
    def of(cls, terms: Terms, spent: Mapping[str, Cost], history: tuple[Entry, ...]) -> Statement:
        """Return the statement of what a person spent.

        Args:
            terms: What everybody may spend.
            spent: The exact cost of each column.
            history: Everything that was paid for, in order.
        """
        names = dict.fromkeys([*terms.columns, *spent])
        columns = {name: round_down(terms.left(spent, name)) for name in names}
        return cls(total(spent).guarantee(), round_down(terms.left(spent)), columns, history, terms)

    def to_dict(self) -> dict[str, Any]:
        """Return the statement in plain JSON values."""
        return {
            "terms": self.terms.to_dict(),
            "spent": self.spent.to_dict(),
            "remaining": self.remaining,
            "remaining_in_columns": dict(self.columns),
            "history": [entry.to_dict() for entry in self.history],
            "explanation": self.explain(),
        }

    def explain(self) -> str:
        """Say in one sentence what all reports together reveal."""
        if not self.history:
            return "Nothing was reported, so nothing is revealed."
        return self.spent.explain("all reports together" if len(self.history) > 1 else "the one report")

    def report(self) -> Report:
        """Describe the statement as a document."""
        from noisewright.ledger.report import statement_report  # noqa: PLC0415  (it needs this module)

        return statement_report(self)
