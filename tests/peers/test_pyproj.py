"""PROJ as an oracle: both map projections agree with it to a fraction of a millimetre."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.trajectory.spaces.earth import great_circle, wrap_longitude
from noisewright.trajectory.spaces.projections import PolarStereographic, TransverseMercator

pytestmark = pytest.mark.peer

MILLIMETRE = 1e-3
RANDOM = np.random.default_rng(20)


def compare(chart, theirs, points):
    metres = chart.forward(points)
    assert np.abs(metres - np.stack(theirs(*points.T), axis=-1)).max() < MILLIMETRE
    degrees = np.stack(theirs(*metres.T, inverse=True), axis=-1)
    assert great_circle(degrees, chart.inverse(metres)).max() < MILLIMETRE
    some = points[:500]
    scales = theirs.get_factors(*some.T).meridional_scale
    assert chart.magnification(some) == pytest.approx(np.asarray(scales), rel=1e-8)


@pytest.mark.parametrize("meridian", [139.5, -179.0, 180.0])
def test_transverse_mercator(meridian):
    pyproj = pytest.importorskip("pyproj")
    turn, latitude = RANDOM.uniform(-10, 10, 20_000), RANDOM.uniform(-89.9, 89.9, 20_000)
    points = np.stack([wrap_longitude(meridian + turn), latitude], axis=-1)
    theirs = pyproj.Proj(f"+proj=tmerc +lat_0=0 +lon_0={meridian} +k=0.9996 +ellps=WGS84")
    compare(TransverseMercator(meridian, 0.9996), theirs, points)


@pytest.mark.parametrize("south", [False, True])
def test_polar_stereographic(south):
    pyproj = pytest.importorskip("pyproj")
    sign = -1 if south else 1
    points = np.stack([RANDOM.uniform(-180, 180, 20_000), sign * RANDOM.uniform(40, 90, 20_000)], axis=-1)
    theirs = pyproj.Proj(f"+proj=stere +lat_0={90 * sign} +lon_0=30 +k=0.994 +ellps=WGS84")
    compare(PolarStereographic(30.0, south, 0.994), theirs, points)


def test_the_sphere_is_as_near_the_ellipsoid_as_it_says():
    pyproj = pytest.importorskip("pyproj")
    first, second = (
        np.stack([RANDOM.uniform(-180, 180, 5000), RANDOM.uniform(-90, 90, 5000)], -1) for _ in range(2)
    )
    _, _, theirs = pyproj.Geod(ellps="WGS84").inv(*first.T, *second.T)
    errors = theirs / great_circle(first, second) - 1
    assert errors.min() > -0.0057
    assert errors.max() < 0.0046
