"""The key of a ledger, which turns people and values into tags that reveal nothing without it.

A tag is an HMAC-SHA256 under 32 random bytes. They are in a separate file that only its owner may read, so
that a copy of the ledger alone names nobody and shows no value.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from noisewright.errors import BadLedger
from noisewright.text import canonical_json

KEY_BYTES: Final = 32
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class Key:
    """The secret of one ledger; it has no ``repr`` that shows it.

    >>> key = Key(bytes(32))
    >>> key.person("anna") == key.person("anna") != key.person("bert")
    True
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @property
    def fingerprint(self) -> bytes:
        """The tag by which a ledger recognizes its own key."""
        return self._tag(b"key")

    def person(self, name: str) -> bytes:
        """Return the tag under which a person is filed."""
        return self._tag(b"person", name.encode())

    def value(self, person: bytes, subject: bytes, cell: int) -> bytes:
        """Return the tag of a person's value; ``subject`` is the :func:`digest` of column and mechanism."""
        return self._tag(b"value", person, subject, cell.to_bytes(8, "big"))

    def receipt(self, person: bytes, column: str, receipt: str) -> bytes:
        """Return the tag of a report that was made elsewhere."""
        return self._tag(b"receipt", person, digest([column, receipt]))

    def _tag(self, kind: bytes, *parts: bytes) -> bytes:
        # Unambiguous: of each kind, all parts but the last have a fixed length.
        return hmac.digest(self._secret, kind + b"\0" + b"".join(parts), "sha256")


def digest(description: Any) -> bytes:
    """Return a short name of anything that JSON values describe."""
    return hashlib.sha256(canonical_json(description)).digest()


def read_key(path: Path) -> Key:
    """Return the key in a file; refuse one that others may read."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            secret = file.read(KEY_BYTES + 1)
    except FileNotFoundError:
        raise BadLedger(f"the key {path} is missing; put it back, a ledger is of no use without it") from None
    except OSError as error:
        raise BadLedger(f"the key {path} cannot be read: {error.strerror}") from error
    if os.name == "posix" and mode & OTHERS:
        raise BadLedger(f"the key {path} is open to others; take their rights away with chmod 600")
    if len(secret) != KEY_BYTES:
        raise BadLedger(f"{path} is not the key of a ledger; give the right one")
    return Key(secret)


def check_folder(path: Path) -> None:
    """Refuse a key whose folder does not exist."""
    if not path.parent.is_dir():
        raise BadLedger(f"the key {path} cannot be written, because it has no folder; make that first")


def make_key(path: Path) -> Key:
    """Return the key in a file, or make one, which is whole on the disk before its ledger is."""
    if path.exists():
        return read_key(path)
    unfinished = path.with_name(f"{path.name}.{os.urandom(4).hex()}")
    try:
        with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(os.urandom(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):  # another process made it a moment ago; all use that one
            os.link(unfinished, path)
        unfinished.unlink()
        _sync_folder(path.parent)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise BadLedger(f"the key {path} cannot be written: {error.strerror}") from error
    return read_key(path)


def _sync_folder(folder: Path) -> None:
    """Put a new name on the disk, where folders can be synchronized at all."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
