"""Features of GeoJSON as routes: each line is one, and points of one name together are one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain, repeat
from typing import Any, Final, NamedTuple

from noisewright.errors import BadTable
from noisewright.trajectory.files.columns import find
from noisewright.trajectory.files.identifiers import mixed_up, unassigned_identifier
from noisewright.trajectory.files.pieces import Pieces
from noisewright.trajectory.files.repeats import Repeats, texts_of

GEOMETRIES: Final = ("LineString", "MultiLineString", "Point")
LINE_TIMES: Final = ("times", "coordTimes")
"""Properties of a line that list its times, as different programs call them."""


class Feature(NamedTuple):
    """One feature: its place in words for refusals, its properties and its geometry."""

    place: str
    properties: dict[str, Any]
    geometry: dict[str, Any]


def add_feature(
    pieces: Pieces, feature: Feature, chosen: Mapping[str, str], *, one_route: bool = False
) -> None:
    """Append the routes of a feature, or refuse it by its place.

    Points without a route are one route together; ``one_route`` says so for those with identifiers, too.

    >>> pieces = Pieces()
    >>> line = {"type": "LineString", "coordinates": [[139.70, 35.68], [139.71, 35.69, 12.0]]}
    >>> add_feature(pieces, Feature("feature 1", {"user": 7, "email": "a@b.c"}, line), {})
    >>> pieces.rows().names, pieces.rows().points.tolist()
    (['7'], [[139.7, 35.68], [139.71, 35.69]])
    """
    place, properties, geometry = feature
    kind, coordinates = geometry.get("type"), geometry.get("coordinates")
    if kind not in GEOMETRIES:
        raise BadTable(f"the type of {place} must be one of {', '.join(GEOMETRIES)}")
    if kind == "Point":
        _add_point(pieces, feature, coordinates, chosen, one_route=one_route)
        return
    several = kind == "MultiLineString"
    lines = _list(coordinates, f"the coordinates of {place}") if several else [coordinates]
    times = _of_lines(_line_times(properties, chosen), several, len(lines), f"times of {place}")
    marks = _of_lines(
        properties.get("reported"), several, len(lines), f"marks of what is reported in {place}"
    )
    name = _name(feature, chosen)
    for number, (line, moments, reported) in enumerate(zip(lines, times, marks, strict=True), 1):
        here = f"line {number} of {place}" if several else place
        pieces.add(here, _flat(line, here), name=name, times=moments, reported=reported)


def refuse_repeats(features: Iterable[Feature], chosen: Mapping[str, str]) -> None:
    """Refuse points that would be one route though texts of one of their properties repeat."""
    values: defaultdict[str, list[object]] = defaultdict(list)
    points = 0
    for feature in features:
        if feature.geometry.get("type") == "Point" and _name(feature, chosen) is None:
            points += 1
            for name, value in feature.properties.items():
                values[name].append(value)
    seen = Repeats()
    for name, found in values.items():
        seen.add(name, texts_of(found))
    seen.refuse(points, "the property")


def _add_point(
    pieces: Pieces, feature: Feature, position: object, chosen: Mapping[str, str], *, one_route: bool
) -> None:
    name = None if one_route else _name(feature, chosen)
    if name is None and not one_route and (stray := unassigned_identifier(list(feature.properties))):
        raise BadTable(mixed_up(stray, f"in {feature.place} the property"))
    time, reported = _property("time", feature.properties, chosen), feature.properties.get("reported")
    pieces.add(
        feature.place,
        _flat([position], feature.place),
        name=name,
        times=[] if time is None else [time],
        reported=[] if reported is None else [reported],
        join=True,
    )


def _property(role: str, properties: Mapping[str, Any], chosen: Mapping[str, str]) -> Any:
    """The value of the property of a role; ``None`` where there is none, or null."""
    name = chosen.get(role) or find(role, list(properties), {})
    return None if name is None else properties.get(name)


def _name(feature: Feature, chosen: Mapping[str, str]) -> str | None:
    """The name of a route; a line may also be called by the property ``name``, as tracks are."""
    found = _property("route", feature.properties, chosen)
    if found is None and feature.geometry["type"] != "Point":
        found = feature.properties.get("name")
    if found is not None and (isinstance(found, bool) or not isinstance(found, str | int)):
        raise BadTable(f"the route of {feature.place} must be text or a whole number")
    return None if found is None else str(found)


def _line_times(properties: Mapping[str, Any], chosen: Mapping[str, str]) -> Any:
    """The times of a line's points; a single time, which some programs add, is of the line as a whole."""
    if "time" in chosen:
        return properties.get(chosen["time"])
    nested = properties.get("coordinateProperties")
    found = [properties.get(name) for name in LINE_TIMES]
    found.append(nested.get("times") if isinstance(nested, dict) else None)
    return next((times for times in found if times is not None), None)


def _of_lines(values: Any, several: bool, count: int, what: str) -> Iterable[list[Any]]:
    """The values of each line: a list for a line, and a list of lists for several."""
    if values is None:
        return repeat([], count)
    lists = _list(values, f"the {what}") if several else [values]
    if len(lists) != count:
        raise BadTable(f"there must be as many lists of {what} as lines")
    return [_list(each, f"the {what}") for each in lists]


def _flat(line: object, place: str) -> Iterable[float]:
    """The first two numbers of every position, one after another; heights are left behind."""
    positions = _list(line, f"the coordinates of {place}")
    if not set(map(type, positions)) <= {list} or not set(map(len, positions)) <= {2, 3}:
        raise BadTable(f"a position of {place} is not a list of two or three numbers")
    if not set(map(type, chain.from_iterable(positions))) <= {int, float}:
        raise BadTable(f"a position of {place} has something else than numbers")
    if set(map(len, positions)) <= {2}:
        return chain.from_iterable(positions)
    return chain.from_iterable(position[:2] for position in positions)


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadTable(f"{what} are not a list")
    return value
