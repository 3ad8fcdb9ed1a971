"""Storage of a secret: its state, in this process or in a private file that processes share.

Either way there is one state, and a release happens in one *transaction* that no other can overlap: it reads
the state, charges the account, draws, and stores the new state. In a file, it is complete only when it is on
disk, and the release is returned after that. If the process is killed before, nothing was spent and nothing
has left. If it is killed after, the release is paid for and lost, and counts as known.

The file names the secret world, so it is as sensitive as the data, and only its owner may read it. A copy is
a second budget for the same secret, and restoring an old copy forgets what was spent since.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

import numpy as np

from noisewright.errors import BadLedger, InvalidParameter, NoisewrightError
from noisewright.io.private_files import open_to_others
from noisewright.io.strict_json import strict_json
from noisewright.ledger.database import make_file, reading, writing
from noisewright.parameters import is_number, whole
from noisewright.randomness import SecureSource, Source
from noisewright.release.basics.pool import Pool
from noisewright.release.basics.worlds import Worlds, draw_world
from noisewright.release.composition.account import Account
from noisewright.release.composition.posterior import Posterior

APPLICATION: Final = int.from_bytes(b"NWse", "big")
"""The application id that marks a SQLite file as a secret."""

VERSION: Final = 1
LARGEST: Final = 4 << 20
"""Largest size of a state in bytes: 2¹⁶ worlds and a thousand releases take less than half of it."""

DIGEST_BYTES: Final = 32


@dataclass(frozen=True, eq=False)
class State:
    """The state of a secret; its ``repr`` does not show the secret world."""

    worlds: Worlds
    account: Account
    simulated: bool
    world: int = field(repr=False)
    posterior: Posterior = field(repr=False)
    key: bytes = field(repr=False)
    fingerprint: bytes = field(repr=False)

    def __post_init__(self) -> None:
        whole("the secret world", self.world, 0, self.worlds.count - 1)
        if not isinstance(self.simulated, bool):
            raise InvalidParameter("must be true or false", field="simulated")
        if len(self.key) != DIGEST_BYTES or len(self.fingerprint) != DIGEST_BYTES:
            raise InvalidParameter(f"key and fingerprint have {DIGEST_BYTES} bytes each")
        weights = self.posterior.log_weights
        if weights.shape != (self.worlds.count,) or weights.max() != 0 or not weights[self.world] > -math.inf:
            raise InvalidParameter("must be one for each world, the largest 0", field="weights")

    @classmethod
    def draw(cls, pool: Pool, worlds: Worlds, total: float, source: Source) -> State:
        """Draw a new secret: one world, all equally likely."""
        key = SecureSource().words(DIGEST_BYTES // 8).tobytes()
        return cls(
            worlds=worlds,
            account=Account(total),
            simulated=not source.private,
            world=draw_world(worlds, source.stream()),
            posterior=Posterior.uniform(worlds.count),
            key=key,
            fingerprint=fingerprint(pool, key),
        )

    def to_json(self) -> bytes:
        """Return the state as strict JSON; ``null`` stands for a world that is ruled out."""
        weights = self.posterior.log_weights.tolist()
        content = {
            "worlds": [self.worlds.records, self.worlds.count, self.worlds.seed],
            "account": self.account.to_dict(),
            "simulated": self.simulated,
            "world": self.world,
            "posterior": [None if weight == -math.inf else weight for weight in weights],
            "key": self.key.hex(),
            "fingerprint": self.fingerprint.hex(),
        }
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()

    @classmethod
    def from_json(cls, text: bytes) -> State:
        """Return the state that a text describes; reject any other text."""
        content = strict_json(text, "the state of a secret")
        if not isinstance(content, dict) or set(content) != {part.name for part in fields(cls)}:
            raise InvalidParameter("the fields are not those of a secret")
        try:
            return cls(
                worlds=Worlds(*content["worlds"]),
                account=Account.from_dict(content["account"]),
                simulated=content["simulated"],
                world=content["world"],
                posterior=Posterior(np.array([_log_weight(weight) for weight in content["posterior"]])),
                key=bytes.fromhex(content["key"]),
                fingerprint=bytes.fromhex(content["fingerprint"]),
            )
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            raise InvalidParameter("a field of the secret is of another kind") from None


def fingerprint(pool: Pool, key: bytes) -> bytes:
    """Return a keyed tag that recognizes the same rows and labels, and without its key reveals nothing.

    The names of the columns do not count.

    >>> from noisewright.release.basics.pool import read_pool
    >>> key, integers, floats = bytes(32), [[1], [2], [3], [4]], [[1.0], [2.0], [3.0], [4.0]]
    >>> fingerprint(read_pool(integers), key) == fingerprint(read_pool(floats), key)
    True
    """
    labels = None if pool.labels is None else pool.labels.tolist()
    head = json.dumps([pool.rows.shape, labels]).encode()
    digest = hmac.new(key, len(head).to_bytes(8, "big") + head, "sha256")
    digest.update(np.ascontiguousarray(pool.rows, dtype="<f8").data.cast("B"))
    return digest.digest()


def _log_weight(weight: Any) -> float:
    if weight is None:
        return -math.inf
    if not is_number(weight) or not math.isfinite(weight):
        raise ValueError("a weight must be a finite number, or null")
    return float(weight)


class Transaction:
    """The state while nobody else can change it; the holder may replace it."""

    def __init__(self, state: State) -> None:
        self.state = state


class InMemory:
    """The state of a secret that lasts as long as its process."""

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
        """Open a transaction: the new state is stored at its end, or not at all if it fails."""
        if self._process != os.getpid():  # parent and child would both spend the same budget
            raise BadLedger("a forked process cannot use its parent's secret; save it and open the file")
        with self._lock:
            if self._moved:  # by another thread, while this one waited
                raise BadLedger("this secret was saved to a file meanwhile; nothing was spent, ask again")
            transaction = Transaction(self._state)
            yield transaction
            self._state = transaction.state

    def move(self, path: Path) -> InFile:
        """Move the state into a new file, where it stays from now on."""
        with self.transaction() as transaction:
            storage = InFile.create(path, transaction.state)
            self._moved = True
        return storage


class InFile:
    """The state of a secret in a file; the object holds only the path, and every call opens the file."""

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
        """Open a transaction that no other process can overlap; it is complete when it is on disk."""
        with writing(self.path) as connection:
            transaction = Transaction(_read(connection, self.path))
            yield transaction
            connection.execute("UPDATE secret SET state = ?, checksum = ?", _row(transaction.state))


def _row(state: State) -> tuple[bytes, bytes]:
    text = state.to_json()
    return text, hashlib.sha256(text).digest()


def _read(connection: sqlite3.Connection, path: Path) -> State:
    """Return the state in a file; reject one that others may read, or of which a single bit has changed."""
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
            f"{path} is damaged; restore it from a copy, but note that a copy forgets what was spent since"
        ) from None
