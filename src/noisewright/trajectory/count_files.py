"""Counts of private routes as files for other programs: CSV tables and GeoJSON maps.

A CSV holds the answers to one question: a row for each region or cell, or a matrix of trips with a block of
rows for the estimates and for each end of the intervals. A GeoJSON file holds all answers: polygons for
regions and cells, and a line for each pair of zones. Numbers that the reports do not determine are empty.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadTable, InvalidParameter
from noisewright.io.file_access import check_target, published, writing
from noisewright.io.files import starts_formula, warn_formulas
from noisewright.trajectory.aggregates import DensityMap, ODTable
from noisewright.trajectory.counts import RouteCounts

ENDINGS: Final = (".csv", ".geojson", ".json")
PLACES: Final = (
    "name", "left", "bottom", "right", "top", "estimate", "low", "high", "smooth_low", "smooth_high",
    "smoothness", "total", "level",
)  # fmt: skip
NOT_SMOOTH: Final = {"smooth_low": None, "smooth_high": None, "smoothness": None}
"""Values for cells, which have one interval only."""


def check_counts_file(path: Path, *, questions: int, replace: bool) -> None:
    """Refuse a file that could not be written, before any work is done."""
    if path.suffix.lower() not in ENDINGS:
        raise InvalidParameter(f"counts are written as one of {', '.join(ENDINGS)}, not as {path} ends")
    if path.suffix.lower() == ".csv" and questions > 1:
        raise InvalidParameter(
            "a .csv holds the answers to one question; ask for regions, a grid, hotspots or trips by itself, "
            "or write a .geojson"
        )
    if path.exists() and not replace:
        raise BadTable(f"{path} exists already; choose another name, or pass --force to replace it")


def write_counts(path: Path, found: RouteCounts) -> Path:
    """Write the answers in the format that the name ends in, and return the path."""
    target, table = path.absolute(), path.suffix.lower() == ".csv"
    check_target(target, None, replace=True)
    with writing(target), published(target) as (draft,):
        draft.write_text(_csv(found) if table else _geojson(found), encoding="utf-8")
    if table:
        warn_formulas(filter(starts_formula, found.trips.names if found.trips is not None else ()))
    return target


def _csv(found: RouteCounts) -> str:
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    if found.trips is not None:
        lines.writerow(["value", "from", *found.trips.names])
        for value in ("estimate", "low", "high"):
            for name, row in zip(found.trips.names, getattr(found.trips, value), strict=True):
                lines.writerow([value, name, *map(_plain, row)])
    else:
        lines.writerow(PLACES)
        for place in _places(found):
            lines.writerow(["" if place[key] is None else place[key] for key in PLACES])
    return text.getvalue()


def _places(found: RouteCounts) -> Iterator[dict[str, Any]]:
    """Return regions and cells as rows, both with counts of locations."""
    for number, (box, count) in enumerate(found.regions, 1):
        sides = dict(zip(("left", "bottom", "right", "top"), box, strict=True))
        keys = ("estimate", "low", "high", "smooth_low", "smooth_high", "smoothness", "total", "level")
        yield {"name": f"region {number}", **sides, **{key: getattr(count, key) for key in keys}}
    if found.density is not None:
        yield from _cells(found.density)
    for spot in found.hotspots or ():
        sizes = {"total": None, "level": found.level, **NOT_SMOOTH}
        x, y = spot.centre
        numbers = {"estimate": spot.share, "low": spot.low, "high": spot.high}
        yield {"name": spot.name, "left": x, "bottom": y, "right": x, "top": y, **numbers, **sizes}


def _cells(density: DensityMap) -> Iterator[dict[str, Any]]:
    corners = density.outlines.reshape(-1, 4, 2)
    estimate, low, high = (
        density.total * values.reshape(-1) for values in (density.estimate, density.low, density.high)
    )
    for place, name in enumerate(density.grid.names):
        (left, bottom), (right, top) = corners[place, 0].tolist(), corners[place, 2].tolist()
        yield {
            "name": name, "left": left, "bottom": bottom, "right": right, "top": top,
            "estimate": _plain(estimate[place]), "low": float(low[place]), "high": float(high[place]),
            **NOT_SMOOTH, "total": density.total, "level": density.level,
        }  # fmt: skip


def _plain(number: Any) -> float | None:
    return None if np.isnan(number) else float(number)


def _geojson(found: RouteCounts) -> str:
    features = []
    for place in _places(found):
        left, bottom, right, top = (place.pop(side) for side in ("left", "bottom", "right", "top"))
        if left == right:
            shape: dict[str, Any] = {"type": "Point", "coordinates": [left, bottom]}
        else:
            ring = [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]]
            shape = {"type": "Polygon", "coordinates": [ring]}
        features.append({"type": "Feature", "properties": place, "geometry": shape})
    if found.trips is not None:
        features += _flows(found.trips)
    said = {"caution": found.caution, "notes": found.notes}
    document = {"type": "FeatureCollection", "features": features, **said}
    return json.dumps(document, allow_nan=False, ensure_ascii=False) + "\n"


def _flows(trips: ODTable) -> list[dict[str, Any]]:
    """Return a line from zone to zone and a point for trips within a zone; "elsewhere" has none."""
    features = []
    for origin, start in enumerate(trips.centres):
        for destination, end in enumerate(trips.centres):
            numbers = {
                key: _plain(getattr(trips, key)[origin, destination]) for key in ("estimate", "low", "high")
            }
            ends = {"from": trips.names[origin], "to": trips.names[destination]}
            properties = {**ends, **numbers, "total": trips.total, "level": trips.level}
            features.append({"type": "Feature", "properties": properties, "geometry": _way(start, end)})
    return features


def _way(start: Floats, end: Floats) -> dict[str, Any] | None:
    if np.isnan(start).any() or np.isnan(end).any():
        return None
    if (start == end).all():
        return {"type": "Point", "coordinates": start.tolist()}
    return {"type": "LineString", "coordinates": [start.tolist(), end.tolist()]}
