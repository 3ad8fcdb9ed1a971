"""Planar Laplace noise on a grid, clipped to the space."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON, whole
from noisewright.trajectory.baselines.base import RowBaseline
from noisewright.trajectory.baselines.grids import Grid
from noisewright.trajectory.baselines.guarantee import RealGuarantee
from noisewright.trajectory.baselines.places import Places
from noisewright.trajectory.baselines.planar_masses import PlanarMasses
from noisewright.trajectory.spaces import Space


@dataclass(frozen=True)
class PlanarLaplace(RowBaseline):
    """Add planar Laplace noise of rate ε/diameter, and move what falls outside to the nearest point inside.

    The noise keeps ε between any two locations (Andrés et al. 2013; Zheng 2026, D.2.8). It is drawn on the
    centres of ``grid`` × ``grid`` cells, from integers: a true location counts as the centre of its cell,
    which moves it by up to ``grid_error``. No two centres are a diameter apart, and clipping merges reports,
    so the sampler spends less than ε.

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
        """How far the centre of a cell can lie from a location in it: half the diagonal, on the flat map."""
        return math.hypot(*self.cells.cell_size) / 2

    @cached_property
    def masses(self) -> PlanarMasses:
        """The noise around the centre of any cell."""
        width, height = self.cells.cell_size.tolist()
        return PlanarMasses(self.epsilon / self.space.diameter, self.grid, self.grid, width, height)

    def law(self, rows: Cells) -> Floats:
        return np.stack([self._row(int(cell)) for cell in self.cells.inside[rows]])

    def _row(self, cell: int) -> Floats:
        masses = self.masses.table(*divmod(cell, self.grid)).reshape(-1)
        if len(self.places) == masses.size:
            return masses
        return np.asarray(np.bincount(self.cells.home, masses, len(self.places)), dtype=np.float64)

    def _real(self) -> RealGuarantee:
        why = (
            "the centres of the cells are nearer to each other than the diameter, and clipping merges reports"
        )
        return RealGuarantee(self.epsilon, self._spent(), why)
