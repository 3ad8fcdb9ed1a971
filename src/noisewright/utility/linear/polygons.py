"""Exact utilities for two sensitive features: the half-planes of a linear model on the lattice of reports.

Every report is a whole cell, so the utility is a sum over pairs of cells, without a continuous approximation.
A bound is the sum for the polygon shrunk, or widened, by the rounding error of about a millionth of a cell.
So the two bounds meet unless cells lie on the boundary itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import ModuleType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.mechanisms.basics.compiled import compiled
from noisewright.utility.core.channels import Channel
from noisewright.utility.linear import polygon_sums
from noisewright.utility.linear.halfspaces import DOUBLE, INWARD, OUTWARD, Halfspaces, interval_cells
from noisewright.utility.linear.piecewise_laws import PiecewiseLaws, laws_of_features

_UPRIGHT = 1e-12
"""A line closer to the vertical than this counts as vertical, with a larger margin."""


def _loops() -> ModuleType:
    """Return the sums over polygons, compiled where that is possible."""
    return compiled("noisewright.utility.linear.kernels") or polygon_sums


@dataclass(frozen=True, eq=False)
class Lines:
    """Half-planes as lines over the columns of the first report, and the columns between vertical ones.

    The cells from ⌊intercept + slope·column⌋ on (``is_floor``), or those before it, are inside.
    """

    intercepts: Floats
    slopes: Floats
    is_floor: NDArray[np.bool_]
    begin: Cells
    end: Cells

    def take(self, which: Cells) -> Lines:
        """Return the lines of some of the polygons."""
        return replace(self, intercepts=self.intercepts[which], begin=self.begin[which], end=self.end[which])

    def masses(self, across: PiecewiseLaws, up: PiecewiseLaws, bits: int) -> Floats:
        """Return the probability of each polygon; consecutive polygons share a law."""
        found = np.empty(self.begin.size)
        laws = across.knots, across.rises, up.knots, up.rises
        _loops().polygon_masses(
            *laws, self.begin, self.end, self.intercepts, self.slopes, self.is_floor, bits, found
        )
        return found


@dataclass(frozen=True, eq=False)
class Polygons:
    """For each record the polygon of cells that surely keep its answer, and of those that may keep it."""

    across: int
    bits: int
    surely: Lines
    maybe: Lines
    torn: Cells
    """The polygons for which these two differ."""

    @classmethod
    def of(cls, regions: Halfspaces, cells: int) -> Self:
        """Return the intersections of half-planes, in numbers of cells."""
        sizes = np.abs(regions.coefficients).sum(axis=0)
        across = int(sizes[1] < sizes[0])  # along flat lines, more columns are summed together
        turned = regions.on([across, 1 - across])
        bits = 63 - (2 * cells).bit_length()  # the height of a line, and one step more, fit into 63 bits
        surely, maybe = (_lines(turned, cells, outward, bits) for outward in (INWARD, OUTWARD))
        # each line lies on one side of its twin, so the same number of cells below it means the same cells
        differ = (surely.begin != maybe.begin) | (surely.end != maybe.end)
        _loops().mark_torn(surely.intercepts, maybe.intercepts, surely.slopes, cells, bits, differ)
        return cls(across, bits, surely, maybe, np.flatnonzero(differ))

    def bounds(self, channel: Channel, units: Floats) -> tuple[Floats, Floats]:
        """Return lower and upper bounds for the probability that each record keeps its answer."""
        return self.bounds_for(laws_of_features(channel, units))

    def bounds_for(self, laws: list[PiecewiseLaws]) -> tuple[Floats, Floats]:
        """Return the same, for the laws of the first and of the second feature."""
        across, up = laws[self.across], laws[1 - self.across]
        low = self.surely.masses(across, up, self.bits)
        high = low.copy()
        if self.torn.size:
            owners = self.torn // (low.size // len(across.knots))
            torn = self.maybe.take(self.torn)
            high[self.torn] = torn.masses(across.rows(owners), up.rows(owners), self.bits)
        return low, np.maximum(low, high)


def _lines(regions: Halfspaces, cells: int, outward: float, bits: int) -> Lines:
    """Return the lines of all half-planes, moved outward by more than rounding can move them."""
    across, up = regions.coefficients.T
    upright = np.abs(up) <= _UPRIGHT * np.abs(across)
    walls = replace(  # vertical half-planes select columns of each record
        regions,
        coefficients=regions.coefficients[upright, :1],
        constants=regions.constants[:, upright],
        margins=regions.margins[:, upright] + np.abs(up[upright]) * cells,
    )
    begin, end = interval_cells(walls, cells, outward)
    across, up = across[~upright], up[~upright]
    slopes = -across / up
    heights = -regions.constants[:, ~upright] / up
    margins = regions.margins[:, ~upright] / np.abs(up) + (cells / 2 + 4) * 2.0**-bits
    margins += DOUBLE * (np.abs(heights) + (1 + np.abs(slopes)) * cells)
    # ⌊height⌋ + 1 cells are at or below a height; the margin covers whether a cell at the height counts.
    shifts = np.where(up > 0, -outward, outward) * margins
    return Lines(np.ascontiguousarray(heights + 1.0 + shifts), slopes, up > 0, begin, end)
