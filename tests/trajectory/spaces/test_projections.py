"""The two map projections: published values, round trips, and angles kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.trajectory.spaces.earth import ECCENTRICITY_SQUARED, EQUATOR_RADIUS
from noisewright.trajectory.spaces.projections import PolarStereographic, TransverseMercator

CHARTS = [
    TransverseMercator(139.5, 0.9996),
    TransverseMercator(180.0),
    PolarStereographic(-45.0, scale=0.994),
    PolarStereographic(10.0, south=True),
]
every = pytest.mark.parametrize("chart", CHARTS, ids=repr)


def near(chart, turn, height):
    """A place the chart is meant for: within 30° of its meridian, or within 50° of its pole."""
    if isinstance(chart, TransverseMercator):
        return np.array([(chart.meridian + turn / 6 + 180) % 360 - 180, height])
    return np.array([turn, chart.sign * (65 + height * 5 / 18)])


def test_a_quarter_of_the_meridian_has_its_published_length():
    pole = TransverseMercator(12.0).forward(np.array([[12.0, 90.0], [12.0, 0.0], [12.0, -90.0]]))
    assert pole == pytest.approx(np.array([[0, 10001965.7293], [0, 0], [0, -10001965.7293]]), abs=1e-4)


def test_the_central_meridian_is_true():
    latitudes = np.linspace(-90, 90, 37)
    meridian = np.stack([np.full(37, 9.0), latitudes], axis=-1)
    chart = TransverseMercator(9.0)
    assert chart.magnification(meridian) == pytest.approx(np.ones(37), abs=1e-12)
    # Simpson's rule along the meridian, from the radius of its curvature
    fine = np.radians(np.linspace(0, 60, 2001))
    curvature = (
        EQUATOR_RADIUS * (1 - ECCENTRICITY_SQUARED) / (1 - ECCENTRICITY_SQUARED * np.sin(fine) ** 2) ** 1.5
    )
    weights = np.array([1, *[4, 2] * 999, 4, 1]) * fine[1] / 3
    assert chart.forward(np.array([9.0, 60.0]))[1] == pytest.approx(float(weights @ curvature), abs=1e-6)


def test_the_northern_grid_has_its_published_edge():
    """UPS meets UTM at 84° north: 666,727.7 m from the pole on its grid (easting 2,666,727.7)."""
    edge = PolarStereographic(0.0, scale=0.994).forward(np.array([[90.0, 84.0], [0.0, 84.0], [180.0, 84.0]]))
    assert edge == pytest.approx(666727.704 * np.array([[1, 0], [0, -1], [0, 1]]), abs=1e-3)


@every
@given(turn=st.floats(-179, 179), height=st.floats(-90, 90))
def test_there_and_back(chart, turn, height):
    place = near(chart, turn, height)
    metres = chart.forward(place)
    again = chart.forward(chart.inverse(metres))
    assert np.hypot(*(again - metres)) < 1e-7
    back = chart.inverse(metres)
    assert back[1] == pytest.approx(place[1], abs=1e-12)
    if abs(place[1]) < 89.999:
        assert (back[0] - place[0] + 180) % 360 - 180 == pytest.approx(0, abs=1e-9)


@every
@given(turn=st.floats(-170, 170), height=st.floats(-85, 85))
def test_small_steps_keep_their_angle_and_grow_by_the_magnification(chart, turn, height):
    place, step = near(chart, turn, height), 1e-4
    bulge = 1 - ECCENTRICITY_SQUARED * np.sin(np.radians(place[1])) ** 2
    across = EQUATOR_RADIUS / np.sqrt(bulge) * np.cos(np.radians(place[1])) * np.radians(step)
    along = EQUATOR_RADIUS * (1 - ECCENTRICITY_SQUARED) / bulge**1.5 * np.radians(step)
    sides = np.array([[step / 2, 0], [0, step / 2]])
    east, north = (chart.forward(place + sides) - chart.forward(place - sides)) / [[across], [along]]
    magnification = float(chart.magnification(place))
    assert np.hypot(*east) == pytest.approx(magnification, rel=1e-6)
    assert np.hypot(*north) == pytest.approx(magnification, rel=1e-6)
    assert east @ north == pytest.approx(0, abs=1e-6)
    assert east[0] * north[1] - east[1] * north[0] > 0  # no mirror image


def test_poles_are_ordinary_points_of_a_polar_map():
    for chart in CHARTS[2:]:
        pole = chart.forward(np.array([[33.0, 90 * chart.sign], [-120.0, 90 * chart.sign]]))
        assert np.abs(pole).max() < 1e-8
        assert chart.inverse(np.zeros(2))[1] == 90 * chart.sign
        assert chart.magnification(np.array([0.0, 90 * chart.sign])) == pytest.approx(chart.scale, rel=1e-12)
