"""What baselines take and refuse: places, fields, locations; and lists of thousands of places."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.published.routes import (
    ATP,
    LSRR,
    NGram,
    NGramPairs,
    PlanarLaplace,
    Strawman,
    baseline_rows,
    build_baseline,
)
from noisewright.published.routes.comparison import NAMES
from noisewright.randomness import SeededSource
from noisewright.trajectory import Routes
from noisewright.trajectory.spaces import Disk, LonLatBox, Rectangle, Sphere
from published.routes.naive import CLUSTER

SQUARE = Rectangle(0, 0, 1, 1)


@pytest.mark.parametrize("name", NAMES)
def test_reports_are_places_or_points_of_the_space_for_routes_of_any_length(name):
    method = build_baseline(name, CLUSTER, SQUARE, 2.0)
    routes = Routes.of([[(0.5, 0.5)], [(0, 0), (1, 1)], np.random.default_rng(1).random((7, 2))])
    reports = method.perturb_routes(routes, SeededSource(1))
    assert reports.lengths.tolist() == [1, 2, 7]
    assert SQUARE.contains(reports.points).all()
    if name not in ("strawman", "planar-laplace"):
        assert {tuple(point) for point in reports.points.tolist()} <= set(CLUSTER)
    assert method.perturb([(0.2, 0.3)]).shape == (1, 2)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bad", [[(0.5, 1.5)], [(math.nan, 0.5)], [(0.5, 0.5, 0.5)], []])
def test_locations_outside_are_refused_without_their_coordinates(name, bad):
    method = build_baseline(name, CLUSTER, SQUARE, 2.0)
    with pytest.raises(OutOfDomain) as refusal:
        method.perturb(bad)
    assert "1.5" not in str(refusal.value)


@pytest.mark.parametrize(
    "points",
    [
        [(0.5, 0.5)],
        [(0.5, 0.5), (0.5, 0.5)],
        [(0.5, 0.5), (2.0, 0.5)],
        [(0.5, 0.5), (math.nan, 0.5)],
        [(0.5, 0.5, 1.0), (0.1, 0.5, 1.0)],
        [("a", "b"), ("c", "d")],
        [],
    ],
)
def test_lists_of_places_that_are_none_are_refused(points):
    with pytest.raises(InvalidParameter):
        LSRR(points, 1.0, space=SQUARE)


def test_places_on_a_line_need_a_space():
    with pytest.raises(InvalidParameter, match="pass their space"):
        NGram([(0, 0), (1, 0)], 1.0)
    assert NGram([(0, 0), (1, 0)], 1.0, space=SQUARE).real_guarantee.kept


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, 33, "1"])
@pytest.mark.parametrize("kind", [LSRR, NGram, NGramPairs, ATP])
def test_an_epsilon_without_meaning_is_refused(kind, epsilon):
    with pytest.raises(InvalidParameter, match="epsilon"):
        kind(CLUSTER, epsilon)


@pytest.mark.parametrize(
    "build",
    [
        lambda: LSRR(CLUSTER, 1.0, radii=()),
        lambda: LSRR(CLUSTER, 1.0, radii=(0.6, 0.3)),
        lambda: LSRR(CLUSTER, 1.0, calibrated="yes"),
        lambda: LSRR(CLUSTER, 1.0, space="square"),
        lambda: NGram(CLUSTER, 1.0, reach=0),
        lambda: NGram(CLUSTER, 1.0, reach=math.inf),
        lambda: NGram(CLUSTER, 1.0, around="home"),
        lambda: NGram(CLUSTER, 1.0, around="location", calibrated=True),
        lambda: NGramPairs(np.random.default_rng(1).random((90, 2)), 1.0, reach=2.0),
        lambda: ATP(CLUSTER, 1.0, sectors=1),
        lambda: Strawman(SQUARE, 1.0, sectors=0),
        lambda: Strawman(SQUARE, 1.0, split=1.0),
        lambda: Strawman("square", 1.0),
        lambda: PlanarLaplace(SQUARE, 1.0, grid=1),
        lambda: PlanarLaplace(Sphere(), 1.0),
        lambda: PlanarLaplace("square", 1.0),
        lambda: build_baseline("magic", CLUSTER, SQUARE, 1.0),
    ],
)
def test_fields_without_meaning_are_refused(build):
    with pytest.raises(InvalidParameter):
        build()


@pytest.mark.parametrize("space", [LonLatBox(139.4, 35.5, 139.9, 35.9), LonLatBox(179.5, -1, -179.5, 1)])
def test_places_in_degrees_have_distances_in_metres(space):
    places = space.spread(12)
    rows = baseline_rows(Routes.of([places[:5], places[3:7]]), places, space, 3.0, SeededSource(2), NAMES)
    assert [row.name for row in rows] == list(NAMES)
    assert all(row.units == "metres" and 0 < row.mean_error < space.diameter for row in rows)
    assert all(row.guarantee.kept for row in rows if row.name not in ("l-srr", "ngram-as-evaluated"))


def test_a_location_counts_as_the_nearest_place_of_a_disk():
    disk = Disk(0, 0, 1)
    method = PlanarLaplace(disk, 1.0, grid=6)
    points = disk.spread(500)
    gaps = disk.distance(points[:, None], method.places.points[None])
    assert (method.places.nearest(points) == gaps.argmin(axis=1)).all()


@pytest.mark.slow
def test_eight_thousand_places():
    places = np.random.default_rng(1).random((8000, 2))
    routes = Routes.of(places[:60].reshape(3, 20, 2))
    names = ["ngram", "ngram-as-evaluated", "l-srr", "atp"]
    rows = {row.name: row for row in baseline_rows(routes, places, SQUARE, 4.0, SeededSource(1), names)}
    assert rows["l-srr"].guarantee.real > 4.5
    assert rows["ngram"].guarantee.kept
    assert rows["atp"].guarantee.kept
    assert math.isinf(rows["ngram-as-evaluated"].guarantee.real)
    assert all(row.mean_error < 0.6 for row in rows.values())
