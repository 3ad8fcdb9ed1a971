"""SQLite as a ledger needs it: one short transaction per call, on disk before the call returns.

``synchronous=EXTRA`` matters: with the default journal a commit is the removal of the journal file.
Without EXTRA a power cut could restore the journal and undo a commit whose report has already left.

SQLite must not be carried across a fork. Its locks belong to a process, and a child inherits records of
locks that only its parent holds. No connection outlives one call of a ledger, so an ordinary fork is
harmless. Only a process forked *while* another thread is inside a call inherits such records, and it
then refuses every ledger.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from noisewright.errors import BadLedger

PATIENCE: Final = 60.0
"""Seconds to wait for other processes; each holds the ledger for milliseconds."""

REASONS: Final = {
    "SQLITE_NOTADB": "is not a ledger",
    "SQLITE_CORRUPT": "is damaged; restore it from a copy, but note that a copy forgets what was spent since",
    "SQLITE_READONLY": "cannot be written; nothing was spent",
    "SQLITE_BUSY": f"has been in use by others for {PATIENCE:g} seconds; nothing was spent, try again",
    "SQLITE_FULL": "cannot grow because the disk is full; nothing was spent",
    "SQLITE_CANTOPEN": "cannot be opened; its file and its folder must be writable",
    "SQLITE_IOERR": "cannot be read or written; no report has left",
}


class _Calls:
    """The number of running calls in this process, and whether it was forked during calls of its parent."""

    def __init__(self) -> None:
        self.under_way = 0
        self.torn = False
        self.lock = threading.Lock()

    def add(self, step: int) -> None:
        with self.lock:
            self.under_way += step

    def forked(self) -> None:
        self.torn = self.torn or self.under_way > 0
        self.under_way = 0
        self.lock = threading.Lock()


_calls = _Calls()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_calls.forked)


@contextmanager
def one_call() -> Iterator[None]:
    """Count a call while it has a connection open."""
    if _calls.torn:
        raise BadLedger(
            "this process was forked while a thread was using a ledger, which breaks its locks; fork before "
            "starting threads, or start processes with the spawn method"
        )
    _calls.add(1)
    try:
        yield
    finally:
        _calls.add(-1)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that sees one state of the ledger, whatever others write meanwhile."""
    with _connected(path) as connection:
        connection.execute("BEGIN")
        yield connection


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield the only writing transaction; it is committed at the end, or leaves no trace."""
    with _connected(path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection for one call; closing it rolls back anything not committed."""
    _refuse_no_file(path)
    with one_call(), _sentences(path):
        # Writable even to read: after a crash, the first connection must be able to roll back.
        where = f"{path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(where, uri=True, timeout=PATIENCE, isolation_level=None)
        try:
            connection.execute("PRAGMA synchronous = EXTRA")
            connection.execute("PRAGMA fullfsync = ON")
            yield connection
        finally:
            connection.close()


def _refuse_no_file(path: Path) -> None:
    if not path.exists():
        raise BadLedger(f"there is no ledger {path}; create it first")
    if not path.is_file():
        raise BadLedger(f"{path} is not a file, so it is not a ledger")


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Turn what SQLite says about a file into a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        for beginning, reason in REASONS.items():
            if name.startswith(beginning):
                raise BadLedger(f"{path} {reason}") from error
        raise


def make_file(path: Path) -> None:
    """Make an empty file that only its owner may read; one that exists is left as it is.

    A file that exists is not even opened: closing any descriptor of it would release the locks that other
    threads of this process hold on it through SQLite. So the file gets its name only after it is closed.
    """
    unnamed = path.with_name(f"{path.name}.{os.urandom(4).hex()}")
    try:
        os.close(os.open(unnamed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            os.link(unnamed, path)
        finally:
            unnamed.unlink()
    except FileExistsError:
        return
    except OSError as error:
        raise BadLedger(f"{path} cannot be created: {error.strerror}") from error
