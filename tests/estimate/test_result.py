"""A ± stands beside a value only where it says the same as the interval."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright import Circle, Interval
from noisewright.domains import Categories
from noisewright.estimate import Estimate, frequencies, mean, variance
from noisewright.mechanisms import KRR, OGPM, PM, CircularOGPM
from noisewright.randomness import SeededSource


@pytest.mark.parametrize(
    ("numbers", "agrees"),
    [
        ((10.0, 1.0, 8.04, 11.96), True),
        ((10.0, 1.0, 8.1, 12.1), True),  # a score interval, a little to one side
        ((10.0, 1.0, 8.5, 12.5), False),
        ((8.0, 1.0, 8.0, 12.0), False),  # at the edge of its interval
        ((10.0, 1.0, 6.0, 14.0), False),  # twice as wide as the standard error says
        ((-1.0, 1.0, 0.0, 1.0), False),  # an unbiased share below 0
        ((0.0, np.inf, 0.0, 2.0), False),
        ((np.nan, np.nan, 0.0, 1.0), False),
        ((23.9, 0.1, 23.704, 0.096), True),  # an arc across midnight
        ((0.1, 0.1, 23.904, 0.296), True),
        ((23.0, 0.1, 23.904, 0.296), False),
    ],
)
def test_a_standard_error_is_shown_only_if_it_agrees_with_the_interval(numbers, agrees):
    found = Estimate(*numbers, count=100_000)
    assert found.symmetric is agrees
    assert ("±" in str(found)) is agrees
    assert found.to_dict()["symmetric"] is agrees


def test_several_numbers_are_told_apart():
    value = np.array([10.0, 8.0])
    found = Estimate(value, np.ones(2), np.array([8.0, 8.0]), np.array([12.0, 12.0]), count=1000)
    assert found.symmetric.tolist() == [True, False]
    assert found.to_dict()["symmetric"] == [True, False]


def test_few_reports_have_the_reach_of_student():
    assert Estimate(0.0, 1.0, -3.182, 3.182, count=4).symmetric
    assert not Estimate(0.0, 1.0, -1.96, 1.96, count=4).symmetric


def test_normal_intervals_keep_their_standard_error():
    ages = np.random.default_rng(1).uniform(20, 80, 5000)
    unit = PM(Interval(0, 100), 1.0)
    assert mean(unit.perturb(ages, SeededSource(1)), unit).symmetric
    hours = CircularOGPM(Circle(24), 2.0)
    awake = np.random.default_rng(1).normal(0, 1, 5000) % 24
    assert mean(hours.perturb(awake, SeededSource(1)), hours).symmetric
    asked = KRR(Categories(["a", "b"]), 1.0)
    assert frequencies(asked.perturb(["a", "b"] * 2000, SeededSource(1)), asked).symmetric.all()


def test_a_fit_beyond_its_interval_does_not_end_at_its_edge():
    """Both ended there: the mean of people who are all 30, and the variance where half of them say 40."""
    mechanism = OGPM(Interval(0, 100), 0.2)
    alike = mean(mechanism.perturb(np.full(20_000, 30.0), SeededSource(3)), mechanism)
    generator = np.random.default_rng(0)
    heaped = np.where(generator.random(20_000) < 0.47, 40.0, generator.integers(0, 100, 20_000))
    spread = variance(mechanism.perturb(heaped, SeededSource(3)), mechanism)
    for found in (alike, spread):
        room = 0.01 * (found.high - found.low)
        assert found.low + room < found.value < found.high - room
