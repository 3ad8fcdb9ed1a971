"""The bets: fair under the claim whatever the stake and however x and y hang together, and worth making."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.audit.monitor.capital import MOST, Pairs, Plan, best_stakes, log_growth

OUTCOMES = Pairs(1, *np.eye(4, dtype=np.int64)[:3])  # both, favoured only, other only, neither


def mean_growth(chances: np.ndarray, stake: float, factor: float, delta: float) -> float:
    growth = np.exp(log_growth(OUTCOMES, np.full(4, stake), np.full(4, factor), delta))
    return float(chances @ growth)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.floats(0, 5), st.floats(0, 0.5), st.floats(0, MOST))
def test_a_pair_is_fair_if_the_claim_holds_and_pays_if_not(seed, epsilon, delta, boldness):
    chances = np.random.default_rng(seed).dirichlet([0.3] * 4)  # any joint law of the two outputs
    p, q = chances[0] + chances[1], chances[0] + chances[2]
    factor = np.exp(epsilon)
    expected = mean_growth(chances, boldness / (factor + delta), factor, delta)
    assert (expected <= 1 + 1e-12) == (p <= factor * q + delta or boldness * (p - q * factor - delta) < 1e-9)


@pytest.mark.parametrize(
    ("p", "q", "factor", "delta"), [(0.5, 0.1, 2.0, 0.0), (0.3, 0.0, 3.0, 0.1), (0.02, 0.001, 8.0, 0.001)]
)
def test_no_other_stake_grows_faster(p, q, factor, delta):
    chances = np.array([p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)])
    stakes = np.append(
        best_stakes(np.array([p]), np.array([q]), np.array([factor]), delta),
        np.linspace(0, MOST, 300) / (factor + delta),
    )
    growth = [
        chances @ log_growth(OUTCOMES, np.full(4, stake), np.full(4, factor), delta) for stake in stakes
    ]
    assert growth[0] >= max(growth) - 1e-7
    assert growth[0] > 0


def test_nobody_bets_where_nothing_is_to_be_won():
    assert best_stakes(np.array([0.4]), np.array([0.2]), np.array([2.0]), 0.0) == [0.0]


def test_pairs_are_counted_as_they_are():
    rng = np.random.default_rng(3)
    left, right = rng.integers(0, 5, size=(2, 300)).astype(float)
    plan = Plan(np.array([[0.0, 2.0, 4.0], [1.0, 2.0, 3.0]]), np.zeros((2, 3)))
    pairs = plan.count(left, right)
    for row, (here, there, sign) in enumerate([(left, right, 1), (right, left, -1)]):
        for column, threshold in enumerate(plan.thresholds[row]):
            inside = [side > threshold if sign > 0 else side <= threshold for side in (here, there)]
            assert pairs.both[row, column] == (inside[0] & inside[1]).sum()
            assert pairs.favoured[row, column] == (inside[0] & ~inside[1]).sum()
            assert pairs.other[row, column] == (~inside[0] & inside[1]).sum()


def test_the_plan_finds_the_event_of_the_past():
    rng = np.random.default_rng(4)
    left, right = rng.laplace(1, 1, 4000), rng.laplace(0, 1, 4000)  # the ratio is e above 1, and 1/e below 0
    plan = Plan.from_past(left, right, np.exp([0.5, 3.0]), 0.0)
    assert abs(plan.thresholds[0, 0] - 0.85) < 0.4
    assert abs(plan.thresholds[1, 0] - 0.15) < 0.4
    assert (plan.stakes[:, 0] > 0.02).all()
    assert (plan.stakes[:, 1] < 0.01).all()
