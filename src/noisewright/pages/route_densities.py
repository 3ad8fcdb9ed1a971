"""Density maps of routes side by side, in bars that a page can hold as vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from noisewright.domains import Floats
from noisewright.pages.figures import PALETTE
from noisewright.pages.heat_maps import SHADES
from noisewright.pages.route_maps import RouteMap
from noisewright.pages.route_panels import map_panels
from noisewright.trajectory.spaces import Space

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CELLS = 24
"""Columns and rows of a density map."""


def densities(space: Space, clouds: Sequence[tuple[str, Floats]]) -> Figure:
    """Where the points of several collections are, one panel each, all in the same shades."""
    drawn_map = RouteMap(space)
    shares = [share_of_cells(drawn_map, points) for _, points in clouds]
    most = max(float(found.max()) for found in shares)
    with map_panels(space, len(clouds)) as (drawn, panels):
        for axes, (name, _), found in zip(panels, clouds, shares, strict=True):
            shade_cells(axes, found, map_edges(space), most)
            drawn_map.prepare(axes)
            axes.set_title(name)
    return drawn


def map_edges(space: Space, cells: tuple[int, int] = (CELLS, CELLS)) -> tuple[Floats, Floats]:
    """The lines between the columns and between the rows of a map."""
    left, bottom, right, top = space.bounds
    return np.linspace(left, right, cells[0] + 1), np.linspace(bottom, top, cells[1] + 1)


def share_of_cells(drawn_map: RouteMap, points: Floats) -> Floats:
    """The share of points in each cell of a map (columns × rows)."""
    x, y = drawn_map.place(points).T
    counts = np.histogram2d(x, y, bins=map_edges(drawn_map.space))[0]
    return np.asarray(counts / len(points))


def shade_cells(axes: Axes, shares: Floats, edges: tuple[Floats, Floats], most: float) -> None:
    """Cells darker the fuller they are; neighbours of one shade in a row are one bar."""
    across, up = edges
    # the root brings out what is rare beside what is common
    levels = np.ceil(np.sqrt(np.clip(shares / most, 0, 1)) * SHADES).astype(int)
    for row in range(levels.shape[1]):
        starts = np.flatnonzero(np.diff(levels[:, row], prepend=-1))  # where another shade begins
        ends = np.append(starts[1:], len(levels))
        strip = (up[row], up[row + 1] - up[row])
        for level in np.unique(levels[:, row][levels[:, row] > 0]):
            chosen = levels[starts, row] == level
            bars = list(zip(across[starts[chosen]], (across[ends] - across[starts])[chosen], strict=True))
            axes.broken_barh(bars, strip, facecolor=PALETTE[0], alpha=level / SHADES, linewidth=0)
