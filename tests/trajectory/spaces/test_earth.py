"""Distances along the sphere."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.trajectory.spaces.earth import (
    HALF_ROUND,
    MEAN_RADIUS,
    great_circle,
    wrap_longitude,
)

EQUATOR_RADIUS, FLATTENING = 6378137.0, 1 / 298.257223563
ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING)


def chord_distance(first, second):
    """Another way: the angle between two unit vectors, in extended precision."""
    vectors = []
    for place in (first, second):
        longitude, latitude = np.radians(np.asarray(place, dtype=np.longdouble))
        vectors.append(
            np.array(
                [
                    np.cos(latitude) * np.cos(longitude),
                    np.cos(latitude) * np.sin(longitude),
                    np.sin(latitude),
                ]
            )
        )
    gap, total = vectors[0] - vectors[1], vectors[0] + vectors[1]
    return 2 * MEAN_RADIUS * np.arctan2(np.sqrt((gap**2).sum()), np.sqrt((total**2).sum()))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((139.7, 35.7), (-0.1, 51.5)),
        ((139.7, 35.7), (139.7 + 1e-9, 35.7)),
        ((139.7, 35.7), (-40.3 + 1e-7, -35.7)),  # a centimetre from the antipode
        ((0.0, 90.0), (120.0, 89.9999999)),
        ((179.9999999, 10.0), (-179.9999999, 10.0)),
    ],
)
def test_near_and_antipodal_places_keep_their_digits(first, second):
    assert float(great_circle(first, second)) == pytest.approx(float(chord_distance(first, second)), abs=3e-9)


def test_a_quarter_round_and_the_antipodes():
    assert great_circle((0, 0), (0, 90)) == pytest.approx(HALF_ROUND / 2, rel=1e-15)
    assert great_circle((30, 20), (-150, -20)) == pytest.approx(HALF_ROUND, rel=1e-15)
    assert great_circle((30, 20), (30, 20)) == 0
    assert great_circle((17, 90), (-50, 90)) == pytest.approx(0, abs=1e-9)  # a pole has many longitudes


def test_the_sphere_is_as_near_the_ellipsoid_as_it_says():
    latitude = np.radians(np.linspace(-90, 90, 721))
    bulge = 1 - ECCENTRICITY_SQUARED * np.sin(latitude) ** 2
    along = EQUATOR_RADIUS * (1 - ECCENTRICITY_SQUARED) / bulge**1.5  # radius of curvature of the meridian
    across = EQUATOR_RADIUS / np.sqrt(bulge)
    errors = np.concatenate([along, across]) / MEAN_RADIUS - 1
    assert errors.min() == pytest.approx(-0.0056, abs=5e-5)
    assert errors.max() == pytest.approx(0.0045, abs=5e-5)


def test_the_sphere_is_as_near_the_geodesics_of_the_ellipsoid():
    pyproj, random = pytest.importorskip("pyproj"), np.random.default_rng(20)
    first, second = (
        np.stack([random.uniform(-180, 180, 5000), random.uniform(-90, 90, 5000)], -1) for _ in range(2)
    )
    _, _, theirs = pyproj.Geod(ellps="WGS84").inv(*first.T, *second.T)
    errors = theirs / great_circle(first, second) - 1
    assert errors.min() > -0.0057
    assert errors.max() < 0.0046


def test_longitudes_wrap_without_losing_bits():
    inside = np.array([-180.0, -1e-300, 0.1, 139.7, np.nextafter(180, 0)])
    assert wrap_longitude(inside).tolist() == inside.tolist()
    outside = np.array([180.0, 360.0, -180.00000000000003, 720.5, -900.0])
    wrapped = wrap_longitude(outside)
    assert ((wrapped >= -180) & (wrapped < 180)).all()
    assert np.sin(np.radians(wrapped)) == pytest.approx(np.sin(np.radians(outside)), abs=1e-12)
