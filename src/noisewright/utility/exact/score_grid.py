"""Utilities for three sensitive features or more: the law of the score, added up on a fine grid.

The score of a two-class model is g + X₁ + … + X_s with independent terms X_i ≥ 0 (a feature with a negative
weight is counted from its other end). All terms but the largest are put on a common grid: a value between two
grid points is split between them so that its mean stays. Their laws are convolved by Fourier transforms, and
the largest term enters by its own cumulative, f(x) = P(X_s > −g − x).

Splitting changes the expectation of f only where f bends. On a grid of step δ the straight line between two
points differs from f by at most ¼·δ·(how much the slope of f changes within δ), and by no more than f itself
rises within δ. That is added up under the grid's own law, and the bounds are moved outward by it: they are
strict. Where f jumps, on tables and where noise was moved to the first or
the last cell, values are rounded down to the grid instead, and the bounds are what the steps can add.

Measured up to ε = 8 the bounds of three features are less than 10⁻⁴ apart, those of four to eight less than
2·10⁻³, unless scores of exactly 0 are likely (round weights on a table): such reports stay undecided, and the
bounds are apart by their probability.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.channels import Channel
from noisewright.utility.exact.halfspaces import DOUBLE, INWARD, OUTWARD, Halfspaces
from noisewright.utility.exact.knotted import Knotted, laws_of_features
from noisewright.utility.exact.score_terms import Term
from noisewright.utility.exact.slices import MOST_CELLS

GRID = 1 << 14
"""Points of the common grid."""

_JUMP = 0.05
"""A law with an end as likely as this is better rounded than straightened."""

_TRANSFORM = 1e-10
"""More than Fourier transforms of this size lose to rounding."""


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of several records of a two-class model.

    ``order`` sorts the features by the size of their terms; those in ``turned`` are counted from their other
    end. A record keeps its answer where ``constants`` plus all terms is above 0, give or take ``margins``.
    """

    order: Cells
    turned: Cells
    terms: list[Term]
    largest: float
    spacing: float
    constants: Floats
    margins: Floats
    coarse: bool

    @classmethod
    def of(cls, regions: Halfspaces, cells: int) -> Self:
        """The terms of scores, in numbers of cells, and the grid that holds all but the largest."""
        steps = regions.coefficients[0]
        order = np.argsort(np.abs(steps))
        *small, largest = np.abs(steps)[order].tolist()
        spacing = sum(small) * (cells - 1) / (GRID - 2 * len(order))
        return cls(
            order,
            np.flatnonzero(steps < 0),
            [Term.of(step, cells, spacing) for step in small],
            largest,
            spacing,
            regions.constants[:, 0] + np.minimum(steps, 0).sum() * (cells - 1),
            regions.margins[:, 0] + DOUBLE * cells * np.abs(steps).sum(),
            cells <= MOST_CELLS,
        )

    def bounds(self, channel: Channel, units: Floats) -> tuple[Floats, Floats]:
        """Lower and upper bounds for the probability that each record keeps its answer."""
        return self.bounds_for(laws_of_features(channel, units))

    def bounds_for(self, laws: list[Knotted]) -> tuple[Floats, Floats]:
        """The same, for the laws of the features."""
        counted = [law.turned() if at in self.turned else law for at, law in enumerate(laws)]
        *small, last = (counted[feature] for feature in self.order)
        found = np.array([self._record(record, small, last) for record in range(len(last.knots))])
        return found[:, 0], found[:, 1]

    def _record(self, record: int, small: list[Knotted], last: Knotted) -> tuple[float, float]:
        knots, rises = last.knots[record], last.rises[record]
        jumpy = self.coarse or max(ends[record] for ends in last.ends()) > _JUMP
        law = self._sum_law(record, small, keep_mean=not jumpy)
        hidden = self._rounded if jumpy else self._straightened
        low, high = (
            hidden(law, knots, rises, self.constants[record] + outward * self.margins[record], outward)
            for outward in (INWARD, OUTWARD)
        )
        return low - _TRANSFORM, high + _TRANSFORM

    def _sum_law(self, record: int, small: list[Knotted], *, keep_mean: bool) -> Floats:
        """The law of all terms but the largest, on the grid."""
        product = np.ones(GRID // 2 + 1, dtype=np.complex128)
        for term, law in zip(self.terms, small, strict=True):
            split = term.split(law.knots[record], law.rises[record], keep_mean=keep_mean)
            product *= np.fft.rfft(split, GRID)
        return np.maximum(np.fft.irfft(product, GRID), 0.0)

    def _rounded(self, law: Floats, knots: Cells, rises: Floats, constant: float, outward: float) -> float:
        """The expectation of f when every term was rounded down: the sum may be more by all steps."""
        first = len(self.terms) if outward > 0 else 0
        return float((law * self._f(knots, rises, -constant / self.largest, first, GRID + first)).sum())

    def _straightened(
        self, law: Floats, knots: Cells, rises: Floats, constant: float, outward: float
    ) -> float:
        """The expectation of f when every term was split, moved outward by what bends of f can hide."""
        # Cells at or below −(constant + x)/largest fail; ⌊·⌋ + 1 of them lie between the number and one more.
        fails = -constant / self.largest + (0.0 if outward > 0 else 1.0)
        reach = len(self.terms) + 1
        f = self._f(knots, rises, fails, -reach, GRID + reach, whole=False)
        hidden = np.minimum(f[2 * reach :] - f[: -2 * reach], self._bends(knots, rises, fails, reach))
        return float((law * (f[reach:-reach] + outward * len(self.terms) * hidden)).sum())

    def _f(
        self, knots: Cells, rises: Floats, fails: float, first: int, last: int, *, whole: bool = True
    ) -> Floats:
        """P(X_s > −constant − x) at the grid points [first, last), by whole cells or by straight lines."""
        places = fails - np.arange(first, last) * (self.spacing / self.largest)
        return np.asarray(rises[-1] - np.interp(np.floor(places) + 1 if whole else places, knots, rises))

    def _bends(self, knots: Cells, rises: Floats, fails: float, reach: int) -> Floats:
        """A quarter of δ times the change of f's slope around each grid point."""
        apart = np.append(True, np.diff(knots) > 0)
        ends, heights = knots[apart], rises[apart]
        slopes = np.diff(heights) / np.diff(ends)
        changes = np.abs(np.diff(slopes, prepend=0.0, append=0.0))
        ratio = self.largest / self.spacing
        bins = np.floor((fails - ends) * ratio) + reach + 1
        near = (bins >= 0) & (bins < GRID + 2 * reach + 2)
        counted = np.bincount(bins[near].astype(np.int64), changes[near], minlength=GRID + 2 * reach + 2)
        total = np.append(0.0, np.cumsum(counted))
        return np.asarray((total[2 * reach + 2 :][:GRID] - total[:GRID]) / (4 * ratio))
