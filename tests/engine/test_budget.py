from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright import Interval
from noisewright.engine import ColumnPlan, split_evenly
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import OGPM


@given(st.floats(min_value=1e-300, max_value=32, exclude_min=True), st.integers(1, 60))
def test_the_exact_sum_of_the_shares_never_exceeds_the_budget(epsilon, parts):
    shares = split_evenly(epsilon, parts)
    total = sum(map(Fraction, shares))
    assert len(shares) == parts
    assert total <= Fraction(epsilon)
    assert max(shares) - min(shares) <= parts * 2**-50 * epsilon


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
