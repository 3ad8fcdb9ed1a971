"""Which runs are for what: nothing serves twice, and the clock never decides how many runs a bound has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.audit.basics import budget
from noisewright.audit.basics.budget import FEWEST, MEMORY, MOST, Budget
from noisewright.errors import InvalidParameter


@given(st.integers(FEWEST, MOST), st.booleans())
def test_the_parts_add_up_and_leave_most_for_bounds(samples, wide):
    budget = Budget(samples)
    learning = budget.learning(wide=wide)
    choosing = budget.choosing(learning)
    bounding = budget.bounding(2 * (learning + choosing))
    total = learning + choosing + bounding
    assert total == samples // 2
    assert bounding >= 0.69 * total
    assert 0 < max(learning, choosing) <= MEMORY
    assert budget.learning_ends is None


class Clock:
    """A clock that a test turns by hand."""

    now = 100.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    hand = Clock()
    monkeypatch.setattr(budget, "time", hand)
    return hand


def timed(clock, **given):
    return Budget(given.pop("samples", None), start=clock.now, **given)


def test_learning_ends_by_the_clock(clock):
    assert timed(clock, seconds=10.0).learning_ends == pytest.approx(clock.now + 1)


def test_the_number_of_bounding_runs_is_fixed_by_the_pace_before(clock):
    """After 2 of 10 seconds and 4,000 runs, 8 seconds more make 16,000: 8,000 of each input."""
    budget = timed(clock, seconds=10.0)
    clock.now += 2
    assert budget.bounding(drawn=4_000) == 8_000


def test_a_late_start_still_bounds_something(clock):
    budget = timed(clock, seconds=10.0)
    clock.now += 60
    assert budget.bounding(drawn=600) == 15  # 3 seconds at ten runs a second, half of them each
    assert timed(clock, seconds=1e-6).bounding(drawn=1) >= 1


def test_the_smaller_of_both_budgets_counts(clock):
    budget = timed(clock, samples=5_000, seconds=10.0)
    clock.now += 1
    assert budget.bounding(drawn=4_000) == 500
    assert budget.choosing(learned=100) == 51


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"samples": None}, "samples, seconds, or both"),
        ({"samples": FEWEST - 1}, "samples"),
        ({"samples": MOST + 1}, "samples"),
        ({"samples": None, "seconds": 0.0}, "above 0"),
        ({"samples": None, "seconds": float("nan")}, "seconds"),
    ],
)
def test_no_budget_is_refused(given, words):
    with pytest.raises(InvalidParameter, match=words):
        Budget(**given)
