"""Sums of powers over runs of cells against adding them up one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.mechanisms.powersums import ladder, on_circle, on_line


def rounding(furthest: float, power: float) -> float:
    """What doubles lose where two running sums up to the furthest cell cancel."""
    return 4e-15 * (furthest + 13) ** (power + 1)


powers = st.one_of(st.integers(1, 16).map(float), st.floats(0.1, 16.0))


@given(st.integers(-300, 300), st.integers(0, 500), st.floats(-400, 400), powers)
def test_runs_on_a_line(start, count, point, power):
    centres = start + np.arange(count) + 0.5
    slow = (np.abs(centres - point) ** power).sum()
    furthest = max(abs(start - point), abs(start + count - point))
    assert float(on_line(start, count, point, power)) == pytest.approx(
        slow, rel=1e-9, abs=rounding(furthest, power)
    )


@given(st.integers(2, 300), st.data(), powers)
def test_runs_on_a_circle(cells, data, power):
    start = data.draw(st.integers(0, cells - 1))
    count = data.draw(st.integers(0, cells))
    point = data.draw(st.floats(0, cells))
    gap = np.mod(np.abs(start + np.arange(count) + 0.5 - point), cells)
    slow = (np.minimum(gap, cells - gap) ** power).sum()
    fast = float(on_circle(start, count, point, power, cells))
    assert fast == pytest.approx(slow, rel=1e-9, abs=rounding(cells, power))


@given(st.floats(-0.5, 1e6), powers)
def test_one_step_of_the_ladder_is_one_term(step, power):
    term = float(ladder(step + 1, power) - ladder(step, power))
    assert term == pytest.approx((step + 0.5) ** power, rel=1e-9, abs=rounding(step, power))
