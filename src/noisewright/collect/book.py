"""The rows of a ledger, inside one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from noisewright.collect.cost import Cost, add_up
from noisewright.collect.terms import Terms

Stored = int | bytes
"""A report as a row holds it: a cell, or the bytes of a code."""


class Spend(NamedTuple):
    """One row: who paid how much for what, and the report they got for it, unless it was made elsewhere."""

    person: bytes
    column: str
    epsilon: float
    delta: float
    made_by: str
    tag: bytes | None = None
    report: Stored | None = None


@dataclass(frozen=True)
class Book:
    """The spends of a ledger, while nobody else can write."""

    connection: sqlite3.Connection
    terms: Terms

    def spent(self, person: bytes) -> dict[str, Cost]:
        """What a person spent in each column, exactly."""
        look = "SELECT column_name, epsilon, delta, COUNT(*) FROM spends WHERE person = ? GROUP BY 1, 2, 3"
        return add_up(self.connection.execute(look, (person,)))

    def reports(self, tags: Iterable[bytes]) -> dict[bytes, Stored]:
        """The reports that values got before, by their tags."""
        look = "SELECT report FROM spends WHERE tag = ?"
        found = ((tag, self.connection.execute(look, (tag,)).fetchone()) for tag in set(tags))
        return {tag: row[0] for tag, row in found if row is not None}

    def paid(self, tag: bytes) -> tuple[float, float] | None:
        """The ε and δ that were paid under a tag."""
        row = self.connection.execute("SELECT epsilon, delta FROM spends WHERE tag = ?", (tag,)).fetchone()
        return None if row is None else (row[0], row[1])

    def of(self, person: bytes) -> Iterator[tuple[str, float, float, str]]:
        """Everything a person paid for, in order: column, ε, δ and what made the report."""
        look = "SELECT column_name, epsilon, delta, made_by FROM spends WHERE person = ? ORDER BY number"
        yield from self.connection.execute(look, (person,))

    def charge(self, who: str, person: bytes, column: str, asked: Cost) -> None:
        """Refuse a cost that the person cannot pay any more."""
        self.terms.check(who, self.spent(person), column, asked)

    def add(self, spends: Iterable[Spend]) -> None:
        """Write down what was spent; it counts once the transaction is committed."""
        self.connection.executemany(
            "INSERT INTO spends (person, column_name, epsilon, delta, made_by, tag, report)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            spends,
        )
