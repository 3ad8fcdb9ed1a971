"""The tables of a ledger, and the rows in them inside one transaction.

A balance is not stored anywhere: it is the sum of the spends, so the two cannot drift apart. A spend and its
report are one row, so one cannot exist without the other; rows are added and never changed. No
times are stored: when a value changed stays unknown.
A report is kept as a whole number, the cell of a number or a label, or as the bytes of a code.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noisewright.domains.codes import Codes
from noisewright.errors import BadLedger
from noisewright.ledger.cost import Cost, add_up
from noisewright.ledger.keys import Key
from noisewright.ledger.terms import Terms
from noisewright.mechanisms import Mechanism

APPLICATION: Final = int.from_bytes(b"NWld", "big")
"""The mark of a SQLite file that is a ledger."""

VERSION: Final = 1

Stored = int | bytes
"""A report as a row holds it: a cell, or the bytes of a code."""

# A report is a cell of the lattice, or the bytes of a code: SQLite keeps both in one column as they are.
TABLES: Final = (
    "CREATE TABLE terms (budget REAL NOT NULL, delta REAL NOT NULL, simulated INTEGER NOT NULL,"
    " key_fingerprint BLOB NOT NULL)",
    "CREATE TABLE column_budgets (name TEXT PRIMARY KEY, budget REAL NOT NULL)",
    "CREATE TABLE spends (number INTEGER PRIMARY KEY, person BLOB NOT NULL, column_name TEXT NOT NULL,"
    " epsilon REAL NOT NULL CHECK (epsilon >= 0), delta REAL NOT NULL CHECK (delta >= 0),"
    " made_by TEXT NOT NULL, tag BLOB UNIQUE, report INTEGER)",
    "CREATE INDEX accounts ON spends (person, column_name, epsilon, delta)",
    "CREATE TRIGGER no_change BEFORE UPDATE ON spends BEGIN SELECT RAISE(ABORT, 'spends are final'); END",
    "CREATE TRIGGER no_refund BEFORE DELETE ON spends BEGIN SELECT RAISE(ABORT, 'spends are final'); END",
)


def is_empty(connection: sqlite3.Connection) -> bool:
    """Return whether a database holds nothing at all yet."""
    return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def write_terms(connection: sqlite3.Connection, terms: Terms, key: Key) -> None:
    """Make the tables of a new ledger."""
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    for statement in TABLES:
        connection.execute(statement)
    connection.execute(
        "INSERT INTO terms VALUES (?, ?, ?, ?)",
        (terms.budget, terms.delta, terms.simulated, key.fingerprint),
    )
    connection.executemany("INSERT INTO column_budgets VALUES (?, ?)", terms.columns.items())


def read_terms(connection: sqlite3.Connection, path: Path) -> tuple[Terms, bytes]:
    """Return the terms of a ledger and the fingerprint of its key; refuse any other file."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise BadLedger(f"{path} is not a ledger")
    if version > VERSION:
        raise BadLedger(f"{path} is a ledger of version {version}; update Noisewright, which knows {VERSION}")
    budget, delta, simulated, fingerprint = connection.execute("SELECT * FROM terms").fetchone()
    columns = dict(connection.execute("SELECT name, budget FROM column_budgets ORDER BY rowid"))
    return Terms(budget, delta, columns, bool(simulated)), fingerprint


class Spend(NamedTuple):
    """One row: who paid how much for which column, and the report, unless it was made elsewhere."""

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
        """Return what a person spent in each column, exactly."""
        look = "SELECT column_name, epsilon, delta, COUNT(*) FROM spends WHERE person = ? GROUP BY 1, 2, 3"
        return add_up(self.connection.execute(look, (person,)))

    def reports(self, tags: Iterable[bytes]) -> dict[bytes, Stored]:
        """Return the reports that values got before, by their tags."""
        look = "SELECT report FROM spends WHERE tag = ?"
        found = ((tag, self.connection.execute(look, (tag,)).fetchone()) for tag in set(tags))
        return {tag: row[0] for tag, row in found if row is not None}

    def paid(self, tag: bytes) -> tuple[float, float] | None:
        """Return the ε and δ that were paid under a tag."""
        row = self.connection.execute("SELECT epsilon, delta FROM spends WHERE tag = ?", (tag,)).fetchone()
        return None if row is None else (row[0], row[1])

    def of(self, person: bytes) -> Iterator[tuple[str, float, float, str]]:
        """Yield everything a person paid for, in order: column, ε, δ and what made the report."""
        look = "SELECT column_name, epsilon, delta, made_by FROM spends WHERE person = ? ORDER BY number"
        yield from self.connection.execute(look, (person,))

    def charge(self, who: str, person: bytes, column: str, asked: Cost) -> None:
        """Refuse a cost that the person cannot pay any more."""
        self.terms.check(who, self.spent(person), column, asked)

    def add(self, spends: Iterable[Spend]) -> None:
        """Add what was spent; it counts once the transaction is committed."""
        self.connection.executemany(
            "INSERT INTO spends (person, column_name, epsilon, delta, made_by, tag, report)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            spends,
        )


def to_stored(mechanism: Mechanism, drawn: NDArray[Any]) -> list[Stored]:
    """Return the drawn reports of some cells as rows hold them."""
    if not isinstance(mechanism.reports, Codes):
        cells: list[Stored] = drawn.tolist()
        return cells
    return [row.tobytes() for row in mechanism.reports.to_bytes(drawn)]


def from_stored(mechanism: Mechanism, rows: Sequence[Any]) -> NDArray[Any]:
    """Return stored reports as :meth:`Mechanism.perturb` returns them."""
    codes = mechanism.reports
    if not isinstance(codes, Codes):
        return np.asarray(codes.centres(rows))
    joined = np.frombuffer(b"".join(rows), dtype=np.uint8)
    return codes.from_bytes(joined.reshape(len(rows), codes.width))


def single_report(mechanism: Mechanism, reports: NDArray[Any]) -> Any:
    """Return the only report: a Python value, or for codes an element of the array."""
    return reports[0] if isinstance(mechanism.reports, Codes) else reports.tolist()[0]
