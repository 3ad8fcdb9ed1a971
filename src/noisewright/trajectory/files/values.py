"""Names, coordinates and times as they stand in files, checked; refusals name the row and never the value.

A name is text that every format can hold, and no route has that of another. Coordinates are finite, and in
degrees where they are longitudes and latitudes. Times are ISO 8601 texts or seconds since 1970 (UTC): a text
without a zone is UTC, and a plain number is seconds. They are written to the microsecond, with a Z.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.parameters import as_float, is_number
from noisewright.trajectory.spaces import Flags

Coordinates = Literal["lonlat", "plane"]
"""Whether points are (longitude, latitude) in degrees or (x, y) in any unit."""

LONGEST: Final = 1000
"""Letters of a name; longer ones are documents in the wrong column."""


def check_names(names: Sequence[str]) -> None:
    """Refuse names that would not come back unchanged from a file; the refusal does not show them."""
    for number, name in enumerate(names, 1):
        if not is_name(name):
            raise BadTable(f"the name of route {number} must be text of 1 to {LONGEST} letters")
    if len(set(names)) < len(names):
        raise BadTable("two routes have the same name, and a file would join them; give each its own name")


def is_name(value: Hashable) -> bool:
    r"""Return whether a value is text that can be written down as UTF-8.

    >>> is_name("Śródmieście → home"), is_name(""), is_name("\ud800")
    (True, False, False)
    """
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in value)  # halves of a letter, not text


def distinct_names(names: Iterable[str]) -> list[str]:
    """Return the same names with numbers after repeated ones, since all segments of a track share its name.

    >>> distinct_names(["ride", "walk", "ride", "ride (2)"])
    ['ride', 'walk', 'ride (3)', 'ride (2)']
    """
    wanted = list(names)
    given, count, distinct = set(wanted), dict[str, int](), list[str]()
    for name in wanted:
        count[name] = count.get(name, 0) + 1
        numbered = name
        while count[name] > 1 and (numbered := f"{name} ({count[name]})") in given:
            count[name] += 1  # numbers of one name only rise
        given.add(numbered)
        distinct.append(numbered)
    return distinct


# -- coordinates -----------------------------------------------------------------------------------

Place = Callable[[int], str]
"""The place of a row in words, such as "data row 7", which a refusal shows instead of the value."""

WEST: Final = -180.0
EAST: Final = 180.0
FULL_TURN: Final = 360.0
POLE: Final = 90.0

NOT_DEGREES: Final = "give degrees, or name the columns x and y if these are metres or another unit"


def check_points(points: Floats, coordinates: Coordinates, place: Place) -> Floats:
    """Return the points of a file, or refuse invalid ones; longitudes come out from −180 to 180.

    >>> check_points(np.array([[190.0, 10.0]]), "lonlat", "row {}".format)
    array([[-170.,   10.]])
    """
    missing = ~np.isfinite(points[:, 0]) | ~np.isfinite(points[:, 1])
    _refuse(missing, place, "has a missing or infinite coordinate; drop such points")
    return points if coordinates == "plane" else _degrees(points, place)


def _degrees(points: Floats, place: Place) -> Floats:
    longitudes, latitudes = points.T
    beyond = np.abs(latitudes) > POLE
    if beyond.any() and (np.abs(latitudes) <= EAST).all() and (np.abs(longitudes) <= POLE).all():
        raise BadTable(
            f"longitude and latitude look swapped: {place(int(np.argmax(beyond)))} has a latitude beyond ±90 "
            "degrees, and with the two exchanged all points would fit; exchange them"
        )
    _refuse(beyond, place, f"has a latitude beyond ±90 degrees; {NOT_DEGREES}")
    outside = (longitudes < WEST) | (longitudes > FULL_TURN)
    _refuse(outside, place, f"has a longitude outside −180 to 360 degrees; {NOT_DEGREES}")
    if not (longitudes > EAST).any():
        return points
    # Exact: a double from 180 to 360 less 360 is a double.
    return np.column_stack([np.where(longitudes > EAST, longitudes - FULL_TURN, longitudes), latitudes])


def _refuse(bad: Flags, place: Place, what: str) -> None:
    if bad.any():
        raise BadTable(f"{place(int(np.argmax(bad)))} {what}")


# -- times -----------------------------------------------------------------------------------------

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST: Final = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH).total_seconds()
LATEST: Final = (datetime(9999, 12, 31, tzinfo=UTC) - EPOCH).total_seconds()
MICRO: Final = 1_000_000

WANTED: Final = (
    "times are written as 2012-04-07T23:33:08Z or as seconds since 1970 (not milliseconds), for every point "
    "or for none"
)


def seconds_of(values: Iterable[object], place: Place) -> Floats:
    """Return seconds since 1970 of times as files spell them, or refuse the first invalid one by its place.

    >>> seconds_of(["1970-01-02", "1970-01-01T01:00:00+01:00", 2.5], "row {}".format)
    array([8.64e+04, 0.00e+00, 2.50e+00])
    """
    seconds = np.fromiter(map(_second, values), dtype=np.float64)
    check_seconds(seconds, place)
    return seconds


def check_seconds(seconds: Floats, place: Place) -> None:
    """Refuse missing times, and those outside the years 1 to 9999, which no calendar text can hold."""
    _refuse(~((seconds >= EARLIEST) & (seconds < LATEST)), place, f"has no readable time; {WANTED}")


def _second(value: object) -> float:
    """Return seconds, or NaN for anything that is not a time."""
    if not isinstance(value, str):
        return as_float(value) if is_number(value) else np.nan
    try:
        # Numbers first: the calendar also accepts dates without hyphens, and would find some in long numbers.
        return number_of(value)
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(value.strip())
        return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH).total_seconds()
    except (ValueError, OverflowError):
        return np.nan


def number_of(text: str) -> float:
    """Return a number as files write it; Python alone would also take 1_000 and the digits of other scripts.

    >>> number_of(" 71.5 ")
    71.5
    """
    if not text.isascii() or "_" in text:
        raise ValueError("not a number")
    return float(text)


def microseconds(seconds: Floats) -> NDArray[np.int64]:
    """Return whole microseconds since 1970, so that a time read with microseconds is written unchanged.

    >>> microseconds(np.array([1333841588.000001]))
    array([1333841588000001])
    """
    whole = np.floor(seconds)
    return whole.astype(np.int64) * MICRO + np.rint((seconds - whole) * MICRO).astype(np.int64)


def iso_times(seconds: Floats) -> list[str]:
    """Return times as ISO 8601 texts in UTC, without a fraction where all are whole seconds.

    >>> iso_times(np.array([1333841588.0]))
    ['2012-04-07T23:33:08Z']
    """
    moments = microseconds(seconds).astype("datetime64[us]")
    unit = "s" if (np.floor(seconds) == seconds).all() else "us"
    texts: list[str] = np.datetime_as_string(moments.astype(f"datetime64[{unit}]"), timezone="UTC").tolist()
    return texts
