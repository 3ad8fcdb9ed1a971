"""GPX 1.0 and 1.1: each segment of a track is a route, and so is each planned route.

A document is read as it streams by. Namespaces are looked up here and not by the parser, which would write
the whole address of a namespace in front of every tag and attribute: a short document could then fill the
memory. Routes are written as GPX 1.1, a track of one segment for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final, NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.io.file_access import reading
from noisewright.trajectory.files.columns import check_roles
from noisewright.trajectory.files.description import about_beside, refuse_large
from noisewright.trajectory.files.route_file import RouteFile
from noisewright.trajectory.files.rows import Pieces
from noisewright.trajectory.files.values import EAST, WEST, iso_times, number_of

GPX_1_0: Final = "http://www.topografix.com/GPX/1/0"
GPX_1_1: Final = "http://www.topografix.com/GPX/1/1"

OWN: Final = "urn:noisewright:routes:1"
"""Our namespace: the element ``reported`` among the extensions of a point says whether it is a report."""

DEEPEST: Final = 64
"""Deepest nesting of tags; GPX itself has six levels, and extensions add a few."""

MOST_PREFIXES: Final = 256
"""Most namespace prefixes in force at one place; real files declare a handful."""

# Paths of the tags that are read; the only other namespace that is read is our own.
ROUTES: Final = {"gpx/trk": "track", "gpx/rte": "route"}
SEGMENT: Final = "gpx/trk/trkseg"
POINTS: Final = (f"{SEGMENT}/trkpt", "gpx/rte/rtept")
NAMES: Final = tuple(f"{route}/name" for route in ROUTES)
TIMES: Final = tuple(f"{point}/time" for point in POINTS)
MARKS: Final = tuple(f"{point}/extensions/{OWN} reported" for point in POINTS)
TEXTS: Final = frozenset((*NAMES, *TIMES, *MARKS))
ELSEWHERE: Final = "?"
"""The path of every tag that leads to none of the above."""

Scope = dict[str, str]
"""The namespace of each prefix: empty for GPX and for none, ours, or a foreign one."""

STRANGE: Final = "?"
SPACES: Final = {"": "", GPX_1_0: "", GPX_1_1: "", OWN: OWN}

BOOLEANS: Final = {"true": True, "false": False}


def _ways(paths: Iterable[str]) -> frozenset[str]:
    """Return paths and everything on the way to them."""
    parts = [path.split("/") for path in paths]
    return frozenset("/".join(names[:count]) for names in parts for count in range(1, len(names) + 1))


WAYS: Final = _ways((*TEXTS, *POINTS))


class Segment:
    """The points of a segment while they come in."""

    __slots__ = ("flat", "place", "reported", "times")

    def __init__(self, place: str) -> None:
        self.place = place
        self.flat: list[float] = []
        self.times: list[object] = []
        self.reported: list[object] = []

    def add(self, attributes: dict[str, str]) -> None:
        """Append the longitude and latitude of a point."""
        try:
            self.flat += (number_of(attributes["lon"]), number_of(attributes["lat"]))
        except (KeyError, ValueError):
            number = len(self.flat) // 2 + 1
            raise BadTable(f"point {number} of {self.place} needs numbers as lat and lon") from None

    def check(self) -> None:
        """Refuse a segment without points at once: many of them would take much more memory than bytes."""
        if not self.flat:
            raise BadTable(f"{self.place} has no points; leave empty routes out")


class GpxHandler:
    """Turns the tags of a GPX document into pieces of routes, and refuses whatever GPX does not need.

    >>> handler = GpxHandler()
    >>> _ = handler.parser().Parse('<gpx><rte><rtept lat="35.7" lon="139.7"/></rte></gpx>', True)
    >>> handler.pieces.rows().points.tolist()
    [[139.7, 35.7]]
    """

    def __init__(self) -> None:
        self.pieces = Pieces()
        self._path = [""]
        self._scopes: list[Scope] = [{"": ""}]
        self._count = dict.fromkeys(ROUTES, 0)
        self._name: str | None = None
        self._segments: list[Segment] = []
        self._text: list[str] = []
        self._found: dict[str, str] = {}

    def parser(self) -> Any:
        """Return a parser that reports to this handler; it refuses a document type before reading it."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        return parser

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._path) > DEEPEST:
            raise BadTable(f"its tags are nested more than {DEEPEST} deep")
        self._scopes.append(_namespaces(self._scopes[-1], attributes))
        name = self._local(tag)
        if len(self._path) == 1 and name != "gpx":
            raise BadTable("it is XML, but not GPX 1.0 or 1.1: its outermost tag is another")
        path = f"{self._path[-1]}/{name}".removeprefix("/")
        path = path if path in WAYS else ELSEWHERE
        self._path.append(path)
        if path in ROUTES:
            self._count[path] += 1
            self._name = None
            self._segments = [Segment(self._place(path))] if path == "gpx/rte" else []
        elif path == SEGMENT:
            self._segments.append(Segment(f"segment {len(self._segments) + 1} of {self._place('gpx/trk')}"))
        elif path in POINTS:
            self._found = {}
            self._segments[-1].add(attributes)
        elif path in TEXTS:
            self._text = []

    def _local(self, tag: str) -> str:
        """Return the name of a tag without its prefix, marked if its namespace is ours or a foreign one."""
        prefix, _, name = tag.rpartition(":")
        if prefix not in self._scopes[-1]:
            raise BadTable("the prefix of one of its tags is declared nowhere")
        namespace = self._scopes[-1][prefix]
        return f"{namespace} {name}" if namespace else name

    def _place(self, path: str) -> str:
        return f"{ROUTES[path]} {self._count[path]}"

    def _end(self, _: str) -> None:
        path = self._path.pop()
        self._scopes.pop()
        if path == SEGMENT:
            self._segments[-1].check()
        elif path in POINTS:
            self._close_point(path)
        elif path in NAMES:
            self._name = "".join(self._text) or None
        elif path in TEXTS:
            self._found[path] = "".join(self._text)
        elif path in ROUTES:
            self._close_route(path)

    def _close_point(self, path: str) -> None:
        segment = self._segments[-1]
        for where, values in ((TIMES, segment.times), (MARKS, segment.reported)):
            text = self._found.get(where[POINTS.index(path)])
            if text is not None:
                values.append(text if where is TIMES else BOOLEANS.get(text.strip()))

    def _close_route(self, path: str) -> None:
        if not self._segments:
            raise BadTable(f"{self._place(path)} has no points; leave empty routes out")
        for segment in self._segments:
            times, reported = segment.times, segment.reported
            self.pieces.add(segment.place, segment.flat, name=self._name, times=times, reported=reported)

    def _characters(self, text: str) -> None:
        if self._path[-1] in TEXTS:
            self._text.append(text)


def _namespaces(scope: Scope, attributes: dict[str, str]) -> Scope:
    """Return the namespaces in force inside of a tag: those around it, and those that it declares."""
    own = {
        name.partition(":")[2]: SPACES.get(address, STRANGE)
        for name, address in attributes.items()
        if name == "xmlns" or name.startswith("xmlns:")
    }
    if not own:
        return scope
    if len(scope | own) > MOST_PREFIXES:
        raise BadTable(f"it declares more than {MOST_PREFIXES} prefixes of namespaces at one place")
    return scope | own


def _refuse_doctype(*_: object) -> NoReturn:
    raise BadTable("it declares a document type, which GPX does not need and attacks use; remove the DOCTYPE")


# -- reading ---------------------------------------------------------------------------------------

LARGEST: Final = 1 << 30
"""Most bytes of a GPX file; it is parsed as a stream, so memory holds the points alone."""

CHUNK: Final = 1 << 16
LONGEST: Final = 1 << 20
"""Most bytes of one tag with its attributes, or of one comment; the parser holds it whole, and scans it again
whenever more of it arrives."""


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
        except (LookupError, ValueError):  # raised by Python for encodings that the parser does not know
            raise BadTable("its text has an encoding that is not read; save it as UTF-8") from None
    return handler.pieces.rows().to_route_file(about_beside(path))


def _parse(parser: Any, file: IO[bytes]) -> None:
    """Hand a file to a parser piece by piece; refuse a piece of markup that does not end."""
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
    """Write a GPX file; its description is written beside it."""
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
