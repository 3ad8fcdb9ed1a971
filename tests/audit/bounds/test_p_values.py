"""Two p-values as one test: the stairs are missed as often as is stated, also by an independent count."""

import math
from itertools import pairwise

import numpy as np
import pytest

from noisewright.audit.bounds.event_bounds import aimed_stairs, miss_probability

SHAPES = [0.0, 1e-3, 0.3, 0.5, 0.8, 1.0]


@pytest.mark.parametrize("failure", [0.5, 0.1, 1e-3, 1e-9, 1e-200])
@pytest.mark.parametrize("lean", SHAPES)
def test_uniform_p_values_miss_the_stairs_exactly_as_often_as_stated(failure, lean):
    falling, rising = aimed_stairs(failure, lean)
    assert (np.diff(falling) <= 0).all()
    assert (np.diff(rising) >= 0).all()
    assert miss_probability((falling, rising)) == pytest.approx(failure, rel=1e-9)


@pytest.mark.parametrize("lean", SHAPES)
def test_the_sum_over_steps_is_what_draws_show(lean):
    """A million pairs; a difference of five standard errors comes up once in a million such tests."""
    falling, rising = aimed_stairs(0.1, lean)
    u, v = np.random.default_rng(3).random((2, 10**6))
    inside = np.zeros(u.size, dtype=bool)
    for first, second in zip(falling[1:], rising[:-1], strict=True):
        inside |= (u >= first) & (v >= second)
    assert abs(np.mean(~inside) - 0.1) < 5 * math.sqrt(0.09 / u.size)


@pytest.mark.parametrize("lean", SHAPES)
def test_what_is_believed_at_a_failure_is_believed_at_any_smaller_one(lean):
    """Nested, so that the smallest failure at which a claim is refuted is itself a p-value."""
    failures = np.geomspace(0.5, 1e-12, 40)
    for failure, smaller in pairwise(failures):
        falling, rising = aimed_stairs(failure, lean)
        lower, left = aimed_stairs(smaller, lean)
        # the box around each corner of the larger failure lies within some box of the smaller one
        for first, second in zip(falling[1:], rising[:-1], strict=True):
            assert ((lower[1:] <= first * (1 + 1e-9)) & (left[:-1] <= second * (1 + 1e-9))).any()
