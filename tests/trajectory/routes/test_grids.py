from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.trajectory import CellGrid, LonLatBox, PointSet, Rectangle, Sphere

SQUARE = Rectangle(0, 0, 1, 1)


@given(st.integers(1, 40), st.integers(1, 40))
def test_cells_hold_the_points_that_are_rounded_to_them(columns, rows):
    grid = CellGrid(Rectangle(-1, 2, 1, 12), columns, rows)
    points = grid.space.spread(200)
    middles = grid.round(points)
    assert (np.abs(points - middles) <= np.array([2 / columns, 10 / rows]) / 2 + 1e-12).all()
    assert (grid.cell_of(middles) == grid.cell_of(points)).all()
    assert (grid.cell_of(grid.middles(np.arange(columns * rows))) == np.arange(columns * rows)).all()


def test_corners_fall_into_corner_cells():
    grid = CellGrid(SQUARE, 3, 2)
    assert grid.cell_of(np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=float)).tolist() == [0, 2, 3, 5]


@pytest.mark.parametrize(
    "space", [SQUARE, LonLatBox(170, -20, -170, 0), Sphere()], ids=["square", "fiji", "globe"]
)
def test_the_nearest_point_is_the_nearest_of_all(space):
    public = PointSet(space, space.spread(50))
    points = space.spread(400)[50:]
    naive = space.distance(points[:, None], public.points[None]).argmin(axis=1)
    gap = space.distance(points, public.round(points)) - space.distance(points, public.points[naive])
    assert np.abs(gap).max() < 1e-6 * space.diameter
    assert (public.nearest(public.points) == np.arange(len(public))).all()


def test_public_points_are_points_of_the_space():
    with pytest.raises(OutOfDomain, match="points"):
        PointSet(SQUARE, [(2, 2)])
    with pytest.raises(InvalidParameter, match="columns"):
        CellGrid(SQUARE, 0, 1)
