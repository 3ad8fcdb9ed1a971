"""Inputs and outputs outside Python: inputs as they are typed, read and sent; outputs as they are printed.

A path stands for the content of its file. Frames are sent as CSV, everything else as JSON. A function gets
what its author would expect of a file: a NumPy array if everything is a number (one column: a vector;
several: a matrix of rows), otherwise an Arrow table, and from a JSON file its content. A refusal never shows
a value.

The text of an output is read on its own, and different codes stay different outputs. Notations of one value
(1, 1.0 and 1e0, yes and "yes", spaces around numbers and JSON) are one output, and decimals are rounded to
doubles.
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
import pyarrow as pa
import pyarrow.compute as pc

from noisewright.errors import BadDocument, BadTable, InvalidParameter, MissingExtra
from noisewright.io.file_access import read_json
from noisewright.io.strict_json import strict_json
from noisewright.io.table_files import KINDS, open_input

MEDIA_TYPES: Final = {".json": "application/json", ".csv": "text/csv"}


def file_of(subject: Any) -> Path | None:
    """Return the file that a path or text names; a text that names no file is refused: it may be mistyped."""
    if not isinstance(subject, str | PathLike):
        return None
    path = Path(fspath(subject)).resolve()
    if not path.is_file():
        raise InvalidParameter("an input given as text must be the path of a file, and there is none")
    return path


def identity(subject: Any) -> Any:
    """Return what distinguishes an input from others: for a path the content of its file."""
    if not isinstance(subject, str | PathLike):
        return subject
    try:
        return "file", hashlib.sha256(Path(fspath(subject)).read_bytes()).hexdigest()
    except (OSError, ValueError):  # a category, not a path
        return "name", fspath(subject)


def as_file(subject: Any, folder: Path) -> Path:
    """Return the file of an input: its own, or one that is written into the folder."""
    own = file_of(subject)
    if own is not None:
        return own
    content, kind = as_bytes(subject)
    path = folder / f"input{next(suffix for suffix in MEDIA_TYPES if MEDIA_TYPES[suffix] == kind)}"
    path.write_bytes(content)
    return path


def as_bytes(subject: Any) -> tuple[bytes, str]:
    """Return the content of an input and its media type.

    >>> as_bytes(np.array([[1.0, 2.0]]))
    (b'[[1.0, 2.0]]', 'application/json')
    """
    own = file_of(subject)
    if own is not None:
        return own.read_bytes(), MEDIA_TYPES.get(own.suffix, "application/octet-stream")
    for method, options in (("to_csv", {"index": False}), ("write_csv", {})):  # pandas, Polars
        if hasattr(subject, method):
            return str(getattr(subject, method)(**options)).encode(), MEDIA_TYPES[".csv"]
    try:
        return json.dumps(subject, default=_plain, allow_nan=False).encode(), MEDIA_TYPES[".json"]
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
"""Texts of digits that are codes, not numbers: they begin with a zero, or are bits in a row.

A counter that arrives at 10000000 has that output kept as text. It is another name for the same output, so
bounds hold as before.
"""

WHOLE: Final = re.compile(r"[+-]?[0-9]+")


def parse_output(content: bytes) -> Any:
    """Return the value of a JSON text, else a number if it is one, else the text itself as a category.

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
    """Return a number in a notation that JSON lacks, or None; digits of other scripts do not count."""
    if WHOLE.fullmatch(text):
        return _whole(text)
    try:
        return None if "_" in text or not text.isascii() else _decimal(text)
    except ValueError:
        return None


def _whole(text: str) -> int | str:
    """Return the exact number, or its text if it has more digits than Python reads."""
    try:
        return int(text)
    except ValueError:
        return text


def _decimal(text: str) -> float | str:
    """Return the nearest double; finite numbers beyond all doubles stay text, not one common infinity."""
    number = float(text)
    return text if math.isinf(number) and "inf" not in text.lower() else number


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; one with a repeated name stays text, so that no value hides another."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError
    return dict(pairs)


_JSON: Final = json.JSONDecoder(parse_float=_decimal, parse_int=_whole, object_pairs_hook=_members)


# -- inputs from files and as they are typed -----------------------------------------------------------


LARGEST: Final = 64 << 20
"""Bytes of the largest JSON file that is read."""


def read_value(text: str) -> Any:
    """Return an input as it is typed: JSON if it is JSON, otherwise the text itself.

    >>> read_value("[1, 0, 2.5]"), read_value("yes"), read_value("3")
    (array([1. , 0. , 2.5]), 'yes', 3)
    """
    try:
        return as_data(strict_json(text))
    except BadDocument:
        return text


def read_data(path: str | Path) -> Any:
    """Return the content of a file, as a function is called with it."""
    if Path(path).suffix.lower() == ".json":
        return as_data(read_json(path, LARGEST, "input of an audit"))
    if Path(path).suffix.lower() not in KINDS:
        raise BadTable(f"{path} must end in one of {', '.join(KINDS)} or .json, which says what it holds")
    table = _table(Path(path))
    columns = [_number_or_same(column) for column in table.columns]
    return _as_array(pa.Table.from_arrays(columns, table.column_names))


def read_for_programs(path: str | Path) -> Any:
    """Return a database whose neighbours are written to files for a program: every cell stays as it was.

    A CSV file becomes a frame, which is written as CSV again; a JSON file becomes its content.
    """
    if Path(path).suffix.lower() == ".json":
        return read_data(path)
    if Path(path).suffix.lower() != ".csv":
        raise BadTable(f"{path} must be CSV or JSON: its neighbours are written so for a command or endpoint")
    try:
        return _table(Path(path)).to_pandas()
    except ImportError:
        raise MissingExtra.of("searching neighbours for a command needs pandas", "frames") from None


def column_names(path: str | Path) -> tuple[str, ...] | None:
    """Return the names of the columns of a file; None for a JSON file, which has them inside, if at all."""
    return None if Path(path).suffix.lower() == ".json" else tuple(open_input(Path(path)).names)


def as_data(content: Any) -> Any:
    """Return lists of numbers, and lists of such lists of one length, as arrays; all else as it is.

    >>> as_data([[1, 2], [3, 4]]).shape, as_data([1, "x"])
    ((2, 2), [1, 'x'])
    """
    if not isinstance(content, list) or not content:
        return content
    rows = [row if isinstance(row, list) else [row] for row in content]
    numbers = all(type(cell) in (int, float) for row in rows for cell in row)
    if (
        not numbers
        or len({len(row) for row in rows}) != 1
        or len({type(row) is list for row in content}) != 1
    ):
        return content
    return np.asarray(content, dtype=np.float64)


def _table(path: Path) -> pa.Table:
    file = open_input(path)
    batches = list(file.batches([], list(file.names)))
    if not sum(batch.num_rows for batch in batches):
        raise BadTable(f"{path} has columns but no rows")
    return pa.Table.from_batches(batches)


def _number_or_same(column: Any) -> Any:
    """Return a column of text as numbers if every value is one; empty cells are missing values."""
    if not pa.types.is_string(column.type):
        return column
    filled = pc.if_else(pc.equal(column, pa.scalar("")), pa.scalar(None, column.type), column)
    if filled.null_count == len(filled):
        return column
    try:
        return pc.cast(filled, pa.float64())
    except pa.ArrowInvalid:
        return column


def _as_array(table: pa.Table) -> Any:
    """Return an array if all columns are numbers and nothing is missing; the table itself otherwise."""
    kinds = [column.type for column in table.columns]
    numbers = all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in kinds)
    if not numbers or any(column.null_count for column in table.columns):
        return table
    rows = np.column_stack([np.asarray(column.to_numpy(), dtype=np.float64) for column in table.columns])
    return rows[:, 0] if rows.shape[1] == 1 else rows
