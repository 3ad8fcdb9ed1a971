"""Disk, parallelogram and polygon, against other ways to compute the same."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.errors import InvalidParameter
from noisewright.trajectory.spaces import Disk, Parallelogram, Polygon, Rectangle

turns = st.floats(0, 2 * math.pi, exclude_max=True)
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
ELL = Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])


# -- the disk ----------------------------------------------------------------------------------------


@given(turns, st.floats(0, 1), turns)
def test_the_whole_way_ends_on_the_circle(turn, depth, direction):
    disk = Disk(3.0, -2.0, 5.0)
    reference = disk.centre + 5.0 * depth * np.array([math.cos(turn), math.sin(turn)])
    end = disk.from_polar(reference, np.array(direction), np.array(1.0))
    outward = depth > 1 - 1e-9 and math.cos(direction - turn) > -1e-6  # from the circle there is no way out
    assert outward or disk.distance(end, disk.centre) == pytest.approx(5.0, abs=1e-12)


def test_from_the_centre_a_share_is_the_distance_over_the_radius():
    disk = Disk(1.0, 1.0, 4.0)
    angle, share = disk.to_polar(disk.centre, np.array([1.0, 3.0]))
    assert (float(angle), float(share)) == (pytest.approx(math.pi / 2), 0.5)


def test_from_the_rim_shares_are_of_the_chord():
    disk = Disk(0.0, 0.0, 1.0)
    _, share = disk.to_polar(np.array([1.0, 0.0]), np.array([[0.0, 0.0], [0.5, 0.5], [-1.0, 0.0]]))
    assert share == pytest.approx([0.5, 0.5, 1.0], abs=1e-15)


def test_a_corner_of_the_square_around_moves_to_the_circle():
    disk = Disk(0.0, 0.0, 5.0)
    assert disk.from_axes(np.array([5.0, 5.0])) == pytest.approx([5 / math.sqrt(2)] * 2)
    assert disk.from_axes(np.array([3.0, 3.5])).tolist() == [3.0, 3.5]


def test_a_disk_is_filled_by_area():
    radii = np.hypot(*Disk(0.0, 0.0, 1.0).spread(4000).T)
    assert (radii < 0.5).mean() == pytest.approx(0.25, abs=0.005)


# -- the parallelogram -------------------------------------------------------------------------------


def test_an_upright_parallelogram_is_a_rectangle():
    slanted, upright = Parallelogram((1, 2), (3, 0), (0, 4)), Rectangle(1, 2, 4, 6)
    points = upright.spread(200)
    assert slanted.to_axes(points) == pytest.approx(points - (1, 2))
    for mine, theirs in zip(
        slanted.to_polar(points[::-1], points), upright.to_polar(points[::-1], points), strict=True
    ):
        assert mine == pytest.approx(theirs, abs=1e-12)
    outside = points * 3 - 5
    assert slanted.project(outside) == pytest.approx(upright.project(outside), abs=1e-12)
    assert (slanted.bounds, slanted.diameter) == (upright.bounds, 5.0)


def test_sides_may_be_given_in_either_order():
    points = Parallelogram((0, 0), (2, 1), (-1, 3)).spread(100)
    one, other = Parallelogram((0, 0), (2, 1), (-1, 3)), Parallelogram((0, 0), (-1, 3), (2, 1))
    assert other.contains(points).all()
    assert one.to_axes(points) == pytest.approx(other.to_axes(points)[:, ::-1])
    assert one.contains([(2.0, 0.5), (0.5, 2.0)]).tolist() == [False, True]


def test_a_point_outside_moves_square_to_the_side():
    field = Parallelogram((0, 0), (4, 0), (4, 4))
    assert field.project(np.array([2.0, 4.0])) == pytest.approx([3.0, 3.0])


# -- the polygon -------------------------------------------------------------------------------------


def test_a_square_polygon_is_a_rectangle():
    polygon, square = Polygon(SQUARE), Rectangle(0, 0, 1, 1)
    random = np.random.default_rng(2)
    points = random.uniform(-1, 2, (500, 2))
    assert polygon.contains(points).tolist() == square.contains(points).tolist()
    assert polygon.project(points) == pytest.approx(square.project(points), abs=1e-15)
    assert polygon.centre == pytest.approx(square.centre)
    assert polygon.diameter == square.diameter


def test_the_border_and_its_corners_belong_to_it():
    border = [(0, 0), (1, 0), (2, 0.5), (1, 1), (1, 1.5), (0, 2), (0.5, 2), (1.5, 1)]
    assert ELL.contains(border).all()
    assert not ELL.contains([(1.0001, 1.0001), (-1e-9, 1), (2, 1.0000001)]).any()


def test_what_is_inside_agrees_with_winding_round():
    star = Polygon([(0, 3), (-1, 1), (-3, 1), (-1, -1), (-2, -3), (0, -1), (2, -3), (1, -1), (3, 1), (1, 1)])
    points = np.random.default_rng(3).uniform(-3.5, 3.5, (2000, 2))
    spokes = np.array(star.vertices) - points[:, None]
    angles = np.arctan2(spokes[..., 1], spokes[..., 0])
    turns = np.diff(angles, axis=1, append=angles[:, :1])
    winding = np.round(((turns + np.pi) % (2 * np.pi) - np.pi).sum(axis=1) / (2 * np.pi))
    assert star.contains(points).tolist() == (winding != 0).tolist()
    assert 0.2 < star.contains(points).mean() < 0.8


def test_the_nearest_point_of_the_border_is_nearest():
    points = np.random.default_rng(4).uniform(-1, 3, (300, 2))
    moved = ELL.project(points)
    share = np.linspace(0, 1, 401)[:, None]
    around = np.array([*ELL.vertices, ELL.vertices[0]])
    border = np.concatenate([a + share * (b - a) for a, b in pairwise(around)])
    best = ELL.distance(points[:, None], border).min(axis=1)
    outside = ~ELL.contains(points)
    assert outside.sum() > 100
    gaps = ELL.distance(points, moved)[outside] - best[outside]
    assert gaps.max() <= 1e-12
    assert gaps.min() > -0.0025  # half the pitch of the grid on the border


def test_the_direction_of_the_vertices_and_a_closing_vertex_mean_nothing():
    backwards = Polygon([*reversed(ELL.vertices), ELL.vertices[-1]])
    points = np.random.default_rng(5).uniform(-1, 3, (200, 2))
    assert len(backwards.vertices) == 6
    assert backwards.contains(points).tolist() == ELL.contains(points).tolist()
    assert backwards.outline.area == -ELL.outline.area == -3.0


def test_the_centre_of_a_hollow_shape_lies_in_its_flesh():
    horseshoe = Polygon([(0, 0), (10, 0), (10, 10), (9, 10), (9, 1), (1, 1), (1, 10), (0, 10)])
    assert not horseshoe.contains(horseshoe.outline.centroid)
    assert horseshoe.contains(horseshoe.centre)
    assert horseshoe.outline.distance(horseshoe.centre) > 0.3


@pytest.mark.parametrize(
    "vertices",
    [
        [],
        [(0, 0), (1, 1)],
        [(0, 0), (1, 1), (2, 2)],  # no area
        [(0, 0), (1, 0), (1, 0), (0, 1)],  # a vertex twice
        [(0, 0), (1, 1), (1, 0), (0, 1)],  # a bow tie
        [(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)],  # a corner on another side
        [(0, 0), (4, 0), (2, 0), (2, 3)],  # a side that doubles back
        [(0, 0), (1, 0), (math.nan, 1)],
        [(0, 0), (1, 0, 0), (1, 1)],
        [(0, 0), "ab", (1, 1)],
        [(0, 0), 3, (1, 1)],
    ],
)
def test_what_is_no_polygon_is_refused(vertices):
    with pytest.raises(InvalidParameter):
        Polygon(vertices)


def test_many_sides_are_no_trouble():
    turn = np.linspace(0, 2 * np.pi, 1500, endpoint=False)
    ring = Polygon(np.stack([np.cos(turn), np.sin(turn)], axis=-1).tolist())
    points = np.random.default_rng(6).uniform(-1, 1, (3000, 2))
    gap = np.abs(np.hypot(*points.T) - 1) > 1e-5
    assert (ring.contains(points) == (np.hypot(*points.T) < 1))[gap].all()
    assert ring.outline.area == pytest.approx(np.pi, rel=1e-5)


def test_the_tiniest_step_from_a_reference_is_a_step():
    disk = Disk(0.0, 0.0, 1.0)
    points = np.array([[1e-200, 0.0], [0.0, -5e-324], [3e-162, 4e-162]])
    angles, shares = disk.to_polar(np.zeros(2), points)
    assert np.isfinite(angles).all()
    assert (shares <= 1e-150).all()


def test_polygons_that_would_stall_are_refused():
    ring = [(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 5000, endpoint=False)]
    with pytest.raises(InvalidParameter, match="at most 4096 vertices"):
        Polygon(ring)
    with pytest.raises(InvalidParameter, match="too thin"):
        Polygon([(0, 0), (1, 1), (1, 1 - 1e-6)])
