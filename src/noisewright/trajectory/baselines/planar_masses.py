"""Masses of planar Laplace noise on a grid, with all that falls outside pushed to the border.

The noise has density (rate²/2π)·e^(−rate·‖v‖). Pushing a point outside a rectangle to the nearest point of
it is the same as letting the border cells of a grid reach out to infinity. Seen from the centre of a cell,
the plane falls into *panels*: half a cell, whole cells, and what lies beyond the grid. One quadrant of panels
is integrated by Gauss–Legendre quadrature; the kink of the density lies in its corner, where it does no harm.
Every mass is a sum of panels. Nothing is subtracted, so the smallest masses, which decide ε, are as exact as
the largest: to about 10⁻⁸, or 10⁻⁵ where the density falls by e⁻¹⁰ within one cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noisewright.domains import Floats

NODES = 16
"""Nodes of the quadrature in each direction of a panel."""

FURTHEST = 45.0
"""Panels reach until the density has fallen by e⁻⁴⁵ beyond the grid."""

LONGEST = 2.0
"""Within one panel beyond the grid the density falls by about e⁻² at most."""


@dataclass(frozen=True, eq=False)
class PlanarMasses:
    """Planar Laplace noise around the centres of a grid of columns × rows cells.

    >>> masses = PlanarMasses(rate=3.0, columns=5, rows=4, width=0.2, height=0.25).table(2, 1)
    >>> masses.shape, round(float(masses.sum()), 9), masses[:, 1].round(3).tolist()    # the ends reach out
    ((5, 4), 1.0, [0.048, 0.038, 0.056, 0.038, 0.048])
    """

    rate: float
    columns: int
    rows: int
    width: float
    height: float

    def table(self, column: int, row: int) -> Floats:
        """The mass of every cell (columns × rows) for noise around the centre of one cell."""
        across, up = _panels_of_cells(self.columns, column), _panels_of_cells(self.rows, row)
        return np.asarray(across @ self._quadrant @ up.T)

    @cached_property
    def _quadrant(self) -> Floats:
        """Masses of the panels of one quadrant; the last of each direction is all that lies beyond."""
        x, weight_x = _nodes(self._edges(self.columns, self.width))
        y, weight_y = _nodes(self._edges(self.rows, self.height))
        masses = np.empty((len(x), len(y)))
        for place in range(len(x)):
            density = np.exp(-self.rate * np.hypot(x[place][:, None, None], y[None]))
            masses[place] = np.einsum("i,ijk,jk->j", weight_x[place], density, weight_y)
        masses = np.add.reduceat(masses, np.arange(self.columns + 1), axis=0)
        masses = np.add.reduceat(masses, np.arange(self.rows + 1), axis=1)
        return np.asarray(masses / (4 * masses.sum()))  # four quadrants make one

    def _edges(self, count: int, length: float) -> Floats:
        """Edges of the panels of one direction: the cells', then ever longer ones up to the furthest."""
        edges = [0.0, *((np.arange(count) + 0.5) * length)]
        furthest = edges[-1] + FURTHEST / self.rate
        while edges[-1] < furthest:
            edges.append(edges[-1] + min(edges[-1], LONGEST / self.rate))
        return np.array(edges)


def _panels_of_cells(count: int, place: int) -> Floats:
    """Which panels each cell of a row consists of, as seen from the centre of the cell at ``place``.

    The cell itself is half a cell to either side; the first and the last cell reach out to infinity.

    >>> _panels_of_cells(3, 0).tolist()
    [[2.0, 1.0, 1.0, 1.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    """
    cells = np.arange(count)
    panels = np.zeros((count, count + 1))
    panels[cells, np.abs(cells - place)] = 1.0
    panels[place, 0] = 2.0
    panels[0, place + 1 :] += 1.0
    panels[-1, count - place :] += 1.0
    return panels


def _nodes(edges: Floats) -> tuple[Floats, Floats]:
    """Quadrature nodes and weights of the panels between edges, one row each."""
    node, weight = np.polynomial.legendre.leggauss(NODES)
    size = np.diff(edges)[:, None]
    return edges[:-1, None] + size * (node + 1) / 2, size * weight / 2
