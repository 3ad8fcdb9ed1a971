"""The integers of shared coins: marginals, correlation, bounds."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.errors import InvalidParameter
from noisewright.mechanisms.joint import GroupLaw
from noisewright.mechanisms.joint.group_law import MOST_MEMBERS, WORDS

ROUNDING = Fraction(MOST_MEMBERS**2, WORDS)


@given(st.floats(0.02, 0.98), st.floats(0.0, 1.0), st.integers(2, 7), st.booleans())
def test_a_law_has_the_truth_and_the_correlation_that_were_asked_for(truth, part, size, negative):
    least = float(GroupLaw.correlated(size, truth, 0.0).least_correlation)
    correlation = part * (least if negative else 1.0)
    law = GroupLaw.correlated(size, truth, correlation)
    assert sum(law.weights) == WORDS
    assert abs(law.truth - Fraction(truth)) <= ROUNDING
    assert abs(float(law.correlation) - correlation) < 1e-8
    assert float(law.correlation) >= least - 1e-12


@pytest.mark.parametrize(("truth", "correlation"), [(0.8, -0.25), (0.8, 0.0), (0.7, 0.3), (0.55, -0.5)])
def test_a_pair_is_table_4_2(truth, correlation):
    law, lie = GroupLaw.correlated(2, truth, correlation), 1 - truth
    both = truth * lie
    table = [truth**2 + correlation * both, *[(1 - correlation) * both] * 2, lie**2 + correlation * both]
    assert [count / WORDS for count in law.table] == pytest.approx(table, abs=1e-15)
    true, first, second, false = law.table
    assert first == second
    assert true + first + second + false == WORDS


def test_the_published_example_comes_out():
    """Zheng 2026, table 4.1: 0.60, 0.2, 0.2, 0 with p = 0.8."""
    law = GroupLaw.correlated(2, 0.8, -0.25)
    assert [round(count / WORDS, 12) for count in law.table] == [0.6, 0.2, 0.2, 0.0]
    assert law.table[3] == 0


@pytest.mark.parametrize("truth", [0.51, 0.6, 0.9, 0.3])
def test_the_least_correlation_of_a_pair(truth):
    law = GroupLaw.correlated(2, truth, 0.0)
    assert float(law.least_correlation) == pytest.approx(max(1 - 1 / truth, 1 - 1 / (1 - truth)), abs=1e-12)
    with pytest.raises(InvalidParameter, match=r"correlation .* is out of range: here it can be at least"):
        GroupLaw.correlated(2, truth, float(law.least_correlation) - 1e-6)


@pytest.mark.parametrize("correlation", [1.001, -1.001, 5.0])
def test_no_correlation_is_beyond_one(correlation):
    with pytest.raises(InvalidParameter, match="out of range"):
        GroupLaw.correlated(2, 0.6, correlation)


@pytest.mark.parametrize("size", range(2, 7))
def test_no_law_of_any_kind_has_less_correlation(size):
    """By linear programming over all laws of the number of liars with the same mean."""
    from scipy.optimize import linprog

    lie = 0.31
    liars = list(range(size + 1))
    best = linprog([k * k for k in liars], A_eq=[[1] * (size + 1), liars], b_eq=[1, size * lie])
    least = ((best.fun - (size * lie) ** 2) / (size * lie * (1 - lie)) - 1) / (size - 1)
    assert float(GroupLaw.correlated(size, 1 - lie, 0.0).least_correlation) == pytest.approx(least, abs=1e-9)


@pytest.mark.parametrize("size", [2, 3, 5])
def test_what_others_know_averages_to_what_is_known_without_them(size):
    law = GroupLaw.correlated(size, 0.7, -0.05)
    assert sum(chance for chance, _ in law.truth_given) == 1
    assert sum(chance * truth for chance, truth in law.truth_given) == law.truth


def test_thresholds_leave_out_what_no_word_reaches():
    assert len(GroupLaw.correlated(2, 0.8, -0.25).thresholds) == 1
    assert len(GroupLaw.correlated(2, 0.8, -0.2).thresholds) == 2


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ((WORDS,), "size of a group"),
        ((WORDS - 3, 2, 0), "sum to 2"),
        ((WORDS - 1, 1, 0), "even"),
        ((WORDS, 0, 0), "hides nothing"),
        ((WORDS + 1, -1, 0), "whole number"),
        ((0.5 * WORDS, WORDS // 2, 0), "whole number"),
        ((WORDS - 2, 2) + (0,) * MOST_MEMBERS, "size of a group"),
    ],
)
def test_broken_weights_are_refused(weights, words):
    with pytest.raises(InvalidParameter, match=words):
        GroupLaw(weights)


@pytest.mark.parametrize("truth", [0.0, 1.0, 1.5, -0.1])
def test_truth_must_be_a_probability(truth):
    with pytest.raises(InvalidParameter, match="share of true answers"):
        GroupLaw.correlated(2, truth, 0.0)


def test_only_pairs_have_a_table():
    with pytest.raises(InvalidParameter, match="only a pair"):
        _ = GroupLaw.correlated(3, 0.7, 0.0).table
    assert math.isclose(float(GroupLaw.correlated(3, 0.7, 0.0).shares[0]), 0.7**3)
