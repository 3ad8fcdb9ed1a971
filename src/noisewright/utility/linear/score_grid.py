"""Utilities for three sensitive features or more: the law of the score, added up on a fine grid.

The score of a two-class model is g + X₁ + … + X_s with independent terms X_i ≥ 0 (a feature with a negative
weight is counted from its other end). All terms except the largest are put on a common grid: a value between
two grid points is split between them so that its mean is kept. Their laws are convolved by Fourier
transforms, and the largest term enters by its own cumulative, f(x) = P(X_s > −g − x).

Splitting changes the expectation of f only where f bends. On a grid of step δ, the straight line between two
points differs from f by at most ¼·δ·(the change of the slope of f within δ), and by no more than f itself
rises within δ. The expectation of this under the grid's law is added to the bounds, so they are strict. Where
f jumps, on tables and where noise was moved to the first or the last cell, values are rounded down to the
grid instead, and the bounds allow for all steps.

Measured up to ε = 8 the bounds of three features are less than 10⁻⁴ apart, those of four to eight less than
2·10⁻³, unless scores of exactly 0 are likely (round weights on a table): such reports stay undecided, and the
bounds differ by their probability.

Truncated noise puts much of its law on the first and the last cell. With three features these two cells of
the largest term are treated separately (:class:`EndedScores`): given such a report, the other two features
have their own half-plane, summed exactly (``polygons``). The rest has no jumps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.core.channels import Channel
from noisewright.utility.linear.halfspaces import DOUBLE, INWARD, OUTWARD, Halfspaces
from noisewright.utility.linear.piecewise_laws import PiecewiseLaws, laws_of_features
from noisewright.utility.linear.polygons import Polygons
from noisewright.utility.linear.slices import MOST_CELLS

GRID = 1 << 14
"""Points of the common grid."""

_JUMP = 0.05
"""Probability of an end cell from which on rounding is better than straight lines."""

_TRANSFORM = 1e-10
"""A bound on the rounding error of Fourier transforms of this size."""


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
        """Return the terms of scores, in numbers of cells, and the grid of all terms except the largest."""
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
        """Return lower and upper bounds for the probability that each record keeps its answer."""
        return self.bounds_for(laws_of_features(channel, units))

    def bounds_for(self, laws: list[PiecewiseLaws]) -> tuple[Floats, Floats]:
        """Return the same, for the laws of the features."""
        counted = [law.reverse() if at in self.turned else law for at, law in enumerate(laws)]
        *small, last = (counted[feature] for feature in self.order)
        found = np.array([self._record(record, small, last) for record in range(len(last.knots))])
        return found[:, 0], found[:, 1]

    def _record(self, record: int, small: list[PiecewiseLaws], last: PiecewiseLaws) -> tuple[float, float]:
        knots, rises = last.knots[record], last.rises[record]
        jumpy = self.coarse or max(ends[record] for ends in last.ends()) > _JUMP
        law = self._sum_law(record, small, keep_mean=not jumpy)
        hidden = self._rounded_expectation if jumpy else self._straightened_expectation
        low, high = (
            hidden(law, knots, rises, self.constants[record] + outward * self.margins[record], outward)
            for outward in (INWARD, OUTWARD)
        )
        return low - _TRANSFORM, high + _TRANSFORM

    def _sum_law(self, record: int, small: list[PiecewiseLaws], *, keep_mean: bool) -> Floats:
        """Return the law of all terms except the largest, on the grid."""
        product = np.ones(GRID // 2 + 1, dtype=np.complex128)
        for term, law in zip(self.terms, small, strict=True):
            split = term.split(law.knots[record], law.rises[record], keep_mean=keep_mean)
            product *= np.fft.rfft(split, GRID)
        return np.maximum(np.fft.irfft(product, GRID), 0.0)

    def _rounded_expectation(
        self, law: Floats, knots: Cells, rises: Floats, constant: float, outward: float
    ) -> float:
        """Return bounds on the expectation of f with every term rounded down to the grid."""
        first = len(self.terms) if outward > 0 else 0
        return float((law * self._f(knots, rises, -constant / self.largest, first, GRID + first)).sum())

    def _straightened_expectation(
        self, law: Floats, knots: Cells, rises: Floats, constant: float, outward: float
    ) -> float:
        """Return bounds on the expectation of f with every term split, allowing for the bends of f."""
        # Cells at or below −(constant + x)/largest fail; ⌊·⌋ + 1 of them lie between the number and one more.
        fails = -constant / self.largest + (0.0 if outward > 0 else 1.0)
        reach = len(self.terms) + 1
        f = self._f(knots, rises, fails, -reach, GRID + reach, whole=False)
        hidden = np.minimum(f[2 * reach :] - f[: -2 * reach], self._bends(knots, rises, fails, reach))
        return float((law * (f[reach:-reach] + outward * len(self.terms) * hidden)).sum())

    def _f(
        self, knots: Cells, rises: Floats, fails: float, first: int, last: int, *, whole: bool = True
    ) -> Floats:
        """Return P(X_s > −constant − x) at the grid points [first, last), by cells or straight lines."""
        places = fails - np.arange(first, last) * (self.spacing / self.largest)
        return np.asarray(rises[-1] - np.interp(np.floor(places) + 1 if whole else places, knots, rises))

    def _bends(self, knots: Cells, rises: Floats, fails: float, reach: int) -> Floats:
        """Return a quarter of δ times the change of f's slope around each grid point."""
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


@dataclass(frozen=True, eq=False)
class EndedScores:
    """The scores of three features, and the half-planes that remain when one is at its first or last cell."""

    feature: int
    scores: Scores
    first: Polygons
    last: Polygons

    @classmethod
    def of(cls, regions: Halfspaces, cells: int) -> Self:
        """Return the parts of regions, in numbers of cells."""
        scores = Scores.of(regions, cells)
        feature = int(scores.order[-1])
        first, last = (Polygons.of(_at_cell(regions, feature, cell), cells) for cell in (0, cells - 1))
        return cls(feature, scores, first, last)

    def bounds(self, channel: Channel, units: Floats) -> tuple[Floats, Floats]:
        """Return lower and upper bounds for the probability that each record keeps its answer."""
        laws = laws_of_features(channel, units)
        ended = laws[self.feature]
        laws[self.feature] = ended.without_ends()
        low, high = self.scores.bounds_for(laws)
        others = [law for feature, law in enumerate(laws) if feature != self.feature]
        for mass, polygons in zip(ended.ends(), (self.first, self.last), strict=True):
            if mass.any():
                least, most = polygons.bounds_for(others)
                low, high = low + mass * least, high + mass * most
        return low, high


def _at_cell(regions: Halfspaces, feature: int, cell: int) -> Halfspaces:
    """Return the regions of the other features when one reports a certain cell."""
    others = [at for at in range(regions.coefficients.shape[1]) if at != feature]
    constants = regions.constants + cell * regions.coefficients[:, feature]
    sizes = np.abs(regions.constants) + cell * np.abs(regions.coefficients[:, feature])
    return replace(regions.on(others), constants=constants, margins=regions.margins + 2.0**-50 * sizes)


@dataclass(frozen=True, eq=False)
class Term:
    """One feature's part of a score, ``step``·cell, and its position on the grid.

    ``edges`` are the grid points in cells of the feature, ``counts`` how many cells lie before each.
    """

    step: float
    edges: Floats
    counts: Cells

    @classmethod
    def of(cls, step: float, cells: int, spacing: float) -> Self:
        """Return a term whose cells are ``step`` apart, on a grid with the given spacing."""
        edges = np.arange(np.ceil(step * (cells - 1) / spacing) + 2) * (spacing / step)
        return cls(step, edges, np.clip(np.ceil(edges), 0, cells).astype(np.int64))

    def split(self, knots: Cells, rises: Floats, *, keep_mean: bool) -> Floats:
        """Return the law of the term on the grid: values are split to keep their mean, or rounded down."""
        widths = np.diff(knots)
        shares = np.diff(rises) / np.maximum(widths, 1)
        moments = np.append(0.0, np.cumsum(shares * widths * (knots[1:] + knots[:-1] - 1) / 2))
        run = np.minimum(np.searchsorted(knots, self.counts, side="right") - 1, widths.size - 1)
        beyond = self.counts - knots[run]
        total = rises[run] + shares[run] * beyond
        moment = moments[run] + shares[run] * (beyond * (self.counts + knots[run] - 1) / 2)
        mass = np.diff(total)
        if not keep_mean:
            return np.append(mass, 0.0)
        right = np.clip((np.diff(moment) - self.edges[:-1] * mass) / self.edges[1], 0.0, mass)
        law = np.zeros(self.edges.size)
        law[:-1] = mass - right
        law[1:] += right
        return law
