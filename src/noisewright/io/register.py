"""A register: a file of signed or plain documents, each with the digest of the one before.

Every line is the canonical JSON of one document, whose field ``register`` holds its number and the SHA-256 of
the line before. Changing, removing, inserting or moving a line breaks the chain; with signed documents
only the signer can mend it. Lines cut off at the end leave a shorter register that is whole, to which the
next document is added as if they had never existed. Only a digest kept elsewhere reveals that; it vouches
for its entry and all before it (``verify --kept``).
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Final

from noisewright.errors import BadDocument, BadTable
from noisewright.io.evidence import parse_document
from noisewright.io.file_access import existing_file, reading, writing
from noisewright.text import canonical_json

ENDING: Final = ".jsonl"
LARGEST: Final = 256 << 20
"""Bytes of the largest register: some thousands of audits."""

LINK: Final = "register"
FLAGS: Final = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True)
class Entry:
    """One line: its document, if it can be read, and what is wrong with its place in the chain."""

    document: Mapping[str, Any]
    sha256: str
    faults: tuple[str, ...] = ()


def check_register(path: str | os.PathLike[str]) -> None:
    """Refuse, before any work is done, a register to which nothing can be added."""
    target = Path(path)
    if target.suffix.lower() != ENDING:
        raise BadTable(
            f"a register has one document a line; let its name end in {ENDING}, not as {path} does"
        )
    if not target.absolute().parent.is_dir():
        raise BadTable(f"cannot write {target}: the folder {target.absolute().parent} does not exist")
    if target.exists() and not (target.is_file() and not target.stat().st_size):  # nothing is in it yet
        _check_whole(target, read_register(target))


def read_register(path: str | os.PathLike[str]) -> list[Entry]:
    """Return the entries of a register, which may be a stranger's, with what is wrong with each."""
    with reading(Path(path)), existing_file(path).open("rb") as file:
        return _read(Path(path), file)


@contextmanager
def open_register(path: str | os.PathLike[str]) -> Iterator[Appender]:
    """Open a register to add one document; others who add to it wait until that is done."""
    target = Path(path)
    with writing(target), open(os.open(target, FLAGS, 0o666), "r+b") as file:
        _lock(file)
        entries = _read(target, file)
        _check_whole(target, entries)
        yield Appender(file, len(entries) + 1, entries[-1].sha256 if entries else None)


@dataclass(frozen=True)
class Appender:
    """The end of a register: the number of the next document, and the digest of the line before it."""

    file: IO[bytes]
    number: int
    previous: str | None

    @property
    def link(self) -> dict[str, Any]:
        """The value of the field ``register`` of the next document, to be set before signing."""
        return {"number": self.number, "previous": self.previous}

    def append(self, document: Mapping[str, Any]) -> str:
        """Write a document as the last line, whole or not at all, and return its digest."""
        line, end = canonical_json(document), self.file.seek(0, os.SEEK_END)
        try:
            self.file.write(line + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())
        except BaseException:
            self.file.truncate(end)
            raise
        return hashlib.sha256(line).hexdigest()


def _read(path: Path, file: IO[bytes]) -> list[Entry]:
    content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise BadTable(f"{path} is larger than {LARGEST >> 20} MiB and is not read; begin another register")
    entries: list[Entry] = []
    for number, line in enumerate(io.BytesIO(content), start=1):
        entry = _entry(line.removesuffix(b"\n"), number, entries[-1].sha256 if entries else None)
        if not line.endswith(b"\n"):
            entry = replace(entry, faults=("it breaks off",))
        entries.append(entry)
        if LINK not in entry.document:  # no entry at all, and a flood of such lines may follow
            break
    return entries


def _entry(line: bytes, number: int, previous: str | None) -> Entry:
    """Read one line, and check it against its place in the chain."""
    sha256 = hashlib.sha256(line).hexdigest()
    try:
        document, spelled = parse_document(line, "it")
    except BadDocument as wrong:
        return Entry({}, sha256, (str(wrong),))
    faults = [] if spelled == line else ["it is not spelled as it was written"]
    match document.get(LINK):
        case {"number": int(own), "previous": None | str() as before, **more} if not more:
            if own != number:
                faults.append(f"it was entry {own}")
            if before != previous:
                faults.append("it does not hold the digest of the line before")
        case _:
            faults.append("it does not say what its place is")
    return Entry(document, sha256, tuple(faults))


def _check_whole(path: Path, entries: list[Entry]) -> None:
    if any(entry.faults for entry in entries):
        raise BadTable(f"the register {path} is broken; see noisewright verify {path}, and begin another one")


def _lock(file: IO[bytes]) -> None:
    """Wait for others who are adding to the same register, where the system supports locks."""
    try:
        import fcntl  # noqa: PLC0415  (POSIX only)
    except ImportError:
        return
    fcntl.flock(file, fcntl.LOCK_EX)
