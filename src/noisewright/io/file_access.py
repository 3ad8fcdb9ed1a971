"""One file at a time: read with one clear sentence for each way it can fail, written whole or not at all.

What Arrow says of a broken file may quote the data, so it is withheld.

Everything is written to a hidden file in the same folder, readable by its owner alone, and forced to disk.
Only then does it get its name and the permissions of any new file there, for reports are made to be passed
on. Whatever goes wrong before that (a full disk, a bad value in the last row, Ctrl-C) removes the hidden
file, and an earlier file of that name stays as it was.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from noisewright.errors import BadTable
from noisewright.io.strict_json import strict_json
from noisewright.report.provenance import Digest
from noisewright.text import size_words


@contextmanager
def reading(path: object) -> Iterator[None]:
    """Turn the errors of reading a file into refusals without any of its content."""
    try:
        yield
    except (OSError, pa.ArrowException, UnicodeError) as error:
        raise BadTable(_unreadable(path, error)) from None


def existing_file(path: str | os.PathLike[str]) -> Path:
    """Return the path of a file that exists, can be opened and is not empty; refuse any other."""
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
    """Return the text of a file; one that is larger than any of its kind is not read."""
    found = existing_file(path)
    with reading(found), found.open("rb") as file:
        content = file.read(
            min(found.stat().st_size, largest) + 1
        )  # read() allocates all that it is asked for
        if len(content) > largest:
            raise BadTable(f"{found} is larger than {size_words(largest)} and is not read; no {what} is")
        return content.decode("utf-8-sig")  # some editors begin a file with a byte order mark


def read_json(path: str | os.PathLike[str], largest: int, what: str) -> Any:
    """Return the value of a JSON file, or say what is wrong and where.

    Args:
        path: The file, which may be a stranger's.
        largest: Bytes of the largest file that is read.
        what: What such a file holds, for a refusal.
    """
    return strict_json(small_text(path, largest, what), str(path), largest=largest)


def _unreadable(path: object, error: Exception) -> str:
    if isinstance(error, OSError) and error.errno:
        return f"cannot read {path}: {_reason(error)}"
    if isinstance(error, UnicodeError):
        return f"cannot read {path}: its text is not UTF-8"
    if isinstance(error, OSError) and "://" in str(path):
        return f"cannot read {path}: the store does not answer or refuses access, or the file is damaged"
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
    """Return the digest of a file, under its own name without folders unless another is given.

    >>> file_digest(os.devnull).sha256[:16]
    'e3b0c44298fc1c14'
    """
    with reading(Path(path)), Path(path).open("rb") as file:
        return Digest(name or Path(path).name, hashlib.file_digest(file, "sha256").hexdigest())


# -- writing ---------------------------------------------------------------------------------------------


@contextmanager
def writing(path: object) -> Iterator[None]:
    """Turn the errors of writing a file into refusals that say that no output was left."""
    try:
        yield
    except OSError as error:
        raise BadTable(f"cannot write {path}: {_reason(error)}; no output was left behind") from None
    except pa.ArrowException:
        raise BadTable(
            f"cannot write {path}: a kept column has a type that this format cannot hold"
        ) from None


def check_output(
    target: Path,
    inputs: Sequence[Path] = (),
    *,
    replace: bool,
    endings: Sequence[str] = (),
    what: str = "the output",
    cost: str = "",
) -> None:
    """Refuse, before any work is done, an output that could not or should not be written in the end.

    Args:
        target: The file to write.
        inputs: Files that are read; none of them may be the output.
        replace: Whether a file that exists already is replaced.
        endings: The endings, such as ".json", that its name may have; any if there are none.
        what: What the file holds, for a refusal of its ending.
        cost: What replacing a file costs, for a refusal of one that exists.
    """
    if endings and target.suffix.lower() not in endings:
        raise BadTable(f"{what} must end in {' or '.join(endings)}, not as {target} does")
    if not target.parent.is_dir():
        raise BadTable(f"cannot write {target}: the folder {target.parent} does not exist")
    if not target.exists():
        return
    if any(path.exists() and target.samefile(path) for path in inputs):
        one = "the input" if len(inputs) == 1 else "an input"
        raise BadTable(f"the output {target} is {one} itself; choose another name")
    if not target.is_file():
        raise BadTable(f"cannot write {target}: it exists and is not a regular file")
    if not replace:
        raise BadTable(
            f"{target} exists already{cost}; choose another name, or pass replace=True to replace it"
        )


def check_target(target: Path, original: Path | None, *, replace: bool) -> None:
    """Refuse an output of reports that is the input, not a regular file, or would silently replace one."""
    cost = ", and a second draw from the same data spends the budget a second time"
    check_output(target, () if original is None else (original,), replace=replace, cost=cost)


@contextmanager
def published(*targets: Path) -> Iterator[list[Path]]:
    """Yield hidden drafts, which get their targets' names together if the block succeeds, else vanish."""
    drafts = [target.with_name(f".noisewright-{secrets.token_hex(8)}.part") for target in targets]
    try:
        for draft in drafts:
            os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield drafts
        for draft, target in zip(drafts, targets, strict=True):
            _settle(draft, target)
        for draft, target in zip(drafts, targets, strict=True):
            draft.replace(target)
        sync(targets[0].parent)
    finally:
        for draft in drafts:
            draft.unlink(missing_ok=True)


def _settle(draft: Path, target: Path) -> None:
    """Force a draft to disk; one that replaces a file takes over its permissions."""
    draft.chmod(target.stat().st_mode & 0o777 if target.exists() else mode_beside(draft))
    sync(draft)


def mode_beside(draft: Path) -> int:
    """Find the mode of a new file in a folder by making one: reading the umask would change it."""
    trial = draft.with_suffix(".trial")
    os.close(os.open(trial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        return stat.S_IMODE(trial.stat().st_mode)
    finally:
        trial.unlink()


def sync(path: Path) -> None:
    """Force a file or folder to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write a text, replacing an earlier file of that name, and return its path.

    >>> import tempfile
    >>> write_text(Path(tempfile.mkdtemp()) / "page.html", "<p>hello").read_text()
    '<p>hello'
    """
    target = Path(path).absolute()
    check_output(target, replace=True)
    with writing(target), published(target) as (draft,):
        draft.write_text(text, encoding="utf-8")
    return target


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn a Python program at its own line that called this package."""
    frame, level = sys._getframe(1), 2
    ours = ("noisewright.", "contextlib")  # a file is closed at the end of a with block
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(ours):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
