"""Other languages for the same bounds: never beyond what two coins of the same law give away."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.audit.bounds.event_bounds import EventBounds
from noisewright.audit.bounds.tally import Counts
from noisewright.audit.spectrum.spectrum import (
    TradeOff,
    estimate_epsilon,
    estimate_misses,
    misses_upper,
    renyi_lower,
    zcdp_lower,
)
from noisewright.errors import InvalidParameter

ALARMS = np.linspace(0.0, 1.0, 51)
CHANCES = st.floats(0.01, 0.99)


def one_corner(p, q):
    return np.array([[[p, q]]])


@given(CHANCES, CHANCES)
def test_the_trade_off_of_an_event_is_that_of_its_coin(p, q):
    """For two coins the best test is known: the lines over (q, 1 − p), or blind guessing."""
    found = misses_upper(one_corner(p, q), ALARMS)
    exact = np.interp(ALARMS, [0, q, 1], [1, 1 - p, 0]) if p > q else 1 - ALARMS
    np.testing.assert_allclose(found, exact, atol=1e-12)


def test_the_worst_corner_and_the_best_event_count():
    corners = np.array([[[0.5, 0.1], [0.6, 0.3]], [[0.3, 0.2], [0.3, 0.2]]])
    each = [misses_upper(one_corner(*corner), ALARMS) for corner in corners.reshape(-1, 2)]
    expected = np.minimum(np.maximum(each[0], each[1]), np.maximum(each[2], each[3]))
    np.testing.assert_allclose(misses_upper(corners, ALARMS), expected, atol=1e-12)


@given(CHANCES, CHANCES, st.floats(1.01, 60))
def test_the_renyi_reading_is_the_divergence_of_two_coins(p, q, order):
    exact = math.log(p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)) / (order - 1)
    assert renyi_lower(one_corner(p, q), order) == pytest.approx(exact if p > q else 0.0, rel=1e-6, abs=1e-9)


def test_zcdp_of_randomized_response_is_at_most_half_its_epsilon_squared():
    """Bun and Steinke 2016, prop. 1.4; and at least its divergence of order 2, halved."""
    p = math.e / (1 + math.e)
    found = zcdp_lower(one_corner(p, 1 - p))
    assert renyi_lower(one_corner(p, 1 - p), 2.0) / 2 <= found <= 0.5


def test_a_divergence_has_an_order_above_1():
    for order in (1.0, 0.5, math.nan, "two"):
        with pytest.raises(InvalidParameter, match="order"):
            renyi_lower(one_corner(0.5, 0.1), order)


@pytest.mark.parametrize("delta", [0.0, 0.01])
def test_the_event_that_is_bounded_best_gives_the_estimate(delta):
    """Not the one that looks best: 3 hits against none are luck, 6,000 against 3,000 are not."""
    events = EventBounds.of([3, 6000], 10_000, [0, 3000], 10_000, 0.01)
    expected = math.log((6000.5 / 10_001 - delta) / (3000.5 / 10_001))
    assert estimate_epsilon(events, delta) == pytest.approx(expected)


def test_the_estimate_is_finite_where_the_other_input_never_gave_the_event():
    found = estimate_epsilon(EventBounds.of([500], 1000, [0], 1000, 0.01), 0.0)
    assert found == pytest.approx(math.log(500.5 / 0.5))


def test_the_estimate_is_never_negative():
    events = EventBounds.of([100], 1000, [200], 1000, 0.01)
    assert estimate_epsilon(events, 0.0) == estimate_epsilon(events, 0.5) == 0.0


def test_the_estimated_curve_takes_the_better_direction():
    counts = Counts(np.array([0.0]), np.array([8]), np.array([2]), 10, 10)
    np.testing.assert_allclose(estimate_misses(counts, np.array([0.0, 0.2, 0.6, 1.0])), [1, 0.2, 0.1, 0])


def test_a_trade_off_is_drawn_with_and_without_a_claim():
    curve = TradeOff(ALARMS, 1 - ALARMS, misses_upper(one_corner(0.5, 0.1), ALARMS))
    labels = {line.get_label() for line in curve.plot().lines}
    assert labels == {"estimate", "at most (proven)", "blind guessing"}
