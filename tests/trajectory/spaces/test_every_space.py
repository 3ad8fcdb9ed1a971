"""What every space promises: results inside, both decompositions invertible, refusals without coordinates."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.trajectory.spaces import (
    Disk,
    LocalMap,
    LonLatBox,
    LonLatPolygon,
    Parallelogram,
    Polygon,
    Rectangle,
    Space,
    Sphere,
)

STAR = [(0, 3), (-1, 1), (-3, 1), (-1.5, -0.5), (-2, -3), (0, -1.5), (2, -3), (1.5, -0.5), (3, 1), (1, 1)]
SPACES = [
    Rectangle(0, 0, 2, 10),
    Disk(100, -3, 0.5),
    Parallelogram((5, 5), (3, 1), (-1, 0.5)),
    Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]),
    Polygon(STAR),
    LonLatBox(139.47, 35.51, 139.90, 35.86),
    LonLatBox(170, -20, -170, 0),
    LonLatBox(175, -90, 180, -60),
    LonLatBox(-180, -40, 180, 90),
    LonLatPolygon([(139.6, 35.5), (139.9, 35.5), (139.75, 35.6), (139.8, 35.8)]),
    LonLatPolygon([(178, -19), (-179, -18), (-179.5, -16), (177, -17)]),
    LocalMap(122, 24, 146, 46),
    LocalMap(172, -48, -175, -33),
    LocalMap(-180, 66.5, 180, 90),
    LocalMap(-180, -90, 180, -62),
    LocalMap(-60, 59, -10, 84),
    Sphere(),
]
every = pytest.mark.parametrize("space", SPACES, ids=repr)
shares = st.floats(0, 1)
rows = st.integers(0, 199)


def metric(space: Space) -> float:
    """What counts as rounding: a millionth of a metre, or a billionth of the space."""
    return 1e-6 if space.units == "metres" else 1e-9 * space.diameter


def places(space: Space) -> np.ndarray:
    """Points all over the space, and on its boundary."""
    inner = space.spread(150)[:150]
    left, bottom, right, top = space.bounds
    ring = 2 * np.pi * np.arange(50) / 50
    far = np.stack([np.cos(ring), np.sin(ring)], axis=-1) * (right - left, top - bottom)
    outer = space.project(np.array([(left + right) / 2, (bottom + top) / 2]) + far)
    return np.concatenate([inner, outer])


@every
def test_describes_itself(space):
    assert Space.from_dict(json.loads(json.dumps(space.to_dict()))) == space
    assert pickle.loads(pickle.dumps(space)) == space
    assert eval(repr(space)) == space
    assert hash(eval(repr(space))) == hash(space)
    assert len({*SPACES}) == len(SPACES)


@every
def test_spread_and_centre_lie_inside(space):
    for count in (1, 7, 1000):
        points = space.spread(count)
        assert len(points) >= count
        assert points.shape[1] == 2
        assert space.contains(points).all()
    assert space.spread(50).tolist() == space.spread(50).tolist()
    assert space.centre.shape == (2,)
    assert space.contains(space.centre)


@every
def test_nothing_that_is_no_number_is_inside(space):
    x, y = space.centre
    points = [(math.nan, y), (x, math.nan), (math.inf, y), (x, -math.inf), (math.nan, math.inf), (x, y)]
    assert space.contains(points).tolist() == [False] * 5 + [True]
    assert space.contains(np.reshape(points, (2, 3, 2))).shape == (2, 3)


@every
def test_projection_leaves_points_alone_or_moves_them_inside(space):
    inside = places(space)
    assert space.project(inside).tolist() == inside.tolist()
    left, bottom, right, top = space.bounds
    random = np.random.default_rng(1)
    wild = random.normal((left, bottom), 3 * np.array([right - left, top - bottom]), (500, 2))
    moved = space.project(wild)
    assert space.contains(moved).all()
    kept = space.contains(wild)
    assert moved[kept].tolist() == wild[kept].tolist()
    assert space.project(wild.reshape(5, 100, 2)).tolist() == moved.reshape(5, 100, 2).tolist()


@every
def test_no_two_points_are_further_apart_than_the_diameter(space):
    points = np.concatenate([places(space), space.project(np.array(corners(space)))])
    furthest = space.distance(points[:, None], points).max()
    assert furthest <= space.diameter * (1 + 1e-9)
    assert furthest >= 0.9 * space.diameter


def corners(space: Space) -> list[tuple[float, float]]:
    left, bottom, right, top = space.bounds
    return [(left, bottom), (right, bottom), (right, top), (left, top), (left, (bottom + top) / 2)]


@every
def test_axes_are_two_coordinates_that_lead_back(space):
    points = places(space)
    coordinates = space.to_axes(points)
    for axis, domain in enumerate(space.axes):
        assert domain.contains(coordinates[:, axis]).all()
    back = space.from_axes(coordinates)
    assert space.contains(back).all()
    assert space.distance(back, points).max() <= metric(space)


@every
def test_every_pair_of_axis_coordinates_is_a_place_of_the_space(space):
    first, second = space.axes
    grid = np.linspace(0, 1, 33)
    pairs = np.stack(np.meshgrid(first.start + first.length * grid, second.start + second.length * grid), -1)
    assert space.contains(space.from_axes(pairs)).all()


@every
@given(row=rows, other=rows)
def test_direction_and_share_lead_back(space, row, other):
    points = places(space)
    reference, point = points[row], points[other]
    angle, share = space.to_polar(reference, point)
    assert 0 <= angle < 2 * np.pi
    assert 0 <= share <= 1
    back = space.from_polar(reference, angle, share)
    assert space.contains(back)
    if inner(row) or row == other:  # along a straight boundary an ulp of the angle points out of the space
        assert space.distance(back, point) <= metric(space)


def inner(row: int) -> bool:
    return row < 150


@every
@given(row=rows, turn=st.floats(0, 2 * math.pi, exclude_max=True), share=shares)
def test_every_direction_and_share_is_a_place_of_the_space(space, row, turn, share):
    reference = places(space)[row]
    assert space.contains(space.from_polar(reference, np.array(turn), np.array(share)))


@every
def test_a_point_equal_to_its_reference_is_ordinary(space):
    points = places(space)
    angles, share = space.to_polar(points, points)
    assert (share == 0).all()
    assert ((angles >= 0) & (angles < 2 * np.pi)).all()
    assert space.distance(space.from_polar(points, angles, share), points).max() <= metric(space)


@every
def test_polar_coordinates_broadcast(space):
    points = places(space)[:12]
    angles, share = space.to_polar(space.centre, points)
    again = space.to_polar(np.broadcast_to(space.centre, points.shape), points)
    assert np.array(again) == pytest.approx(np.array([angles, share]), rel=1e-13)
    assert space.from_polar(space.centre, angles, share).shape == points.shape
    assert space.from_polar(points[:, None], angles, share).shape == (12, 12, 2)


@every
def test_shares_grow_along_a_ray(space):
    steps = np.linspace(0.05, 0.95, 19)
    for angle in np.linspace(0.1, 6.2, 9):
        ray = space.from_polar(space.centre, np.full(19, angle), steps)
        angles, found = space.to_polar(space.centre, ray)
        straight = space.contains(ray) & (np.abs(angles - angle) < 1e-6)  # before the border stops it
        assert found[straight] == pytest.approx(steps[straight], abs=1e-7)
        assert straight[:3].all()


@every
def test_refusals_name_the_row_and_no_coordinate(space):
    points = places(space).copy()
    points[7] = (12345.678, 9876.543)
    with pytest.raises(OutOfDomain, match=r"location\[7\] lies outside") as refused:
        space.admit(points)
    assert "12345" not in str(refused.value)
    assert "9876" not in str(refused.value)
    points[3, 1] = math.nan
    with pytest.raises(OutOfDomain, match=r"location\[3\] has a missing"):
        space.admit(points)
    with pytest.raises(OutOfDomain, match="two columns"):
        space.admit([1.0, 2.0, 3.0])


@every
def test_admits_its_own_points(space):
    points = places(space)
    assert space.admit(points).tolist() == points.tolist()


@pytest.mark.parametrize(
    ("build", "arguments"),
    [
        (Disk, (0, 0, 0)),
        (Disk, (0, 0, -1)),
        (Disk, (0, math.nan, 1)),
        (Disk, (1e12, 0, 1e-9)),
        (Parallelogram, ((0, 0), (1, 1), (2, 2))),
        (Parallelogram, ((0, 0), (0, 0), (2, 2))),
        (Parallelogram, ((0, 0), (1, 0), (math.inf, 1))),
        (Parallelogram, ((0, 0), 1, (0, 1))),
        (LonLatBox, (10, 0, 10, 5)),
        (LonLatBox, (180, 0, -180, 5)),
        (LonLatBox, (180, 0, 180, 5)),
        (LonLatBox, (0, 5, 10, 5)),
        (LonLatBox, (0, 10, 10, 5)),
        (LonLatBox, (0, 0, 181, 5)),
        (LonLatBox, (0, -91, 10, 5)),
        (LonLatBox, (0, 0, math.nan, 5)),
        (LocalMap, (-120, -40, 60, 50)),
        (LocalMap, (-180, -90, 180, 90)),
        (LocalMap, (-180, 10, 180, 90)),
    ],
)
def test_what_is_no_space_is_refused(build, arguments):
    with pytest.raises(InvalidParameter):
        build(*arguments)
