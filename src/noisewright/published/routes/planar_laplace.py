"""Planar Laplace noise on a grid, clipped to the space.

The noise has density (rate²/2π)·e^(−rate·‖v‖). Pushing a point outside a rectangle to the nearest point of
it is the same as letting the border cells of a grid reach out to infinity. Seen from the centre of a cell,
the plane divides into *panels*: half a cell, whole cells, and the rest beyond the grid. A quadrant of panels
is integrated by Gauss–Legendre quadrature; the kink of the density lies in its corner, where it does no harm.
Every mass is a sum of panels. Nothing is subtracted, so the smallest masses, which decide ε, are as exact as
the largest: to about 10⁻⁸, or 10⁻⁵ where the density falls by e⁻¹⁰ within one cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON, whole
from noisewright.published.routes.base import RealGuarantee, RowBaseline
from noisewright.published.routes.places import Places
from noisewright.trajectory.spaces import Rectangle, Space
from noisewright.trajectory.spaces.lonlat_box import DegreeBox


@dataclass(frozen=True)
class PlanarLaplace(RowBaseline):
    """Add planar Laplace noise of rate ε/diameter, and move reports outside to the nearest point inside.

    The noise keeps ε between any two locations (Andrés et al. 2013; Zheng 2026, D.2.8). It is drawn on the
    centres of the cells of a grid, from integers: a true location counts as the centre of its cell, which
    moves it by up to ``grid_error``. No two centres are a diameter apart, and clipping merges reports, so the
    sampler spends less than ε.

    Args:
        space: Where locations lie.
        epsilon: The nominal budget of one location.
        grid: Cells along each side of the grid, 2 to 128.

    >>> from noisewright.trajectory import Rectangle
    >>> method = PlanarLaplace(Rectangle(0, 0, 1, 1), epsilon=2.0, grid=8)
    >>> method.real_guarantee.kept, round(method.grid_error, 3)
    (True, 0.088)
    """

    space: Space
    epsilon: float
    grid: int = 64
    title: ClassVar[str] = "planar Laplace + clipping"

    def __post_init__(self) -> None:
        if not isinstance(self.space, Space):
            raise InvalidParameter(f"PlanarLaplace needs a space such as Rectangle, got {self.space!r}")
        object.__setattr__(self, "epsilon", EPSILON.check(self.epsilon))
        object.__setattr__(self, "grid", whole("grid", self.grid, 2, 128))
        _ = self.places  # refuses a space without a flat map

    @cached_property
    def cells(self) -> Grid:
        """The public grid."""
        return Grid(self.space, self.grid)

    @property
    def places(self) -> Places:
        return self.cells.places

    @property
    def grid_error(self) -> float:
        """The largest distance of a location from its cell's centre: half the diagonal, on the flat map."""
        return math.hypot(*self.cells.cell_size) / 2

    @cached_property
    def masses(self) -> PlanarMasses:
        """The noise around the centre of any cell."""
        width, height = self.cells.cell_size.tolist()
        return PlanarMasses(self.epsilon / self.space.diameter, self.grid, self.grid, width, height)

    def law(self, rows: Cells) -> Floats:
        tables = (self.masses.table(*divmod(int(cell), self.grid)) for cell in self.cells.inside[rows])
        return np.stack([np.bincount(self.cells.home, table.ravel(), len(self.places)) for table in tables])

    @cached_property
    def real_guarantee(self) -> RealGuarantee:
        why = (
            "the centres of the cells are nearer to each other than the diameter, and clipping merges reports"
        )
        return RealGuarantee(self.epsilon, self._spent(), why)


@dataclass(frozen=True, eq=False)
class Grid:
    """Equal cells over the rectangle around a space; those whose centre lies inside are its places.

    A cell outside has a *home*, the nearest place. A box in degrees is cut up on its chart in metres.

    >>> from noisewright.trajectory.spaces import Disk
    >>> grid = Grid(Disk(0, 0, 1), 4)
    >>> len(grid.places), grid.home.reshape(4, 4)[0].tolist()    # the corner cells are outside
    (12, [0, 0, 1, 1])
    """

    space: Space
    cells: int

    @cached_property
    def frame(self) -> Rectangle:
        """The rectangle that is cut into cells, on a flat map."""
        if isinstance(self.space, DegreeBox):
            return self.space.frame
        if self.space.units != "units":
            raise InvalidParameter(f"{self.space!r} has no flat map for a grid; use LonLatBox or LocalMap")
        return Rectangle(*self.space.bounds)

    @property
    def cell_size(self) -> Floats:
        """Width and height of a cell on the flat map."""
        return self.frame.size / self.cells

    @cached_property
    def centres(self) -> Floats:
        """The centres of all cells in the coordinates of the space: column after column, from the bottom."""
        steps = (np.arange(self.cells) + 0.5) / self.cells
        across, up = np.meshgrid(steps, steps, indexing="ij")
        flat = np.stack([across, up], axis=-1).reshape(-1, 2) * self.frame.size
        flat += (self.frame.left, self.frame.bottom)
        return self.space.from_chart(flat) if isinstance(self.space, DegreeBox) else flat

    @cached_property
    def inside(self) -> Cells:
        """The numbers of the cells whose centre belongs to the space."""
        return np.flatnonzero(self.space.contains(self.centres))

    @cached_property
    def places(self) -> Places:
        """The centres inside."""
        if self.inside.size < 2:
            raise InvalidParameter(f"a grid of {self.cells} × {self.cells} is too coarse; take a finer one")
        return Places.of(self.centres[self.inside], self.space)

    @cached_property
    def home(self) -> Cells:
        """The place of every cell: its own, or the nearest."""
        homes = self.places.nearest(self.centres)
        homes[self.inside] = np.arange(self.inside.size)
        return homes


# -- masses of the noise ---------------------------------------------------------------------------

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
        """Return the mass of every cell (columns × rows) for noise around the centre of one cell."""
        across, up = _panels_of_cells(self.columns, column), _panels_of_cells(self.rows, row)
        return np.asarray(across @ self._quadrant @ up.T)

    @cached_property
    def _quadrant(self) -> Floats:
        """Masses of the panels of one quadrant; the last of each direction is everything beyond."""
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
        """Return the panels' edges in one direction: the cells', then ever longer ones up to the furthest."""
        edges = [0.0, *((np.arange(count) + 0.5) * length)]
        furthest = edges[-1] + FURTHEST / self.rate
        while edges[-1] < furthest:
            edges.append(edges[-1] + min(edges[-1], LONGEST / self.rate))
        return np.array(edges)


def _panels_of_cells(count: int, place: int) -> Floats:
    """Return which panels each cell of a row consists of, as seen from the centre of the cell at ``place``.

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
    """Return quadrature nodes and weights of the panels between edges, one row each."""
    node, weight = np.polynomial.legendre.leggauss(NODES)
    size = np.diff(edges)[:, None]
    return edges[:-1, None] + size * (node + 1) / 2, size * weight / 2
