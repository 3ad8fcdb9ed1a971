"""What a file of routes holds, whatever its format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces.base import Flags

Coordinates = Literal["lonlat", "plane"]
"""Whether points are (longitude, latitude) in degrees or (x, y) in any unit."""


@dataclass(frozen=True, eq=False)
class RouteFile:
    """Everything that is kept of a file: its routes, and what it says of how they came about.

    ``about`` describes in plain JSON how reports were made, and is ``None`` in files of strangers.
    ``reported`` is true for points that are reports and false for those that were filled in between; it is
    ``None`` where the file does not tell.
    """

    routes: Routes
    about: dict[str, Any] | None = None
    reported: Flags | None = None
    coordinates: Coordinates = "lonlat"
