"""Routes as GeoJSON (RFC 7946): a LineString for each route, or a Point for a route of one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from noisewright.trajectory.files.about import KEY, to_text
from noisewright.trajectory.files.route_file import RouteFile
from noisewright.trajectory.files.times import texts_of


def write_geojson(draft: Path, content: RouteFile) -> None:
    """Write a FeatureCollection, one feature a line, with what is said of it as a foreign member.

    A route over the antimeridian is not cut in two, as map makers would: its points would no longer be one
    route. Its longitudes stay within ±180.
    """
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        file.write('{"type": "FeatureCollection",\n')
        if content.about is not None:
            file.write(f'"{KEY}": {to_text(content.about)},\n')
        file.write('"features": [\n')
        for number, feature in enumerate(_features(content)):
            file.write(",\n" if number else "")
            file.write(json.dumps(feature, allow_nan=False, ensure_ascii=False))
        file.write("\n]}\n")


def _features(content: RouteFile) -> Iterator[dict[str, Any]]:
    routes = content.routes
    for number, points in enumerate(routes):
        rows = slice(int(routes.starts[number]), int(routes.starts[number + 1]))
        properties: dict[str, Any] = {"route": routes.names[number]}
        if routes.times is not None:
            properties["times"] = texts_of(routes.times[rows])
        if content.reported is not None:
            properties["reported"] = content.reported[rows].tolist()
        yield _feature(points.tolist(), properties)


def _feature(points: list[list[float]], properties: dict[str, Any]) -> dict[str, Any]:
    """A line; of a single point there is none, and its lists of one become values."""
    if len(points) == 1:
        point = {"type": "Point", "coordinates": points[0]}
        return {"type": "Feature", "properties": _single(properties), "geometry": point}
    line = {"type": "LineString", "coordinates": points}
    return {"type": "Feature", "properties": properties, "geometry": line}


def _single(properties: dict[str, Any]) -> dict[str, Any]:
    singular = {"times": "time"}
    return {
        singular.get(name, name): value[0] if isinstance(value, list) else value
        for name, value in properties.items()
    }
