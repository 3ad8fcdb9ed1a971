"""Rows of integers: rounding keeps what is impossible impossible, draws follow them, ε is exact."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from noisewright.published.routes.integers import draw_from, draw_places, integer_rows, real_epsilon
from published.routes import naive

WHOLE = 1 << 62


@pytest.mark.parametrize("zeros", [0, 1, 5])
def test_rows_sum_to_the_whole_and_zeros_stay(zeros):
    law = np.random.default_rng(zeros).random((7, 12)) ** 6
    law[:, :zeros] = 0.0
    weights = integer_rows(law)
    assert [sum(row) for row in weights.tolist()] == [WHOLE] * 7
    assert ((weights == 0) == (law == 0)).all()
    np.testing.assert_allclose(
        naive.masses(weights), law / law.sum(axis=1, keepdims=True), rtol=1e-14, atol=2**-61
    )


def test_an_entry_too_small_to_count_still_gets_one_word():
    weights = integer_rows(np.array([[1.0, 1e-30, 0.0]]))
    assert weights.tolist() == [[WHOLE - 1, 1, 0]]


def test_edge_words_fall_where_the_running_sums_say():
    weights = np.array([3, 0, WHOLE - 4, 1, 0])
    words = np.array([0, 2, 3, WHOLE - 2, WHOLE - 1, WHOLE, (1 << 64) - 1], dtype=np.uint64)
    assert draw_from(weights, words).tolist() == [0, 0, 2, 2, 3, 0, 3]  # the two highest bits do not count


def test_each_location_is_drawn_from_its_own_row_with_its_own_word():
    table = integer_rows(np.random.default_rng(3).random((4, 5)))
    truth = np.array([2, 0, 2, 3, 0, 1, 2])
    words = np.random.default_rng(4).integers(0, 1 << 63, 7, dtype=np.uint64)
    together = draw_places(lambda rows: table[rows], truth, words)
    apart = [draw_from(table[place], words[at : at + 1])[0] for at, place in enumerate(truth)]
    assert together.tolist() == apart


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=1, max_size=5), st.integers(1, 3)
)
def test_the_real_epsilon_is_that_of_all_pairs_however_the_rows_come(rows, size):
    assume(any(map(sum, rows)))
    blocks = [np.array(rows[at : at + size]) for at in range(0, len(rows), size)]
    assert real_epsilon(blocks) == naive.epsilon(rows)


def test_two_ratios_that_doubles_cannot_tell_apart_are_told_apart():
    big = 1 << 61
    blocks = [np.array([[big, big + 1]]), np.array([[big - 3, big - 3]])]
    assert real_epsilon(blocks) == naive.epsilon([row[0].tolist() for row in blocks])
    assert 0 < real_epsilon(blocks) < 1e-17
    assert math.isinf(real_epsilon([np.array([[1, 0]]), np.array([[0, 1]])]))
