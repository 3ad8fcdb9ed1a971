"""Utilities for three sensitive features: one polygon for each value of one report, or for each few values.

Fixing the report of one feature leaves half-planes for the other two, and the utility is the average of their
polygons over the law of the fixed report. The reports of a table are about a hundred points, and each gets a
slice: that is exact. On a fine lattice neighbouring cells share a *thick* slice: within it a half-plane moves
by no more than its weight times half the thickness, which is added to the undecided margin. The bounds then
differ by as much as the boundaries move within slices, a few thousandths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.core.channels import Channel
from noisewright.utility.linear.halfspaces import Halfspaces
from noisewright.utility.linear.piecewise_laws import laws_of_features
from noisewright.utility.linear.polygons import Polygons

SLICES = 1024
"""Approximate number of thick slices of a fine lattice."""

MOST_CELLS = 512
"""Number of cells up to which each value of a report gets its own slice."""


@dataclass(frozen=True, eq=False)
class Slices:
    """The polygons of two features, for every record and every slice of cells of a third.

    ``order`` starts with the feature that is cut; ``edges`` has a row of slices for each record.
    """

    order: Cells
    edges: Cells
    polygons: Polygons

    @classmethod
    def of(cls, regions: Halfspaces, cells: int) -> Self:
        """Cut regions, in numbers of cells, at every cell of the first feature."""
        edges = np.broadcast_to(np.arange(cells + 1), (len(regions.constants), cells + 1))
        return cls._cut(regions, cells, np.arange(3), edges)

    @classmethod
    def thick(cls, regions: Halfspaces, cells: int, units: Floats) -> Self:
        """Cut regions, in numbers of cells, into slices that are thin where a record's reports are dense.

        The feature with the least weight is cut, because the polygons change least along it.
        """
        order = np.argsort(np.abs(regions.coefficients).max(axis=0), kind="stable")
        edges = np.array([_slice_edges(int(unit * cells), cells) for unit in units[:, order[0]]])
        return cls._cut(regions.on(order), cells, order, edges)

    @classmethod
    def _cut(cls, regions: Halfspaces, cells: int, order: Cells, edges: Cells) -> Self:
        middles = (edges[:, 1:] + edges[:, :-1] - 1) / 2
        halves = (np.diff(edges, axis=1) - 1) / 2
        weights = regions.coefficients[:, 0]
        constants = regions.constants[:, None, :] + middles[:, :, None] * weights
        margins = regions.margins[:, None, :] + halves[:, :, None] * np.abs(weights)
        flat = (-1, weights.size)
        cut = Halfspaces(
            regions.coefficients[:, 1:], constants.reshape(flat), margins.reshape(flat), regions.spread
        )
        return cls(order, edges, Polygons.of(cut, cells))

    def bounds(self, channel: Channel, units: Floats) -> tuple[Floats, Floats]:
        """Return lower and upper bounds for the probability that each record keeps its answer."""
        fixed, *others = laws_of_features(channel, units[:, self.order])
        rows = zip(self.edges, fixed.knots, fixed.rises, strict=True)
        masses = np.diff([np.interp(at, knots, rises) for at, knots, rises in rows], axis=1)
        low, high = (
            (masses * found.reshape(masses.shape)).sum(axis=1) for found in self.polygons.bounds_for(others)
        )
        return low, high


def _slice_edges(cell: int, cells: int) -> Cells:
    """Return the edges of slices: evenly spread, and ever closer together towards the record's own cell.

    The first and the last cell, to which noise is moved, are separate slices.
    """
    even = np.linspace(1, cells - 1, SLICES // 2 + 1)
    steps = np.geomspace(1, cells, SLICES // 4)
    inner = np.rint(np.concatenate([even, cell + steps, cell + 1 - steps])).astype(np.int64)
    wanted = np.unique(np.clip(inner, 1, cells - 1))
    spare = SLICES + 4 - wanted.size  # all records need the same number: the thickest slices are halved
    for _ in range(spare):
        at = int(np.argmax(np.diff(wanted)))
        wanted = np.insert(wanted, at + 1, (wanted[at] + wanted[at + 1]) // 2)
    return np.concatenate([[0], wanted, [cells]])
