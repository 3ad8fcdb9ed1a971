"""The two inputs of an audit, outside Python: as a file for a command, as a body for a server.

A path stands for what is in the file. Frames are written as CSV, everything else as JSON.
"""

from __future__ import annotations

import hashlib
import json
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final

import numpy as np

from noisewright.errors import InvalidParameter

KINDS: Final = {".json": "application/json", ".csv": "text/csv"}


def file_of(subject: Any) -> Path | None:
    """The file that a path or a text names; a text that names none is refused, as it may be mistyped."""
    if not isinstance(subject, str | PathLike):
        return None
    path = Path(fspath(subject)).resolve()
    if not path.is_file():
        raise InvalidParameter("an input given as text must be the path of a file, and there is none")
    return path


def identity(subject: Any) -> Any:
    """What tells an input from others: for a path the content of its file, wherever it lies."""
    if not isinstance(subject, str | PathLike):
        return subject
    try:
        return "file", hashlib.sha256(Path(fspath(subject)).read_bytes()).hexdigest()
    except (OSError, ValueError):  # a category that is no path
        return "name", fspath(subject)


def as_file(subject: Any, folder: Path) -> Path:
    """The file of an input: its own, or one that is written into the folder."""
    own = file_of(subject)
    if own is not None:
        return own
    content, kind = as_bytes(subject)
    path = folder / f"input{next(suffix for suffix in KINDS if KINDS[suffix] == kind)}"
    path.write_bytes(content)
    return path


def as_bytes(subject: Any) -> tuple[bytes, str]:
    """The content of an input and its media type.

    >>> as_bytes(np.array([[1.0, 2.0]]))
    (b'[[1.0, 2.0]]', 'application/json')
    """
    own = file_of(subject)
    if own is not None:
        return own.read_bytes(), KINDS.get(own.suffix, "application/octet-stream")
    for method, options in (("to_csv", {"index": False}), ("write_csv", {})):  # pandas, Polars
        if hasattr(subject, method):
            return str(getattr(subject, method)(**options)).encode(), KINDS[".csv"]
    try:
        return json.dumps(subject, default=_plain, allow_nan=False).encode(), KINDS[".json"]
    except (TypeError, ValueError):
        raise InvalidParameter(
            f"an input of type {type(subject).__name__} cannot be written as JSON (which has no NaN either); "
            "give the path of a file"
        ) from None


def _plain(part: Any) -> Any:
    if isinstance(part, np.ndarray | np.generic):
        return part.tolist()
    raise TypeError
