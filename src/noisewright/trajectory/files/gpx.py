"""GPX 1.0 and 1.1: each segment of a track is a route, and so is each planned route.

Routes are written as GPX 1.1, a track of one segment for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final
from xml.parsers import expat
from xml.sax.saxutils import escape

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.io.file_errors import reading
from noisewright.trajectory.files.columns import check_roles
from noisewright.trajectory.files.description import about_beside, refuse_large
from noisewright.trajectory.files.gpx_handler import GPX_1_1, OWN, GpxHandler
from noisewright.trajectory.files.route_file import RouteFile
from noisewright.trajectory.files.values import EAST, WEST, iso_times

LARGEST: Final = 1 << 30
"""Bytes of a GPX file that is read; it is parsed as it streams by, so memory holds the points alone."""

CHUNK: Final = 1 << 16
LONGEST: Final = 1 << 20
"""Bytes of one tag with its attributes, or of one comment; the parser holds it whole, and looks at it anew
whenever more of it comes."""


def read_gpx(path: Path, chosen: Mapping[str, str], one_route: bool = False) -> RouteFile:
    """Read all tracks and routes of a GPX file; waypoints by themselves are places, not routes.

    The format has no columns that could be mixed up, so ``one_route`` changes nothing.
    """
    check_roles(chosen, ())
    refuse_large(path, LARGEST)
    handler = GpxHandler()
    with reading(path), path.open("rb") as file:
        try:
            _parse(handler.parser(), file)
        except expat.ExpatError as broken:
            raise BadTable(f"it is not well-formed XML from line {broken.lineno} on") from None
        except BadTable:
            raise
        except (LookupError, ValueError):  # what Python says of encodings that the parser does not know
            raise BadTable("its text has an encoding that is not read; save it as UTF-8") from None
    return handler.pieces.rows().to_route_file(about_beside(path))


def _parse(parser: Any, file: IO[bytes]) -> None:
    """Hand a file to a parser piece by piece; a piece of markup that does not come to its end is refused."""
    fed = 0
    while chunk := file.read(CHUNK):
        parser.Parse(chunk, False)
        fed += len(chunk)
        if fed - parser.CurrentByteIndex > LONGEST:
            raise BadTable(f"a tag or comment of it is longer than {LONGEST >> 20} MiB")
    parser.Parse(b"", True)


# -- writing ---------------------------------------------------------------------------------------

HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    f'<gpx version="1.1" creator="Noisewright" xmlns="{GPX_1_1}" xmlns:noisewright="{OWN}">\n'
)
MARK: Final = "<extensions><noisewright:reported>{}</noisewright:reported></extensions>"
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
        insides = [f"<time>{text}</time>" for text in iso_times(routes.times[rows])]
    if content.reported is not None:
        marks = [MARK.format(str(flag).lower()) for flag in content.reported[rows].tolist()]
        insides = [inside + mark for inside, mark in zip(insides, marks, strict=True)]
    for lon, lat, inside in zip(east, _decimals(latitudes), insides, strict=True):
        yield f'<trkpt lat="{lat}" lon="{lon}">{inside}</trkpt>\n'


def _decimals(values: Floats) -> list[str]:
    """Return the shortest texts that are read back as the same doubles; the schema has no exponents."""
    texts = map(repr, values.tolist())
    return [np.format_float_positional(float(text), trim="0") if "e" in text else text for text in texts]
