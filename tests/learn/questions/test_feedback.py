"""Qin and Bai's theorem 3, by exact enumeration and through the real sampler."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from noisewright.errors import InvalidParameter
from noisewright.learn.questions.feedback import Evaluation, response
from noisewright.randomness import SeededSource

EPSILONS = (0.1, 0.5, 1.0, 5.0)
ACCURACIES = (0.0, 0.03, 0.31, 0.5, 0.77, 1.0)
FALSE_ALARM = 1e-9


def chance_of_right(truth, epsilon, hit=None):
    """ρ: how likely a person reports "right" about a rule of a given accuracy."""
    q = response(epsilon).hit if hit is None else hit
    return q * truth + (1 - q) * (1 - truth)


def exact_variance(truth, people, epsilon):
    rho = chance_of_right(truth, epsilon)
    return rho * (1 - rho) / (people * (2 * response(epsilon).hit - 1) ** 2)


def all_outcomes(people, epsilon):
    counts = np.arange(people + 1)
    return counts, Evaluation.of(counts, np.full(people + 1, people), epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_channel_keeps_its_promise_and_hit_is_its_exact_law(epsilon):
    counts, total = response(epsilon).word_counts(1)
    assert Fraction(counts[1], total) == Fraction(response(epsilon).hit)
    ideal = np.exp(epsilon) / (1 + np.exp(epsilon))
    assert ideal * (1 - 1e-8) < response(epsilon).hit <= ideal * (1 + 1e-15)


@pytest.mark.parametrize("people", [1, 7, 60])
@pytest.mark.parametrize("truth", ACCURACIES)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_unbiased_with_the_exact_variance(epsilon, truth, people):
    counts, found = all_outcomes(people, epsilon)
    law = binom.pmf(counts, people, chance_of_right(truth, epsilon))
    variance = law @ (found.value - truth) ** 2
    assert law @ found.value == pytest.approx(truth, abs=1e-10)
    assert variance == pytest.approx(exact_variance(truth, people, epsilon), rel=1e-9)
    q = response(epsilon).hit
    assert variance <= (1 + 1e-9) / (4 * people * (2 * q - 1) ** 2)  # the theorem's bound


def test_the_bound_of_the_theorem_is_attained_by_a_coin():
    bound = ((np.e + 1) / (np.e - 1)) ** 2 / (4 * 60)
    assert exact_variance(0.5, 60, 1.0) == pytest.approx(bound, rel=1e-7)


@pytest.mark.parametrize("truth", ACCURACIES)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_reported_variance_is_right_on_average_and_never_too_small(epsilon, truth):
    counts, found = all_outcomes(100, epsilon)
    mean = binom.pmf(counts, 100, chance_of_right(truth, epsilon)) @ found.variance
    ratio = mean / exact_variance(truth, 100, epsilon)
    assert ratio > 1 - 1e-9
    if 0.1 < truth < 0.9:  # nearer to the ends the share is held back, and the variance errs upward
        assert ratio < 1.02


def test_through_the_real_sampler():
    """4 million bits at ε = 1: mean at a false alarm of 1e-9; a hit 5 % off passes less than once in 1e9.

    The variance among 200,000 groups has a relative standard error of √(2/200,000) = 0.32 %, so "within 2 %"
    is 6.3 of them: a false alarm of about 3e-10.
    """
    epsilon, truth, people, groups = 1.0, 0.7, 20, 200_000
    bits = np.zeros((groups, people), dtype=np.int64)
    bits[:, : int(truth * people)] = 1  # a population of which exactly 70 % are classified right
    np.random.default_rng(3).permuted(bits.reshape(-1), out=bits.reshape(-1))
    reports = response(epsilon).perturb_cells(bits, SeededSource(11)) == 1

    total, rho = bits.size, chance_of_right(truth, epsilon)
    low, high = binom.ppf([FALSE_ALARM / 2, 1 - FALSE_ALARM / 2], total, rho)
    assert low <= reports.sum() <= high
    for wrong in (0.95, 1.05):
        off = chance_of_right(truth, epsilon, hit=wrong * response(epsilon).hit)
        assert binom.cdf(high, total, off) - binom.cdf(low - 1, total, off) < FALSE_ALARM

    found = Evaluation.of(reports.sum(axis=1), np.full(groups, people), epsilon)
    assert found.value.var() / exact_variance(truth, people, epsilon) == pytest.approx(1, abs=0.02)


def test_a_rule_that_nobody_was_asked_about():
    found = Evaluation.of([0, 5], [0, 10], 1.0)
    assert found.value[0] == 0.5
    assert found.variance[0] == np.inf
    assert np.isfinite(found.variance[1])


def test_answers_that_all_agree_leave_doubt():
    found = Evaluation.of([10, 0], [10, 10], 4.0)
    q = response(4.0).hit
    np.testing.assert_allclose(found.variance, q * (1 - q) / 9 / (2 * q - 1) ** 2)


def test_reversed_is_the_evaluation_of_the_other_answers():
    found = Evaluation.of([30, 70], [100, 90], 1.0)
    other = Evaluation.of([70, 20], [100, 90], 1.0)
    np.testing.assert_allclose(found.reversed().value, other.value, atol=1e-12)
    np.testing.assert_allclose(found.reversed().variance, other.variance, rtol=1e-12)
    some = found.reversed(np.array([True, False]))
    np.testing.assert_allclose(some.value, [other.value[0], found.value[1]])


@pytest.mark.parametrize(
    ("right", "asked"),
    [([3], [2]), ([-1], [2]), ([1, 2], [3]), ([0.5], [1]), ([[1]], [[2]]), ([True], [1]), ([], [])],
)
def test_counts_that_cannot_be_are_refused(right, asked):
    with pytest.raises(InvalidParameter, match="right"):
        Evaluation.of(right, asked, 1.0)
