import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright import Interval
from noisewright.errors import InvalidParameter
from noisewright.io import ColumnPlan, split_evenly
from noisewright.mechanisms import OGPM
from noisewright.text import epsilon_words


@given(st.floats(min_value=1e-300, max_value=32, exclude_min=True), st.integers(1, 60))
def test_the_exact_sum_of_the_shares_never_exceeds_the_budget(epsilon, parts):
    shares = split_evenly(epsilon, parts)
    total = sum(map(Fraction, shares))
    assert len(shares) == parts
    assert total <= Fraction(epsilon)
    assert total > Fraction(epsilon) - (Fraction(math.nextafter(shares[0], math.inf)) - Fraction(shares[0]))
    assert set(shares) <= {shares[0], math.nextafter(shares[0], math.inf)}


def test_no_share_looks_like_more_than_its_part():
    """The last of 200 columns used to get all that rounding left: epsilon 0.10000000000000166."""
    for parts in (20, 100, 200):
        assert {epsilon_words(share) for share in split_evenly(parts / 10, parts)} == {"0.1"}


@pytest.mark.parametrize("epsilon", [0.1, 0.3, 1.0, 2.0, 3.7, 10.0, 32.0])
@pytest.mark.parametrize("columns", [1, 2, 3, 5, 7, 10])
def test_the_row_costs_exactly_the_budget(epsilon, columns):
    shares = split_evenly(epsilon, columns)
    plan = ColumnPlan({f"c{i}": OGPM(Interval(0, 1), share) for i, share in enumerate(shares)})
    assert plan.guarantee.epsilon == epsilon


@pytest.mark.parametrize("epsilon", [0, -1, float("nan"), float("inf"), 65])
def test_a_budget_without_meaning_is_refused(epsilon):
    with pytest.raises(InvalidParameter, match="epsilon must be a number above 0"):
        split_evenly(epsilon, 2)
