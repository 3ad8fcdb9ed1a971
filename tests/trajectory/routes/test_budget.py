from __future__ import annotations

import numpy as np
import pytest

from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.randomness import SeededSource
from noisewright.trajectory import (
    Budget,
    Collection,
    LonLatBox,
    Rectangle,
    Routes,
    Sphere,
    TraCSC,
    TraCSD,
    perturb_within,
    reports_worth_making,
)
from noisewright.trajectory.collection import fingerprint
from noisewright.trajectory.files import RouteFile
from noisewright.trajectory.mechanisms.sparse_reports import STRAYING, interpolate, reported_rows

SQUARE = Rectangle(0, 0, 1, 1)


def walk(points=50, seed=1):
    steps = np.random.default_rng(seed).normal(0, 0.01, (points, 2)).cumsum(axis=0)
    return SQUARE.project(0.5 + steps)


def test_a_budget_says_what_it_is_for():
    lengths = np.array([10, 113])
    each = Budget(4.0).sentence(lengths)
    assert "Each location is protected with ε = 4" in each
    assert "of 113 points, spends 452 in total" in each
    whole = Budget(4.0, "route", reports=8).sentence(lengths)
    assert "Each route as a whole is protected with ε = 4" in whole
    assert "at most 8 reports, of ε = 0.5 each" in whole
    for sentence in (each, whole):
        assert "not times, names or the number of points" in sentence


@pytest.mark.parametrize("reports", [1, 3, 7, 1000])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_the_parts_of_a_route_never_exceed_its_budget(epsilon, reports):
    budget = Budget(epsilon, "route", reports=reports)
    assert budget.of_route(10_000).epsilon <= epsilon
    assert budget.of_route(1).epsilon == budget.of_location


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((1.0, "person"), "location.*route"),
        ((1.0, "route"), "needs the number of its reports"),
        ((0.0, "route", 3), "above 0"),
        ((1.0, "route", 0), "whole number"),
        ((40.0,), "epsilon must be"),
    ],
)
def test_broken_budgets_are_refused(arguments, says):
    with pytest.raises(InvalidParameter, match=says):
        Budget(*arguments)


def test_kept_points_depend_on_nothing_but_the_number_of_points():
    flags = reported_rows(np.array([5, 1, 9]), 3)
    assert flags.tolist() == [1, 0, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    assert reported_rows(np.array([4]), 1).tolist() == [0, 0, 1, 0]
    assert reported_rows(np.array([4, 2]), None).all()


def test_thinned_routes_report_a_few_points_and_interpolate_the_rest():
    routes = Routes.of([walk(50), walk(7, 2), walk(1, 3)], times=[np.arange(50), np.arange(7) ** 2, [0]])
    budget = Budget(4.0, "route", reports=4)
    mechanism = TraCSC(SQUARE, budget.of_location)
    private, reported = perturb_within(budget, mechanism, routes, SeededSource(5))
    assert np.add.reduceat(reported, routes.starts[:-1]).tolist() == [4, 4, 1]
    first = private.points[:50]
    places = np.flatnonzero(reported[:50])
    for axis in (0, 1):
        assert np.allclose(first[:, axis], np.interp(np.arange(50), places, first[places, axis]))
    times = np.arange(7) ** 2
    places = np.flatnonzero(reported[50:57])
    assert np.allclose(
        private.points[50:57, 0], np.interp(times, times[places], private.points[50:57][places, 0])
    )


def test_a_mechanism_that_costs_more_than_the_budget_leaves_is_refused():
    with pytest.raises(InvalidParameter, match=r"leaves 0\.5"):
        perturb_within(Budget(4.0, "route", reports=8), TraCSC(SQUARE, 1.0), Routes.of([walk()]))


def test_points_that_are_not_reported_are_checked_all_the_same():
    points = walk(50)
    points[1] = (3, 3)
    budget = Budget(4.0, "route", reports=2)
    with pytest.raises(OutOfDomain, match="route 1, point 2"):
        perturb_within(budget, TraCSC(SQUARE, 2.0), Routes.of([points]))


def test_interpolation_takes_the_short_way_round():
    fiji = LonLatBox(170, -20, -170, 0)
    found = interpolate(
        fiji, np.array([0.0, 1.0, 2.0]), np.array([0.0, 2.0]), np.array([[179.0, -10.0], [-179.0, -10.0]])
    )
    assert np.allclose(np.abs(found[1]), (180, 10))
    found = interpolate(
        Sphere(), np.array([0.0, 1.0, 2.0]), np.array([0.0, 2.0]), np.array([[170.0, 0.0], [-170.0, 0.0]])
    )
    assert np.allclose(np.abs(found[1]), (180, 0))


def test_the_number_of_reports_is_worth_its_choice():
    """On walks of known step it beats reporting all points, and a twentieth or twenty times as many."""
    step, points = 0.004, 200
    generator = np.random.default_rng(3)
    walks = [
        SQUARE.project(0.5 + generator.normal(0, step / np.sqrt(2), (points, 2)).cumsum(axis=0))
        for _ in range(150)
    ]
    routes = Routes.of(walks)

    def error(reports):
        budget = Budget(60.0, "route", reports=reports)
        mechanism = TraCSC(SQUARE, budget.of_location)
        private, _ = perturb_within(budget, mechanism, routes, SeededSource(7))
        return SQUARE.distance(private.points, routes.points).mean()

    chosen = reports_worth_making(SQUARE, 60.0, points, step=step)
    assert 2 <= chosen <= 20
    best = min(error(many) for many in (1, 2, 4, 7, 12, 25, 60, points))
    assert error(chosen) < 1.15 * best
    assert error(chosen) < 0.5 * error(points)


def test_a_walk_strays_from_the_straight_line_as_far_as_is_reckoned_with():
    """2,000 walks of 64 steps: the mean is good to 2 %."""
    steps = np.random.default_rng(8).normal(0, np.sqrt(0.5), (2000, 64, 2))  # mean square of a step: 1
    walks = np.concatenate([np.zeros((2000, 1, 2)), steps.cumsum(axis=1)], axis=1)
    straight = walks[:, -1:] * (np.arange(65) / 64)[:, None]
    strayed = np.hypot(*np.moveaxis(walks - straight, -1, 0)).mean()
    assert strayed == pytest.approx(STRAYING * np.sqrt(64), rel=0.03)


def test_more_budget_or_longer_steps_make_more_reports_worth_while():
    few, more = (reports_worth_making(SQUARE, epsilon, 100) for epsilon in (4.0, 400.0))
    assert few < more
    assert reports_worth_making(SQUARE, 40.0, 100, step=0.1) > reports_worth_making(
        SQUARE, 40.0, 100, step=0.001
    )
    assert reports_worth_making(SQUARE, 4.0, 1) == 1
    with pytest.raises(InvalidParameter, match="step"):
        reports_worth_making(SQUARE, 4.0, 10, step=-1)


def test_a_collection_says_what_it_promises_and_a_simulation_promises_nothing():
    routes, mechanism = Routes.of([walk()]), TraCSD(SQUARE, 2.0, split="heuristic")
    private = Collection.draw(mechanism, Budget(2.0), routes)
    assert private.guarantee.startswith("Each location is protected with ε = 2")
    simulated = Collection.draw(mechanism, Budget(2.0), routes, SeededSource(1))
    assert not simulated.private
    assert "NOT PRIVATE" in simulated.guarantee
    assert "protected" not in simulated.guarantee


def test_a_collection_is_rebuilt_from_its_file_and_a_broken_one_is_refused():
    routes = Routes.of([walk()])
    drawn = Collection.draw(TraCSC(SQUARE, 2.0), Budget(2.0), routes)
    found = Collection.of_file(RouteFile(drawn.routes, drawn.to_dict(), None, "plane"))
    assert found.mechanism == drawn.mechanism
    assert found.budget == drawn.budget
    assert found.reported.all()
    for change in (
        {"kind": "table"},
        {"format": 99},
        {"budget": {"epsilon": 1.0, "unit": "location", "reports": None}},
        {"randomness": "dice"},
        {"mechanism": {"mechanism": "TraCSC"}},
        {"mechanism": 3},
        {"budget": None},
    ):
        with pytest.raises(BadTable):
            Collection.of_file(RouteFile(drawn.routes, {**drawn.to_dict(), **change}, None, "plane"))
    with pytest.raises(BadTable, match="does not say"):
        Collection.of_file(RouteFile(drawn.routes, None, None, "plane"))


def described(**changes):
    """A file of private routes of 50 points whose description was tampered with."""
    drawn = Collection.draw(TraCSC(SQUARE, 2.0), Budget(2.0), Routes.of([walk()]))
    about = {**drawn.to_dict(), **changes}
    return RouteFile(drawn.routes, {**about, "fingerprint": fingerprint(drawn.routes, about)}, None, "plane")


def test_a_description_that_promises_more_than_the_points_show_is_refused():
    """A budget of two reports over fifty of them would print a fiftieth of what was spent."""
    lie = {"epsilon": 4.0, "unit": "route", "reports": 2}
    with pytest.raises(BadTable, match="more reports than the budget"):
        Collection.of_file(described(budget=lie))


def test_a_description_is_tied_to_its_points():
    """True routes saved beside an old description are not taken for reports."""
    drawn = Collection.draw(TraCSC(SQUARE, 2.0), Budget(2.0), Routes.of([walk()]))
    edited = {**drawn.to_dict(), "budget": {"epsilon": 9.0, "unit": "location", "reports": None}}
    for routes, about in ((Routes.of([walk()]), drawn.to_dict()), (drawn.routes, edited)):
        with pytest.raises(BadTable, match="not those that its description was written for"):
            Collection.of_file(RouteFile(routes, about, None, "plane"))


@pytest.mark.parametrize(
    "change",
    [
        {"split": "best"},
        {"channel": []},
        {"channel": "optimal"},
        {"channel": ["OGPM", "OGPM"]},
        {"channel": [{"mechanism": "BoundedLaplace", "domain": {"kind": "interval", "low": 0, "high": 1, "cells": 1 << 22}, "epsilon": 1e-9}] * 2},
        {"channel": [{"mechanism": "OGPM", "domain": {"kind": "interval", "low": 0, "high": 1, "cells": 1 << 22}, "epsilon": 1.0}] * 2},
    ],
)  # fmt: skip
def test_a_description_cannot_ask_for_a_long_search(change):
    mechanism = {**TraCSC(SQUARE, 2.0).to_dict(), **change}
    with pytest.raises(BadTable):
        Collection.of_file(described(mechanism=mechanism))


@pytest.mark.parametrize("words", [7, ["x"], "x" * 501])
def test_what_was_done_to_reports_is_said_in_words(words):
    with pytest.raises(BadTable, match="in words"):
        Collection.of_file(described(processed=words))


@pytest.mark.parametrize(("epsilon", "points"), [(4.0, 12_341), (1.23449, 1000), (4.000004, 3), (0.1, 7)])
def test_no_budget_is_understated(epsilon, points):
    import re

    said = Budget(epsilon).sentence(np.array([points]))
    numbers = [float(text.replace(",", "")) for text in re.findall(r"(?:ε = |spends )([\d.,]*\d)", said)]
    assert numbers[0] >= epsilon
    assert numbers[-1] >= epsilon * points * (1 - 1e-12)
