"""Times in files: ISO 8601 texts, or seconds since 1970 (UTC).

A text without a zone is taken to be UTC, and a plain number to be seconds. Times are written to the
microsecond, with a Z.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.parameters import as_float, is_number
from noisewright.trajectory.files.degrees import Place

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST: Final = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH).total_seconds()
LATEST: Final = (datetime(9999, 12, 31, tzinfo=UTC) - EPOCH).total_seconds()
MICRO: Final = 1_000_000

WANTED: Final = (
    "times are written as 2012-04-07T23:33:08Z or as seconds since 1970 (not milliseconds), for every point "
    "or for none"
)


def seconds_of(values: Iterable[object], place: Place) -> Floats:
    """Seconds since 1970 of times as files spell them; what is no time is refused by its place.

    >>> seconds_of(["1970-01-02", "1970-01-01T01:00:00+01:00", 2.5], "row {}".format)
    array([8.64e+04, 0.00e+00, 2.50e+00])
    """
    seconds = np.fromiter(map(_second, values), dtype=np.float64)
    check_seconds(seconds, place)
    return seconds


def check_seconds(seconds: Floats, place: Place) -> None:
    """Refuse missing times, and those outside the years 1 to 9999, which no calendar text can hold."""
    bad = ~((seconds >= EARLIEST) & (seconds < LATEST))
    if bad.any():
        raise BadTable(f"{place(int(np.argmax(bad)))} has no readable time; {WANTED}")


def _second(value: object) -> float:
    """Seconds, or NaN for what is no time at all."""
    if not isinstance(value, str):
        return as_float(value) if is_number(value) else np.nan
    try:
        # Numbers first: the calendar also knows dates without hyphens, and would find some in long numbers.
        return number_of(value)
    except ValueError:
        pass
    try:
        return _since_epoch(datetime.fromisoformat(value.strip()))
    except (ValueError, OverflowError):
        return np.nan


def _since_epoch(moment: datetime) -> float:
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH).total_seconds()


def number_of(text: str) -> float:
    """A number as files write it; Python alone would also take 1_000 and the digits of other scripts.

    >>> number_of(" 71.5 ")
    71.5
    """
    if not text.isascii() or "_" in text:
        raise ValueError("not a number")
    return float(text)


def microseconds(seconds: Floats) -> NDArray[np.int64]:
    """Whole microseconds since 1970, so that a time that was read with microseconds is written as it was.

    >>> microseconds(np.array([1333841588.000001]))
    array([1333841588000001])
    """
    whole = np.floor(seconds)
    return whole.astype(np.int64) * MICRO + np.rint((seconds - whole) * MICRO).astype(np.int64)


def texts_of(seconds: Floats) -> list[str]:
    """Times as ISO 8601 texts in UTC, without a fraction where all are whole seconds.

    >>> texts_of(np.array([1333841588.0]))
    ['2012-04-07T23:33:08Z']
    """
    moments = microseconds(seconds).astype("datetime64[us]")
    unit = "s" if (np.floor(seconds) == seconds).all() else "us"
    texts: list[str] = np.datetime_as_string(moments.astype(f"datetime64[{unit}]"), timezone="UTC").tolist()
    return texts
