"""The account: exact sums, refusals that leave no trace."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.errors import BudgetSpent, InvalidParameter
from noisewright.release.composition import Account, Entry
from noisewright.release.composition.account import MOST_RELEASES

amounts = st.floats(1e-5, 0.5)


@settings(max_examples=60, deadline=None)
@given(total=st.floats(0.01, 5), asked=st.lists(amounts, max_size=12))
def test_no_sequence_of_charges_exceeds_the_total(total, asked):
    account, taken = Account(total), Fraction(0)
    for nats in asked:
        fits = taken + Fraction(nats) <= Fraction(total)
        try:
            account = account.charge(Entry("mean", nats))
            assert fits
            taken += Fraction(nats)
        except BudgetSpent:
            assert not fits
    assert account.left <= Fraction(total) - taken
    assert taken <= account.spent
    assert Account.from_dict(account.to_dict()) == account


def test_ten_tenths_are_more_than_one():
    account = Account(1.0)
    for _ in range(9):
        account = account.charge(Entry("mean", 0.1))
    with pytest.raises(BudgetSpent, match=r"has 0\.09999999999999995 nats left of 1\.0"):
        account.charge(Entry("mean", 0.1))
    assert account.charge(Entry("mean", account.left)).left == 0


def test_charges_together_are_all_or_none():
    account = Account(1.0)
    with pytest.raises(BudgetSpent, match=r"mean and K-Means asks for 1\.25; nothing was spent"):
        account.charge(Entry("mean", 0.75), Entry("K-Means", 0.5))
    assert account == Account(1.0)


def test_a_secret_takes_only_so_many_releases():
    full = Account(1.0, (Entry("mean", 2.0**-16),) * MOST_RELEASES)
    with pytest.raises(BudgetSpent, match="takes 1024 releases"):
        full.charge(Entry("mean", 2.0**-16))


@pytest.mark.parametrize(
    ("title", "nats"), [("", 0.5), ("x" * 201, 0.5), (3, 0.5), ("mean", 0), ("mean", "1"), ("mean", True)]
)
def test_an_entry_has_a_title_and_a_price(title, nats):
    with pytest.raises(InvalidParameter):
        Entry(title, nats)
