"""What is done at each tag of a GPX document while it streams by."""

from __future__ import annotations

from typing import Any, Final, NoReturn
from xml.parsers import expat

from noisewright.errors import BadTable
from noisewright.trajectory.files.gpx_words import GPX_1_0, GPX_1_1, OWN
from noisewright.trajectory.files.pieces import Pieces
from noisewright.trajectory.files.times import number_of

DEEPEST: Final = 64
"""Levels of tags inside one another; GPX itself has six, and extensions add a few."""

# Where things stand, as paths of tags; tags of other namespaces keep theirs and so match nothing here.
ROUTES: Final = {"gpx/trk": "track", "gpx/rte": "route"}
SEGMENT: Final = "gpx/trk/trkseg"
POINTS: Final = (f"{SEGMENT}/trkpt", "gpx/rte/rtept")
NAMES: Final = tuple(f"{route}/name" for route in ROUTES)
TIMES: Final = tuple(f"{point}/time" for point in POINTS)
MARKS: Final = tuple(f"{point}/extensions/{OWN} reported" for point in POINTS)
TEXTS: Final = frozenset((*NAMES, *TIMES, *MARKS))

BOOLEANS: Final = {"true": True, "false": False}


class Segment:
    """The points of a segment while they come in."""

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


class GpxHandler:
    """Turns the tags of a GPX document into pieces of routes, and refuses what no GPX needs.

    >>> handler = GpxHandler()
    >>> _ = handler.parser().Parse('<gpx><rte><rtept lat="35.7" lon="139.7"/></rte></gpx>', True)
    >>> handler.pieces.rows().points.tolist()
    [[139.7, 35.7]]
    """

    def __init__(self) -> None:
        self.pieces = Pieces()
        self._path = [""]
        self._namespace = ""
        self._count = dict.fromkeys(ROUTES, 0)
        self._name: str | None = None
        self._segments: list[Segment] = []
        self._text: list[str] = []
        self._found: dict[str, str] = {}

    def parser(self) -> Any:
        """A parser that reports to this handler; a document type is refused before anything in it is read."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        return parser

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._path) > DEEPEST:
            raise BadTable(f"its tags stand more than {DEEPEST} deep in one another")
        if len(self._path) == 1:
            self._open_document(tag)
        path = f"{self._path[-1]}/{tag.removeprefix(self._namespace)}".removeprefix("/")
        self._path.append(path)
        if path in ROUTES:
            self._open_route(path)
        elif path == SEGMENT:
            self._segments.append(Segment(f"segment {len(self._segments) + 1} of {self._place('gpx/trk')}"))
        elif path in POINTS:
            self._found = {}
            self._segments[-1].add(attributes)
        elif path in TEXTS:
            self._text = []

    def _open_document(self, tag: str) -> None:
        namespace, _, name = tag.rpartition(" ")
        if name != "gpx" or namespace not in ("", GPX_1_0, GPX_1_1):
            raise BadTable("it is XML, but not GPX 1.0 or 1.1: its outermost tag is another")
        self._namespace = f"{namespace} " if namespace else ""

    def _open_route(self, path: str) -> None:
        self._count[path] += 1
        self._name = None
        self._segments = [Segment(self._place(path))] if path == "gpx/rte" else []

    def _place(self, path: str) -> str:
        return f"{ROUTES[path]} {self._count[path]}"

    def _end(self, _: str) -> None:
        path = self._path.pop()
        if path in POINTS:
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
            self.pieces.add(
                segment.place,
                segment.flat,
                name=self._name,
                times=segment.times,
                reported=segment.reported,
            )

    def _characters(self, text: str) -> None:
        if self._path[-1] in TEXTS:
            self._text.append(text)


def _refuse_doctype(*_: object) -> NoReturn:
    raise BadTable("it declares a document type, which GPX does not need and attacks use; remove the DOCTYPE")
