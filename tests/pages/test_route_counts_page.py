"""The map of counts shows every cell where it is, also where the map of the Earth begins and ends."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.route_counts_page import draw_cells
from noisewright.trajectory import LonLatBox, Rectangle, TraCSC
from noisewright.trajectory.aggregates import DensityMap
from noisewright.trajectory.aggregates.charts import chart_of
from noisewright.trajectory.aggregates.grid import Grid


@pytest.mark.parametrize(
    ("space", "cells", "place", "edges"),
    [
        (Rectangle(0, 0, 4, 2), (4, 2), (2.5, 0.5), [(2, 3)]),
        (LonLatBox(170, -20, -170, 0), (4, 2), (-178.0, -15.0), [(180, 185)]),
        (LonLatBox(-180, -60, 180, 60), (3, 2), (-170.0, -30.0), [(-240, -120), (120, 240)]),
    ],
)
def test_the_darkest_cell_is_where_everybody_is(space, cells, place, edges):
    grid = Grid(chart_of(TraCSC(space, 8.0, split="even")), cells)
    likely = grid.counts(np.array([place])).astype(np.float64)
    found = DensityMap(grid, likely, likely, likely, likely, total=1, level=0.95, simultaneous=False)
    axes = new_figure(4, 4).subplots()
    draw_cells(axes, found, found.likely, space)
    dark = [bar for bar in axes.collections if bar.get_alpha() == 1]
    spans = sorted(
        (float(p.vertices[:, 0].min()), float(p.vertices[:, 0].max()))
        for bar in dark
        for p in bar.get_paths()
    )
    assert spans == [pytest.approx(edge) for edge in edges]
    heights = {
        (float(p.vertices[:, 1].min()), float(p.vertices[:, 1].max()))
        for bar in dark
        for p in bar.get_paths()
    }
    ((low, high),) = heights
    assert low <= place[1] <= high
