"""How far the budgets of all people are spent."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from noisewright.collect.cost import Cost, add_up
from noisewright.collect.terms import Terms, total
from noisewright.guarantees.rules import round_up

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class ColumnStatus:
    """One column: ``exhausted`` people cannot pay for the cheapest report it ever had."""

    name: str
    budget: float | None
    people: int
    reports: int
    exhausted: int

    def to_dict(self) -> dict[str, Any]:
        """The column in plain JSON values."""
        return dict(vars(self))


@dataclass(frozen=True)
class Status:
    """All people: ``spent`` holds the ε of each, in rising order; ``exhausted`` cannot pay for any report."""

    terms: Terms
    reports: int
    spent: tuple[float, ...]
    exhausted: int
    columns: tuple[ColumnStatus, ...]

    @property
    def people(self) -> int:
        """How many people spent anything."""
        return len(self.spent)

    def quantiles(self) -> dict[str, float]:
        """The ε spent by the least, the lower quarter, the median, the upper quarter and the most."""
        names = ("least", "lower quarter", "median", "upper quarter", "most")
        last = len(self.spent) - 1
        return {name: self.spent[round(share * last)] for name, share in zip(names, SHARES, strict=True)}

    def to_dict(self) -> dict[str, Any]:
        """The status in plain JSON values."""
        return {
            "terms": self.terms.to_dict(),
            "people": self.people,
            "reports": self.reports,
            "exhausted": self.exhausted,
            "spent": self.quantiles() if self.spent else {},
            "columns": [column.to_dict() for column in self.columns],
        }

    def plot(self, axes: Any = None) -> Any:
        """Draw how many people have spent how much; returns the matplotlib axes."""
        from noisewright.collect.drawing import plot_status  # noqa: PLC0415  (matplotlib is an extra)

        return plot_status(self, axes)


def read_status(connection: sqlite3.Connection, terms: Terms) -> Status:
    """Look at every account once."""
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
    """The least that a report of each column ever cost."""
    rows = connection.execute("SELECT column_name, MIN(epsilon) FROM spends WHERE epsilon > 0 GROUP BY 1")
    return {name: Fraction(epsilon) for name, epsilon in rows}


def _accounts(connection: sqlite3.Connection) -> Iterator[Mapping[str, Cost]]:
    """What each person spent in each column."""
    rows = connection.execute(
        "SELECT person, column_name, epsilon, delta, COUNT(*) FROM spends GROUP BY 1, 2, 3, 4 ORDER BY 1"
    )
    for _, lines in groupby(rows, key=lambda row: row[0]):
        yield add_up(line[1:] for line in lines)
