"""Options that several verbs for routes share, and the functions that read their texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from noisewright.cli.options import assignment, file_of, read_number, whole_option
from noisewright.errors import BadTable, InvalidParameter
from noisewright.parameters import EPSILON

if TYPE_CHECKING:
    from noisewright.domains import Floats
    from noisewright.trajectory.files import RouteFile
    from noisewright.trajectory.spaces import Space

SpaceOption = Annotated[
    str | None,
    typer.Option(
        "--space",
        metavar="LEFT,BOTTOM,RIGHT,TOP",
        help="The box that locations lie in; west, south, east, north in degrees where a file has degrees. "
        "It is published, so it must not come from the data.",
    ),
]
DiskOption = Annotated[
    str | None,
    typer.Option("--disk", metavar="X,Y,RADIUS", help="Or a disk, for files of the plane."),
]
PolygonOption = Annotated[
    str | None,
    typer.Option(
        "--polygon",
        metavar="@FILE | X,Y;X,Y;...",
        help="Or one polygon without holes: a GeoJSON file, or its vertices.",
    ),
]
GlobeOption = Annotated[
    bool, typer.Option("--globe", help="Or the whole Earth: people may be anywhere on it.")
]
ProjectionOption = Annotated[
    str,
    typer.Option(
        "--projection",
        metavar="auto | degrees | local",
        help="How a box in degrees is laid flat: by its degrees, or by a local map in metres; auto takes "
        "the map for boxes of more than 500 km across.",
    ),
]
EpsilonOption = Annotated[float, typer.Option("--epsilon", metavar="E", help=EPSILON.help)]
PointsOption = Annotated[
    str | None,
    typer.Option(
        "--points",
        metavar="FILE",
        help="A file of public points, such as venues or stops. It must not come from the data.",
    ),
]
ColumnOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="NAME=COLUMN",
        help="Which column of a table is which, where its name is unusual: route, time, longitude, "
        "latitude, x or y. May be repeated.",
    ),
]
OneRouteOption = Annotated[
    bool,
    typer.Option("--one-route", help="All points of the file are one route, whatever columns it has."),
]
SeedOption = Annotated[
    int | None, whole_option("--seed", help="Repeatable noise for tests. The reports are then NOT PRIVATE.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print no summary and no progress.")]


# -- the space, which is public and never taken from the data ----------------------------------------

WANTED: Final = {
    "--space": "--space wants left,bottom,right,top, for example 139.47,35.51,139.90,35.86",
    "--disk": "--disk wants x,y,radius, for example 0,0,10",
    "--polygon": "--polygon wants x,y;x,y;... with three vertices or more, or @file.geojson",
}
MISSING: Final = (
    "give the area of all locations by --space (or --disk, --polygon or --globe); it is not taken from the "
    "data, since it is published and would reveal the outermost locations"
)
PROJECTIONS: Final = ("auto", "degrees", "local")
LOCAL_FROM: Final = 500_000.0
"""Boxes in degrees wider than this many metres get a local map: their degrees differ too much in length."""

LARGEST: Final = 1 << 24
"""Most bytes of a file with a polygon."""


@dataclass(frozen=True)
class SpaceRequest:
    """The options for the space, exactly one of the first four of which is given."""

    box: str | None = None
    disk: str | None = None
    polygon: str | None = None
    globe: bool = False
    projection: str = "auto"

    def __post_init__(self) -> None:
        given = [self.box is not None, self.disk is not None, self.polygon is not None, self.globe]
        if sum(given) > 1:
            raise InvalidParameter("give one of --space, --disk, --polygon and --globe, not several")
        if self.projection not in PROJECTIONS:
            raise InvalidParameter(
                f"--projection must be one of {', '.join(PROJECTIONS)}, got {self.projection!r}"
            )
        if self.projection != "auto" and self.box is None:
            raise InvalidParameter("--projection is for boxes in degrees; give --space with it")

    @property
    def given(self) -> bool:
        """Whether a space is given."""
        return self.box is not None or self.disk is not None or self.polygon is not None or self.globe

    def require(self) -> SpaceRequest:
        """Return the request if it names a space, or refuse it."""
        if not self.given:
            raise InvalidParameter(MISSING)
        return self

    def build(self, coordinates: str) -> Space:
        """Return the space, for a file in degrees ("lonlat") or of the plane."""
        # slow to load
        from noisewright.trajectory.spaces import Disk, LonLatPolygon, Polygon, Sphere  # noqa: PLC0415

        degrees = coordinates == "lonlat"
        if self.box is not None:
            return self._box(_numbers("--space", self.box, 4), degrees=degrees)
        if self.polygon is not None:
            return (LonLatPolygon if degrees else Polygon)(_vertices(self.polygon))
        if self.globe:
            if not degrees:
                raise InvalidParameter("--globe is for files in degrees; this one has coordinates of a plane")
            return Sphere()
        assert self.disk is not None
        if degrees:
            raise InvalidParameter(
                "--disk is for files of the plane; a circle in degrees is not one on Earth, so use --space "
                "or --polygon"
            )
        return Disk(*_numbers("--disk", self.disk, 3))

    def _box(self, sides: list[float], *, degrees: bool) -> Space:
        from noisewright.trajectory.spaces import LocalMap, LonLatBox, Rectangle  # noqa: PLC0415

        if not degrees:
            if self.projection != "auto":
                raise InvalidParameter("--projection is for files in degrees; this one is of a plane")
            return Rectangle(*sides)
        if self.projection == "local":
            return LocalMap(*sides)
        plain = LonLatBox(*sides)
        if self.projection == "degrees" or plain.diameter <= LOCAL_FROM:
            return plain
        try:
            return LocalMap(*sides)
        except InvalidParameter:  # too large for any flat map
            return plain


def around_points(points: Floats, coordinates: str, margin: float = 0.05) -> Space:
    """Return the box around public points with a margin, the space if none is given."""
    low, high = points.min(axis=0), points.max(axis=0)
    wider = margin * (high - low)
    (left, bottom), (right, top) = low - wider, high + wider
    if coordinates == "lonlat":
        left, right, bottom, top = max(left, -180.0), min(right, 180.0), max(bottom, -90.0), min(top, 90.0)
    return SpaceRequest(box=f"{left},{bottom},{right},{top}").build(coordinates)


def _numbers(option: str, text: str, many: int) -> list[float]:
    parts = text.split(",")
    if len(parts) != many:
        raise InvalidParameter(f"{WANTED[option]}; got {text!r}")
    return [read_number(part, text, WANTED[option]) for part in parts]


def _vertices(text: str) -> list[tuple[float, float]]:
    path = file_of(text)
    if path is not None:
        return _ring_of_file(path)
    wanted = WANTED["--polygon"]
    pairs = [pair.split(",") for pair in text.strip("; ").split(";")]
    if any(len(pair) != 2 for pair in pairs):
        raise InvalidParameter(f"{wanted}; got {text!r}")
    return [(read_number(x, text, wanted), read_number(y, text, wanted)) for x, y in pairs]


def _ring_of_file(path: str) -> list[tuple[float, float]]:
    """Return the border of the only polygon of a GeoJSON file."""
    from noisewright.io.file_access import read_json  # noqa: PLC0415  (Arrow is slow to load)

    try:
        rings = _rings(read_json(path, LARGEST, "polygon"))
        return [(float(vertex[0]), float(vertex[1])) for vertex in rings]
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as broken:
        if isinstance(broken, BadTable):
            raise
        raise BadTable(f"{path} must be a GeoJSON file with one polygon, without holes") from None


def _rings(document: Any) -> Any:
    """Return the outer ring of a polygon, of a feature with one, or of a collection of one such feature."""
    if document["type"] == "FeatureCollection":
        (document,) = document["features"]
    if document["type"] == "Feature":
        document = document["geometry"]
    if document["type"] != "Polygon":
        raise ValueError(document["type"])
    (ring,) = document["coordinates"]
    return ring


# -- files and fields in the words of options ------------------------------------------------------

COLUMN: Final = "--column wants name=column, for example route=trip_number"
CELLS: Final = re.compile(r"\s*(\d{1,6})\s*[x×]\s*(\d{1,6})\s*", re.IGNORECASE)


def read_columns(texts: Sequence[str] | None) -> dict[str, str]:
    """Return which column is which, from the options.

    >>> read_columns(["route=trip", "time=when"])
    {'route': 'trip', 'time': 'when'}
    """
    found: dict[str, str] = {}
    for text in texts or []:
        name, column = assignment(text, COLUMN)
        if name in found:
            raise InvalidParameter(f"--column names {name} twice")
        found[name] = column
    return found


def read_cells(text: str, option: str) -> tuple[int, int]:
    """Return columns and rows of a grid.

    >>> read_cells("12x8", "--grid")
    (12, 8)
    """
    found = CELLS.fullmatch(text)
    if found is None:
        raise InvalidParameter(f"{option} wants columns x rows, for example 12x12; got {text!r}")
    return int(found.group(1)), int(found.group(2))


def read_file(path: Path, columns: Sequence[str] | None = None, *, one_route: bool = False) -> RouteFile:
    """Return the true routes of a file."""
    from noisewright.trajectory.files import read_routes  # noqa: PLC0415  (mechanisms take a moment to load)

    return read_routes(path, columns=read_columns(columns), one_route=one_route)
