"""Files that appear whole or not at all.

Everything is written to a hidden file in the same folder, readable by its owner alone, forced to disk, and
only then given its name and the permissions of any new file there, for reports are made to be passed on.
Whatever goes wrong before that, a full disk, a bad value in the last row or Ctrl-C, removes the hidden file,
and an earlier file of that name stays as it was.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from noisewright.errors import BadTable


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
    """Refuse an output of reports that is the input, is no ordinary file, or would silently replace one."""
    cost = ", and a second draw from the same data spends the budget a second time"
    check_output(target, () if original is None else (original,), replace=replace, cost=cost)


@contextmanager
def published(*targets: Path) -> Iterator[list[Path]]:
    """Hidden drafts that take their targets' names together if the block ends well, and vanish otherwise."""
    drafts = [target.with_name(f".noisewright-{secrets.token_hex(8)}.part") for target in targets]
    try:
        for draft in drafts:
            os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield drafts
        for draft, target in zip(drafts, targets, strict=True):
            _settle(draft, target)
        for draft, target in zip(drafts, targets, strict=True):
            draft.replace(target)
        _sync(targets[0].parent)
    finally:
        for draft in drafts:
            draft.unlink(missing_ok=True)


def _settle(draft: Path, target: Path) -> None:
    """Force a draft to disk; one that replaces a file takes over who may read it."""
    draft.chmod(target.stat().st_mode & 0o777 if target.exists() else _mode_beside(draft))
    _sync(draft)


def _mode_beside(draft: Path) -> int:
    """Who may read a new file in a folder: tried out, since asking for the umask means to change it."""
    trial = draft.with_suffix(".trial")
    os.close(os.open(trial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        return stat.S_IMODE(trial.stat().st_mode)
    finally:
        trial.unlink()


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write a text, replacing an earlier file of that name; return where it is.

    >>> import tempfile
    >>> write_text(Path(tempfile.mkdtemp()) / "page.html", "<p>hello").read_text()
    '<p>hello'
    """
    from noisewright.io.file_errors import writing  # noqa: PLC0415  (Arrow is slow to load)

    target = Path(path).absolute()
    check_output(target, replace=True)
    with writing(target), published(target) as (draft,):
        draft.write_text(text, encoding="utf-8")
    return target
