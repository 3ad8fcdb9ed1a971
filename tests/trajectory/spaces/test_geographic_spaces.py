"""Boxes in degrees, local maps and the sphere: the antimeridian, the poles, and true directions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright import Circle, Interval
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.trajectory.spaces import LocalMap, LonLatBox, Sphere
from noisewright.trajectory.spaces.earth import HALF_ROUND, MEAN_RADIUS, great_circle
from noisewright.trajectory.spaces.local_map import PolarStereographic, TransverseMercator

TOKYO = LonLatBox(139.47, 35.51, 139.90, 35.86)
FIJI = LonLatBox(170, -20, -170, 0)


# -- boxes in degrees --------------------------------------------------------------------------------


def test_a_box_across_the_antimeridian_is_in_one_piece():
    assert FIJI.contains([(175, -5), (-175, -5), (180, -5), (-180, -5)]).all()
    assert not FIJI.contains([(165, -5), (-165, -5), (0, -5), (185, -5)]).any()
    assert FIJI.centre.tolist() == [-180.0, -10.0]
    assert FIJI.bounds == (170.0, -20.0, 190.0, 0.0)
    assert FIJI.to_axes(np.array([[175.0, -5.0], [-175.0, -5.0]]))[:, 0].tolist() == [175.0, 185.0]
    angle, share = FIJI.to_polar(np.array([179.0, -10.0]), np.array([-179.0, -10.0]))
    assert float(angle) == pytest.approx(0, abs=1e-12)  # east, the short way
    assert float(share) == pytest.approx(2 / 11)


@pytest.mark.parametrize("box", [LonLatBox(170, 0, 180, 5), LonLatBox(-180, 0, -170, 5), FIJI])
def test_180_and_minus_180_are_one_meridian(box):
    both = np.array([[180.0, 0.0], [-180.0, 0.0]])
    assert box.contains(both).all()
    assert len(set(box.to_axes(both)[:, 0])) == 1
    assert (box.from_axes(box.to_axes(both))[:, 0] == -180).all()


def test_reports_have_longitudes_below_180():
    shift = np.linspace(0, 1, 101)
    for box in (FIJI, LonLatBox(100, 0, 180, 5), LonLatBox(-180, -90, 180, 90)):
        first, second = box.axes
        reports = box.from_axes(np.stack([first.start + shift * first.length, second.clip(90 * shift)], -1))
        assert ((reports[:, 0] >= -180) & (reports[:, 0] < 180)).all()
        assert box.contains(reports).all()


def test_all_longitudes_make_a_circle():
    belt = LonLatBox(-180, -30, 180, 30)
    assert belt.axes == (Circle(360.0), Interval(-30.0, 30.0))
    assert TOKYO.axes == (Interval(139.47, 139.90), Interval(35.51, 35.86))
    near = belt.to_axes(np.array([[-0.001, 0.0], [0.001, 0.0], [-1e-300, 0.0]]))
    assert belt.axes[0].contains(near[:, 0]).all()
    assert float(belt.axes[0].distance(near[0, 0], near[1, 0])) == pytest.approx(0.002)


def test_directions_of_a_city_are_those_of_the_ground():
    reference, east, north = np.array([139.7, 35.7]), np.array([139.75, 35.7]), np.array([139.7, 35.74])
    between = np.array([139.7 + 0.04 / np.cos(np.radians(35.685)), 35.74])
    angles, _ = TOKYO.to_polar(reference, np.array([east, north, between]))
    assert angles == pytest.approx([0, np.pi / 2, np.pi / 4], abs=1e-12)
    flat = TOKYO.to_plane(np.array([reference, east, north]))
    assert TOKYO.plane.distance(flat[0], flat[1:]) == pytest.approx(
        TOKYO.distance(reference, [east, north]), rel=1e-3
    )


@pytest.mark.parametrize(
    ("box", "degrees"),
    [
        (LonLatBox(0, -30, 60, 20), None),
        (LonLatBox(0, 40, 150, 60), None),
        (LonLatBox(0, -50, 120, 70), None),
        (LonLatBox(0, -10, 180, 20), 180),
        (LonLatBox(-180, 60, 180, 90), 60),
        (LonLatBox(-180, 60, 180, 80), 60),
        (LonLatBox(170, 0, -170, 90), 90),
    ],
)
def test_the_diameter_is_that_of_the_furthest_pair(box, degrees):
    grid = np.linspace(0, 1, 25)
    longitudes = box.west + box.width * np.linspace(0, 1, 49)
    latitudes = box.south + (box.north - box.south) * grid
    points = np.stack(np.meshgrid(longitudes, latitudes), -1).reshape(-1, 2)
    furthest = great_circle(points[:, None], points).max()
    assert furthest <= box.diameter <= furthest * 1.002
    if degrees:
        assert box.diameter == pytest.approx(np.radians(degrees) * MEAN_RADIUS, rel=1e-9)


def test_projection_goes_to_the_nearer_side():
    points = np.array([[160.0, -5.0], [-160.0, 10.0], [540.0, -5.0], [0.5, -5.0], [-0.5, -5.0]])
    assert FIJI.project(points).tolist() == [[170, -5], [-170, 0], [-180, -5], [170, -5], [-170, -5]]


def test_swapped_columns_are_told():
    points = TOKYO.spread(20)[:, ::-1]
    with pytest.raises(OutOfDomain, match="look swapped: longitude comes first and latitude second"):
        TOKYO.admit(points)
    with pytest.raises(OutOfDomain, match="look swapped"):
        Sphere().admit(points)
    with pytest.raises(OutOfDomain, match="from -180 to 180"):
        FIJI.admit([(175.0, -5.0), (185.0, -5.0)])
    with pytest.raises(OutOfDomain, match="from -90 to 90"):
        FIJI.admit([(175.0, -5.0), (175.0, -95.0)])
    with pytest.raises(OutOfDomain, match="widen the space"):
        FIJI.admit([(175.0, -5.0), (150.0, -5.0)])


def test_boxes_are_filled_by_area():
    points = LonLatBox(-180, 0, 180, 90).spread(4000)
    assert (points[:, 1] < 30).mean() == pytest.approx(0.5, abs=0.005)  # half of a hemisphere lies below 30°
    assert (points[:, 0] < -90).mean() == pytest.approx(0.25, abs=0.005)


@pytest.mark.parametrize("space", [TOKYO, FIJI, LonLatBox(-180, 60, 180, 90), Sphere()], ids=repr)
def test_the_nearest_place_is_the_nearest_vector(space):
    points, others = space.spread(400)[:200], space.spread(400)[200:]
    gaps = space.embed(points)[:, None] - space.embed(others)
    nearest = (gaps**2).sum(axis=-1).argmin(axis=1)
    ways = space.distance(points[:, None], others)
    assert ways[np.arange(200), nearest] == pytest.approx(ways.min(axis=1), abs=1e-6)


def test_only_a_box_clear_of_the_antimeridian_is_upright():
    assert TOKYO.upright
    assert not FIJI.upright
    assert not LonLatBox(100, 0, 180, 5).upright
    points = TOKYO.spread(50)
    assert TOKYO.to_axes(points) is points


# -- local maps --------------------------------------------------------------------------------------

JAPAN = LocalMap(122, 24, 146, 46)
MAPS = [
    JAPAN,
    LocalMap(172, -48, -175, -33),
    LocalMap(-80, -15, -50, 12),
    LocalMap(-141, 41, -52, 83),
    LocalMap(-180, 66.5, 180, 90),
    LocalMap(-100, 60, 110, 88),
    LocalMap(-180, -90, 180, -62),
    LocalMap(20, 70, 30, 89),
]


@pytest.mark.parametrize("area", MAPS, ids=repr)
def test_the_frame_holds_the_box_and_no_more(area):
    grid = np.linspace(0, 1, 301)  # of kilometres, which miss an extreme by less than 100 m
    longitudes, latitudes = area.west + area.width * grid, area.south + (area.north - area.south) * grid
    points = np.stack(np.meshgrid(longitudes, latitudes), -1).reshape(-1, 2)
    metres = area.chart.forward(points)
    left, bottom, right, top = area.frame.bounds
    assert metres.min(axis=0) == pytest.approx([left, bottom], abs=100)
    assert metres.max(axis=0) == pytest.approx([right, top], abs=100)
    assert area.frame.contains(metres).all()
    scale = area.chart.magnification(points)
    assert np.abs(scale - 1).max() == pytest.approx(area.distortion, rel=1e-3)
    assert np.abs(scale - 1).max() <= area.distortion * (1 + 1e-9)
    assert 1 - scale.min() == pytest.approx(scale.max() - 1, rel=1e-3)  # balanced


def test_each_area_gets_the_projection_that_suits_it():
    kinds = [type(area.chart) for area in MAPS]
    assert kinds[:3] == [TransverseMercator] * 3
    assert kinds[4:7] == [PolarStereographic] * 3
    assert MAPS[6].chart.south
    assert LocalMap(139.47, 35.51, 139.90, 35.86).distortion < 3e-6
    assert 0.009 < JAPAN.distortion < 0.0095


def test_lengths_on_the_map_are_those_of_the_ground():
    points = JAPAN.spread(300)
    near = JAPAN.project(points + 0.01)
    ratio = JAPAN.frame.distance(JAPAN.to_axes(points), JAPAN.to_axes(near)) / JAPAN.distance(points, near)
    assert np.abs(ratio - 1).max() < JAPAN.distortion + 0.0057  # the sphere's own error


def test_a_report_off_the_box_comes_back_to_it():
    left, bottom, right, top = JAPAN.frame.bounds
    corner = JAPAN.chart.inverse(np.array([right, top]))
    assert not JAPAN.contains(corner)
    assert JAPAN.contains(JAPAN.from_axes(np.array([right, top])))
    assert JAPAN.contains(JAPAN.from_axes(np.array([left - 1e6, bottom - 1e6])))


def test_a_route_over_the_pole_is_straight():
    arctic = LocalMap(-180, 66.5, 180, 90)
    before, behind = np.array([30.0, 85.0]), np.array([-150.0, 85.0])
    angle, _ = arctic.to_polar(before, behind)
    pole_angle, _ = arctic.to_polar(before, np.array([77.0, 90.0]))
    assert float(angle) == pytest.approx(float(pole_angle), abs=1e-9)


def test_an_area_too_large_for_a_flat_map_is_told():
    with pytest.raises(InvalidParameter, match="LonLatBox or Sphere"):
        LocalMap(-120, -40, 60, 50)


# -- the sphere --------------------------------------------------------------------------------------

longitudes, latitudes = st.floats(-180, 180), st.floats(-90, 90)
EARTH = Sphere()


@given(longitudes, latitudes, longitudes, latitudes)
def test_the_inverse_problem_and_the_direct_one_agree(longitude, latitude, other_longitude, other_latitude):
    reference, point = np.array([longitude, latitude]), np.array([other_longitude, other_latitude])
    angle, share = EARTH.to_polar(reference, point)
    assert share * HALF_ROUND == pytest.approx(great_circle(reference, point), abs=1e-7)
    back = EARTH.from_polar(reference, angle, share)
    assert EARTH.contains(back)
    assert great_circle(back, point) < 1e-6


@pytest.mark.parametrize("latitude", [90.0, 89.9999999, -90.0, 0.0])
def test_from_a_pole_every_place_has_its_own_direction(latitude):
    reference = np.array([25.0, latitude])
    ring = EARTH.from_polar(reference, np.linspace(0, 2 * np.pi, 12, endpoint=False), np.full(12, 0.25))
    assert great_circle(ring, reference) == pytest.approx(np.full(12, HALF_ROUND / 4), rel=1e-12)
    gaps = great_circle(ring, np.roll(ring, 1, axis=0))
    assert gaps == pytest.approx(np.full(12, gaps[0]), rel=1e-12)


@pytest.mark.parametrize(
    ("reference", "point", "angle", "share"),
    [
        ((0, 0), (90, 0), 0, 0.5),
        ((0, 0), (0, 45), np.pi / 2, 0.25),
        ((0, 0), (-90, 0), np.pi, 0.5),
        ((0, 0), (0, -45), 3 * np.pi / 2, 0.25),
        ((179, 0), (-179, 0), 0, 1 / 90),
        ((10, 80), (-170, 80), np.pi / 2, 1 / 9),  # over the pole
    ],
)
def test_directions_count_from_east_to_north(reference, point, angle, share):
    found = EARTH.to_polar(np.array(reference, dtype=float), np.array(point, dtype=float))
    assert [float(x) for x in found] == pytest.approx([angle, share], abs=1e-12)


def test_the_antipode_is_the_end_of_every_way():
    ends = EARTH.from_polar(np.array([20.0, 35.0]), np.linspace(0, 6, 7), np.ones(7))
    assert great_circle(ends, (-160.0, -35.0)).max() < 1e-6


def test_near_places_keep_their_digits():
    step = 1e-9
    reference = np.array([100.0, 60.0])
    angle, share = EARTH.to_polar(reference, np.array([100.0 + 2 * step, 60.0 + step]))
    assert float(angle) == pytest.approx(np.pi / 4, abs=1e-4)  # a degree of longitude is half as long here
    assert float(share) * 180 == pytest.approx(step * np.sqrt(2), rel=1e-4)


def test_the_sphere_is_filled_by_area():
    points = EARTH.spread(8000)
    assert (points[:, 1] > 30).mean() == pytest.approx(0.25, abs=0.003)
    radians = np.radians(points)
    vectors = np.stack(
        [
            np.cos(radians[:, 1]) * np.cos(radians[:, 0]),
            np.cos(radians[:, 1]) * np.sin(radians[:, 0]),
            np.sin(radians[:, 1]),
        ]
    )
    assert np.abs(vectors.mean(axis=1)).max() < 2e-3
