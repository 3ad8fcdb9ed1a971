"""Routes as GPX 1.1: a track of one segment for each route."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.trajectory.files.degrees import EAST, WEST
from noisewright.trajectory.files.gpx_words import GPX_1_1, OWN
from noisewright.trajectory.files.route_file import RouteFile
from noisewright.trajectory.files.times import texts_of

HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    f'<gpx version="1.1" creator="Noisewright" xmlns="{GPX_1_1}" xmlns:noisewright="{OWN}">\n'
)
NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Letters that XML has no way to write."""


def write_gpx(draft: Path, content: RouteFile) -> None:
    """Write a GPX file; what is said of it stands beside it."""
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        file.write(HEAD)
        for number in range(len(content.routes)):
            file.write(f"<trk><name>{_name(content.routes.names[number], number)}</name><trkseg>\n")
            file.writelines(_points(content, number))
            file.write("</trkseg></trk>\n")
        file.write("</gpx>\n")


def _name(name: str, number: int) -> str:
    if NOT_XML.search(name):
        raise BadTable(f"the name of route {number + 1} has a control character, which GPX cannot hold")
    return escape(name, {"\r": "&#13;"})  # a bare one would be read as the end of a line


def _points(content: RouteFile, number: int) -> Iterator[str]:
    routes = content.routes
    rows = slice(int(routes.starts[number]), int(routes.starts[number + 1]))
    longitudes, latitudes = routes.points[rows].T
    # The schema ends before 180 degrees, which is −180 as well.
    east = _decimals(np.where(longitudes == EAST, WEST, longitudes))
    insides = [""] * len(east)
    if routes.times is not None:
        insides = [f"<time>{text}</time>" for text in texts_of(routes.times[rows])]
    if content.reported is not None:
        insides = [inside + _mark(flag) for inside, flag in zip(insides, content.reported[rows], strict=True)]
    for lon, lat, inside in zip(east, _decimals(latitudes), insides, strict=True):
        yield f'<trkpt lat="{lat}" lon="{lon}">{inside}</trkpt>\n'


def _mark(reported: bool) -> str:
    return (
        f"<extensions><noisewright:reported>{str(bool(reported)).lower()}</noisewright:reported></extensions>"
    )


def _decimals(values: Floats) -> list[str]:
    """The shortest texts that are read back as the same doubles; the schema has no exponents."""
    texts = map(repr, values.tolist())
    return [np.format_float_positional(float(text), trim="0") if "e" in text else text for text in texts]
