"""A file of routes, whatever its format: what it holds, how it is read, how it is written.

The end of its name says which format it has; every refusal names the file, and files appear whole. Arrow and
the parsers load when a file is read or written, not when mechanisms for routes are imported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import BadTable, InvalidParameter
from noisewright.trajectory.files.values import Coordinates, check_names, check_points, check_seconds
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Flags


@dataclass(frozen=True, eq=False)
class RouteFile:
    """Everything that is kept of a file: its routes, and its description of how they were made.

    Attributes:
        routes: The routes.
        about: How the reports were made, in plain JSON values; None for files of other programs.
        reported: Which points are reports and which were filled in between; None if unknown.
        coordinates: "lonlat" for degrees, "plane" for (x, y) in any unit.
    """

    routes: Routes
    about: dict[str, Any] | None = None
    reported: Flags | None = None
    coordinates: Coordinates = "lonlat"


Kind = Literal["csv", "parquet", "geojson", "gpx"]

KINDS: Final[dict[str, Kind]] = {
    ".csv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".geojson": "geojson",
    ".json": "geojson",
    ".gpx": "gpx",
}

WITH_SIDECAR: Final = ("csv", "gpx")
"""Formats without a place for a description, which goes into a file beside them."""

DEGREES_ONLY: Final = ("geojson", "gpx")
"""Formats whose standards allow only longitudes and latitudes (WGS 84)."""


def kind_of(path: str | os.PathLike[str]) -> Kind:
    """Return the format that the end of a name stands for.

    >>> kind_of("trips.GeoJSON")
    'geojson'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in KINDS:
        raise BadTable(f"{path} must end in one of {', '.join(KINDS)}, which says how its routes are written")
    return KINDS[suffix]


def read_routes(
    path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None, one_route: bool = False
) -> RouteFile:
    r"""Read the routes of a CSV, Parquet, GeoJSON or GPX file, or refuse it in one sentence.

    Points of a route are sorted by time; points of one time, and routes without times, keep the order of the
    file. Longitudes above 180 degrees become western ones.

    A file without a column of routes is one route. It is refused if a column looks like an identifier, or if
    it has many points at one time: the points of many people would become one way.

    Args:
        path: The file; the end of its name says which format it has.
        columns: Which column (or GeoJSON property) is which, where names are not usual ones such as
            ``lon``, ``user_id`` or ``timestamp``. Keys are ``route``, ``time``,
            ``longitude`` and ``latitude``, or ``x`` and ``y``.
        one_route: Whether the file is one route even if it looks like several; no by default.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "trips.csv"
    >>> _ = path.write_text("badge,lon,lat\nA7,139.70,35.68\nB2,139.60,35.70\nA7,139.71,35.69\n")
    >>> read_routes(path, columns={"route": "badge"}).routes.lengths.tolist()
    [2, 1]
    """
    kind = kind_of(path)
    if one_route and "route" in (columns or {}):
        raise InvalidParameter("one_route=True leaves no place for a column of routes; give one of the two")
    from noisewright.io.file_access import existing_file  # noqa: PLC0415  (it loads Arrow, as the parsers do)
    from noisewright.trajectory.files.geojson import read_geojson  # noqa: PLC0415
    from noisewright.trajectory.files.gpx import read_gpx  # noqa: PLC0415
    from noisewright.trajectory.files.tables import read_table  # noqa: PLC0415

    read = {"geojson": read_geojson, "gpx": read_gpx}.get(kind, read_table)
    found = existing_file(path)
    try:
        return read(found, dict(columns or {}), one_route)
    except BadTable as refusal:  # the parts that refuse know only the row or the feature
        if str(found) in str(refusal):
            raise
        raise BadTable(f"cannot read routes from {found}: {refusal}") from None


def write_routes(
    path: str | os.PathLike[str],
    routes: Routes,
    *,
    coordinates: Coordinates = "lonlat",
    about: Mapping[str, Any] | None = None,
    reported: ArrayLike | None = None,
    replace: bool = False,
    original: str | os.PathLike[str] | None = None,
) -> Path:
    """Write routes in the format that the name ends in, and return the path.

    Args:
        path: Where to write; the end of the name is .csv, .parquet, .geojson or .gpx.
        routes: The routes.
        coordinates: "lonlat" (the default) for degrees, or "plane", which only CSV and Parquet can hold.
        about: How reports were made, in plain JSON values. It travels in the file, beside a CSV or GPX in
            ``<name>.json``.
        reported: For every point whether it is a report; not written by default.
        replace: Whether a file that exists may be replaced; no by default.
        original: The input, which is never replaced.

    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "walk.csv"
    >>> _ = write_routes(target, Routes.of([[(0.25, 0.5), (0.5, 0.5)]]), coordinates="plane")
    >>> print(target.read_text().replace('"', ""))
    route,x,y
    1,0.25,0.5
    1,0.5,0.5
    """
    kind = kind_of(path)
    if coordinates not in get_args(Coordinates):
        raise InvalidParameter(f'must be "lonlat" or "plane", got {coordinates!r}', field="coordinates")
    if coordinates == "plane" and kind in DEGREES_ONLY:
        raise InvalidParameter(
            f"{kind} files hold longitudes and latitudes; write routes of the plane as .csv or .parquet"
        )
    check_names(routes.names)
    if routes.times is not None:
        check_seconds(routes.times, routes.place)
    points = check_points(routes.points, coordinates, routes.place)
    flags = None if reported is None else _flags(reported, len(points))
    content = RouteFile(
        routes.with_points(points), None if about is None else dict(about), flags, coordinates
    )
    from noisewright.trajectory.files.geojson import write_geojson  # noqa: PLC0415  (as for reading)
    from noisewright.trajectory.files.gpx import write_gpx  # noqa: PLC0415
    from noisewright.trajectory.files.tables import write_locations  # noqa: PLC0415

    writers = {"geojson": write_geojson, "gpx": write_gpx}
    write = writers.get(kind, partial(write_locations, kind))
    return publish(path, content.about, lambda draft: write(draft, content), replace, original)


def publish(
    path: str | os.PathLike[str],
    about: dict[str, Any] | None,
    write: Callable[[Path], None],
    replace: bool,
    original: str | os.PathLike[str] | None,
) -> Path:
    """Write a file and, where its format has no place for it, its description: both appear, or neither.

    An existing file is replaced only with ``replace``, and ``original``, the input, never. The description
    gets its name first, since reports must never be without one.
    """
    from noisewright.io.file_access import (  # noqa: PLC0415
        check_target,
        published,
        writing,
    )
    from noisewright.io.table_files import sidecar  # noqa: PLC0415
    from noisewright.trajectory.files.description import to_text  # noqa: PLC0415

    # what a link points to is replaced, not the link
    target = Path(path).resolve() if Path(path).is_symlink() else Path(path)
    beside = sidecar(target) if kind_of(path) in WITH_SIDECAR else None
    if beside is not None and about is None and beside.exists():
        raise BadTable(
            f"{beside} describes another file of this name and would be taken for the new one; "
            "remove it first, or choose another name"
        )
    targets = [target] if beside is None or about is None else [beside, target]
    for each in targets:
        check_target(each, None if original is None else Path(original), replace=replace)
    with writing(target), published(*targets) as drafts:
        if len(drafts) > 1 and about is not None:
            drafts[0].write_text(to_text(about) + "\n", encoding="utf-8")
        write(drafts[-1])
    return target


def _flags(reported: ArrayLike, count: int) -> Flags:
    flags = np.asarray(reported)
    if flags.dtype != np.bool_ or flags.shape != (count,):
        raise InvalidParameter(f"must be one boolean for each of the {count} points", field="reported")
    return flags


BY_COLUMNS: Final = re.compile(r"(name them|say which)[^{;]* columns=\{[^}]*\}")


def read_points(path: str | os.PathLike[str], coordinates: Coordinates) -> Floats:
    """Return the public points of a file, each once, in a given kind of coordinates.

    Args:
        path: The file: .csv, .parquet, .geojson or .gpx.
        coordinates: The kind of coordinates that the routes have, to which the points must belong.
    """
    try:
        file = read_routes(path, one_route=True)
    except BadTable as refusal:
        said = str(refusal).replace("cannot read routes from", "cannot read points from", 1)
        raise BadTable(BY_COLUMNS.sub("rename the columns of the file", said)) from None
    if file.coordinates != coordinates:
        raise BadTable(f"the points of {path} are not in the same kind of coordinates as the routes")
    return np.unique(file.routes.points, axis=0)
