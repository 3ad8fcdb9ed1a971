"""What a budget means: the published table, exact tails, and roundings to the safe side."""

import math
from decimal import Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.errors import InvalidParameter
from noisewright.release.basics import budgets
from noisewright.release.basics.budgets import (
    equivalent_epsilon,
    generalized_prior,
    information_for,
    posterior_success,
)

DIGITS = Context(prec=60)
BUDGETS = [2.0**power for power in range(-6, 3)]
HALF = [58.8158, 62.4345, 67.4910, 74.4641, 83.7894, 95.1812, 100, 100, 100]
HUNDREDTH = [3.2133, 4.3649, 6.1994, 9.1714, 14.0574, 22.1779, 35.7291, 58.1031, 92.5823]


def percent_up(chance: float) -> float:
    """Percent with four decimals, rounded up."""
    return math.ceil(Fraction(chance) * 1_000_000) / 10_000


@pytest.mark.parametrize(("prior", "published"), [(0.5, HALF), (0.01, HUNDREDTH)])
def test_table_1_to_four_decimals_rounded_up(prior: float, published: list[float]) -> None:
    assert [percent_up(posterior_success(nats, prior)) for nats in BUDGETS] == published


def test_everything_may_be_told_from_ln_2_on_and_not_before() -> None:
    assert posterior_success(math.log(2)) == 1.0
    assert posterior_success(math.log(2) - 1e-9) < 1.0


def divergence(success: float, prior: float) -> Decimal:
    """KL between two coins, with sixty digits."""
    p, q, one = Decimal(success), Decimal(prior), Decimal(1)
    right = DIGITS.multiply(p, DIGITS.ln(DIGITS.divide(p, q)))
    wrong = DIGITS.multiply(one - p, DIGITS.ln(DIGITS.divide(one - p, one - q)))
    return DIGITS.add(right, wrong)


@given(nats=st.floats(1e-4, 0.6), prior=st.floats(0.001, 0.5))
def test_success_is_rounded_up_and_no_further_than_rounding(nats: float, prior: float) -> None:
    success = posterior_success(nats, prior)
    assert success == 1.0 or divergence(success, prior) >= Decimal(nats)
    lower = success - 1e-9
    assert lower <= prior or divergence(lower, prior) < Decimal(nats)


@given(success=st.floats(0.5001, 0.999))
def test_nats_for_a_success_are_rounded_down(success: float) -> None:
    nats = information_for(success)
    assert Decimal(nats) <= divergence(success, 0.5)
    assert posterior_success(nats) == pytest.approx(success, abs=1e-6)


def test_generalized_membership_is_a_hypergeometric_tail() -> None:
    assert f"{100 * generalized_prior(100, 32):.4f}" == "0.4492"
    assert f"{generalized_prior(100, 35):.4g}" == "6.034e-05"
    assert f"{100 * posterior_success(1, generalized_prior(100, 35)):.3f}" == "14.565"
    # six records, halves of three: overlaps 0, 1, 2, 3 have 1, 9, 9, 1 of 20 ways
    assert [generalized_prior(6, k) for k in range(4)] == pytest.approx([1.0, 0.95, 0.5, 0.05], rel=1e-15)
    assert all(
        Fraction(generalized_prior(6, k)) >= Fraction(ways, 20) for k, ways in enumerate([20, 19, 10, 1])
    )


@pytest.mark.parametrize(("records", "correct"), [(1999, 520), (2000, 505), (1000, 251)])
def test_large_pools_are_summed_by_logarithms_and_rounded_up(records: int, correct: int, monkeypatch) -> None:
    exact = generalized_prior(records, correct)
    monkeypatch.setattr(budgets, "EXACT", 0)
    assert exact <= generalized_prior(records, correct) <= exact * (1 + 1e-5)


def test_the_printed_sum_of_eq_6_is_not_a_prior() -> None:
    """Σ C(n/2, k)/C(n, n/2) leaves out the other factor: it would call 35 of 50 members a sure thing."""
    printed = 1 - sum(math.comb(50, k) for k in range(35)) / math.comb(100, 50)
    assert printed > 0.999
    assert generalized_prior(100, 35) < 1e-4


def test_the_epsilon_with_the_same_success() -> None:
    assert round(equivalent_epsilon(posterior_success(1 / 64)), 2) == 0.36
    assert round(equivalent_epsilon(posterior_success(1 / 2)), 2) == 2.98
    assert equivalent_epsilon(1.0) == math.inf
    epsilon = equivalent_epsilon(0.7)
    assert 1 / (1 + math.exp(-epsilon)) >= 0.7


@pytest.mark.parametrize(
    "call",
    [
        lambda: information_for(0.5),
        lambda: information_for(1.2),
        lambda: equivalent_epsilon(0),
        lambda: generalized_prior(10, 6),
    ],
)
def test_what_has_no_meaning_is_refused(call) -> None:
    with pytest.raises(InvalidParameter):
        call()
