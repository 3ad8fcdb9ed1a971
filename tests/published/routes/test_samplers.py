"""Samplers follow their laws: χ² at a level of 10⁻⁹ a test, and the law of another ε is rejected at it."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.stats import chisquare

from noisewright.published.routes import ATP, LSRR, NGram, NGramPairs, PlanarLaplace, Strawman
from noisewright.published.routes.ngram import fit_route
from noisewright.randomness import SeededSource
from noisewright.trajectory import Routes, TraCSD
from noisewright.trajectory.spaces import Rectangle
from published.routes import naive
from published.routes.naive import CLUSTER

LEVEL = 1e-9
SQUARE = Rectangle(0, 0, 1, 1)
PLACES = CLUSTER[2:6]
FOUR = range(4)


def counted(method, routes):
    """How often each sequence of places was reported for copies of one route."""
    reports = method.places.nearest(method.perturb_routes(routes, SeededSource(17)).points)
    size = int(routes.lengths[0])
    numbers = reports.reshape(-1, size) @ (len(method.places) ** np.arange(size)[::-1])
    return np.bincount(numbers, minlength=len(method.places) ** size)


def check(counts, law, wrong):
    """The law is accepted and the wrong one rejected; outcomes that cannot happen do not."""
    law, wrong = np.ravel(law), np.ravel(wrong)
    assert counts[law == 0].sum() == 0
    possible, total = law > 0, counts.sum()
    assert chisquare(counts[possible], total * law[possible] / law.sum()).pvalue > LEVEL
    assert chisquare(counts[possible], total * wrong[possible] / wrong[possible].sum()).pvalue < LEVEL


def row_methods(epsilon):
    return {
        "l-srr": LSRR(PLACES, epsilon, space=SQUARE),
        "laplace": PlanarLaplace(SQUARE, epsilon, grid=4),
    }


@pytest.mark.parametrize("name", ["l-srr", "laplace"])
def test_reports_of_one_location_follow_its_row(name):
    method, other = row_methods(3.0)[name], row_methods(3.3)[name]
    place = method.places.nearest(np.array([PLACES[1]]))
    reports = method.places.nearest(method.perturb(np.repeat([PLACES[1]], 400_000, axis=0), SeededSource(3)))
    counts = np.bincount(reports, minlength=len(method.places))
    check(counts, naive.masses(method.weights(place)), naive.masses(other.weights(place)))


def test_reports_around_the_location_stay_within_reach():
    method = NGram(PLACES, 3.0, reach=0.7, around="location", space=SQUARE)
    other = NGram(PLACES, 3.6, reach=0.7, around="location", space=SQUARE)
    place = np.array([3])
    reports = method.places.nearest(method.perturb(np.repeat([PLACES[3]], 400_000, axis=0), SeededSource(4)))
    law = naive.masses(method.weights_around(place))
    assert (law == 0).any()
    check(np.bincount(reports, minlength=4), law, naive.masses(other.weights_around(place)))


def two_steps_of_ngram(epsilon, route, reach):
    """The law of both reports of a two-step route, from the formula."""
    diameter = max(naive.gap(a, b) for a, b in product(PLACES, repeat=2))
    law, rate = np.zeros((4, 4)), epsilon / (2 * diameter)
    for report, first in zip(FOUR, naive.exponential(PLACES, route[0], FOUR, rate), strict=True):
        near = [y for y in FOUR if naive.gap(PLACES[report], PLACES[y]) <= reach]
        law[report, near] = first * np.array(naive.exponential(PLACES, route[1], near, rate))
    return law


def test_two_reports_of_ngram_follow_their_law():
    method, route = NGram(PLACES, 4.0, reach=0.7, space=SQUARE), (0, 3)
    routes = Routes.of([np.array(PLACES)[list(route)]] * 8_000)
    wrong = two_steps_of_ngram(6.0, route, 0.7)
    check(counted(method, routes), two_steps_of_ngram(4.0, route, 0.7), wrong)


def two_steps_of_pairs(epsilon, route):
    """The law of the fitted route: all draws of two ends and one pair."""
    method, law = NGramPairs(PLACES, epsilon, reach=0.7, space=SQUARE), np.zeros((4, 4))
    ends = naive.masses(method.end_weights(np.array(route)))
    pairs = naive.masses(method.pair_weights(np.array(route[:1]), np.array(route[1:])))[0]
    allowed = method.distances <= 0.7
    for (one, other), ((a, b), mass) in product(
        product(FOUR, repeat=2), zip(method.pairs, pairs, strict=True)
    ):
        costs = np.stack(
            [method.distances[one] + method.distances[a], method.distances[b] + method.distances[other]]
        )
        law[tuple(fit_route(costs, allowed))] += ends[0, one] * ends[1, other] * mass
    return law


def test_fitted_routes_follow_their_law():
    method, route = NGramPairs(PLACES, 6.0, reach=0.7, space=SQUARE), (0, 3)
    routes = Routes.of([np.array(PLACES)[list(route)]] * 8_000)
    check(counted(method, routes), two_steps_of_pairs(6.0, route), two_steps_of_pairs(9.0, route))


def test_the_fitted_route_is_the_cheapest_of_all():
    rng = np.random.default_rng(5)
    costs, allowed = rng.random((4, 5)), rng.random((5, 5)) < 0.5
    np.fill_diagonal(allowed, True)
    ways = [way for way in product(range(5), repeat=4) if all(allowed[a, b] for a, b in pairwise(way))]
    best = min(ways, key=lambda way: sum(costs[at, place] for at, place in enumerate(way)))
    assert fit_route(costs, allowed).tolist() == list(best)


def copy_of_atp(epsilon, truth, sectors):
    """The law of one copy of a two-step route, pivot first, from the formulas."""
    diameter = max(naive.gap(a, b) for a, b in product(PLACES, repeat=2))
    law = np.zeros((4, 4))
    pivots = naive.exponential(PLACES, truth[0], FOUR, epsilon / 2 / (2 * diameter))
    hit, miss = naive.response(sectors, epsilon * 3 / 8)
    for pivot, reported in product(FOUR, range(sectors)):
        seen = [naive.sector(PLACES, pivot, place, sectors) for place in FOUR]
        near = [place for place in FOUR if seen[place] == reported] or list(FOUR)
        answer = hit if seen[truth[1]] == reported else miss
        choice = naive.exponential(PLACES, truth[1], near, epsilon / 8 / (2 * diameter))
        law[pivot, near] += pivots[pivot] * answer * np.array(choice)
    return law


def two_steps_of_atp(epsilon, route, sectors=6):
    """The law of the released route: both copies, and the place between their reports."""
    first, second = copy_of_atp(epsilon, route, sectors), copy_of_atp(epsilon, route[::-1], sectors).T
    squares = np.array([[naive.gap(a, b) ** 2 for b in PLACES] for a in PLACES])
    law = np.zeros((4, 4))
    for a, b, c, d in product(FOUR, repeat=4):
        released = np.argmin(squares[a] + squares[c]), np.argmin(squares[b] + squares[d])
        law[released] += first[a, b] * second[c, d]
    return law


def test_released_routes_of_atp_follow_their_law():
    method, route = ATP(PLACES, 6.0, space=SQUARE), (0, 3)
    routes = Routes.of([np.array(PLACES)[list(route)]] * 6_000)
    check(counted(method, routes), two_steps_of_atp(6.0, route), two_steps_of_atp(9.0, route))


def test_a_lone_location_is_a_pivot_twice():
    method = ATP(PLACES, 6.0, space=SQUARE)
    squares = method.places.distances(np.arange(4)) ** 2

    def law(epsilon):
        rows = naive.masses(ATP(PLACES, epsilon, space=SQUARE).pivot_weights(np.array([1])))[0]
        released = np.zeros(4)
        for a, b in product(FOUR, repeat=2):
            released[np.argmin(squares[a] + squares[b])] += rows[a] * rows[b]
        return released

    routes = Routes.of([np.array(PLACES)[[1]]] * 6_000)
    check(counted(method, routes), law(6.0), law(9.0))


def test_directions_of_the_strawman_are_k_rr_over_sectors_and_even_within():
    method, count = Strawman(SQUARE, 4.0, split=0.5), 400_000
    angles = method.draw_directions(np.full(count, 1.5), SeededSource(8).stream())
    counts = np.bincount((angles / (2 * np.pi) * 24).astype(int), minlength=24)  # four parts of each sector

    def law(budget):
        hit, miss = naive.response(6, budget)
        return np.repeat(np.where(np.arange(6) == 1, hit, miss), 4) / 4

    check(counts, law(2.0), law(2.2))


@pytest.mark.parametrize("epsilon", [2.0, 6.0, 10.0])
def test_tracs_d_is_nearer_to_the_truth_than_the_strawman(epsilon):
    routes = Routes.of(np.random.default_rng(1).random((400, 100, 2)))
    methods = [TraCSD(SQUARE, epsilon, split="heuristic"), Strawman(SQUARE, epsilon)]
    better, worse = [
        SQUARE.distance(routes.points, method.perturb_routes(routes, SeededSource(2)).points).mean()
        for method in methods
    ]
    assert better < worse
