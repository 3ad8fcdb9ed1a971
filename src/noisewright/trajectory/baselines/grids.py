"""A public grid of cells over a flat map of a space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.trajectory.baselines.places import Places
from noisewright.trajectory.spaces import Rectangle, Space
from noisewright.trajectory.spaces.degree_box import DegreeBox


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
