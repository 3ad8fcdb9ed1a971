"""Weights of TraCS-D reports for boxes: each report in the polar coordinates of its own reference.

Seen from a reference, a box is not a product of an arc of directions and a span of distances. But the least
such product around it and a large one inside it make a bracket, and brackets of arcs and of spans multiply.
The gap between the two sectors stays, however many reports there are: TraCS-C says more about boxes.

Brackets come from tables: spans in steps of the way to the boundary, arcs in steps of a turn. The channel of
directions treats all arcs of one length alike. So the table has only the arcs that begin at direction 0, and
a report is rotated back by the start of its arc.

**Sectors.** A sector is an arc of directions times a span of shares of the way to the boundary of the plane.
With a reference r, the share of a point (x, y) is max(gₓ(x), g_y(y)), where gₓ falls evenly from 1 at the
left side to 0 at r and rises to 1 at the right side; so shares of a box are extreme where gₓ and g_y are.
Along a ray the shares at which it enters and leaves the box are ratios of two lengths, each
c/cos(direction − c'). Such ratios are monotone between the directions of corners, so corners suffice.
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
from noisewright.trajectory.aggregates.regions import Ends, Span
from noisewright.trajectory.aggregates.sums import Weigher
from noisewright.trajectory.mechanisms import TraCSD
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Rectangle
from noisewright.trajectory.spaces.base import TURN, angle_of, unit

ARCS, LEVELS = 48, 16
"""Steps of a turn, and of the way to the boundary."""

DUST = 1e-9
"""An end within this part of a step of the next step counts as being there, up to rounding."""


@lru_cache(maxsize=8)
def arc_table(direction: NumericMechanism, price: float, noise_price: float) -> Bracket:
    """Return the brackets of arcs from direction 0, of 1, 2, … steps; row 0 is the empty arc."""
    steps = np.arange(1, ARCS + 1) * (TURN / ARCS)
    arcs = tuple(Span.between(0.0, float(step)) for step in steps)
    return _with_nothing(bracket_spans(direction, arcs, price, noise_price))


@lru_cache(maxsize=8)
def span_table(distance: NumericMechanism, price: float, noise_price: float) -> Bracket:
    """Return the brackets of all spans between two steps of the way; row 0 is the empty span."""
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
        references, reported = self._references[rows], [part[rows] for part in self._report_parts]
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
    def _report_parts(self) -> tuple[Cells, Cells]:
        """The parts of the reported directions and distances."""
        polar = self.mechanism.space.to_polar(self.mechanism.references(self.reports), self.reports.points)
        direction, distance = (
            law_of(channel).part_of(values)
            for channel, values in zip(self.mechanism.channels, polar, strict=True)
        )
        return direction, distance

    @cached_property
    def _tables(self) -> tuple[Bracket, Bracket]:
        """The brackets of arcs and of spans, computed once for all collections of a size."""
        count = len(self.reports.points)
        wanted = np.sqrt(count) / 6  # balances slack and noise of a region with a third of all reports
        price = min(PRICES, key=lambda price: abs(np.log(price / wanted)))
        prices = price, count**-0.5
        return arc_table(self.mechanism.direction, *prices), span_table(self.mechanism.distance, *prices)


# -- a box seen from many references: the least sector around it, and a large one inside it -------------

NARROWINGS = np.array([0.35, 0.6, 0.85])
"""Shares of the arc around a box that are tried as the arc of a sector inside it."""


@dataclass(frozen=True, eq=False)
class Sectors:
    """One sector for each reference: ``length`` onward from ``start``, shares from ``low`` to ``high``."""

    start: Floats
    length: Floats
    low: Floats
    high: Floats


def sectors_outside(plane: Rectangle, references: Floats, across: Ends, up: Ends) -> Sectors:
    """Return the least sector around a box, from each reference; a full turn from inside it."""
    start, length = _arc(references, across, up)
    left, bottom, right, top = plane.bounds
    shares = (
        _extremes(references[:, 0], across, left, right),
        _extremes(references[:, 1], up, bottom, top),
    )
    least, most = zip(*shares, strict=True)
    low, high = np.maximum(*least), np.minimum(np.maximum(*most), 1.0)
    return Sectors(start, length, np.minimum(low, 1.0), high)


def sectors_inside(plane: Rectangle, references: Floats, across: Ends | None, up: Ends | None) -> Sectors:
    """Return a large sector inside a box, from each reference; of no length if there is none."""
    count = len(references)
    if across is None or up is None:
        return Sectors(*np.zeros((4, count)))
    start, length = _arc(references, across, up)
    home = length >= TURN
    starts = start[:, None] + length[:, None] * (1 - NARROWINGS) / 2
    lengths = length[:, None] * NARROWINGS
    low, high = _through(plane, references, (across, up), starts, lengths)
    best = np.argmax(lengths * np.maximum(high**2 - low**2, 0.0), axis=1)
    row = np.arange(count)
    left, bottom, right, top = plane.bounds
    sides = [_shares(references[:, 0], np.full(count, end), left, right) for end in across]
    sides += [_shares(references[:, 1], np.full(count, end), bottom, top) for end in up]
    room = np.minimum(np.min(sides, axis=0), 1.0)  # up to here every direction stays inside the box
    found = [part[row, best] for part in (starts, lengths, low, high)]
    found[1] = np.where(found[3] > found[2], found[1], 0.0)
    return Sectors(
        start=np.where(home, 0.0, found[0]),
        length=np.where(home, TURN, found[1]),
        low=np.where(home, 0.0, found[2]),
        high=np.where(home, room, found[3]),
    )


def _arc(references: Floats, across: Ends, up: Ends) -> tuple[Floats, Floats]:
    """Return where the arc of directions to a box begins, and how long it is."""
    corners = np.array([(x, y) for x in across for y in up])
    middle = angle_of(corners.mean(axis=0) - references)
    aside = angle_of(corners - references[:, None]) - middle[:, None]
    aside = np.mod(aside + np.pi, TURN) - np.pi
    inside = (references >= corners[0]).all(axis=1) & (references <= corners[-1]).all(axis=1)
    start = np.where(inside, 0.0, middle + aside.min(axis=1))
    return start, np.where(inside, TURN, np.ptp(aside, axis=1))


def _shares(at: Floats, values: Floats, low: float, high: float) -> Floats:
    """Return each value's share of the way from the reference's coordinate to the side of the plane."""
    step = values - at
    room = np.where(step > 0, high - at, at - low)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(step == 0, 0.0, np.abs(step) / room)


def _extremes(at: Floats, ends: Ends, low: float, high: float) -> tuple[Floats, Floats]:
    """Return the least and the largest share of a coordinate between two ends."""
    both = [_shares(at, np.full_like(at, end), low, high) for end in ends]
    between = (at >= ends[0]) & (at <= ends[1])
    return np.where(between, 0.0, np.minimum(*both)), np.maximum(*both)


def _through(
    plane: Rectangle, references: Floats, box: tuple[Ends, Ends], starts: Floats, lengths: Floats
) -> tuple[Floats, Floats]:
    """Return the last share at which a ray of each arc enters the box, and the first at which one leaves."""
    left, bottom, right, top = plane.bounds
    corners = [(x, y) for x in box[0] for y in box[1]] + [
        (x, y) for x in (left, right) for y in (bottom, top)
    ]
    after = np.mod(angle_of(np.array(corners) - references[:, None])[:, None] - starts[..., None], TURN)
    turns = np.minimum(after, lengths[..., None])  # corners beside the arc are looked at from its end
    rays = unit(starts[..., None] + np.concatenate([np.zeros_like(turns[..., :1]), turns], axis=-1))
    at = references[:, None, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        meets = np.stack([(np.array([span[end] for span in box]) - at) / rays for end in (0, 1)])
        reach = 1 / plane.sides.share(at, rays)
        enter = np.nanmax(np.min(meets, axis=0), axis=-1) / reach
        leave = np.nanmin(np.max(meets, axis=0), axis=-1) / reach
    missed = ~((leave > enter) & (enter >= 0))
    low = np.where(missed, np.inf, enter).max(axis=-1)
    return np.where(np.isfinite(low), low, 1.0), np.where(missed, 0.0, leave).min(axis=-1)
