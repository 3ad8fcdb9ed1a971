"""One clear sentence for each way a file can fail; what Arrow says may quote the data, so it is withheld."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from noisewright.errors import BadTable
from noisewright.io.strict_json import strict_json
from noisewright.report.provenance import Digest
from noisewright.text import size_words


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn the errors of reading a file into refusals without any of its content."""
    try:
        yield
    except (OSError, pa.ArrowException, UnicodeError) as error:
        raise BadTable(_unreadable(path, error)) from None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn the errors of writing a file into refusals that say that nothing was left."""
    try:
        yield
    except OSError as error:
        raise BadTable(f"cannot write {path}: {_reason(error)}; no output was left behind") from None
    except pa.ArrowException:
        raise BadTable(
            f"cannot write {path}: a kept column is of a type that this format has no place for"
        ) from None


def existing_file(path: str | os.PathLike[str]) -> Path:
    """A path to a file that is there, can be opened and has bytes in it."""
    found = Path(path)
    with reading(found):
        facts = found.stat()
        if stat.S_ISDIR(facts.st_mode):
            raise BadTable(f"cannot read {found}: it is a folder, not a file")
        if not stat.S_ISREG(facts.st_mode):  # opening a pipe would wait for somebody to write to it
            raise BadTable(f"cannot read {found}: it is not a regular file; copy the data to one first")
        with found.open("rb") as file:
            if not file.read(1):
                raise BadTable(f"{found} is empty: it has no bytes at all")
    return found


def small_text(path: str | os.PathLike[str], largest: int, what: str) -> str:
    """The text of a file that somebody wrote for us; one that is larger than any of its kind is not read."""
    found = existing_file(path)
    with reading(found), found.open("rb") as file:
        content = file.read(min(found.stat().st_size, largest) + 1)  # room is made for all that is asked for
        if len(content) > largest:
            raise BadTable(f"{found} is larger than {size_words(largest)} and is not read; no {what} is")
        return content.decode("utf-8-sig")  # some editors begin a file with a mark that is no part of it


def read_json(path: str | os.PathLike[str], largest: int, what: str) -> Any:
    """The value of a JSON file, or a refusal by what is wrong and where.

    Args:
        path: The file, which may be a stranger's.
        largest: Bytes of the largest file that is read.
        what: What such a file holds, for a refusal.
    """
    return strict_json(small_text(path, largest, what), str(path), largest=largest)


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn a Python program at the line of its own that called this package."""
    frame, level = sys._getframe(1), 2
    ours = ("noisewright.", "contextlib")  # a file is closed at the end of a with block
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(ours):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def _unreadable(path: Path, error: Exception) -> str:
    if isinstance(error, OSError) and error.errno:
        return f"cannot read {path}: {_reason(error)}"
    if isinstance(error, UnicodeError):
        return f"cannot read {path}: its text is not UTF-8"
    return f"cannot read {path}: the file is damaged or of another kind than its name says"


def _reason(error: OSError) -> str:
    return {
        errno.ENOENT: "there is no such file or folder",
        errno.EISDIR: "it is a folder, not a file",
        errno.EACCES: "permission denied",
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the disk quota is used up",
        errno.EFBIG: "the file would become larger than allowed here",
    }.get(error.errno or 0) or (os.strerror(error.errno) if error.errno else "the system refused")


def file_digest(path: str | os.PathLike[str], name: str | None = None) -> Digest:
    """Read a file; it goes by its own name, without folders, unless another one is given.

    >>> file_digest(os.devnull).sha256[:16]
    'e3b0c44298fc1c14'
    """
    with reading(Path(path)), Path(path).open("rb") as file:
        return Digest(name or Path(path).name, hashlib.file_digest(file, "sha256").hexdigest())
