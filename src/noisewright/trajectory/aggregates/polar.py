"""Reports of TraCS-D weighed for boxes: each report in the polar coordinates of its own reference.

Seen from a reference, a box is no product of an arc of directions and a span of distances. But the least such
product around it and a large one inside it make a bracket, and brackets of arcs and of spans multiply. The
gap between the two sectors stays, however many reports there are: TraCS-C tells more about boxes.

Brackets come from tables: spans in steps of the way to the boundary, arcs in steps of a turn. An arc is as
good as any other of its length, since the channel of directions treats all of them alike: the table has the
arcs that begin at direction 0, and a report is turned back by where its arc begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import CircularOGPM, NumericMechanism
from noisewright.trajectory.aggregates.brackets import PRICES, Bracket, bracket_spans
from noisewright.trajectory.aggregates.laws import law_of
from noisewright.trajectory.aggregates.regions import Span
from noisewright.trajectory.aggregates.sectors import Sectors, sectors_inside, sectors_outside
from noisewright.trajectory.mechanisms import TraCSD
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Rectangle
from noisewright.trajectory.spaces.base import TURN

ARCS, LEVELS = 48, 16
"""Steps of a turn, and of the way to the boundary."""

DUST = 1e-9
"""Of a step: an end this near to the next step is there, up to rounding."""


@dataclass(frozen=True, eq=False)
class Lookup:
    """The three functions of a bracket, one number for each report, and where there is nothing to bracket."""

    upper: Floats
    lower: Floats
    middle: Floats
    empty: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PolarTables:
    """Brackets for the reports of two channels, at a price of slack; row 0 of a table is for nothing."""

    direction: NumericMechanism
    distance: NumericMechanism
    price: float
    noise_price: float

    def look_up(
        self, sectors: Sectors, directions: Cells, distances: Cells, *, outward: bool
    ) -> tuple[Lookup, Lookup]:
        """Return the brackets of arcs and of spans at reported parts, each for the sector of its report.

        Sectors grow to the next steps with ``outward``, and shrink to them otherwise.
        """
        parts = self._arcs.upper.shape[1]
        begin, length = _steps(sectors.start, sectors.length, TURN / parts, outward=outward)
        turned = (directions - begin) % parts
        return _rows(self._arcs, length, turned), _rows(self._spans, _level_rows(sectors, outward), distances)

    @cached_property
    def _arcs(self) -> Bracket:
        steps = np.arange(1, ARCS + 1) * (TURN / ARCS)
        arcs = tuple(Span.between(0.0, float(step)) for step in steps)
        return _with_nothing(bracket_spans(self.direction, arcs, self.price, self.noise_price))

    @cached_property
    def _spans(self) -> Bracket:
        pairs = [(low, high) for high in range(1, LEVELS + 1) for low in range(high)]
        spans = tuple(Span.between(low / LEVELS, high / LEVELS) for low, high in pairs)
        return _with_nothing(bracket_spans(self.distance, spans, self.price, self.noise_price))


@lru_cache(maxsize=8)
def polar_tables(
    direction: NumericMechanism, distance: NumericMechanism, price: float, noise_price: float
) -> PolarTables:
    """Return the tables of two channels, worked out once for all regions and collections of a size."""
    return PolarTables(direction, distance, price, noise_price)


def _steps(start: Floats, length: Floats, part: float, *, outward: bool) -> tuple[Cells, Cells]:
    """Return the part at which each arc begins, and its length in steps from there."""
    sign = 1.0 if outward else -1.0
    begin = sign * np.floor(sign * start / part + DUST)
    exact = (start + length - begin * part) * (ARCS / TURN)
    steps = sign * np.ceil(sign * exact - DUST)
    steps = np.where(length >= TURN, ARCS, np.where(length > 0, np.clip(steps, 0, ARCS), 0))
    return begin.astype(np.int64), steps.astype(np.int64)


def _level_rows(sectors: Sectors, outward: bool) -> Cells:
    """Return the row of the table of spans for each sector."""
    sign = 1.0 if outward else -1.0
    low = np.clip(sign * np.floor(sign * sectors.low * LEVELS + DUST), 0, LEVELS - 1)
    high = np.clip(sign * np.ceil(sign * sectors.high * LEVELS - DUST), 1 if outward else 0, LEVELS)
    row = 1 + high * (high - 1) / 2 + low
    return np.where(low < high, row, 0).astype(np.int64)


def _rows(table: Bracket, rows: Cells, parts: Cells) -> Lookup:
    at = rows, parts
    return Lookup(table.upper[at], table.lower[at], table.middle[at], rows == 0)


def _with_nothing(table: Bracket) -> Bracket:
    """Return a table with a row of zeros before it."""
    return Bracket(*(np.pad(values, ((1, 0), (0, 0))) for values in (table.upper, table.lower, table.middle)))


@dataclass(frozen=True, eq=False)
class PolarWeigher:
    """Reports of TraCS-D, for regions that are boxes of the plane."""

    mechanism: TraCSD
    reports: Routes
    spans: tuple[tuple[Span, ...], tuple[Span, ...]]

    def __post_init__(self) -> None:
        if not isinstance(self.mechanism.direction, CircularOGPM):
            raise InvalidParameter(
                'aggregates of TraCSD need channel="OGPM", which treats all directions alike; or use TraCSC'
            )

    @property
    def regions(self) -> int:
        return len(self.spans[0]) * len(self.spans[1])

    @property
    def width(self) -> int:
        return self.regions

    @property
    def chained(self) -> bool:
        return self.mechanism.follows

    @property
    def unbiased(self) -> None:
        return None

    def weigh(self, rows: Cells) -> Bracket:
        parts = [self._region(rows, across, up) for across in self.spans[0] for up in self.spans[1]]
        upper, lower, middle = (np.array(values) for values in zip(*parts, strict=True))
        return Bracket(upper, lower, middle)

    def _region(self, rows: Cells, across: Span, up: Span) -> tuple[Floats, Floats, Floats]:
        """Return the upper, the lower and the middle function of one box."""
        references, reported = self._references[rows], [part[rows] for part in self._reported]
        around = sectors_outside(self._plane, references, across.outer, up.outer)
        within = sectors_inside(self._plane, references, across.inner, up.inner)
        arc, span = self._tables.look_up(around, *reported, outward=True)
        inner_arc, inner_span = self._tables.look_up(within, *reported, outward=False)
        upper = arc.upper * span.upper
        lower = arc.upper * inner_span.lower + inner_arc.lower * span.upper - upper
        lower = np.where(inner_arc.empty | inner_span.empty, 0.0, lower)
        middle = (arc.middle * span.middle + inner_arc.middle * inner_span.middle) / 2
        return upper, lower, middle

    @cached_property
    def _plane(self) -> Rectangle:
        plane = self.mechanism.space.plane
        assert plane is not None  # other spaces are refused before
        return plane

    @cached_property
    def _references(self) -> Floats:
        return self.mechanism.space.to_plane(self.mechanism.references(self.reports))

    @cached_property
    def _reported(self) -> tuple[Cells, Cells]:
        """The parts of the reported directions and distances."""
        polar = self.mechanism.space.to_polar(self.mechanism.references(self.reports), self.reports.points)
        direction, distance = (
            law_of(channel).part_of(values)
            for channel, values in zip(self.mechanism.channels, polar, strict=True)
        )
        return direction, distance

    @cached_property
    def _tables(self) -> PolarTables:
        count = len(self.reports.points)
        wanted = np.sqrt(count) / 6  # balances slack and noise of a region with a third of all reports
        price = min(PRICES, key=lambda price: abs(np.log(price / wanted)))
        return polar_tables(self.mechanism.direction, self.mechanism.distance, price, count**-0.5)
