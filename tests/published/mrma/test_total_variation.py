"""Total variation: the closed form against quadrature and play, estimates against the closed form."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom

from noisewright import Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import OGPM, PM, Laplace
from noisewright.published.mrma.variation import (
    binned_variation,
    box_ratio,
    box_variation,
    histogram_variation,
    total_variation,
    uniform_ratio,
)

FIGURE_WIDTHS = (1, 2, 5, 10)


def by_quadrature(epsilon):
    """½∫|p − q| on the line for people uniform on [−1, 1], the density of the reports by integration too."""
    scale = 2 / epsilon

    def apart(z):
        kink = [z] if -1 < z < 1 else None
        q = quad(lambda x: math.exp(-abs(z - x) / scale) / (4 * scale), -1, 1, points=kink)[0]
        return abs((0.5 if abs(z) <= 1 else 0.0) - q)

    inside = quad(apart, -1, 1)[0]
    beyond = 2 * quad(apart, 1, 1 + 40 * scale, limit=200)[0]
    return (inside + beyond) / 2


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 10.0])
def test_one_dimension_agrees_with_quadrature(epsilon):
    assert box_variation(1, epsilon) == pytest.approx(by_quadrature(epsilon), abs=1e-7)


@pytest.mark.parametrize("width", FIGURE_WIDTHS)
@pytest.mark.parametrize("epsilon", [1.0, 8.0, 32.0])
def test_the_estimate_holds_the_closed_form(width, epsilon):
    draws = np.random.default_rng(width).uniform(-1, 1, (20_000, width))
    estimate = total_variation(draws, lambda rows: box_ratio(rows, epsilon), level=0.999999)
    assert estimate.low <= box_variation(width, epsilon) <= estimate.high
    assert estimate.high - estimate.low < 0.02


@pytest.mark.parametrize("width", FIGURE_WIDTHS)
def test_reports_leave_the_box_as_often_as_the_closed_form_says(width):
    random, runs, epsilon = np.random.default_rng(9), 50_000, 3.0 * width
    reports = random.uniform(-1, 1, (runs, width)) + random.laplace(0, 2 * width / epsilon, (runs, width))
    left = int((np.abs(reports) > 1).any(axis=1).sum())
    assert 5e-10 < binom.cdf(left, runs, box_variation(width, epsilon)) < 1 - 5e-10
    other = binom.cdf(left, runs, box_variation(width, 0.9 * epsilon))
    assert not 5e-10 < other < 1 - 5e-10


def test_the_figure_rises_with_the_width_and_falls_with_epsilon():
    curves = np.array(
        [[box_variation(width, epsilon) for epsilon in (0.1, 1, 5, 20)] for width in FIGURE_WIDTHS]
    )
    assert (np.diff(curves, axis=0) > -1e-12).all()
    assert (np.diff(curves, axis=1) < 1e-12).all()


def test_intervals_hold_as_often_as_they_say():
    random, truth, runs = np.random.default_rng(2), box_variation(2, 8.0), 1000
    draws = random.uniform(-1, 1, (runs, 60, 2))
    found = [total_variation(each, lambda rows: box_ratio(rows, 8.0), level=0.9) for each in draws]
    misses = sum(not each.low <= truth <= each.high for each in found)
    assert misses <= binom.isf(1e-9, runs, 0.1)


def test_the_histogram_is_biased_and_blind_in_many_dimensions():
    random = np.random.default_rng(4)
    same = random.uniform(-1, 1, (2, 2000, 2))
    assert histogram_variation(*same) == pytest.approx(math.sqrt(100 / (math.pi * 2000)), rel=0.25)
    assert histogram_variation(*random.uniform(-1, 1, (2, 2000, 10))) > 0.999


def test_the_variation_of_a_library_mechanism_is_that_of_its_integers():
    mechanism = OGPM(Interval(-1, 1, cells=32), epsilon=2.0)
    rows = [np.array(counts) / total for counts, total in map(mechanism.word_counts, range(32))]
    exact = np.maximum(1 / 32 - np.mean(rows, axis=0), 0).sum()
    middles = (np.arange(32) + 0.5)[:, None] / 16 - 1
    assert total_variation(middles, uniform_ratio(mechanism, 32)).value == pytest.approx(exact, abs=1e-9)


def test_two_columns_multiply():
    ratio = uniform_ratio(PM(Interval(0, 10), epsilon=1.0), parts=16)
    rows = np.array([[1.0, 9.3], [5.0, 5.0]])
    assert ratio(rows) == pytest.approx(ratio(rows[:, :1]) * ratio(rows[:, 1:]))


def test_merging_parts_never_raises_a_variation_and_splitting_shows_people_as_points():
    people = np.random.default_rng(6).beta(2, 5, 15)
    mechanism = Laplace(Interval(0, 1, cells=1 << 12), epsilon=4.0)
    found = [binned_variation(people, mechanism, np.linspace(0, 1, parts + 1)) for parts in (2, 8, 32, 128)]
    assert found == sorted(found)
    assert found[0] < 0.45
    assert found[-1] > 0.7


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: box_variation(0, 1.0),
        lambda: box_variation(1, 0.0),
        lambda: box_ratio(np.array([[2.0]]), 1.0),
        lambda: total_variation(np.zeros((1, 1)), lambda rows: np.ones(len(rows))),
        lambda: total_variation(np.zeros((5, 1)), lambda rows: -np.ones(len(rows))),
        lambda: total_variation(np.zeros((5, 1)), lambda rows: np.full(len(rows), np.nan)),
        lambda: total_variation(np.zeros((5, 1)), lambda rows: np.ones((5, 2))),
        lambda: total_variation(np.zeros((5, 1)), lambda rows: np.ones(5), level=1.0),
        lambda: histogram_variation(np.zeros((3, 1)), np.zeros((3, 2))),
        lambda: binned_variation([], Laplace(Interval(0, 1), 1.0), [0, 1]),
        lambda: uniform_ratio(Laplace(Interval(0, 1), 1.0), parts=0),
    ],
)
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(InvalidParameter):
        wrong()
