"""The tables of a ledger.

A balance is not stored anywhere: it is the sum of the spends, so the two cannot drift apart. A spend and its
report are one row, so one cannot exist without the other; rows are added and never changed. There is no
clock in it: when somebody's value changed is nobody's business.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from noisewright.collect.keys import Key
from noisewright.collect.terms import Terms
from noisewright.errors import BadLedger

APPLICATION: Final = int.from_bytes(b"NWld", "big")
"""What marks a SQLite file as one of our ledgers."""

VERSION: Final = 1

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
    """Whether a database holds nothing at all yet."""
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
    """The terms of a ledger and the fingerprint of its key; anything but a ledger is refused."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise BadLedger(f"{path} is not a ledger")
    if version > VERSION:
        raise BadLedger(f"{path} is a ledger of version {version}; update Noisewright, which knows {VERSION}")
    budget, delta, simulated, fingerprint = connection.execute("SELECT * FROM terms").fetchone()
    columns = dict(connection.execute("SELECT name, budget FROM column_budgets ORDER BY rowid"))
    return Terms(budget, delta, columns, bool(simulated)), fingerprint
