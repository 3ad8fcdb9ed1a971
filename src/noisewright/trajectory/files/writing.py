"""Writing routes to a file of any of the formats, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike

from noisewright.errors import InvalidParameter
from noisewright.trajectory.files.degrees import checked
from noisewright.trajectory.files.kinds import DEGREES_ONLY, kind_of
from noisewright.trajectory.files.route_file import Coordinates, RouteFile
from noisewright.trajectory.files.route_names import check_names
from noisewright.trajectory.files.times import check_seconds
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces.base import Flags


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
    """Write routes as the format that the name says, and return where they are.

    Points are degrees unless ``coordinates="plane"``, which only CSV and Parquet can hold. ``about`` travels
    in the file, beside a CSV or GPX in ``<name>.json``. ``reported`` marks, for every point, whether it is a
    report. A file that exists is replaced only if ``replace`` says so, and ``original``, the input, never.

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
        raise InvalidParameter(f'coordinates must be "lonlat" or "plane", got {coordinates!r}')
    if coordinates == "plane" and kind in DEGREES_ONLY:
        raise InvalidParameter(
            f"{kind} files hold longitudes and latitudes; write routes of the plane as .csv or .parquet"
        )
    check_names(routes.names)
    if routes.times is not None:
        check_seconds(routes.times, routes.place)
    points = checked(routes.points, coordinates, routes.place)
    flags = None if reported is None else _flags(reported, len(points))
    content = RouteFile(
        routes.with_points(points), None if about is None else dict(about), flags, coordinates
    )
    from noisewright.trajectory.files.formats import write_as  # noqa: PLC0415  (see reading.py)

    return write_as(kind, Path(path), content, replace, None if original is None else Path(original))


def _flags(reported: ArrayLike, count: int) -> Flags:
    flags = np.asarray(reported)
    if flags.dtype != np.bool_ or flags.shape != (count,):
        raise InvalidParameter(f"reported must be one boolean for each of the {count} points")
    return flags
