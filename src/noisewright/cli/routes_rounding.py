"""Grids and point sets as the options name them, and reports rounded to them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from noisewright.cli.routes_files import read_points
from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from noisewright.trajectory.collection import Collection

CELLS = re.compile(r"\s*(\d{1,6})\s*[x×]\s*(\d{1,6})\s*", re.IGNORECASE)


def read_cells(text: str, option: str) -> tuple[int, int]:
    """Columns and rows of a grid.

    >>> read_cells("12x8", "--grid")
    (12, 8)
    """
    found = CELLS.fullmatch(text)
    if found is None:
        raise InvalidParameter(f"{option} wants columns x rows, for example 12x12; got {text!r}")
    return int(found.group(1)), int(found.group(2))


def rounded(collection: Collection, to: str, coordinates: str) -> Collection:
    """Reports moved to the middles of cells, or to the nearest of public points: no evidence any more."""
    from noisewright.trajectory import CellGrid, PointSet  # noqa: PLC0415  (slow to load)

    space = collection.mechanism.space
    if CELLS.fullmatch(to):
        columns, rows = read_cells(to, "--round-to")
        target: CellGrid | PointSet = CellGrid(space, columns, rows)
        words = f"reports rounded to the middles of {columns} × {rows} cells"
    else:
        points = read_points(to, coordinates)
        assert points is not None
        target, words = PointSet(space, points), f"reports rounded to {len(points)} public points"
    moved = collection.routes.with_points(target.round(collection.routes.points))
    return replace(collection, routes=moved, processed=words)
