"""Rounding reports to a discrete space, which is post-processing and costs no privacy.

Cells are found from the coordinates alone, in constant time; points by a tree of the public points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import shown, whole
from noisewright.trajectory.spaces import Space
from noisewright.trajectory.spaces.base import interval_of

MOST = 1 << 15
"""Columns or rows of the finest grid of cells."""


def check_cells(field: str, cells: tuple[int, int], most: int = MOST) -> tuple[int, int]:
    """Return the columns and rows of a grid, or a refusal that names the field."""
    columns, rows = cells
    if all(isinstance(count, (int, np.integer)) and 1 <= count <= most for count in (columns, rows)):
        return int(columns), int(rows)
    got = f"{shown(columns)} x {shown(rows)}"
    raise InvalidParameter(f"needs from 1 to {most} columns and rows, got {got}", field=field)


@dataclass(frozen=True)
class CellGrid:
    """Equal cells along both axes of a space, numbered row by row from the low ends.

    Args:
        space: The space.
        columns: Cells along the first axis, 1 to 32,768.
        rows: Cells along the second axis, 1 to 32,768.

    >>> from noisewright.trajectory import Rectangle
    >>> grid = CellGrid(Rectangle(0, 0, 1, 1), columns=4, rows=2)
    >>> grid.cell_of(np.array([[0.9, 0.1]])).tolist(), grid.round(np.array([[0.9, 0.1]])).tolist()
    ([3], [[0.875, 0.25]])
    """

    space: Space
    columns: int
    rows: int

    def __post_init__(self) -> None:
        whole("the columns of a grid", self.columns, 1, MOST)
        whole("the rows of a grid", self.rows, 1, MOST)

    def cell_of(self, points: Floats) -> Cells:
        """Return the number of the cell that holds each point."""
        column, row = self.places(points)
        return np.asarray(row * self.columns + column)

    def round(self, points: Floats) -> Floats:
        """Return the middle of the cell that holds each point."""
        return self.middles(self.cell_of(points))

    def middles(self, cells: ArrayLike) -> Floats:
        """Return the middles of cells, by their numbers."""
        row, column = np.divmod(np.asarray(cells, dtype=np.int64), self.columns)
        first, second = self.space.axes
        across = first.start + (column + 0.5) * (first.length / self.columns)
        along = second.start + (row + 0.5) * (second.length / self.rows)
        return self.space.from_axes(np.stack([across, along], axis=-1))

    def places(self, points: Floats) -> tuple[Cells, Cells]:
        """Return the column and the row of each point, both from 0."""
        coordinates, (first, second) = self.space.to_axes(points), self.space.axes
        column = interval_of(coordinates[..., 0], first, self.columns)
        return column, interval_of(coordinates[..., 1], second, self.rows)


def cell_names(columns: int, rows: int) -> tuple[str, ...]:
    """Return the names of a grid's cells as on a town map: letters from west to east, numbers from the top.

    They come column by column, each from its low end, which is the order of tables of cells.

    >>> cell_names(2, 3)
    ('A3', 'A2', 'A1', 'B3', 'B2', 'B1')
    """
    return tuple(f"{_letters(column)}{rows - row}" for column in range(columns) for row in range(rows))


def _letters(column: int) -> str:
    """Return the letters of a column: A, B, …, Z, AA, AB, and so on."""
    before, last = divmod(column, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)


class PointSet:
    """A public set of points, such as venues or stops, that reports are rounded to.

    Args:
        space: The space.
        points: The points (n × 2), all in the space.

    >>> from noisewright.trajectory import Rectangle
    >>> stops = PointSet(Rectangle(0, 0, 1, 1), [(0.1, 0.1), (0.8, 0.9)])
    >>> stops.round(np.array([[0.7, 0.5]])).tolist()
    [[0.8, 0.9]]
    """

    def __init__(self, space: Space, points: ArrayLike) -> None:
        self.space = space
        self.points = space.admit(points, "points")

    def __len__(self) -> int:
        return len(self.points)

    def nearest(self, points: Floats) -> Cells:
        """Return the number of the nearest public point to each point."""
        # sorted by place, so that successive queries visit the same part of the tree and hit the cache
        cells = CellGrid(self.space, 128, 128).cell_of(points).astype(np.uint16)
        order = np.argsort(cells, kind="stable")
        found = np.empty(len(points), dtype=np.int64)
        found[order] = self._tree.query(self.space.embed(points[order]))[1]
        return found

    cell_of = nearest

    def round(self, points: Floats) -> Floats:
        """Return the nearest public point to each point."""
        return np.asarray(self.points[self.nearest(points)])

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree  # noqa: PLC0415  (slow to load)

        return cKDTree(self.space.embed(self.points), leafsize=8)


Places = CellGrid | PointSet | tuple[int, int] | ArrayLike
"""Where locations are rounded to: a grid, (columns, rows) of one, or public points."""


def rounding(space: Space, places: Places) -> CellGrid | PointSet:
    """Return the grid or the set of points that locations are rounded to."""
    if isinstance(places, CellGrid | PointSet):
        return places
    if isinstance(places, tuple) and len(places) == 2 and all(isinstance(side, int) for side in places):
        return CellGrid(space, *places)
    return PointSet(space, places)
