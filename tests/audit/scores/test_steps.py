"""The parts scores are made of: counts, edges, segments, chances, words."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.special import xlogy

from noisewright.audit.basics.outputs import in_intervals
from noisewright.audit.scores.classifiers import Standard
from noisewright.audit.scores.score import MonotoneChances, Steps, candidate_edges, log_ratios, segment_ends

RNG = np.random.default_rng(4)


def test_ratios_of_large_counts_are_what_they_are_and_rare_luck_does_not_lead():
    ratios = log_ratios(np.array([3000] * 50 + [1000] * 50 + [2]), np.array([1000] * 50 + [3000] * 50 + [0]))
    assert ratios[0] == pytest.approx(np.log(3), abs=0.01)
    assert 0 < ratios[-1] < ratios[0]


def test_ratios_allow_for_different_numbers_of_rows():
    assert log_ratios(np.array([200, 200]), np.array([100, 100])) == pytest.approx(0)


def test_segments_are_the_likeliest_of_all_cuts():
    left, right = RNG.integers(0, 40, size=(2, 7))

    def worth(ends):
        groups = [range(a + 1, b + 1) for a, b in pairwise([-1, *ends])]
        sums = [(left[list(g)].sum(), right[list(g)].sum()) for g in groups]
        return sum(xlogy(a, a) + xlogy(b, b) - xlogy(a + b, a + b) - np.log(8) for a, b in sums)

    cuts = [[k for k in range(6) if mask[k]] + [6] for mask in product([0, 1], repeat=6)]
    found = segment_ends(left, right).tolist()
    assert worth(found) == pytest.approx(max(worth(cut) for cut in cuts))
    assert 1 < len(found) < 7


def test_edges_isolate_repeated_numbers_and_the_reach_of_each_input():
    left = np.concatenate([RNG.random(500), np.full(200, 0.5)])
    right = RNG.random(700) + 0.25
    edges = candidate_edges(left, right, 16)
    assert {0.5, np.nextafter(0.5, 0), left.max(), np.nextafter(right.min(), 0)} <= set(edges.tolist())


def test_steps_find_a_window_and_nothing_where_nothing_is():
    rows = RNG.random((3, 4000))
    window = np.where(rows[1] < 0.5, 0.4 + 0.2 * rows[0], rows[0])
    steps = Steps.fit(window, rows[2], 64)
    inside, outside = steps.at(np.array([0.5, 0.1]))
    assert inside == pytest.approx(np.log(3), abs=0.2)
    assert outside == pytest.approx(-np.log(2), abs=0.2)
    assert len(Steps.fit(rows[0], rows[2], 64).edges) == 0


def test_monotone_chances_are_calibrated():
    left, right = RNG.normal(0.5, 1, 4000), RNG.normal(-0.5, 1, 4000)
    chances = MonotoneChances.fit(left, right).at(np.array([-1.0, 0.0, 1.0]))
    assert chances == pytest.approx(1 / (1 + np.exp([1.0, 0.0, -1.0])), abs=0.08)


def test_unions_of_intervals_in_words():
    edges = np.arange(12.0)
    words = in_intervals(edges, [k % 2 == 0 for k in range(13)])
    assert words.endswith("and 2 more intervals")
    assert (
        in_intervals(np.array([np.nextafter(0.5, 0), 0.5]), [False, True, False])
        == "the output is exactly 0.5"
    )


def test_outliers_and_constants_do_no_harm():
    table = np.array([[0.0, 7.0], [1.0, 7.0], [2.0, 7.0], [1e300, 7.0]])
    scaled = Standard.fit(table).scaled(np.array([[-1e300, 7.0], [1e300, 8.0]]))
    assert np.isfinite(scaled).all()
    assert scaled[0, 1] == 0
