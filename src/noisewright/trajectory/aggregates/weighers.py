"""The weights of every report for every region: the values of a bracket, block by block.

An aggregate needs one thing from any mechanism: for some rows of the table of reports, the two functions of
the bracket of each region. The axes of TraCS-C are the same for all reports (``AxesWeigher``);
the directions of TraCS-D are not (``polar.py``).

Reports of cells (``CellWeigher``) are unbiased for every union of cells. With hit and miss of the oracle,
v(c) = (support of c − miss)/(hit − miss) has the expectation 1 if the location lies in cell c and 0
otherwise, wherever people are. A box that cuts through cells holds all cells that lie in it and at most
those that it touches, so the two sums of v bracket it. The sum weighted by the share of each cell that the
box covers is unbiased if locations are spread evenly within each cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from noisewright.domains import Cells, Circle, Floats, NumericDomain
from noisewright.estimate.partition import equal_bins
from noisewright.trajectory.aggregates.brackets import PRICES, Bracket, best_noise_price, bracket_spans
from noisewright.trajectory.aggregates.laws import law_of
from noisewright.trajectory.aggregates.polar import PolarWeigher
from noisewright.trajectory.aggregates.regions import Span
from noisewright.trajectory.aggregates.sums import Spans, Unbiased, Weigher
from noisewright.trajectory.mechanisms import CellOracle, CellReports, LocationMechanism, TraCSC, TraCSD
from noisewright.trajectory.routes import Routes


def weigher_of(
    mechanism: LocationMechanism | CellOracle, reports: Routes | CellReports, spans: Spans, factors: int = 1
) -> Weigher:
    """Return the weigher of a mechanism's reports for regions that are products of spans of its chart."""
    if isinstance(reports, CellReports):
        return CellWeigher(reports, spans=spans)
    if isinstance(mechanism, TraCSD):
        return PolarWeigher(mechanism, reports, spans=spans)
    assert isinstance(mechanism, TraCSC)  # others are refused before
    return AxesWeigher(mechanism, reports.points, factors, spans=spans)


@dataclass(frozen=True, eq=False)
class AxesWeigher(Weigher):
    """Reports of TraCS-C: a region is a span of the first axis times a span of the second.

    ``factors`` is the number of reports that are multiplied later (two for a trip). More factors multiply
    the noise, which makes slack the lesser evil.
    """

    mechanism: TraCSC
    points: Floats
    factors: int = 1

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
        """The number of products of weights that are added up."""
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

        def expected_width(prices: tuple[float, float]) -> float:
            moments = worth[0][prices[0]].times(worth[1][prices[1]])
            return moments.repeated(self.factors).width(self._each)

        first, second = min(product(PRICES, PRICES), key=expected_width)
        return ladders[0][first], ladders[1][second]


CLOSE = 1e-9
"""Lines closer than this share of a coordinate's length are taken for one."""


@dataclass(frozen=True, eq=False)
class CellWeigher(Weigher):
    """Reports of cells, for regions that are spans of the first axis times spans of the second."""

    reports: CellReports

    @property
    def width(self) -> int:
        return max(self.regions, len(self.reports.mechanism.names))

    @property
    def unbiased(self) -> Unbiased | None:
        """The noise if every region is a union of cells; its variance is known for single cells."""
        touched, filled, _ = self._cells
        if not (touched == filled).all():
            return None
        oracle = self.reports.mechanism.oracle
        single = bool((touched.sum(axis=1) == 1).all()) and not oracle.votes
        jump = 1 / (oracle.hit - oracle.miss)
        return Unbiased(jump, self._noise if single else None, oracle.hit * (1 - oracle.hit) * jump**2)

    def _noise(self, shares: Floats, count: int) -> Floats:
        """Return the variance of a cell's estimated share, without that of sampling people."""
        drawn = self.reports.mechanism.oracle.share_variance(shares, count)
        return np.asarray(np.maximum(drawn - shares * (1 - shares) / count, 0.0))

    def weigh(self, rows: Cells) -> Bracket:
        oracle = self.reports.mechanism.oracle
        seen = oracle.support_table(self.reports.reports[rows])
        values = (seen - oracle.miss) / (oracle.hit - oracle.miss)  # v of each cell (rows)
        touched, filled, covered = self._cells
        return Bracket(touched @ values, filled @ values, covered @ values)

    @cached_property
    def _cells(self) -> tuple[Floats, Floats, Floats]:
        """For each region (rows) and cell: 1 if touched, 1 if filled, and the share that is covered."""
        mechanism = self.reports.mechanism
        along = [
            np.array([_cover_shares(domain, count, span) for span in spans])
            for domain, count, spans in zip(mechanism.space.axes, mechanism.cells, self.spans, strict=True)
        ]
        outer, inner = (np.kron(along[0][:, :, which], along[1][:, :, which]) for which in (0, 1))
        middle = (outer + inner) / 2
        touched, filled = outer > CLOSE, inner >= 1 - CLOSE
        return touched.astype(np.float64), filled.astype(np.float64), middle


def _cover_shares(domain: NumericDomain, count: int, span: Span) -> Floats:
    """Return the largest and the least share of each of ``count`` equal cells that a span may cover."""
    edges = equal_bins(domain, count)
    ends = [span.outer, span.inner or (0.0, 0.0)]
    return np.stack([_overlap(domain, edges, low, high) for low, high in ends], axis=-1)


def _overlap(domain: NumericDomain, edges: Floats, low: float, high: float) -> Floats:
    turns = (-domain.length, 0.0, domain.length) if isinstance(domain, Circle) else (0.0,)
    common = np.sum(
        [
            np.maximum(np.minimum(edges[1:], high + turn) - np.maximum(edges[:-1], low + turn), 0.0)
            for turn in turns
        ],
        axis=0,
    )
    share = np.clip(common * (edges.size - 1) / domain.length, 0.0, 1.0)
    share[share < CLOSE] = 0.0
    share[share > 1 - CLOSE] = 1.0
    return np.asarray(share)
