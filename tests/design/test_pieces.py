from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import eye_array, hstack, vstack

from noisewright.design.piece_solver import best_pieces, place_pieces
from noisewright.design.pieces import Pieces, least_loss, three_pieces
from noisewright.design.window import AtDistance
from noisewright.errors import InvalidParameter

POWERS = {"absolute": 1.0, "squared": 2.0}


def pairs(count):
    """Random pairs of a budget and a true value, as the source's check of its hypothesis."""
    random = np.random.default_rng(20260)
    return [(float(random.uniform(0.1, 9)), float(random.random())) for _ in range(count)]


def program(epsilon, point, power, cells=400):
    """The best of all densities on a grid by linear programming: a density a cell, and the least of them.

    Losses are those of cells' centres, so its value differs from that of real densities by about cells⁻².
    """
    losses = np.abs((np.arange(cells) + 0.5) / cells - point) ** power
    one, least = eye_array(cells), -np.ones((cells, 1))
    bounds = vstack([hstack([-one, -least]), hstack([one, math.exp(epsilon) * least])])  # q ≤ f ≤ e^ε q
    found = linprog(
        np.append(losses, 0.0) / cells, A_ub=bounds, b_ub=np.zeros(2 * cells),
        A_eq=np.append(np.ones(cells), 0.0)[None] / cells, b_eq=[1.0],
    )  # fmt: skip
    assert found.status == 0
    return found.fun, found.x[:-1]


@pytest.mark.parametrize("loss", ["absolute", "squared"])
@pytest.mark.parametrize("count", [4, 5])
def test_more_than_three_pieces_merge_into_three(loss, count):
    for epsilon, point in pairs(24):
        found, three = best_pieces(count, epsilon, loss, point), three_pieces(epsilon, point, loss)
        assert abs(found.gap) < 1e-8
        assert found.expected == pytest.approx(best_pieces(3, epsilon, loss, point).expected, rel=1e-8)
        assert found.pieces.cuts == pytest.approx(three.merged().cuts, abs=1e-5)
        assert found.pieces.levels == pytest.approx(three.merged().levels, rel=1e-4)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize(("loss", "worst"), [("absolute", 0.3775407), ("squared", 0.2172985)])
def test_at_an_end_any_number_of_pieces_has_the_same_worst_case(count, loss, worst):
    found = best_pieces(count, 1.0, loss)
    assert found.expected == pytest.approx(worst, abs=6e-8)
    assert len(found.pieces.levels) == 2


def test_two_pieces_are_not_enough_inside():
    found = best_pieces(2, 1.0, point=0.3)
    assert found.gap == pytest.approx(0.0165, abs=1e-4)


@pytest.mark.parametrize("count", [4, 5, 6, 7])
def test_the_published_example(count):
    """Zheng 2026, figure 5.2: ε = 1 and x = 0.3, first the levels at the worst case, then the cuts at x."""
    high, low = best_pieces(count, 1.0).pieces.levels
    assert high == pytest.approx(math.exp(0.5), rel=1e-4)
    assert high / low == pytest.approx(math.e, rel=1e-9)
    between = np.linspace(low, high, count - 1)[1:-1]  # levels that were not needed at the end
    found = place_pieces([low, *between, high, low], 0.3)
    half = 0.5 / (math.exp(0.5) + 1)
    assert found.pieces.cuts == pytest.approx((0.0, 0.3 - half, 0.3 + half, 1.0), abs=1e-4)
    assert found.pieces.levels == pytest.approx((low, high, low))


@pytest.mark.parametrize("loss", ["absolute", "squared"])
def test_levels_between_the_two_extremes_never_help(loss):
    random = np.random.default_rng(7)
    for epsilon, point in pairs(16):
        share = AtDistance(POWERS[loss], 0.0).best_share(epsilon)
        window = three_pieces(epsilon, point, loss, share)
        low, high, _ = window.levels
        rising, falling = np.sort(random.uniform(low, high, (2, 2)), axis=1)
        found = place_pieces([low, *rising, high, *falling[::-1], low], point, loss)
        assert found.expected == pytest.approx(window.expected(point, loss), rel=1e-7)
        assert found.pieces.cuts == pytest.approx(window.merged().cuts, abs=1e-4)


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0, 4.0])
def test_a_linear_program_over_all_densities_finds_the_same(power):
    for epsilon, point in pairs(6):
        value, density = program(epsilon, point, power)
        assert value == pytest.approx(least_loss(epsilon, point, power), rel=2e-2, abs=1e-5)
        between = (density > density.min() * 1.001) & (density < density.max() * 0.999)
        assert between.sum() <= 2, "two levels, but for the cells that the ends of the window cut"
        inside = np.flatnonzero(density >= density.max() * 0.999)
        assert np.diff(inside).max(initial=1) == 1, "one window"


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0, 4.0])
def test_random_densities_keep_the_bound(power):
    random = np.random.default_rng(3)
    for epsilon, point in pairs(40):
        heights = np.exp(epsilon * random.random(6))
        cuts = np.array([0.0, *np.sort(random.random(5)), 1.0])
        heights /= heights @ np.diff(cuts)
        pieces = Pieces(tuple(cuts), tuple(heights))
        assert pieces.mass == pytest.approx(1.0)
        assert pieces.expected(point, power) >= least_loss(pieces.epsilon, point, power) * (1 - 1e-12)


@pytest.mark.parametrize("power", [0.3, 1.0, 2.0])
def test_the_window_of_an_end_loses_less_everywhere_else(power):
    """So the bound at an end is the least worst case, also for powers below one."""
    for epsilon in (0.2, 2.0, 7.0):
        share = AtDistance(power, 0.0).best_share(epsilon)
        losses = [three_pieces(epsilon, x, power, share).expected(x, power) for x in np.linspace(0, 1, 201)]
        assert max(losses) == pytest.approx(least_loss(epsilon, 0.0, power), rel=1e-12)


def test_merging_keeps_what_matters():
    pieces = Pieces((0.0, 0.0, 0.3, 0.3, 0.5, 1.0), (2.0, 0.5, 3.0, 1.5, 1.1))
    merged = pieces.merged()
    assert merged == Pieces((0.0, 0.3, 0.5, 1.0), (0.5, 1.5, 1.1))
    assert merged.mass == pytest.approx(pieces.mass)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: best_pieces(1, 1.0), "number of pieces must be a whole number from 2 to 16"),
        (lambda: best_pieces(3, -1.0), "epsilon must be"),
        (lambda: best_pieces(3, 1.0, point=1.2), r"point must lie in \[0, 1\]"),
        (lambda: best_pieces(3, 1.0, "cubic"), "a loss is"),
        (lambda: place_pieces([0.5], 0.3), "levels must be above zero"),
        (lambda: place_pieces([1.5, 1.2], 0.3), "levels must be above zero"),
        (lambda: place_pieces([0.5, math.nan], 0.3), "a level must be a finite number"),
        (lambda: Pieces((0.0, 1.0), (1.0, 2.0)), "one more cut than levels"),
    ],
)
def test_senseless_pieces_are_refused(call, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        call()
