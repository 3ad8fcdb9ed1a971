"""Budgets of many people in memory: exact, all or nobody, and silent about who."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from noisewright import ApproximateLDP, PureLDP
from noisewright.errors import BudgetSpent, InvalidParameter
from noisewright.learn.questions.rounds import Account


def places(*these: int) -> np.ndarray:
    return np.array(these, dtype=np.int64)


def test_sums_are_exact_fractions():
    account = Account(1, budget=1.0)
    for _ in range(9):
        account.spend(places(0), PureLDP(0.1))
    assert account.totals() == {9 * Fraction(0.1): 1}
    with pytest.raises(BudgetSpent):  # ten times the double next to 0.1 is a hair more than 1
        account.spend(places(0), PureLDP(0.1))


def test_halves_add_up_to_exactly_the_budget():
    for epsilon in (0.1, 0.3, 1.0, 7.7):
        account = Account(5, budget=epsilon)
        account.spend(np.arange(5), PureLDP(epsilon / 2))
        account.spend(np.arange(5), PureLDP(epsilon / 2))
        assert account.totals() == {Fraction(epsilon): 5}


def test_all_pay_or_nobody():
    account = Account(3, budget=1.0)
    account.spend(places(2), PureLDP(1.0))
    with pytest.raises(BudgetSpent) as refusal:
        account.spend(places(0, 1, 2), PureLDP(0.5))
    assert account.totals() == {Fraction(0): 2, Fraction(1): 1}
    assert "2" not in str(refusal.value)  # not who it was


def test_who_stands_twice_pays_twice():
    account = Account(2, budget=1.0)
    account.spend(places(0, 0, 1), PureLDP(0.5))
    assert account.totals() == {Fraction(1): 1, Fraction(1, 2): 1}
    with pytest.raises(BudgetSpent):
        account.spend(places(1, 1), PureLDP(0.5))


def test_who_can_still_pay():
    account = Account(4, budget=1.0)
    account.spend(places(1), PureLDP(0.5))
    account.spend(places(3), PureLDP(0.75))
    assert account.able(PureLDP(0.5)).tolist() == [0, 1, 2]
    assert account.able(PureLDP(1.0)).tolist() == [0, 2]


@pytest.mark.parametrize("wrong", [places(-1), places(3), np.array([0.5]), np.zeros((1, 1), dtype=int)])
def test_places_that_are_none_are_refused(wrong):
    with pytest.raises(InvalidParameter, match="places"):
        Account(3, budget=1.0).spend(wrong, PureLDP(0.5))


def test_only_pure_guarantees_are_added():
    with pytest.raises(InvalidParameter, match="PureLDP"):
        Account(3, budget=1.0).spend(places(0), ApproximateLDP(0.5, 1e-6))


def test_nobody_pays_nothing():
    account = Account(0, budget=1.0)
    account.spend(np.array([], dtype=np.int64), PureLDP(0.5))
    assert account.totals() == {}
