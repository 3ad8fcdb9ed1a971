"""Names, times and marks from columns of an Arrow table, whatever type the file stores them in.

Refusals name the column and the data row, never the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from noisewright.domains import Cells, Floats
from noisewright.engine.numbers import ArrowColumn, floats, place
from noisewright.errors import BadTable
from noisewright.trajectory.files.route_names import LONGEST, is_name
from noisewright.trajectory.files.times import WANTED, check_seconds, seconds_of
from noisewright.trajectory.spaces.base import Flags

PER_SECOND: Final = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
MARKS: Final = {"true": True, "false": False, "1": True, "0": False}


def names(column: ArrowColumn, name: str) -> tuple[Cells, list[str]]:
    """The number of each row's route, in the order in which routes first appear, and their names.

    >>> names(pa.chunked_array([["b", "a"], ["b"]]), "route")
    (array([0, 1, 0]), ['b', 'a'])
    """
    kind = _plain(column).type
    if not (pa.types.is_integer(kind) or is_text(kind)):
        raise BadTable(f"{name} holds {kind} values; routes are named by texts or whole numbers")
    places, found = _coded(column, name)
    for number, text in enumerate(found):
        if not is_name(text):
            row = int(np.argmax(places == number))
            raise BadTable(f"{place(name, row)} must be a name of 1 to {LONGEST} letters")
    return places, found


def flags(column: ArrowColumn, name: str) -> Flags:
    """Marks of which rows are reports: true and false, as booleans, texts or 1 and 0."""
    kind = _plain(column).type
    if not (pa.types.is_boolean(kind) or pa.types.is_integer(kind) or is_text(kind)):
        raise BadTable(f"{name} holds {kind} values; marks are true or false")
    places, found = _coded(column, name)
    for number, text in enumerate(found):
        if text.lower() not in MARKS:
            raise BadTable(f"{place(name, int(np.argmax(places == number)))} must be true or false")
    return np.array([MARKS[text.lower()] for text in found], dtype=np.bool_)[places]


def seconds(column: ArrowColumn, name: str) -> Floats:
    """Seconds since 1970 from timestamps of any unit and zone, from texts, or from numbers of seconds."""
    plain = _plain(column)
    if pa.types.is_date(plain.type):
        plain = plain.cast(pa.timestamp("ms"))
    _refuse_gaps(plain, name)
    if pa.types.is_timestamp(plain.type):
        found = _from_timestamps(plain)
    elif is_text(plain.type):
        return seconds_of(_values(plain), lambda row: place(name, row))
    elif pa.types.is_integer(plain.type) or pa.types.is_floating(plain.type):
        found = floats(plain, name)
    else:
        raise BadTable(f"{name} holds {plain.type} values; {WANTED}")
    check_seconds(found, lambda row: place(name, row))
    return found


def _from_timestamps(column: ArrowColumn) -> Floats:
    """Arrow counts from 1970 UTC, whatever zone it shows; a timestamp without a zone is taken to be UTC."""
    per_second = PER_SECOND[column.type.unit]
    counts = _array(column.cast(pa.int64())).astype(np.int64)
    if per_second > PER_SECOND["us"]:
        # A double has no room for nanoseconds since 1970: what is below a microsecond goes.
        counts, per_second = counts // (per_second // PER_SECOND["us"]), PER_SECOND["us"]
    seconds: Floats = counts / per_second
    return seconds


def _coded(column: ArrowColumn, name: str) -> tuple[Cells, list[str]]:
    """Each row's place in the list of distinct values, and that list as texts."""
    plain = _plain(column)
    _refuse_gaps(plain, name)
    coded = _one(plain).dictionary_encode()
    return _array(coded.indices).astype(np.int64), coded.dictionary.cast(pa.string()).to_pylist()


def _refuse_gaps(column: ArrowColumn, name: str) -> None:
    if column.null_count:
        row = pc.index(column.is_null(), True).as_py()
        raise BadTable(f"{place(name, row)} is missing; every row needs one, or none")


def text_counts(column: ArrowColumn) -> dict[str, int]:
    """How often each text stands in a column; gaps are left out."""
    found = pc.value_counts(_plain(column).drop_null())
    return dict(zip(found.field(0).to_pylist(), found.field(1).to_pylist(), strict=True))


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of this type holds texts."""
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return is_text(kind.value_type)
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view()


def _plain(column: ArrowColumn) -> ArrowColumn:
    if pa.types.is_run_end_encoded(column.type):
        column = pc.call_function("run_end_decode", [column])
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _one(column: ArrowColumn) -> Any:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _values(column: ArrowColumn) -> Iterator[Any]:
    """The values of a column as Python's own, a stretch at a time: all at once would take much memory."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return chain.from_iterable(chunk.to_pylist() for chunk in chunks)


def _array(column: ArrowColumn) -> Any:
    return np.from_dlpack(_one(column))  # to_numpy would import pandas
