"""Storage of a secret: in this process, or in a private file that any number of processes share.

Either way there is one state, and a release happens in one *transaction* that nobody else can overlap: it
reads the state, charges the account, draws, and leaves the new state behind. In a file, it is over only when
the disk has it, and a release leaves after that. Killed before, nothing was spent and nothing has left;
killed after, the release is paid for and lost, and counts as known.

The file names the hidden world, so it is worth as much as the data, and only its owner may read it. A copy is
a second budget for the same secret, and an old copy that is put back forgets what was spent since.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from noisewright.errors import BadLedger, NoisewrightError
from noisewright.io.private_files import open_to_others
from noisewright.ledger.database import make_file, reading, writing
from noisewright.release.composition.state import State

APPLICATION: Final = int.from_bytes(b"NWse", "big")
"""What marks a SQLite file as one of our secrets."""

VERSION: Final = 1
LARGEST: Final = 4 << 20
"""Bytes of the largest state: 2¹⁶ worlds and a thousand releases take less than half."""


class Transaction:
    """The state while nobody else can change it; whoever holds it may put another in its place."""

    def __init__(self, state: State) -> None:
        self.state = state


class InMemory:
    """The state of a secret that ends with its process."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._moved = False

    @property
    def state(self) -> State:
        """The state as it is now."""
        return self._state

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Open a transaction: what it leaves is kept at the end, or nothing of it if it fails."""
        if self._process != os.getpid():  # parent and child would both spend what is there once
            raise BadLedger("a forked process cannot use its parent's secret; save it and open the file")
        with self._lock:
            if self._moved:  # by another thread, while this one waited
                raise BadLedger("this secret was saved to a file meanwhile; nothing was spent, ask again")
            transaction = Transaction(self._state)
            yield transaction
            self._state = transaction.state

    def move(self, path: Path) -> InFile:
        """Put the state into a new file, where it lives from now on."""
        with self.transaction() as transaction:
            storage = InFile.create(path, transaction.state)
            self._moved = True
        return storage


class InFile:
    """The state of a secret in a file; no more than its path, every call opens the file anew."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, path: Path, state: State) -> InFile:
        """Make a new file that only its owner may read."""
        make_file(path)
        with writing(path) as connection:
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
                raise BadLedger(f"{path} exists already; open it, or choose another name")
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("CREATE TABLE secret (state BLOB NOT NULL, checksum BLOB NOT NULL)")
            connection.execute("INSERT INTO secret VALUES (?, ?)", _row(state))
        return cls(path)

    @property
    def state(self) -> State:
        """The state as it is now."""
        with reading(self.path) as connection:
            return _read(connection, self.path)

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Open a transaction that no other process can overlap; it is over when the disk has it."""
        with writing(self.path) as connection:
            transaction = Transaction(_read(connection, self.path))
            yield transaction
            connection.execute("UPDATE secret SET state = ?, checksum = ?", _row(transaction.state))


def _row(state: State) -> tuple[bytes, bytes]:
    text = state.to_json()
    return text, hashlib.sha256(text).digest()


def _read(connection: sqlite3.Connection, path: Path) -> State:
    """Return the state in a file; rejected if others may read it or a single bit of it has changed."""
    if open_to_others(path):
        raise BadLedger(f"{path} is open to others; take their rights away with chmod 600")
    (mark,), (version,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
    )
    if mark != APPLICATION:
        raise BadLedger(f"{path} is not a secret that noisewright saved")
    if version != VERSION:
        raise BadLedger(f"{path} is a secret of version {version}; update Noisewright, which knows {VERSION}")
    try:
        text, checksum = connection.execute(
            "SELECT state, checksum FROM secret WHERE length(state) <= ?", (LARGEST,)
        ).fetchone()
        if hashlib.sha256(text).digest() != checksum:
            raise ValueError("a bit has changed")
        return State.from_json(text)
    except (sqlite3.Error, NoisewrightError, ValueError, TypeError):
        raise BadLedger(
            f"{path} is damaged; restore it from a copy, and mind that a copy forgets what was spent since"
        ) from None
