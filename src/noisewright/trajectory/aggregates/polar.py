"""Reports of TraCS-D weighed for boxes: each report in the polar coordinates of its own reference.

Seen from a reference, a box is no product of an arc of directions and a span of distances. But the least such
product around it and a large one inside it make a bracket, and brackets of arcs and of spans multiply. The
gap between the two sectors stays, however many reports there are: TraCS-C tells more about boxes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import CircularOGPM
from noisewright.trajectory.aggregates.brackets import Bracket
from noisewright.trajectory.aggregates.laws import law_of
from noisewright.trajectory.aggregates.moments import PRICES
from noisewright.trajectory.aggregates.polar_tables import PolarTables, polar_tables
from noisewright.trajectory.aggregates.sectors import sectors_inside, sectors_outside
from noisewright.trajectory.aggregates.spans import Span
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Rectangle
from noisewright.trajectory.tracs_d import TraCSD


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
        """The upper, the lower and the middle function of one box."""
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
        assert plane is not None  # charts.py refuses other spaces
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
