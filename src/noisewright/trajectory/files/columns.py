"""Which column of a table, or property of a feature, is which: by its usual names, or as the user says."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from noisewright.engine.naming import check_names, separator_hint
from noisewright.errors import BadTable, InvalidParameter
from noisewright.text import comparison_key
from noisewright.trajectory.files.identifiers import mixed_up, unassigned_identifier
from noisewright.trajectory.files.route_file import Coordinates

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
"""Names by which each column is known; capitals, blanks, underscores and hyphens make no difference."""

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
        time, reported = (find(role, names, chosen) for role in ("time", "reported"))
        route = None if one_route else find("route", names, chosen)
        free = [name for name in names if name not in (*pair, time, reported)]
        if route is None and not one_route and (stray := unassigned_identifier(free)) is not None:
            raise BadTable(mixed_up(stray, "the column"))
        used = [name for name in (*pair, route, time, reported) if name is not None]
        if len(set(used)) < len(used):
            raise InvalidParameter("columns gives one column two meanings; name each column once")
        return Columns(coordinates, pair, route, time, reported)


def check_roles(chosen: Mapping[str, str], allowed: Collection[str]) -> None:
    """Refuse a choice of columns that the format has no place for."""
    for role in chosen:
        if role not in allowed:
            raise InvalidParameter(
                f"columns has the key {role!r}; in this format it may have {', '.join(allowed) or 'no keys'}"
            )


def find(role: str, names: Sequence[str], chosen: Mapping[str, str]) -> str | None:
    """The one column of a role, or ``None``; where several may be meant, the user has to say which."""
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
    """The columns of the coordinates; those of a pair that was chosen win over usual names of the other."""
    said: list[Coordinates] = [kind for kind, pair in PAIRS.items() if set(pair) & set(chosen)]
    found: list[tuple[Coordinates, tuple[str, str]]] = []
    for kind in said or PAIRS:
        first, second = (find(role, names, chosen) for role in PAIRS[kind])
        if first is not None and second is not None:
            found.append((kind, (first, second)))
    if len(found) > 1:
        kind, own = found[0]
        roles = ", ".join(f'"{role}": "{name}"' for role, name in zip(PAIRS[kind], own, strict=True))
        raise BadTable(
            f"it has both longitude and latitude and x and y; say which, such as columns={{{roles}}}"
        )
    if not found:
        raise BadTable(_no_pair(names))
    return found[0]


def _no_pair(names: Sequence[str]) -> str:
    if len(names) == 1 and (hint := separator_hint(names[0])):
        return hint
    known = [f"{first!r} and {second!r}" for first, second in PAIRS.values()]
    return (
        f"it has no columns {' or '.join(known)} (nor {', '.join(map(repr, _others()))}); "
        'name them by columns={"longitude": "NAME", "latitude": "NAME"}, and is there a header line?'
    )


def _others() -> list[str]:
    return [name for pair in PAIRS.values() for role in pair for name in USUAL[role] if name != role]
