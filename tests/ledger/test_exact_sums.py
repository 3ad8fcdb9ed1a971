"""Budgets are summed as the fractions that doubles are: never overspent, never refused too early."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noisewright import ApproximateLDP, PureLDP
from noisewright.errors import BudgetSpent
from noisewright.guarantees.base import round_down, round_up
from noisewright.ledger import Ledger
from noisewright.ledger.cost import Cost, add_up
from noisewright.ledger.terms import Terms

PRICES = st.one_of(
    st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.7, 1.0, 1 / 3, 5e-324, 2.0**-60]), st.floats(0, 2, allow_nan=False)
)
SPENDS = st.lists(
    st.tuples(st.sampled_from(["anna", "bert"]), st.sampled_from("xy"), PRICES), min_size=1, max_size=12
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([0.3, 1.0, 2.0, 0.1 + 0.2]), SPENDS)
def test_a_ledger_agrees_with_exact_arithmetic_spend_by_spend(budget, spends):
    """The model keeps fractions in a list; the ledger must accept and refuse exactly the same."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger.create(Path(folder) / "people.db", budget=budget, columns={"x": budget / 2})
        paid: list[tuple[str, str, Fraction]] = []
        for person, column, price in spends:
            theirs = sum((c for who, _, c in paid if who == person), Fraction(0))
            in_x = sum((c for who, where, c in paid if (who, where) == (person, "x")), Fraction(0))
            fits = theirs + Fraction(price) <= Fraction(budget)
            if column == "x":
                fits = fits and in_x + Fraction(price) <= Fraction(budget / 2)
            try:
                ledger.spend(person, column, PureLDP(price))
            except BudgetSpent:
                assert not fits
            else:
                assert fits
                paid.append((person, column, Fraction(price)))
        for person in ("anna", "bert"):
            total = sum((c for who, _, c in paid if who == person), Fraction(0))
            assert ledger.spent(person) == PureLDP(round_up(total))
            assert 0 <= ledger.remaining(person) <= Fraction(budget) - total


@given(st.lists(st.tuples(PRICES, st.floats(0, 1e-3)), max_size=30))
def test_the_sum_does_not_depend_on_the_order(prices):
    rows = [("x", epsilon, delta, 1) for epsilon, delta in prices]
    assert add_up(rows) == add_up(reversed(rows))
    total = add_up(rows).get("x", Cost())
    assert total.epsilon == sum(Fraction(epsilon) for epsilon, _ in prices)
    assert total.delta == sum(Fraction(delta) for _, delta in prices)


@given(st.lists(st.tuples(PRICES, st.floats(0, 1e-3)), min_size=1, max_size=8))
def test_the_ledger_never_promises_more_than_composition_does(prices):
    """Σδ bounds 1 − Π(1 − δ) from above, and the sum of ε is the one that guarantees compose to."""
    parts = [ApproximateLDP(epsilon, delta) for epsilon, delta in prices]
    composed = parts[0].compose(*parts[1:])
    charged = sum(map(Cost.of, parts), Cost()).guarantee()
    assert charged.epsilon == composed.epsilon
    assert getattr(charged, "delta", 0.0) >= composed.delta


@given(st.fractions(min_value=-3, max_value=3))
def test_rounding_down_is_next_to_the_number_and_never_above(exact):
    down = round_down(exact)
    assert down <= exact <= round_up(exact)
    assert round_up(exact) - down <= 1e-15 * max(1, abs(exact))


@given(PRICES, st.integers(0, 40))
def test_what_is_left_can_be_spent_and_one_step_more_cannot(price, times):
    terms = Terms(1.0)
    spent = {"x": Cost.exact(price) * times}
    left = terms.left(spent)
    if left < 0:
        return
    terms.check("anna", spent, "x", Cost(left))
    more = Cost(left + Fraction(1, 2**1074))
    try:
        terms.check("anna", spent, "x", more)
    except BudgetSpent:
        return
    raise AssertionError("more than what is left was accepted")
