"""Coordinates as they stand in files: finite, and in degrees where they are longitudes and latitudes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.trajectory.files.route_file import Coordinates
from noisewright.trajectory.spaces.base import Flags

Place = Callable[[int], str]
"""The place of a row in words, such as "data row 7": what a refusal says instead of the value."""

WEST: Final = -180.0
EAST: Final = 180.0
FULL_TURN: Final = 360.0
POLE: Final = 90.0

NOT_DEGREES: Final = "give degrees, or name the columns x and y if these are metres or another unit"


def checked(points: Floats, coordinates: Coordinates, place: Place) -> Floats:
    """The points of a file, refused where they are none; longitudes come out from −180 to 180.

    >>> checked(np.array([[190.0, 10.0]]), "lonlat", "row {}".format)
    array([[-170.,   10.]])
    """
    missing = ~np.isfinite(points[:, 0]) | ~np.isfinite(points[:, 1])
    _refuse(missing, place, "has a missing or infinite coordinate; drop such points")
    return points if coordinates == "plane" else _degrees(points, place)


def _degrees(points: Floats, place: Place) -> Floats:
    longitudes, latitudes = points.T
    beyond = np.abs(latitudes) > POLE
    if beyond.any() and _fits(latitudes, longitudes):
        raise BadTable(
            f"longitude and latitude look swapped: {place(int(np.argmax(beyond)))} has a latitude beyond ±90 "
            "degrees, and with the two exchanged all points would fit; exchange them"
        )
    _refuse(beyond, place, f"has a latitude beyond ±90 degrees; {NOT_DEGREES}")
    outside = (longitudes < WEST) | (longitudes > FULL_TURN)
    _refuse(outside, place, f"has a longitude outside −180 to 360 degrees; {NOT_DEGREES}")
    if not (longitudes > EAST).any():
        return points
    # Exact: a double from 180 to 360 less 360 is a double.
    return np.column_stack([np.where(longitudes > EAST, longitudes - FULL_TURN, longitudes), latitudes])


def _fits(longitudes: Floats, latitudes: Floats) -> bool:
    return bool((np.abs(longitudes) <= EAST).all() and (np.abs(latitudes) <= POLE).all())


def _refuse(bad: Flags, place: Place, what: str) -> None:
    if bad.any():
        raise BadTable(f"{place(int(np.argmax(bad)))} {what}")
