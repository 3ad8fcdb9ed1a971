"""GeoJSON (RFC 7946): a collection of features, a single one, or a bare geometry, read as routes and written.

Each line is a route, and points of one name together are one. Routes are written as a LineString each, or as
a Point for a route of one.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Final, NamedTuple

from noisewright.errors import BadTable
from noisewright.io.description import KEY
from noisewright.io.file_access import read_json
from noisewright.trajectory.files.columns import check_roles, find_column
from noisewright.trajectory.files.description import about_of, refuse_large, to_text
from noisewright.trajectory.files.identifiers import (
    Repeats,
    count_texts,
    identifier_refusal,
    unassigned_identifier,
)
from noisewright.trajectory.files.route_file import RouteFile
from noisewright.trajectory.files.rows import Pieces
from noisewright.trajectory.files.values import iso_times

GEOMETRIES: Final = ("LineString", "MultiLineString", "Point")
LINE_TIMES: Final = ("times", "coordTimes")
"""Properties in which different programs list the times of a line."""


class Feature(NamedTuple):
    """One feature: its place in words for refusals, its properties and its geometry."""

    place: str
    properties: dict[str, Any]
    geometry: dict[str, Any]


def add_feature(
    pieces: Pieces, feature: Feature, chosen: Mapping[str, str], *, one_route: bool = False
) -> None:
    """Append the routes of a feature, or refuse it and name its place.

    Points without a route form one route together; with ``one_route`` so do those with identifiers.

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
        seen.add(name, count_texts(found))
    seen.refuse(points, "the property")


def _add_point(
    pieces: Pieces, feature: Feature, position: object, chosen: Mapping[str, str], *, one_route: bool
) -> None:
    name = None if one_route else _name(feature, chosen)
    if name is None and not one_route and (stray := unassigned_identifier(list(feature.properties))):
        raise BadTable(identifier_refusal(stray, f"in {feature.place} the property"))
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
    """Return the value of the property of a role; ``None`` where there is none, or null."""
    name = chosen.get(role) or find_column(role, list(properties), {})
    return None if name is None else properties.get(name)


def _name(feature: Feature, chosen: Mapping[str, str]) -> str | None:
    """Return the name of a route; a line may have it in the property ``name``, as tracks do."""
    found = _property("route", feature.properties, chosen)
    if found is None and feature.geometry["type"] != "Point":
        found = feature.properties.get("name")
    if found is not None and (isinstance(found, bool) or not isinstance(found, str | int)):
        raise BadTable(f"the route of {feature.place} must be text or a whole number")
    return None if found is None else str(found)


def _line_times(properties: Mapping[str, Any], chosen: Mapping[str, str]) -> Any:
    """Return the times of a line's points; a single time, as some programs add, is the whole line's."""
    if "time" in chosen:
        return properties.get(chosen["time"])
    nested = properties.get("coordinateProperties")
    found = [properties.get(name) for name in LINE_TIMES]
    found.append(nested.get("times") if isinstance(nested, dict) else None)
    return next((times for times in found if times is not None), None)


def _of_lines(values: Any, several: bool, count: int, what: str) -> Iterable[list[Any]]:
    """Return the values of each line: a list for a line, and a list of lists for several."""
    if values is None:
        return repeat([], count)
    lists = _list(values, f"the {what}") if several else [values]
    if len(lists) != count:
        raise BadTable(f"there must be as many lists of {what} as lines")
    return [_list(each, f"the {what}") for each in lists]


def _flat(line: object, place: str) -> Iterable[float]:
    """Return the first two numbers of every position, one after another; heights are left behind."""
    positions = _list(line, f"the coordinates of {place}")
    if not set(map(type, positions)) <= {list} or not set(map(len, positions)) <= {2, 3}:
        raise BadTable(f"a position of {place} is not a list of two or three numbers")
    if not set(map(type, chain.from_iterable(positions))) <= {int, float}:
        raise BadTable(f"a position of {place} has something other than numbers")
    if set(map(len, positions)) <= {2}:
        return chain.from_iterable(positions)
    return chain.from_iterable(position[:2] for position in positions)


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadTable(f"{what} are not a list")
    return value


# -- documents -------------------------------------------------------------------------------------

LARGEST: Final = 1 << 29
"""Bytes of a GeoJSON file that is read: some eight million points with times, 3 GB while parsed."""

DEGREES: Final = ("CRS84", "4326")
"""Endings of the names of coordinate systems in longitude and latitude."""


def read_geojson(path: Path, chosen: Mapping[str, str], one_route: bool = False) -> RouteFile:
    """Read all lines and points of a GeoJSON file; with ``one_route`` all its points are one route."""
    check_roles(chosen, ("route", "time"))
    refuse_large(path, LARGEST)
    document = read_json(path, LARGEST, "GeoJSON file of routes")
    if not isinstance(document, dict):
        raise BadTable("it is JSON, but not a GeoJSON object")
    _check_system(document.get("crs"))
    pieces = Pieces()
    for feature in _features(document):
        add_feature(pieces, feature, chosen, one_route=one_route)
    said, rows = document.get(KEY), pieces.rows()
    if said is None and not one_route and "route" not in chosen:
        rows.refuse_crowds(pieces.joined)
        refuse_repeats(_features(document), chosen)
    return rows.to_route_file(None if said is None else about_of(said))


def _check_system(system: object) -> None:
    """Refuse metres of a national grid, which the predecessor of today's standard allowed."""
    name = system.get("properties") if isinstance(system, dict) else None
    name = name.get("name") if isinstance(name, dict) else None
    if isinstance(name, str) and not name.endswith(DEGREES):
        raise BadTable("its coordinates are not longitudes and latitudes (WGS 84); convert them first")


def _features(document: dict[str, Any]) -> Iterator[Feature]:
    kind = document.get("type")
    if kind == "Feature":
        yield _feature("the feature", document)
    elif kind != "FeatureCollection":
        yield Feature("the geometry", {}, document)
    elif isinstance(features := document.get("features"), list):
        for number, feature in enumerate(features, 1):
            yield _feature(f"feature {number}", feature)
    else:
        raise BadTable("it is a FeatureCollection without a list of features")


def _feature(place: str, found: object) -> Feature:
    if not isinstance(found, dict) or found.get("type") != "Feature":
        raise BadTable(f'{place} is not an object of type "Feature"')
    properties, geometry = found.get("properties"), found.get("geometry")
    if not isinstance(geometry, dict):
        raise BadTable(f"{place} has no geometry; leave such features out")
    if properties is not None and not isinstance(properties, dict):
        raise BadTable(f"the properties of {place} are not an object")
    return Feature(place, properties or {}, geometry)


# -- writing ---------------------------------------------------------------------------------------


def write_geojson(draft: Path, content: RouteFile) -> None:
    """Write a FeatureCollection, one feature a line, with its description as a foreign member.

    A route over the antimeridian is not cut in two, as map makers would: its points would no longer be one
    route. Its longitudes stay within ±180.
    """
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        file.write('{"type": "FeatureCollection",\n')
        if content.about is not None:
            file.write(f'"{KEY}": {to_text(content.about)},\n')
        file.write('"features": [\n')
        for number, feature in enumerate(_written_features(content)):
            file.write(",\n" if number else "")
            file.write(json.dumps(feature, allow_nan=False, ensure_ascii=False))
        file.write("\n]}\n")


def _written_features(content: RouteFile) -> Iterator[dict[str, Any]]:
    routes = content.routes
    for number, points in enumerate(routes):
        rows = slice(int(routes.starts[number]), int(routes.starts[number + 1]))
        properties: dict[str, Any] = {"route": routes.names[number]}
        if routes.times is not None:
            properties["times"] = iso_times(routes.times[rows])
        if content.reported is not None:
            properties["reported"] = content.reported[rows].tolist()
        geometry = {"type": "LineString", "coordinates": points.tolist()}
        if len(points) == 1:  # lists of one become values
            geometry = {"type": "Point", "coordinates": points[0].tolist()}
            properties = {
                {"times": "time"}.get(name, name): value[0] if isinstance(value, list) else value
                for name, value in properties.items()
            }
        yield {"type": "Feature", "properties": properties, "geometry": geometry}
