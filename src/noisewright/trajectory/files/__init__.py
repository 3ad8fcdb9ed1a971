"""Read and write routes as CSV, Parquet, GeoJSON and GPX; the end of the name says which.

Only three things are read from a file: what :class:`~noisewright.trajectory.Routes` holds (names, locations,
times), which points are reports, and the description of how they were made. Everything else, such as other
columns, properties, altitudes and comments, may identify people and never passes through here. Names of
routes do, so they should be public ones. ``docs/route-files.md`` describes each format.

    >>> import pathlib, tempfile
    >>> from noisewright.trajectory import Routes
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "trips.geojson"
    >>> _ = write_routes(path, Routes.of([[(139.70, 35.68), (139.71, 35.69)]], names=["monday"]))
    >>> found = read_routes(path)
    >>> found.routes.names, found.coordinates
    (('monday',), 'lonlat')
"""

from noisewright.trajectory.files.route_file import RouteFile, read_routes, write_routes
from noisewright.trajectory.files.values import Coordinates

__all__ = ["Coordinates", "RouteFile", "read_routes", "write_routes"]
