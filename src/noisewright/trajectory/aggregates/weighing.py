"""Every report weighed for every region: the values of a bracket, block by block.

Whatever the mechanism, an aggregate needs from it one thing: for some rows of the table of reports, the two
functions of the bracket of each region. How they come about differs: the axes of TraCS-C are the same for all
reports (here); the directions of TraCS-D are not (``polar.py``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Protocol

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.trajectory.aggregates.brackets import Bracket, best_noise_price, bracket_spans
from noisewright.trajectory.aggregates.cell_weigher import CellWeigher
from noisewright.trajectory.aggregates.laws import law_of
from noisewright.trajectory.aggregates.moments import PRICES, Moments, narrowest
from noisewright.trajectory.aggregates.polar import PolarWeigher
from noisewright.trajectory.aggregates.spans import Span
from noisewright.trajectory.aggregates.sums import Unbiased
from noisewright.trajectory.cells import CellOracle, CellReports
from noisewright.trajectory.location import LocationMechanism
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.tracs_c import TraCSC
from noisewright.trajectory.tracs_d import TraCSD

Spans = tuple[tuple[Span, ...], tuple[Span, ...]]

AT_ONCE = 1 << 20
"""Weights held in memory at a time."""


class Weigher(Protocol):
    """What aggregates need to know of a mechanism, its reports and the regions."""

    @property
    def regions(self) -> int:
        """How many regions there are."""

    @property
    def width(self) -> int:
        """How many numbers are held for each report while it is weighed."""

    @property
    def chained(self) -> bool:
        """Whether reports refer to the ones before them."""

    @property
    def unbiased(self) -> Unbiased | None:
        """What is known of functions that are one for each bracket, with the indicator for expectation."""

    def weigh(self, rows: Cells) -> Bracket:
        """The bracket of every region (rows) at some of the reports (columns)."""


@dataclass(frozen=True, eq=False)
class AxesWeigher:
    """Reports of TraCS-C: a region is a span of the first axis times a span of the second.

    ``factors`` is the number of reports that are multiplied later (two for a trip): more of them multiply
    noise, which makes slack the lesser evil.
    """

    mechanism: TraCSC
    points: Floats
    spans: Spans
    factors: int = 1

    @property
    def regions(self) -> int:
        return len(self.spans[0]) * len(self.spans[1])

    @property
    def width(self) -> int:
        return self.regions

    @property
    def chained(self) -> bool:
        return False

    @property
    def unbiased(self) -> None:
        return None

    def weigh(self, rows: Cells) -> Bracket:
        first, second = (
            bracket.of(law_of(channel).part_of(self._coordinates[rows, axis]))
            for axis, (channel, bracket) in enumerate(
                zip(self.mechanism.channels, self._brackets, strict=True)
            )
        )
        return first.times(second)

    @property
    def _each(self) -> int:
        """How many products of weights are added up."""
        return max(len(self.points) // self.factors, 1)

    @cached_property
    def _coordinates(self) -> Floats:
        return self.mechanism.space.to_axes(self.points)

    @cached_property
    def _brackets(self) -> tuple[Bracket, Bracket]:
        """The brackets of both axes, at the prices of slack that promise the narrowest intervals."""
        noise_price = best_noise_price(self.mechanism.channels, self.spans, self.factors, self._each)
        ladders = [
            {price: bracket_spans(channel, spans, price, noise_price) for price in PRICES}
            for channel, spans in zip(self.mechanism.channels, self.spans, strict=True)
        ]
        worth = [
            {price: bracket.moments(law_of(channel).expected) for price, bracket in ladder.items()}
            for channel, ladder in zip(self.mechanism.channels, ladders, strict=True)
        ]

        def together(prices: tuple[float, float]) -> Moments:
            return worth[0][prices[0]].times(worth[1][prices[1]]).repeated(self.factors)

        first, second = narrowest(product(PRICES, PRICES), together, self._each)
        return ladders[0][first], ladders[1][second]


def weigher_of(
    mechanism: LocationMechanism | CellOracle, reports: Routes | CellReports, spans: Spans, factors: int = 1
) -> Weigher:
    """The weigher of a mechanism's reports for regions that are products of spans of its chart."""
    if isinstance(reports, CellReports):
        return CellWeigher(reports, spans)
    if isinstance(mechanism, TraCSD):
        return PolarWeigher(mechanism, reports, spans)
    assert isinstance(mechanism, TraCSC)  # charts.py refuses others
    return AxesWeigher(mechanism, reports.points, spans, factors)


def blocks(weigher: Weigher, count: int) -> Iterator[Bracket]:
    """All reports weighed, in blocks that fit into memory."""
    step = max(AT_ONCE // weigher.width, 1)
    for at in range(0, count, step):
        yield weigher.weigh(np.arange(at, min(at + step, count)))
