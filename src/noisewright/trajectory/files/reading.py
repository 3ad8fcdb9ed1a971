"""Reading routes from a file of any of the formats."""

from __future__ import annotations

import os
from collections.abc import Mapping

from noisewright.errors import InvalidParameter
from noisewright.trajectory.files.kinds import kind_of
from noisewright.trajectory.files.route_file import RouteFile


def read_routes(
    path: str | os.PathLike[str], *, columns: Mapping[str, str] | None = None, one_route: bool = False
) -> RouteFile:
    r"""Read the routes of a CSV, Parquet, GeoJSON or GPX file, or refuse it in one sentence.

    ``columns`` says which column (or GeoJSON property) is which where usual names such as ``lon``,
    ``user_id`` or ``timestamp`` do not tell: its keys are ``route``, ``time``, ``longitude`` and
    ``latitude``, or ``x`` and ``y``. With times, the points of a route are put in the order of time; points
    of one time, and routes without times, keep the order of the file. Longitudes above 180 degrees are
    turned to the west.

    A file without a column of routes is one route. One that has a column which looks like an identifier, or
    many points at one time, is refused: the points of many people would become one way. ``one_route`` says
    that it is one route all the same; a ``route`` among the ``columns`` says how it is cut.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "trips.csv"
    >>> _ = path.write_text("badge,lon,lat\nA7,139.70,35.68\nB2,139.60,35.70\nA7,139.71,35.69\n")
    >>> read_routes(path, columns={"route": "badge"}).routes.lengths.tolist()
    [2, 1]
    """
    kind = kind_of(path)
    # Arrow and the parsers load when a file is read, not when mechanisms for routes are imported.
    from noisewright.trajectory.files.formats import read_as  # noqa: PLC0415

    if one_route and "route" in (columns or {}):
        raise InvalidParameter("one_route=True leaves no place for a column of routes; say one of the two")
    return read_as(kind, path, dict(columns or {}), one_route)
