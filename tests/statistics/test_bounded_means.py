"""Limits hold on laws that hide their large values, are not vacuous, and the check would notice a bad one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from noisewright.errors import InvalidParameter
from noisewright.statistics.bounded_means import LIMITS, bernstein_limit, betting_limit, limit_named

Floats = NDArray[np.float64]
ALARM = 1e-9
RUNS, DRAWS = 400, 100
LAWS: dict[str, tuple[Callable[[np.random.Generator, tuple[int, int]], Floats], float]] = {
    "rare": (lambda random, size: (random.random(size) < 0.01).astype(float), 0.01),
    "coin": (lambda random, size: random.integers(2, size=size).astype(float), 0.5),
    "beta": (lambda random, size: random.beta(0.1, 1.9, size), 0.05),
}


def misses(limit: Callable[[Floats, float], Floats], law: str, failure: float) -> int:
    """In how many runs the limit is below the mean."""
    draw, mean = LAWS[law]
    return int((limit(draw(np.random.default_rng(11), (DRAWS, RUNS)), failure) < mean).sum())


def textbook(values: Floats, failure: float) -> Floats:
    """What holds for many draws of a tame law only: two standard errors."""
    return values.mean(axis=0) + 2 * values.std(axis=0) / np.sqrt(len(values))


@pytest.mark.parametrize("failure", [0.1, 0.01])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_fails_no_more_often_than_it_says(name: str, law: str, failure: float) -> None:
    allowed = binom.isf(ALARM, RUNS, failure)
    assert misses(LIMITS[name], law, failure) <= allowed


def test_the_same_check_finds_a_limit_that_trusts_the_sample() -> None:
    for failure in (0.1, 0.01):
        assert misses(textbook, "rare", failure) > binom.isf(ALARM, RUNS, failure)


def test_limits_are_close_for_many_draws() -> None:
    random = np.random.default_rng(5)
    shares = np.minimum((random.normal(size=(4000, 2)) / 4) ** 2, 1)  # squares of normal values, cut at 4 σ
    truth = 1 / 16
    assert (betting_limit(shares, 1e-7) < 1.25 * truth).all()
    assert (bernstein_limit(shares, 1e-7) < 1.5 * truth).all()


@pytest.mark.parametrize("failure", [0.05, 1e-7])
@pytest.mark.parametrize("scale", [1e-6, 0.01, 0.1])
def test_betting_is_never_wider_where_values_are_small(scale: float, failure: float) -> None:
    values = scale * np.random.default_rng(6).random((500, 4))
    assert (betting_limit(values, failure) < bernstein_limit(values, failure)).all()


def test_a_limit_is_above_the_sample_and_within_the_range() -> None:
    for limit in LIMITS.values():
        for value in (0.0, 1e-9, 0.5, 1.0):
            found = limit(np.full((3, 1), value), 1e-6)
            assert value < found <= 1 or value == found == 1


def test_one_rare_hit_at_the_level_of_an_exact_limit() -> None:
    """No limit for zeros can be below 1 − failure^(1/n): with that chance of a one, zeros are still likely."""
    exact = 1 - 1e-6 ** (1 / 1000)
    found = float(betting_limit(np.zeros((1000, 1)), 1e-6)[0])
    assert exact <= found <= 1.2 * exact


@pytest.mark.parametrize(
    ("values", "failure", "word"),
    [
        (np.zeros((3, 1)), 0.0, "failure"),
        (np.zeros((3, 1)), float("nan"), "failure"),
        (np.zeros((1, 1)), 0.1, "two rows"),
        (np.zeros(3), 0.1, "two rows"),
        (np.full((3, 1), 1.1), 0.1, "range"),
        (np.full((3, 1), np.nan), 0.1, "range"),
    ],
)
def test_refusals(values: Floats, failure: float, word: str) -> None:
    for limit in LIMITS.values():
        with pytest.raises(InvalidParameter, match=word):
            limit(values, failure)


def test_an_unknown_limit_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="betting, bernstein"):
        limit_named("hoeffding")
