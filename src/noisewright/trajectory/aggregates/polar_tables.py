"""Brackets of sectors, from tables: spans in steps of the way to the boundary, arcs in steps of a turn.

An arc is as good as any other of its length, since the channel of directions treats all of them alike: the
table has the arcs that begin at direction 0, and a report is turned back by where its arc begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.mechanisms import NumericMechanism
from noisewright.trajectory.aggregates.brackets import Bracket, bracket_spans
from noisewright.trajectory.aggregates.sectors import Sectors
from noisewright.trajectory.aggregates.spans import Span
from noisewright.trajectory.spaces.convex import TURN

ARCS, LEVELS = 48, 16
"""Steps of a turn, and of the way to the boundary."""

DUST = 1e-9
"""Of a step: an end this near to the next step is there, up to rounding."""


@dataclass(frozen=True, eq=False)
class Looked:
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
    ) -> tuple[Looked, Looked]:
        """The brackets of arcs and of spans at reported parts, each for the sector of its report.

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
    """The tables of two channels, worked out once for all regions and collections of a size."""
    return PolarTables(direction, distance, price, noise_price)


def _steps(start: Floats, length: Floats, part: float, *, outward: bool) -> tuple[Cells, Cells]:
    """The part at which each arc begins, and its length in steps from there."""
    sign = 1.0 if outward else -1.0
    begin = sign * np.floor(sign * start / part + DUST)
    exact = (start + length - begin * part) * (ARCS / TURN)
    steps = sign * np.ceil(sign * exact - DUST)
    steps = np.where(length >= TURN, ARCS, np.where(length > 0, np.clip(steps, 0, ARCS), 0))
    return begin.astype(np.int64), steps.astype(np.int64)


def _level_rows(sectors: Sectors, outward: bool) -> Cells:
    """The row of the table of spans for each sector."""
    sign = 1.0 if outward else -1.0
    low = np.clip(sign * np.floor(sign * sectors.low * LEVELS + DUST), 0, LEVELS - 1)
    high = np.clip(sign * np.ceil(sign * sectors.high * LEVELS - DUST), 1 if outward else 0, LEVELS)
    row = 1 + high * (high - 1) / 2 + low
    return np.where(low < high, row, 0).astype(np.int64)


def _rows(table: Bracket, rows: Cells, parts: Cells) -> Looked:
    at = rows, parts
    return Looked(table.upper[at], table.lower[at], table.middle[at], rows == 0)


def _with_nothing(table: Bracket) -> Bracket:
    """A table with a row of zeros before it."""
    return Bracket(*(np.pad(values, ((1, 0), (0, 0))) for values in (table.upper, table.lower, table.middle)))
