"""Inputs and outputs outside Python: an input as a file or a body, an output from printed or answered text.

A path stands for what is in the file. Frames are written as CSV, everything else as JSON.

A text is read by itself alone, and different codes stay different outputs: bounds rest on what is told apart.
Notations of one value (1, 1.0 and 1e0, yes and "yes", spaces around numbers and JSON) are one output, and
decimals are rounded to doubles.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
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
    """Return what tells an input from others: for a path the content of its file, wherever it lies."""
    if not isinstance(subject, str | PathLike):
        return subject
    try:
        return "file", hashlib.sha256(Path(fspath(subject)).read_bytes()).hexdigest()
    except (OSError, ValueError):  # a category that is no path
        return "name", fspath(subject)


def as_file(subject: Any, folder: Path) -> Path:
    """Return the file of an input: its own, or one that is written into the folder."""
    own = file_of(subject)
    if own is not None:
        return own
    content, kind = as_bytes(subject)
    path = folder / f"input{next(suffix for suffix in KINDS if KINDS[suffix] == kind)}"
    path.write_bytes(content)
    return path


def as_bytes(subject: Any) -> tuple[bytes, str]:
    """Return the content of an input and its media type.

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


# -- outputs -------------------------------------------------------------------------------------------


CODE: Final = re.compile(r"[+-]?0[0-9]|[01]{8,}\Z")
"""Texts of digits that are no numbers: a zero stands before another digit, or bits follow each other.

A counter that arrives at 10000000 has one of its very many outputs kept as text. That is another name for the
same output, so bounds hold as before.
"""

WHOLE: Final = re.compile(r"[+-]?[0-9]+")


def parse_output(content: bytes) -> Any:
    """The value of a JSON text; otherwise a number, if it is one; otherwise the text itself, a category.

    >>> [parse_output(text) for text in (b"[1, null]", b" +.5 ", b"inf", b"yes", b"", b"007", b"1e999")]
    [[1, None], 0.5, inf, 'yes', '', '007', '1e999']
    """
    text = content.decode("utf-8", "surrogateescape")  # other bytes stay different texts
    text = text.removesuffix("\n").removesuffix("\r")
    bare = text.strip()
    if CODE.match(bare):
        return text
    try:
        return _JSON.decode(bare)
    except (ValueError, RecursionError):
        found = _number(bare)
        return text if found is None else found


def _number(text: str) -> float | str | None:
    """A number in a notation that JSON lacks, or None; digits of other scripts are none."""
    if WHOLE.fullmatch(text):
        return _whole(text)
    try:
        return None if "_" in text or not text.isascii() else _decimal(text)
    except ValueError:
        return None


def _whole(text: str) -> int | str:
    """Exactly the number, or its text if Python refuses to read so many digits."""
    try:
        return int(text)
    except ValueError:
        return text


def _decimal(text: str) -> float | str:
    """The nearest double; what is finite beyond all doubles stays text, lest all of it be one infinity."""
    number = float(text)
    return text if math.isinf(number) and "inf" not in text.lower() else number


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; one that has a name twice is refused, and stays text, lest one value hide another."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError
    return dict(pairs)


_JSON: Final = json.JSONDecoder(parse_float=_decimal, parse_int=_whole, object_pairs_hook=_members)
