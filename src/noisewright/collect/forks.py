"""SQLite must not be carried across a fork; here is who notices.

Its locks are kept per process, and a child inherits the notes about locks that only its parent holds. No
connection outlives one call of a ledger, so an ordinary fork is harmless. Only a process that is forked off
*while* another of its threads is inside a call inherits such notes, and then refuses every ledger.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from noisewright.errors import BadLedger


class _Calls:
    """How many calls are under way in this process, and whether it was born amidst some of its parent's."""

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
    """Stands round everything that has a connection open."""
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
