"""Sums of powers over runs of cells against adding them up one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.mechanisms.powersums import ladder, on_circle, on_line

powers = st.one_of(st.integers(1, 12).map(float), st.floats(0.1, 8.0))


@given(st.integers(-300, 300), st.integers(0, 500), st.floats(-400, 400), powers)
def test_runs_on_a_line(start, count, point, power):
    centres = start + np.arange(count) + 0.5
    slow = (np.abs(centres - point) ** power).sum()
    scale = max(abs(start - point), abs(start + count - point), 1.0) ** (power + 1)
    assert float(on_line(start, count, point, power)) == pytest.approx(slow, rel=1e-9, abs=1e-12 * scale)


@given(st.integers(2, 300), st.data(), powers)
def test_runs_on_a_circle(cells, data, power):
    start = data.draw(st.integers(0, cells - 1))
    count = data.draw(st.integers(0, cells))
    point = data.draw(st.floats(0, cells))
    gap = np.mod(np.abs(start + np.arange(count) + 0.5 - point), cells)
    slow = (np.minimum(gap, cells - gap) ** power).sum()
    fast = float(on_circle(start, count, point, power, cells))
    assert fast == pytest.approx(slow, rel=1e-9, abs=1e-11 * max(cells, 2.0) ** (power + 1))


@given(st.floats(-0.5, 1e6), powers)
def test_one_step_of_the_ladder_is_one_term(step, power):
    term = float(ladder(step + 1, power) - ladder(step, power))
    size = (step + 25) ** (power + 1)  # the sums that cancel
    assert term == pytest.approx((step + 0.5) ** power, rel=1e-9, abs=4e-16 * size)
