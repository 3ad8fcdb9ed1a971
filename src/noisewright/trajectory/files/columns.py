"""Columns of a table of locations: which is which, and what they hold.

A column, or property of a feature, is recognized by its usual names, or the user names it. Names, times and
marks are read from columns of an Arrow table, whatever type the file stores them in. Refusals name the column
and the data row, never the value.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from noisewright.domains import Cells, Floats
from noisewright.errors import BadTable, InvalidParameter
from noisewright.io.numbers import ArrowColumn, floats, place
from noisewright.io.table_files import check_names, separator_hint
from noisewright.text import comparison_key
from noisewright.trajectory.files.identifiers import identifier_refusal, unassigned_identifier
from noisewright.trajectory.files.values import (
    LONGEST,
    WANTED,
    Coordinates,
    check_seconds,
    is_name,
    seconds_of,
)
from noisewright.trajectory.spaces import Flags

USUAL: Final[dict[str, tuple[str, ...]]] = {
    "route": (
        *("route", "route_id", "trip", "trip_id", "track", "track_id", "journey", "journey_id", "ride"),
        *("ride_id", "trajectory", "trajectory_id", "traj_id", "user", "user_id", "uid", "person"),
        *("person_id", "participant", "participant_id", "subject_id", "customer_id", "client_id"),
        *("member_id", "driver", "driver_id", "rider_id", "device", "device_id", "phone_id", "imei"),
        *("maid", "vehicle", "vehicle_id", "taxi", "taxi_id", "cab_id", "car_id", "bus_id", "bike_id"),
        *("vessel", "vessel_id", "ship_id", "mmsi", "icao24", "flight_id", "animal_id", "individual_id"),
    ),
    "time": ("time", "timestamp", "utc_time", "time_utc", "datetime", "date_time", "utc"),
    "longitude": ("longitude", "lon", "lng", "long"),
    "latitude": ("latitude", "lat"),
    "x": ("x", "easting"),
    "y": ("y", "northing"),
    "reported": ("reported",),
}
"""Usual names of each column; capitals, blanks, underscores and hyphens make no difference."""

PAIRS: Final[dict[Coordinates, tuple[str, str]]] = {"lonlat": ("longitude", "latitude"), "plane": ("x", "y")}


@dataclass(frozen=True)
class Columns:
    """The columns of a table of locations under the names that they have there."""

    coordinates: Coordinates
    pair: tuple[str, str]
    route: str | None
    time: str | None
    reported: str | None

    @staticmethod
    def among(names: Sequence[str], chosen: Mapping[str, str], *, one_route: bool = False) -> Columns:
        """Find the columns of a table; those that are ``chosen`` need no usual name.

        With ``one_route`` the whole table is one route, whatever columns it has.

        >>> Columns.among(["user_id", "Lat", "Lon", "age"], {}).pair
        ('Lon', 'Lat')
        """
        check_roles(chosen, USUAL)
        coordinates, pair = _pair(names, chosen)
        time, reported = (find_column(role, names, chosen) for role in ("time", "reported"))
        route = None if one_route else find_column("route", names, chosen)
        free = [name for name in names if name not in (*pair, time, reported)]
        if route is None and not one_route and (stray := unassigned_identifier(free)) is not None:
            raise BadTable(identifier_refusal(stray, "the column"))
        used = [name for name in (*pair, route, time, reported) if name is not None]
        if len(set(used)) < len(used):
            raise InvalidParameter("gives one column two meanings; name each column once", field="columns")
        return Columns(coordinates, pair, route, time, reported)


def check_roles(chosen: Mapping[str, str], allowed: Collection[str]) -> None:
    """Refuse columns that the format does not have."""
    for role in chosen:
        if role not in allowed:
            raise InvalidParameter(
                f"has the key {role!r}; in this format it may have {', '.join(allowed) or 'no keys'}",
                field="columns",
            )


def find_column(role: str, names: Sequence[str], chosen: Mapping[str, str]) -> str | None:
    """Return the one column of a role, or ``None``; where several fit, the user has to choose."""
    if role in chosen:
        check_names([chosen[role]], names, where="the file")
        return chosen[role]
    usual = {comparison_key(name) for name in USUAL[role]}
    alike = [name for name in names if comparison_key(name) in usual]
    if alike.count(role) == 1:
        return role
    if len(alike) > 1:
        raise BadTable(
            f"any of {', '.join(map(repr, alike))} may be the {role}; "
            f'say which by columns={{"{role}": "{alike[0]}"}}'
        )
    return alike[0] if alike else None


def _pair(names: Sequence[str], chosen: Mapping[str, str]) -> tuple[Coordinates, tuple[str, str]]:
    """Return the columns of the coordinates; a pair that the user chose wins over usual names."""
    said: list[Coordinates] = [kind for kind, pair in PAIRS.items() if set(pair) & set(chosen)]
    found: list[tuple[Coordinates, tuple[str, str]]] = []
    for kind in said or PAIRS:
        first, second = (find_column(role, names, chosen) for role in PAIRS[kind])
        if first is not None and second is not None:
            found.append((kind, (first, second)))
    if len(found) > 1:
        kind, own = found[0]
        roles = ", ".join(f'"{role}": "{name}"' for role, name in zip(PAIRS[kind], own, strict=True))
        raise BadTable(
            f"it has both longitude and latitude and x and y; say which, such as columns={{{roles}}}"
        )
    if found:
        return found[0]
    if len(names) == 1 and (hint := separator_hint(names[0])):
        raise BadTable(hint)
    known = " or ".join(f"{first!r} and {second!r}" for first, second in PAIRS.values())
    others = [name for pair in PAIRS.values() for role in pair for name in USUAL[role] if name != role]
    raise BadTable(
        f"it has no columns {known} (nor {', '.join(map(repr, others))}); "
        'name them by columns={"longitude": "NAME", "latitude": "NAME"}, and is there a header line?'
    )


# -- what columns hold -----------------------------------------------------------------------------

PER_SECOND: Final = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
MARKS: Final = {"true": True, "false": False, "1": True, "0": False}


def route_names(column: ArrowColumn, name: str) -> tuple[Cells, list[str]]:
    """Return the number of each row's route, in the order in which routes first appear, and their names.

    >>> route_names(pa.chunked_array([["b", "a"], ["b"]]), "route")
    (array([0, 1, 0]), ['b', 'a'])
    """
    kind = _plain(column).type
    if not (pa.types.is_integer(kind) or is_text(kind)):
        raise BadTable(f"{name} holds {kind} values; routes are named by texts or whole numbers")
    places, found = _encode(column, name)
    for number, text in enumerate(found):
        if not is_name(text):
            row = int(np.argmax(places == number))
            raise BadTable(f"{place(name, row)} must be a name of 1 to {LONGEST} letters")
    return places, found


def report_marks(column: ArrowColumn, name: str) -> Flags:
    """Return marks of which rows are reports: true and false, as booleans, texts or 1 and 0."""
    kind = _plain(column).type
    if not (pa.types.is_boolean(kind) or pa.types.is_integer(kind) or is_text(kind)):
        raise BadTable(f"{name} holds {kind} values; marks are true or false")
    places, found = _encode(column, name)
    for number, text in enumerate(found):
        if text.lower() not in MARKS:
            raise BadTable(f"{place(name, int(np.argmax(places == number)))} must be true or false")
    return np.array([MARKS[text.lower()] for text in found], dtype=np.bool_)[places]


def seconds_since_1970(column: ArrowColumn, name: str) -> Floats:
    """Return seconds since 1970 from timestamps of any unit and zone, texts, or numbers of seconds."""
    plain = _plain(column)
    if pa.types.is_date(plain.type):
        plain = plain.cast(pa.timestamp("ms"))
    _refuse_gaps(plain, name)
    if pa.types.is_timestamp(plain.type):
        found = _from_timestamps(plain)
    elif is_text(plain.type):
        chunks = plain.chunks if isinstance(plain, pa.ChunkedArray) else [plain]
        # in chunks: all at once would take much memory
        texts = chain.from_iterable(chunk.to_pylist() for chunk in chunks)
        return seconds_of(texts, lambda row: place(name, row))
    elif pa.types.is_integer(plain.type) or pa.types.is_floating(plain.type):
        found = floats(plain, name)
    else:
        raise BadTable(f"{name} holds {plain.type} values; {WANTED}")
    check_seconds(found, lambda row: place(name, row))
    return found


def _from_timestamps(column: ArrowColumn) -> Floats:
    """Return seconds since 1970 in UTC; a timestamp without a zone is taken to be UTC."""
    per_second = PER_SECOND[column.type.unit]
    counts = _array(column.cast(pa.int64())).astype(np.int64)
    if per_second > PER_SECOND["us"]:
        # A double cannot hold nanoseconds since 1970, so anything below a microsecond is dropped.
        counts, per_second = counts // (per_second // PER_SECOND["us"]), PER_SECOND["us"]
    seconds: Floats = counts / per_second
    return seconds


def _encode(column: ArrowColumn, name: str) -> tuple[Cells, list[str]]:
    """Return each row's place in the list of distinct values, and that list as texts."""
    plain = _plain(column)
    _refuse_gaps(plain, name)
    coded = _one(plain).dictionary_encode()
    return _array(coded.indices).astype(np.int64), coded.dictionary.cast(pa.string()).to_pylist()


def _refuse_gaps(column: ArrowColumn, name: str) -> None:
    if column.null_count:
        row = pc.index(column.is_null(), True).as_py()
        raise BadTable(f"{place(name, row)} is missing; every row needs one, or none")


def text_counts(column: ArrowColumn) -> dict[str, int]:
    """Return how often each text stands in a column; gaps are left out."""
    found = pc.value_counts(_plain(column).drop_null())
    return dict(zip(found.field(0).to_pylist(), found.field(1).to_pylist(), strict=True))


def is_text(kind: pa.DataType) -> bool:
    """Return whether a column of this type holds texts."""
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return is_text(kind.value_type)
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view()


def _plain(column: ArrowColumn) -> ArrowColumn:
    if pa.types.is_run_end_encoded(column.type):
        column = pc.call_function("run_end_decode", [column])
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _one(column: ArrowColumn) -> Any:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _array(column: ArrowColumn) -> Any:
    return np.from_dlpack(_one(column))  # to_numpy would import pandas
