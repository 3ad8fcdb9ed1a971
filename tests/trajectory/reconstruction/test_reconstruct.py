from __future__ import annotations

import numpy as np
import pytest

from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.randomness import SeededSource
from noisewright.trajectory import Routes, TraCSC, TraCSD
from noisewright.trajectory.reconstruction import reconstruct
from noisewright.trajectory.routes.simulation import random_routes, vehicle_traces
from noisewright.trajectory.spaces import Disk, LonLatBox, Polygon, Rectangle

SQUARE = Rectangle(0, 0, 1, 1)
TOWN = LonLatBox(139.47, 35.51, 139.90, 35.86)
CORNER = Polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)])


def errors(truth, mechanism, seed=7, **facts):
    """Mean error of the reports, mean error of the estimates, and the reconstruction."""
    reports = mechanism.perturb_routes(truth, SeededSource(seed))
    found = reconstruct(reports, mechanism, **facts)
    distance = mechanism.space.distance
    return (
        distance(truth.points, reports.points).mean(),
        distance(truth.points, found.routes.points).mean(),
        found,
    )


def habits(people, visits, seed):
    """People who go to three places of their own, and now and then anywhere."""
    random = np.random.default_rng(seed)
    routes = []
    for _ in range(people):
        own = random.random((3, 2))
        points = own[random.integers(3, size=visits)]
        rare = random.random(visits) < 0.15
        points[rare] = random.random((rare.sum(), 2))
        routes.append(points)
    return Routes.of(routes)


def test_a_speed_limit_removes_most_of_the_error_of_a_vehicle():
    truth = vehicle_traces(TOWN, routes=3, points=1200, max_speed=20.0, seed=1)
    before, after, found = errors(truth, TraCSC(TOWN, 4.0), max_speed=20.0)
    assert after < 0.15 * before
    assert 0.6 < found.spread.mean() / after < 1.7


def test_a_speed_limit_helps_directions_and_distances_as_well():
    truth = vehicle_traces(SQUARE, routes=2, points=400, max_speed=0.002, seed=1)
    before, after, _ = errors(truth, TraCSD(SQUARE, 4.0), max_speed=0.002, grid=32)
    assert after < 0.25 * before


@pytest.mark.parametrize("limit", [0.2, 4.0])
def test_a_wrong_limit_still_leaves_something_useful(limit):
    truth = vehicle_traces(SQUARE, routes=3, points=600, max_speed=0.002, seed=2)
    before, after, _ = errors(truth, TraCSC(SQUARE, 4.0), max_speed=0.002 * limit)
    assert after < 0.5 * before


def test_gaps_of_all_lengths_and_equal_times():
    random = np.random.default_rng(3)
    gaps = random.choice([0.0, 1.0, 60.0, 7200.0], size=400)
    steps = random.uniform(-1, 1, (400, 2)) * np.minimum(gaps, 300)[:, None] * 1e-3
    path = np.clip(np.cumsum(steps, axis=0) + 0.5, 0, 1)
    truth = Routes.of([path], times=[np.cumsum(gaps)])
    before, after, _ = errors(truth, TraCSC(SQUARE, 4.0), max_speed=0.0015)
    assert after < 0.6 * before


def test_repeated_places_are_found():
    mechanism, truth = TraCSC(SQUARE, 4.0), habits(people=12, visits=80, seed=4)
    before, after, found = errors(truth, mechanism)
    assert np.isfinite(found.weight)
    # the same visits, each of them by somebody else
    _, strangers, unknown = errors(Routes.of(truth.points[:, None]), mechanism)
    assert np.isinf(unknown.weight)
    assert after < 0.85 * strangers
    assert strangers < before


def test_routes_of_one_person_share_places():
    mechanism, truth = TraCSC(SQUARE, 4.0), habits(people=12, visits=80, seed=4)
    days = Routes.of(np.concatenate([np.split(route, 8) for route in truth]))
    people = [str(person) for person in range(12) for _ in range(8)]
    _, apart, _ = errors(days, mechanism)
    _, together, _ = errors(days, mechanism, people=people)
    assert together < 0.92 * apart


SETTINGS = [
    (random_routes(space, routes, points, 5), kind(space, epsilon))
    for space in (SQUARE, Disk(0, 0, 2), CORNER, LonLatBox(170, -20, -170, 0))
    for kind in (TraCSC, TraCSD)
    for epsilon in (0.1, 4.0, 24.0)
    for routes, points in ((12, 30),)
]


@pytest.mark.parametrize(("truth", "mechanism"), SETTINGS, ids=lambda part: getattr(part, "title", None))
def test_never_worse_where_there_is_nothing_to_learn(truth, mechanism):
    """Independent even points. The same noise is in both means, so their difference varies little."""
    before, after, _ = errors(truth, mechanism, grid=None if isinstance(mechanism, TraCSC) else 32)
    assert after <= 1.01 * before


@pytest.mark.parametrize("epsilon", [4.0, 16.0, 30.0])
@pytest.mark.parametrize("kind", [TraCSC, TraCSD])
def test_never_worse_among_allowed_points(kind, epsilon):
    """So many that several share a cell: reports finer than the grid must still tell them apart."""
    allowed = np.random.default_rng(1).random((5000, 2))
    truth = Routes.of(allowed[np.random.default_rng(2).integers(5000, size=(20, 20))])
    before, after, found = errors(truth, kind(SQUARE, epsilon), points=allowed)
    assert after <= before
    assert np.isin(found.routes.points.view(complex), allowed.view(complex)).all()


@pytest.mark.parametrize("epsilon", [4.0, 16.0, 30.0])
@pytest.mark.parametrize("kind", [TraCSC, TraCSD])
@pytest.mark.parametrize("too_low", [5, 20, 100])
def test_never_worse_under_a_limit_that_is_too_low(kind, epsilon, too_low):
    truth = vehicle_traces(SQUARE, routes=6, points=60, max_speed=0.003, seed=2)
    facts = {"max_speed": 0.003 / too_low, "grid": None if kind is TraCSC else 32}
    before, after, _ = errors(truth, kind(SQUARE, epsilon), **facts)
    assert after <= 1.01 * before


def test_a_limit_is_dropped_only_if_reports_contradict_it():
    truth = vehicle_traces(SQUARE, routes=6, points=60, max_speed=0.003, seed=2)
    for epsilon in (2.0, 4.0, 8.0, 16.0):
        assert not errors(truth, TraCSC(SQUARE, epsilon), max_speed=0.003)[2].limit_dropped
    _, _, low = errors(truth, TraCSC(SQUARE, 16.0), max_speed=0.003 / 100)
    _, _, none = errors(truth, TraCSC(SQUARE, 16.0))
    assert low.limit_dropped
    assert "speed limit" in low.sentence
    assert "speed limit" not in none.sentence
    assert np.array_equal(low.routes.points, none.routes.points)


def test_the_way_of_a_vehicle_is_not_taken_for_its_habit():
    """Neighbours in time would count twice: once as places of the person, once by the limit."""
    truth = vehicle_traces(TOWN, routes=30, points=60, max_speed=20.0, seed=1, seconds=20.0)
    before, after, found = errors(truth, TraCSC(TOWN, 4.0), max_speed=20.0)
    assert np.isinf(found.weight)
    assert after < 0.18 * before
    assert 0.9 < found.spread.mean() / after < 1.5


def test_one_route_of_one_point_is_no_worse_on_average():
    for epsilon in (0.1, 1.0, 4.0, 12.0):
        mechanism = TraCSC(SQUARE, epsilon)
        pairs = [errors(random_routes(SQUARE, 1, 1, seed), mechanism, seed=seed)[:2] for seed in range(30)]
        before, after = np.mean(pairs, axis=0)
        assert after <= 1.01 * before


@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_the_spread_is_calibrated(epsilon):
    """The mean of 3,000 expected errors is the mean error, within 6 %: six standard errors are 5 %."""
    _, after, found = errors(random_routes(SQUARE, 30, 100, 6), TraCSC(SQUARE, epsilon))
    assert found.spread.mean() == pytest.approx(after, rel=0.06)


def test_the_spread_of_people_with_habits_is_about_right():
    _, after, found = errors(habits(30, 100, 7), TraCSC(SQUARE, 4.0))
    assert np.isfinite(found.weight)
    assert found.spread.mean() == pytest.approx(after, rel=0.25)


def test_larger_spreads_belong_to_larger_errors():
    truth = habits(12, 80, 8)
    mechanism = TraCSC(SQUARE, 4.0)
    _, _, found = errors(truth, mechanism)
    missed = SQUARE.distance(truth.points, found.routes.points)
    sure = found.spread < np.median(found.spread)
    assert missed[sure].mean() < 0.7 * missed[~sure].mean()


def test_answers_are_among_allowed_points():
    allowed = np.random.default_rng(1).random((40, 2))
    picks = np.random.default_rng(2).integers(40, size=(30, 20))
    truth = Routes.of(allowed[picks])
    mechanism = TraCSC(SQUARE, 6.0)
    before, free, _ = errors(truth, mechanism)
    _, among, found = errors(truth, mechanism, points=allowed)
    assert (np.abs(found.routes.points[:, None] - allowed).sum(axis=2).min(axis=1) == 0).all()
    assert among < free < before


def test_rows_without_a_report_are_no_evidence_but_get_an_estimate():
    truth = vehicle_traces(SQUARE, routes=3, points=200, max_speed=0.002, seed=3)
    mechanism = TraCSD(SQUARE, 6.0)
    kept = np.arange(600) % 4 == 0
    thin = Routes(truth.points[kept], np.array([0, 50, 100, 150]), truth.names, truth.times[kept])
    points = np.full((600, 2), 0.5)
    points[kept] = mechanism.perturb_routes(thin, SeededSource(4)).points
    found = reconstruct(truth.with_points(points), mechanism, reported=kept, max_speed=0.002, grid=32)
    moved = points.copy()
    moved[~kept] = 0.1
    again = reconstruct(truth.with_points(moved), mechanism, reported=kept, max_speed=0.002, grid=32)
    assert np.array_equal(found.routes.points, again.routes.points)
    missed = SQUARE.distance(truth.points, found.routes.points)
    assert missed[~kept].mean() < 1.2 * missed[kept].mean() < 0.1
    alone = reconstruct(thin.with_points(points[kept]), mechanism, max_speed=0.002, grid=32)
    assert np.allclose(found.routes.points[kept], alone.routes.points)


def test_a_route_without_reports_gets_the_usual_place():
    truth = Routes.of([np.full((60, 2), 0.2), np.full((2, 2), 0.9)])
    mechanism = TraCSC(SQUARE, 8.0)
    found = reconstruct(
        mechanism.perturb_routes(truth, SeededSource(1)), mechanism, reported=np.arange(62) < 60
    )
    assert SQUARE.contains(found.routes.points).all()
    assert SQUARE.distance(found.routes.points[60:], (0.2, 0.2)).max() < 0.15


def test_memory_is_bounded_by_cutting_long_journeys(monkeypatch):
    from noisewright.trajectory.reconstruction import likelihood, model

    truth = habits(1, 300, 9)
    mechanism = TraCSC(SQUARE, 4.0)
    _, whole, _ = errors(truth, mechanism, grid=24)
    for module in (likelihood, model):
        monkeypatch.setattr(module, "AT_ONCE", 50 * 24**2)
    before, pieces, _ = errors(truth, mechanism, grid=24)
    assert pieces < 1.15 * whole
    assert pieces < before


def test_the_sentence_counts_and_says_what_it_costs():
    _, _, found = errors(random_routes(SQUARE, 2, 3, 1), TraCSC(SQUARE, 4.0))
    assert found.sentence.startswith("6 points of 2 routes, each off by about ")
    assert "costs no privacy" in found.sentence


@pytest.mark.parametrize(
    ("facts", "error", "words"),
    [
        ({"max_speed": 1.0}, BadTable, "times"),
        ({"max_speed": -1.0}, InvalidParameter, "max_speed must be above 0"),
        ({"people": ["a"]}, BadTable, "2 routes"),
        ({"reported": [True]}, BadTable, "reported"),
        ({"reported": [False] * 6}, BadTable, "nothing to reconstruct"),
        ({"grid": 1}, InvalidParameter, "grid"),
        ({"points": [(3.0, 3.0)]}, OutOfDomain, "points"),
    ],
)
def test_wrong_facts_are_refused(facts, error, words):
    with pytest.raises(error, match=words):
        reconstruct(random_routes(SQUARE, 2, 3, 1), TraCSC(SQUARE, 4.0), **facts)


def test_reports_outside_the_space_are_refused():
    with pytest.raises(OutOfDomain, match="route 1, point 1"):
        reconstruct(Routes.of([[(2.0, 2.0)]]), TraCSC(SQUARE, 4.0))


def test_a_long_stay_near_a_place_where_nobody_can_be():
    """A thousand reports of one place outside all allowed points: likelihoods there must not swamp the rest."""
    mechanism = TraCSC(SQUARE, 8.0)
    truth = Routes.of([np.full((1000, 2), 0.5)], times=[np.arange(1000.0) / 1000])
    reports = mechanism.perturb_routes(truth, SeededSource(2))
    allowed = np.array([(0.1, 0.1), (0.6, 0.5), (0.9, 0.9)])
    found = reconstruct(reports, mechanism, max_speed=1e-3, points=allowed)
    assert (found.routes.points == (0.6, 0.5)).all()
    assert np.isfinite(found.spread).all()
