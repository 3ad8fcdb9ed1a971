"""Reports of cells weighed for regions: unbiased for every union of cells, bracketed for other boxes.

With hit and miss of the oracle, v(c) = (support of c − miss)/(hit − miss) has the expectation 1 if the
location lies in cell c and 0 otherwise, whoever stands where. A box that is cut by edges of cells holds all
cells that lie in it and at most those that it touches, so sums of v over the ones and the others bracket it;
the sum with the shares of the cells that it covers is unbiased if locations are spread evenly within each
cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noisewright.domains import Cells, Circle, Floats, NumericDomain
from noisewright.estimate.partition import equal_bins
from noisewright.trajectory.aggregates.brackets import Bracket
from noisewright.trajectory.aggregates.spans import Span
from noisewright.trajectory.aggregates.sums import Unbiased
from noisewright.trajectory.cells import CellReports

CLOSE = 1e-9
"""Of the length of a coordinate: lines that are so close are one."""


@dataclass(frozen=True, eq=False)
class CellWeigher:
    """Reports of cells, for regions that are spans of the first axis times spans of the second."""

    reports: CellReports
    spans: tuple[tuple[Span, ...], tuple[Span, ...]]

    @property
    def regions(self) -> int:
        return len(self.spans[0]) * len(self.spans[1])

    @property
    def width(self) -> int:
        return max(self.regions, len(self.reports.mechanism.names))

    @property
    def chained(self) -> bool:
        return False

    @property
    def unbiased(self) -> Unbiased | None:
        """What is known of the noise if every region is a union of cells: all of it for single cells."""
        touched, filled, _ = self._cells
        if not (touched == filled).all():
            return None
        oracle = self.reports.mechanism.oracle
        single = bool((touched.sum(axis=1) == 1).all()) and not oracle.votes
        jump = 1 / (oracle.hit - oracle.miss)
        return Unbiased(jump, self._noise if single else None, oracle.hit * (1 - oracle.hit) * jump**2)

    def _noise(self, shares: Floats, count: int) -> Floats:
        """The variance of a cell's estimated share, without the luck of drawing people."""
        drawn = self.reports.mechanism.oracle.share_variance(shares, count)
        return np.asarray(np.maximum(drawn - shares * (1 - shares) / count, 0.0))

    def weigh(self, rows: Cells) -> Bracket:
        values = self.values(rows)
        touched, filled, covered = self._cells
        return Bracket(touched @ values, filled @ values, covered @ values)

    def values(self, rows: Cells) -> Floats:
        """v: what each report (columns) says of each cell (rows)."""
        oracle = self.reports.mechanism.oracle
        seen = oracle.support_table(self.reports.reports[rows])
        return np.asarray((seen - oracle.miss) / (oracle.hit - oracle.miss))

    @cached_property
    def _cells(self) -> tuple[Floats, Floats, Floats]:
        """For each region (rows) and cell: 1 if touched, 1 if filled, and the share that is covered."""
        mechanism = self.reports.mechanism
        along = [
            np.array([_covered(domain, count, span) for span in spans])
            for domain, count, spans in zip(mechanism.space.axes, mechanism.cells, self.spans, strict=True)
        ]
        outer, inner = (np.kron(along[0][:, :, which], along[1][:, :, which]) for which in (0, 1))
        middle = (outer + inner) / 2
        touched, filled = outer > CLOSE, inner >= 1 - CLOSE
        return touched.astype(np.float64), filled.astype(np.float64), middle


def _covered(domain: NumericDomain, count: int, span: Span) -> Floats:
    """The share of each of ``count`` equal cells that a span may cover at most, and covers at least."""
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
