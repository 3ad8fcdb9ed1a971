"""Routes from GeoJSON (RFC 7946): a collection of features, a single one, or a bare geometry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from noisewright.engine.sentences import read_json
from noisewright.errors import BadTable
from noisewright.trajectory.files.about import KEY, about_of
from noisewright.trajectory.files.columns import check_roles
from noisewright.trajectory.files.features import Feature, add_feature, refuse_repeats
from noisewright.trajectory.files.pieces import Pieces
from noisewright.trajectory.files.route_file import RouteFile
from noisewright.trajectory.files.sizes import refuse_large

LARGEST: Final = 1 << 29
"""Bytes of a GeoJSON file that is read: some eight million points with times, 3 GB while parsed."""

DEGREES: Final = ("CRS84", "4326")
"""How the names of coordinate systems end that are longitudes and latitudes."""


def read_geojson(path: Path, chosen: Mapping[str, str], one_route: bool = False) -> RouteFile:
    """Read all lines and points of a GeoJSON file; with ``one_route`` all its points are one route."""
    check_roles(chosen, ("route", "time"))
    document = _document(path)
    _check_system(document.get("crs"))
    pieces = Pieces()
    for feature in _features(document):
        add_feature(pieces, feature, chosen, one_route=one_route)
    said, rows = document.get(KEY), pieces.rows()
    if said is None and not one_route and "route" not in chosen:
        rows.refuse_crowds(pieces.joined)
        refuse_repeats(_features(document), chosen)
    return rows.gathered(None if said is None else about_of(said))


def _document(path: Path) -> dict[str, Any]:
    refuse_large(path, LARGEST)
    document = read_json(path, LARGEST, "GeoJSON file of routes")
    if not isinstance(document, dict):
        raise BadTable("it is JSON, but not a GeoJSON object")
    return document


def _check_system(system: object) -> None:
    """Refuse metres of a national grid; the standard knows degrees only, but its forerunner knew more."""
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
