"""The two map projections: published values, round trips, and angles kept."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.errors import MissingExtra
from noisewright.trajectory import LocalMap, Space
from noisewright.trajectory.spaces.local_map import PolarStereographic, TransverseMercator

EQUATOR_RADIUS, FLATTENING = 6378137.0, 1 / 298.257223563
ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING)

CHARTS = [
    TransverseMercator(139.5, 0.9996),
    TransverseMercator(180.0),
    PolarStereographic(-45.0, scale=0.994),
    PolarStereographic(10.0, south=True),
]
every = pytest.mark.parametrize("chart", CHARTS, ids=repr)


def pole_of(chart):
    return -90.0 if chart.south else 90.0


def near(chart, turn, height):
    """A place the chart is meant for: within 30° of its meridian, or within 50° of its pole."""
    if isinstance(chart, TransverseMercator):
        return np.array([(chart.meridian + turn / 6 + 180) % 360 - 180, height])
    return np.array([turn, pole_of(chart) / 90 * (65 + height * 5 / 18)])


def test_a_quarter_of_the_meridian_has_its_published_length():
    pole = TransverseMercator(12.0).forward(np.array([[12.0, 90.0], [12.0, 0.0], [12.0, -90.0]]))
    assert pole == pytest.approx(np.array([[0, 10001965.7293], [0, 0], [0, -10001965.7293]]), abs=1e-4)


def test_the_central_meridian_is_true():
    latitudes = np.linspace(-90, 90, 37)
    meridian = np.stack([np.full(37, 9.0), latitudes], axis=-1)
    chart = TransverseMercator(9.0)
    assert chart.magnification(meridian) == pytest.approx(np.ones(37), abs=1e-10)
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
    polar = isinstance(chart, PolarStereographic)  # PROJ goes back to the latitude in steps, to 10⁻¹⁰
    assert np.hypot(*(again - metres)) < (1e-5 if polar else 1e-7)
    back = chart.inverse(metres)
    assert back[1] == pytest.approx(place[1], abs=1e-10 if polar else 1e-12)
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
        pole = chart.forward(np.array([[33.0, pole_of(chart)], [-120.0, pole_of(chart)]]))
        assert np.abs(pole).max() < 1e-8
        assert chart.inverse(np.zeros(2))[1] == pole_of(chart)
        assert chart.magnification(np.array([0.0, pole_of(chart)])) == pytest.approx(chart.scale, rel=1e-10)


EARLIER = {  # by series of our own (Karney 2011), which versions before PROJ used
    (122, 24, 146, 46): (
        (-1215721.5454232816, 2630760.997201887, 1215721.5454232816, 5118872.146948706),
        (128.11706398992064, 25.376775620769607),
        (-587247.0883367474, 2794806.3248156994),
    ),
    (-180, 66.5, 180, 90): (
        (-2604439.945476704, -2604439.945476704, 2604439.945476704, 2604439.945476704),
        (-176.48808030238123, 75.95729317103158),
        (-94500.77728708058, 1539816.8723594672),
    ),
    (160, -50, -175, -30): (
        (-1200004.4918745726, -5565707.519794521, 1200004.4918745726, -3290277.818406782),
        (179.11582496850195, -45.25953933305824),
        (514599.31235338625, -4989882.6796941245),
    ),
    (-180, -90, 180, -65): (
        (-2767748.9716636143, -2767748.9716636143, 2767748.9716636143, 2767748.9716636143),
        (95.26787954642805, -78.62854472706711),
        (1238346.408351216, -114177.75849526419),
    ),
}


@pytest.mark.parametrize("box", EARLIER)
def test_a_map_is_where_earlier_versions_drew_it(box):
    """So that their reports are read at the metres at which they were drawn, to a millimetre."""
    frame, place, metres = EARLIER[box]
    found = LocalMap(*box)
    assert found.frame.bounds == pytest.approx(frame, abs=1e-3)
    assert found.to_axes(np.array(place)) == pytest.approx(np.array(metres), abs=1e-3)
    assert found.from_axes(np.array(metres)) == pytest.approx(np.array(place), abs=1e-8)


def test_without_the_extra_a_local_map_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyproj", None)
    with pytest.raises(MissingExtra, match="a local map needs pyproj"):
        LocalMap(122, 24, 146, 46)
    with pytest.raises(MissingExtra, match="maps"):
        Space.from_dict({"kind": "localmap", "west": 122, "south": 24, "east": 146, "north": 46})
    assert (
        Space.from_dict({"kind": "lonlat", "west": 122, "south": 24, "east": 146, "north": 46}).diameter > 1e6
    )
