"""The published accuracy, with its logarithm the right way up."""

from __future__ import annotations

import math

import pytest

from noisewright.errors import InvalidParameter
from noisewright.published.eureka import asymptotic_reach, cones_bound, risk_reach


def test_corollary_2_with_the_logarithm_of_four_over_beta() -> None:
    cones = (1 + 2 / math.sqrt(2 - math.sqrt(3))) ** 2 - 1
    root = math.sqrt(math.log(4 / 0.1) / 10_000)
    expected = 24 * math.exp(0.5) * cones * root + 2 * math.exp(0.5) * root
    assert asymptotic_reach(0.5, 10_000, 2, failure=0.1) == pytest.approx(expected)
    assert math.log(4 * 0.1) < 0  # as printed, the accuracy is the root of a negative number


@pytest.mark.parametrize(("databases", "rows"), [(1, 5), (3, 40)])
def test_corollary_3_counts_both_directions(databases: int, rows: int) -> None:
    inside = math.log(8 * databases * rows / 0.05)
    expected = (24 * cones_bound(1) + 2) * math.sqrt(inside / 5000)
    assert asymptotic_reach(0.0, 5000, 1, comparisons=2 * databases * rows) == pytest.approx(expected)


def test_an_error_of_a_hundred_thousandth_needs_far_more_than_two_to_the_26_samples() -> None:
    assert risk_reach(0.0, 1 << 26) > 50 * 1e-5
    assert risk_reach(0.0, 10**11) > 1e-5


def test_cones_grow_below_the_printed_power() -> None:
    assert all(cones_bound(dims) < 4.86371**dims for dims in range(1, 60))


@pytest.mark.parametrize("failure", [0.0, 1.0, -1, math.nan])
def test_a_failure_that_is_no_chance_is_refused(failure: float) -> None:
    with pytest.raises(InvalidParameter, match="failure"):
        risk_reach(0.0, 100, failure=failure)
