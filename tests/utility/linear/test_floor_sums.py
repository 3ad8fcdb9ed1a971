"""Sums of whole parts, and sums over the columns below a line."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.utility.linear.kernels import below_line, floor_sum, rise_to


@given(st.integers(0, 300), st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 10**6))
def test_whole_parts_are_added_up(count, step, first, modulus):
    assert floor_sum(count, step, first, modulus) == sum((step * j + first) // modulus for j in range(count))


def test_large_numbers_do_not_overflow():
    count, modulus = 1 << 20, 1 << 39
    for step, first in ((modulus - 1, modulus - 1), (modulus // 3, 12345), (1, 0), (modulus, 7)):
        expected = sum((step * place + first) // modulus for place in range(count))  # integers without end
        assert floor_sum(count, step, first, modulus) == expected


@st.composite
def laws(draw, cells=40):
    inner = draw(st.lists(st.integers(0, cells), max_size=5))
    rises = draw(st.lists(st.integers(0, 1000), min_size=len(inner), max_size=len(inner)))
    knots = np.array([0, *sorted(inner), cells])
    steps = np.array([0, *sorted(rises), 1000]) / 1000
    steps[np.append(False, np.diff(knots) == 0)] = 0.0  # knots that coincide have one height
    return knots, np.maximum.accumulate(np.where(knots == cells, 1.0, steps))


@given(laws(), laws(), st.floats(-90, 130), st.floats(-60, 60), st.integers(0, 40), st.integers(0, 40))
def test_the_cells_below_a_line_have_their_probability(first, second, intercept, slope, start, stop):
    if stop < start:
        start, stop = stop, start
    columns = np.arange(start, stop)
    heights = intercept + slope * columns
    if (np.abs(heights - np.round(heights)) < 1e-9).any():
        return  # on a boundary either answer may come
    expected = 0.0
    for column, height in zip(columns, np.clip(np.floor(heights), 0, 40).astype(int), strict=True):
        share = rise_to(*first, column + 1) - rise_to(*first, column)
        expected += share * rise_to(*second, height)
    assert below_line(*first, *second, start, stop, intercept, slope, 50) == pytest.approx(
        expected, abs=1e-12
    )
