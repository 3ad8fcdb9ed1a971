"""Exact utilities for three sensitive features on a coarse grid: one polygon for each value of one report.

The reports of a table are a hundred points or so. Fixing the report of one feature leaves half-planes for the
other two, and the utility is the average of their polygons over the law of the fixed report.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from noisewright.domains import Floats
from noisewright.utility.channels import Channel
from noisewright.utility.exact.halfspaces import Halfspaces
from noisewright.utility.exact.knotted import Knotted, laws_of_features
from noisewright.utility.exact.polygon import Polygons

MOST_CELLS = 512
"""Cells of a grid up to which a report is looked at value by value."""


@dataclass(frozen=True, eq=False)
class Slices:
    """The polygons of the second and third feature, for every record and every cell of the first."""

    cells: int
    polygons: Polygons

    @classmethod
    def of(cls, regions: Halfspaces, cells: int) -> Self:
        """Cut regions, in numbers of cells, at every cell of the first feature."""
        steps = np.arange(cells)[:, None] * regions.coefficients[:, 0]
        constants = (regions.constants[:, None, :] + steps).reshape(-1, steps.shape[1])
        cut = Halfspaces(
            regions.coefficients[:, 1:], constants, np.repeat(regions.margins, cells, axis=0), regions.spread
        )
        return cls(cells, Polygons.of(cut, cells))

    def bounds(self, channel: Channel, units: Floats) -> tuple[Floats, Floats]:
        """Lower and upper bounds for the probability that each record keeps its answer."""
        fixed, *others = laws_of_features(channel, units)
        masses = _cell_masses(fixed, self.cells)
        low, high = (
            (masses * found.reshape(-1, self.cells)).sum(axis=1) for found in self.polygons.bounds_for(others)
        )
        return low, high


def _cell_masses(laws: Knotted, cells: int) -> Floats:
    """The probability of every cell, one row a law."""
    edges = np.arange(cells + 1)
    rows = zip(laws.knots, laws.rises, strict=True)
    return np.diff([np.interp(edges, knots, rises) for knots, rises in rows], axis=1)
