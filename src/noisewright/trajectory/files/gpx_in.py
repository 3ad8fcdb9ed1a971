"""Routes from GPX 1.0 and 1.1: each segment of a track is a route, and so is each planned route."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final
from xml.parsers import expat

from noisewright.engine.sentences import reading
from noisewright.errors import BadTable
from noisewright.trajectory.files.about import about_beside
from noisewright.trajectory.files.columns import check_roles
from noisewright.trajectory.files.gpx_handler import GpxHandler
from noisewright.trajectory.files.route_file import RouteFile
from noisewright.trajectory.files.sizes import refuse_large

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
    return handler.pieces.rows().gathered(about_beside(path))


def _parse(parser: Any, file: IO[bytes]) -> None:
    """Hand a file to a parser piece by piece; a piece of markup that does not come to its end is refused."""
    fed = 0
    while chunk := file.read(CHUNK):
        parser.Parse(chunk, False)
        fed += len(chunk)
        if fed - parser.CurrentByteIndex > LONGEST:
            raise BadTable(f"a tag or comment of it is longer than {LONGEST >> 20} MiB")
    parser.Parse(b"", True)
