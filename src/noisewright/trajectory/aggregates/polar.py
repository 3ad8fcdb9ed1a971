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

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import CircularOGPM, NumericMechanism
from noisewright.trajectory.aggregates.brackets import PRICES, Bracket, bracket_spans
from noisewright.trajectory.aggregates.laws import law_of
from noisewright.trajectory.aggregates.regions import Span
from noisewright.trajectory.aggregates.sectors import Sectors, sectors_inside, sectors_outside
from noisewright.trajectory.aggregates.sums import Weigher
from noisewright.trajectory.mechanisms import TraCSD
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Rectangle
from noisewright.trajectory.spaces.base import TURN

ARCS, LEVELS = 48, 16
"""Steps of a turn, and of the way to the boundary."""

DUST = 1e-9
"""Of a step: an end this near to the next step is there, up to rounding."""


@lru_cache(maxsize=8)
def arc_table(direction: NumericMechanism, price: float, noise_price: float) -> Bracket:
    """Return the brackets of arcs from direction 0, of 1, 2, … steps; row 0 is for nothing."""
    steps = np.arange(1, ARCS + 1) * (TURN / ARCS)
    arcs = tuple(Span.between(0.0, float(step)) for step in steps)
    return _with_nothing(bracket_spans(direction, arcs, price, noise_price))


@lru_cache(maxsize=8)
def span_table(distance: NumericMechanism, price: float, noise_price: float) -> Bracket:
    """Return the brackets of all spans between two steps of the way; row 0 is for nothing."""
    pairs = [(low, high) for high in range(1, LEVELS + 1) for low in range(high)]
    spans = tuple(Span.between(low / LEVELS, high / LEVELS) for low, high in pairs)
    return _with_nothing(bracket_spans(distance, spans, price, noise_price))


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


def _with_nothing(table: Bracket) -> Bracket:
    """Return a table with a row of zeros before it."""
    return Bracket(*(np.pad(values, ((1, 0), (0, 0))) for values in (table.upper, table.lower, table.middle)))


@dataclass(frozen=True, eq=False)
class PolarWeigher(Weigher):
    """Reports of TraCS-D, for regions that are boxes of the plane."""

    mechanism: TraCSD
    reports: Routes

    def __post_init__(self) -> None:
        if not isinstance(self.mechanism.direction, CircularOGPM):
            raise InvalidParameter(
                'aggregates of TraCSD need channel="OGPM", which treats all directions alike; or use TraCSC'
            )

    @property
    def chained(self) -> bool:
        return self.mechanism.follows

    def weigh(self, rows: Cells) -> Bracket:
        parts = [self._region(rows, across, up) for across in self.spans[0] for up in self.spans[1]]
        upper, lower, middle = (np.array(values) for values in zip(*parts, strict=True))
        return Bracket(upper, lower, middle)

    def _region(self, rows: Cells, across: Span, up: Span) -> tuple[Floats, Floats, Floats]:
        """Return the upper, the lower and the middle function of one box."""
        references, reported = self._references[rows], [part[rows] for part in self._reported]
        around = sectors_outside(self._plane, references, across.outer, up.outer)
        within = sectors_inside(self._plane, references, across.inner, up.inner)
        arcs, spans = self._tables
        arc, span = self._rows_of(around, *reported, outward=True)
        inner_arc, inner_span = self._rows_of(within, *reported, outward=False)
        upper = arcs.upper[arc] * spans.upper[span]
        lower = arcs.upper[arc] * spans.lower[inner_span] + arcs.lower[inner_arc] * spans.upper[span] - upper
        lower = np.where((inner_arc[0] == 0) | (inner_span[0] == 0), 0.0, lower)
        outer_middle = arcs.middle[arc] * spans.middle[span]
        return upper, lower, (outer_middle + arcs.middle[inner_arc] * spans.middle[inner_span]) / 2

    def _rows_of(
        self, sectors: Sectors, directions: Cells, distances: Cells, *, outward: bool
    ) -> tuple[tuple[Cells, Cells], tuple[Cells, Cells]]:
        """Return the entries of the two tables at reported parts, each for the sector of its report.

        Sectors grow to the next steps with ``outward``, and shrink to them otherwise.
        """
        parts = self._tables[0].upper.shape[1]
        begin, length = _steps(sectors.start, sectors.length, TURN / parts, outward=outward)
        return (length, (directions - begin) % parts), (_level_rows(sectors, outward), distances)

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
    def _tables(self) -> tuple[Bracket, Bracket]:
        """The brackets of arcs and of spans, worked out once for all collections of a size."""
        count = len(self.reports.points)
        wanted = np.sqrt(count) / 6  # balances slack and noise of a region with a third of all reports
        price = min(PRICES, key=lambda price: abs(np.log(price / wanted)))
        prices = price, count**-0.5
        return arc_table(self.mechanism.direction, *prices), span_table(self.mechanism.distance, *prices)
