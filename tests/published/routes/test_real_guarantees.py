"""The real ε of every baseline against plain twins: laws from formulas, and all pairs of inputs and reports."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from noisewright.mechanisms.categorical.krr import response_window
from noisewright.published.routes import ATP, LSRR, NGram, NGramPairs, PlanarLaplace, Strawman
from noisewright.published.routes.integers import choice_bound, choice_weights
from noisewright.trajectory.spaces import Disk, Rectangle
from published.routes import naive
from published.routes.naive import CLUSTER

SQUARE = Rectangle(0, 0, 1, 1)
EVERY = np.arange(len(CLUSTER))
DIAMETER = max(naive.gap(left, right) for left, right in product(CLUSTER, repeat=2))


# -- L-SRR -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 8.0])
def test_the_staircase_is_that_of_its_formula_and_its_epsilon_that_of_all_pairs(epsilon):
    method = LSRR(CLUSTER, epsilon, space=SQUARE)
    expected = [naive.staircase(CLUSTER, x, (0.3, 0.6), math.exp(epsilon)) for x in EVERY]
    np.testing.assert_allclose(naive.masses(method.weights(EVERY)), expected, rtol=1e-5)
    assert method.real_guarantee.real == naive.epsilon(method.weights(EVERY))
    assert method.real_guarantee.exact


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 8.0])
def test_groups_of_unequal_sizes_break_the_nominal_epsilon_and_calibration_mends_it(epsilon):
    assert LSRR(CLUSTER, epsilon, space=SQUARE).real_guarantee.real > 1.05 * epsilon
    mended = LSRR(CLUSTER, epsilon, space=SQUARE, calibrated=True)
    assert naive.epsilon(mended.weights(EVERY)) == mended.real_guarantee.real
    assert 0.999999 * epsilon < mended.real_guarantee.real <= epsilon


def test_groups_of_equal_sizes_keep_it():
    corners = [(0, 0), (1, 0), (0, 1), (1, 1)]  # each sees two others a side away and one across
    guarantee = LSRR(corners, 2.0).real_guarantee
    assert guarantee.real == pytest.approx(2.0, abs=1e-5)
    assert guarantee.kept


# -- planar Laplace --------------------------------------------------------------------------------


@pytest.mark.parametrize("space", [SQUARE, Rectangle(0, 0, 2, 10), Disk(0, 0, 1)])
def test_planar_laplace_spends_what_all_pairs_spend_and_no_more_than_nominal(space):
    method = PlanarLaplace(space, 3.0, grid=5)
    rows = method.weights(np.arange(len(method.places)))
    assert method.real_guarantee.real == naive.epsilon(rows)
    assert 2.0 < method.real_guarantee.real <= 3.0


# -- NGram -----------------------------------------------------------------------------------------


def test_candidates_around_the_location_have_no_epsilon():
    method = NGram(CLUSTER, 2.0, reach=0.6, around="location", space=SQUARE)
    rows = method.weights_around(EVERY)
    for x, row in enumerate(naive.masses(rows)):
        near = [y for y in EVERY if naive.gap(CLUSTER[x], CLUSTER[y]) <= 0.6]
        np.testing.assert_allclose(row[near], naive.exponential(CLUSTER, x, near, 2.0 / (2 * 0.6)), rtol=1e-5)
        assert row[[y for y in EVERY if y not in near]].sum() == 0
    assert math.isinf(naive.epsilon(rows))
    assert math.isinf(method.real_guarantee.real)


def test_a_reach_beyond_all_places_gives_an_epsilon_again():
    method = NGram(CLUSTER, 2.0, reach=2.0, around="location", space=SQUARE)
    assert method.real_guarantee.real == naive.epsilon(method.weights_around(EVERY)) <= 2.0


@pytest.mark.parametrize("calibrated", [False, True])
@pytest.mark.parametrize("reach", [0.25, 0.6, 2.0])
def test_candidates_around_the_report_spend_what_routes_of_two_steps_spend(reach, calibrated):
    """Brute force over routes (x₁, x₂) and reports (y₁, y₂); one location changes at a time."""
    method = NGram(CLUSTER, 3.0, reach=reach, calibrated=calibrated, space=SQUARE)
    first = method.weights_among(EVERY, EVERY)
    spent = [naive.epsilon(first)]
    for report in EVERY:
        near = [y for y in EVERY if naive.gap(CLUSTER[report], CLUSTER[y]) <= reach]
        assert method.reachable(int(report)).tolist() == near
        second = method.weights_among(EVERY, np.array(near))
        expected = [naive.exponential(CLUSTER, x, near, method.rate) for x in EVERY]
        np.testing.assert_allclose(naive.masses(second), expected, rtol=1e-12)
        # whatever the first location was: its factor is the same for both values of the second
        spent.append(naive.epsilon(second))
    assert method.real_guarantee.real == max(spent)
    low, high = (2.99999, 3.0) if calibrated else (1.4999, 3.0)
    assert low < max(spent) <= high


def test_the_textbook_bound_holds_for_every_set_of_candidates():
    method = NGram(CLUSTER, 3.0, space=SQUARE)
    for bits in range(1, 1 << len(CLUSTER)):
        chosen = np.array([y for y in EVERY if bits >> y & 1])
        assert naive.epsilon(method.weights_among(EVERY, chosen)) <= choice_bound(3.0, len(CLUSTER)) <= 3.0


@pytest.mark.parametrize("reach", [0.25, 2.0])
def test_pairs_spend_what_all_their_draws_spend(reach):
    method = NGramPairs(CLUSTER, 3.0, reach=reach, space=SQUARE)
    pairs = [(a, b) for a, b in product(EVERY, repeat=2) if naive.gap(CLUSTER[a], CLUSTER[b]) <= reach]
    assert [tuple(pair) for pair in method.pairs] == pairs
    rate = 1.5 / (4 * DIAMETER)
    rows = {}
    for x, y in product(EVERY, repeat=2):
        losses = [naive.gap(CLUSTER[x], CLUSTER[a]) + naive.gap(CLUSTER[y], CLUSTER[b]) for a, b in pairs]
        rows[x, y] = method.pair_weights(np.array([x]), np.array([y]))[0]
        expected = naive.normalized([math.exp(-rate * loss) for loss in losses])
        np.testing.assert_allclose(naive.masses(rows[x, y]), expected, rtol=1e-5)
    as_first = max(naive.epsilon([rows[x, y] for x in EVERY]) for y in EVERY)
    as_second = max(naive.epsilon([rows[x, y] for y in EVERY]) for x in EVERY)
    end = naive.epsilon(method.end_weights(EVERY))
    expected = max(as_first + as_second, end + as_first, end + as_second, 2 * end)
    assert method.real_guarantee.real == pytest.approx(expected, abs=1e-12)
    assert method.real_guarantee.real <= 3.0


# -- ATP -------------------------------------------------------------------------------------------

ATP_PLACES = CLUSTER[2:6]
FOUR = range(4)


def copy_law(method, route):
    """The exact law of one copy of a two-step route whose first location is the pivot: (pivot, sector, report).

    Sectors from the plain formula, and the integers of the three draws as rationals.
    """
    law, window = {}, method.responses[1]
    pivots = method.pivot_weights(np.array([route[0]]))[0]
    for pivot in FOUR:
        seen = [naive.sector(ATP_PLACES, pivot, place, method.sectors) for place in FOUR]
        answers, total = window.word_counts(seen[route[1]])
        for reported in range(method.sectors):
            candidates = [place for place in FOUR if seen[place] == reported] or list(FOUR)
            choice = method.choice_among(route[1], np.array(candidates))
            for place, weight in zip(candidates, choice, strict=True):
                shared = Fraction(int(pivots[pivot]), 1 << 62) * Fraction(answers[reported], total)
                law[pivot, reported, place] = shared * Fraction(int(weight), 1 << 62)
    return law


def worst_ratio(laws):
    return max(one[seen] / other[seen] for one, other in product(laws, repeat=2) for seen in one)


@pytest.mark.parametrize("sectors", [3, 6])
def test_atp_keeps_its_real_epsilon_on_all_routes_of_two_steps(sectors):
    """By brute force: all routes, all pivots, sectors and reports of both copies, one location changing."""
    method = ATP(ATP_PLACES, 3.0, sectors=sectors, space=SQUARE)
    laws = {route: copy_law(method, route) for route in product(FOUR, repeat=2)}
    assert all(sum(law.values()) == 1 for law in laws.values())
    as_pivot = max(worst_ratio([laws[x, y] for x in FOUR]) for y in FOUR)
    as_target = max(worst_ratio([laws[x, y] for y in FOUR]) for x in FOUR)
    spent = math.log(as_pivot) + math.log(as_target)  # in one copy each; the copies are independent
    assert 0.5 * 3.0 < spent <= method.real_guarantee.real <= 3.0


def test_atp_looks_at_every_set_of_candidates_that_can_come_up():
    method = ATP(CLUSTER, 3.0, sectors=5, space=SQUARE)
    expected = set()
    for pivots in [*product(EVERY, repeat=1), *product(EVERY, repeat=2)]:
        for reported in product(range(5), repeat=len(pivots)):
            sets = [
                {y for y in EVERY if naive.sector(CLUSTER, pivot, y, 5) == number}
                for pivot, number in zip(pivots, reported, strict=True)
            ]
            left = set.intersection(*sets) or max(sets, key=len) or set(EVERY)
            expected.add(frozenset(left))
    found = {frozenset(chosen.tolist()) for chosen in method.directions.candidate_sets()}
    assert found == expected


def test_atp_adds_up_its_parts():
    method = ATP(CLUSTER, 4.0, space=SQUARE)
    pivot = naive.epsilon(method.pivot_weights(EVERY))
    choice = max(
        naive.epsilon([method.choice_among(x, chosen) for x in EVERY])
        for chosen in method.directions.candidate_sets()
    )
    directions = max(method.responses[1].prove(1.5), 2 * method.responses[2].prove(0.75))
    assert method.real_guarantee.real == pytest.approx(pivot + directions + choice, abs=1e-12)
    budgets = method.budgets
    assert budgets["pivot"] + 2 * budgets["direction"] + budgets["choice"] <= 4.0
    assert budgets["lone direction"] <= 2 * budgets["direction"]


# -- the strawman ----------------------------------------------------------------------------------


@pytest.mark.parametrize("sectors", [2, 6, 12])
def test_the_strawman_spends_its_two_shares_and_no_more(sectors):
    method = Strawman(SQUARE, 4.0, sectors=sectors, split=0.75)
    rows = [method.response.word_counts(sector)[0] for sector in range(sectors)]
    assert naive.epsilon(rows) == pytest.approx(3.0, abs=1e-6)
    assert naive.epsilon(rows) <= 3.0
    assert 3.99999 < method.real_guarantee.real <= 4.0
    likely, unlikely = naive.response(sectors, 3.0)
    assert rows[0][0] / 2**64 == pytest.approx(likely, abs=1e-8)
    assert rows[0][1] / 2**64 == pytest.approx(unlikely, abs=1e-8)


def test_the_window_behind_the_sectors_is_the_one_of_k_rr():
    assert Strawman(SQUARE, 4.0, split=0.75).response == response_window(6, 3.0)


def test_the_integers_that_are_proved_are_those_that_are_drawn():
    """Sums of rows depend on how an array lies in memory, which a slice of columns changes."""
    distances = np.random.default_rng(2).random((120, 300))
    chosen = np.flatnonzero(np.random.default_rng(3).random(300) < 0.7)
    together = choice_weights(distances[:, chosen], 3.0)
    alone = np.concatenate([choice_weights(distances[[row]][:, chosen], 3.0) for row in range(120)])
    assert (together == alone).all()
