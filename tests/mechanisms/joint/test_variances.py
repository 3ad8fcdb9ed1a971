"""Theorem 4 and its kin against full enumeration, and in simulation."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2

from mechanisms.joint.enumeration import report_moments
from noisewright import Categories
from noisewright.mechanisms.joint import GroupLaw, JointRandomizedResponse
from noisewright.mechanisms.joint.group_law import WORDS
from noisewright.mechanisms.joint.variances import SharedNoise
from noisewright.randomness import SeededSource

LAWS = [(2, 4, -0.4), (2, 4, 0.5), (2, 6, -0.4), (3, 6, -0.2), (3, 6, 0.3), (4, 4, -0.1)]


def noise_of(law, labels):
    return SharedNoise.of_response(float(law.truth), float(law.correlation), labels, law.size)


@pytest.mark.parametrize(("size", "users", "correlation"), LAWS)
@pytest.mark.parametrize("labels", [2, 3])
def test_the_variance_of_a_count_is_that_of_full_enumeration(size, users, correlation, labels):
    law = GroupLaw.correlated(size, 0.7, correlation)
    noise = noise_of(law, labels)
    for held in range(0, users + 1, 2 if labels == 3 else 1):
        values = (0,) * held + tuple(1 + place % (labels - 1) for place in range(users - held))
        mean, variance = report_moments(law, values, labels)
        assert float(mean) == pytest.approx(users * noise.miss + held * (noise.hit - noise.miss))
        estimate = float(variance) / (noise.hit - noise.miss) ** 2
        assert float(noise.count_variance(held, users)) == pytest.approx(estimate, rel=1e-9)


@pytest.mark.parametrize("correlation", [-0.4, 0.0, 0.7])
def test_pairs_and_two_labels_are_theorem_4(correlation):
    p, n = 0.7, 1000
    for ones in (0, 80, 500, 1000):
        formula = p * (1 - p) / (2 * p - 1) ** 2 * (n + correlation * ((2 * ones - n) ** 2 - n) / (n - 1))
        noise = SharedNoise.of_response(p, correlation)
        assert float(noise.count_variance(ones, n)) == pytest.approx(formula, rel=1e-12)


@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize(("size", "correlation"), [(2, -0.4), (2, 0.5), (3, -0.2)])
def test_the_variance_of_a_share_adds_that_of_drawing_people(labels, size, correlation):
    """Over all values that the people of one group can have, drawn independently."""
    law, shares = (
        GroupLaw.correlated(size, 0.7, correlation),
        [Fraction(1, 5), Fraction(3, 10), Fraction(1, 2)],
    )
    shares = shares if labels == 3 else [Fraction(1, 5), Fraction(4, 5)]
    mean = square = Fraction(0)
    for values in itertools.product(range(labels), repeat=size):
        chance = Fraction(1)
        for value in values:
            chance *= shares[value]
        expected, variance = report_moments(law, values, labels)
        mean, square = mean + chance * expected, square + chance * (variance + expected**2)
    noise = noise_of(law, labels)
    estimate = float(square - mean**2) / (noise.hit - noise.miss) ** 2 / size**2
    assert float(noise.share_variance(float(shares[0]), size)) == pytest.approx(estimate, rel=1e-9)


def test_the_published_table_for_many_labels_has_another_correlation():
    """Zheng 2026, 4.5 calls ρ the correlation of the truth flags; the table makes it ρ/(k − 1)."""
    k, p, rho = 4, Fraction(7, 10), Fraction(-1, 10)
    q = (1 - p) / (k - 1)
    both = p**2 + rho * p * q
    total = both + 2 * (k - 1) * (p * q - rho * p * q / (k - 1))
    total += (k - 1) ** 2 * (q**2 + rho * p * q / (k - 1) ** 2)
    assert total == 1
    assert (both - p**2) / (p * (1 - p)) == rho / (k - 1)


def simulated_counts(law, ones, users, runs, seed):
    """Estimated counts of many collections, group by group: how many pairs of each kind, and their flags."""
    draw = np.random.default_rng(seed)
    true, first, second, false = (weight / WORDS for weight in law.table)
    firsts = draw.hypergeometric(ones, users - ones, users // 2, runs)
    both = draw.hypergeometric(firsts, users // 2 - firsts, ones - firsts)
    mixed, neither = ones - 2 * both, users // 2 - ones + both
    table = [true, first, second, false]
    said = draw.multinomial(both, table) @ [2, 1, 1, 0]
    said += draw.multinomial(mixed, table) @ [1, 2, 0, 1]  # both true: the one; the other's lie adds another
    said += draw.multinomial(neither, table) @ [0, 1, 1, 2]
    lie = float(law.lie)
    return (said - users * lie) / (1 - 2 * lie)


@pytest.mark.slow
@pytest.mark.parametrize("ones", [762, 3000, 9528])
@pytest.mark.parametrize("correlation", [-0.3, -0.15, 0.4])
def test_theorem_4_holds_within_one_percent_for_ten_thousand_users(ones, correlation):
    """300,000 collections: the variance is known to 0.26 % (one σ), so that 1 % is 3.9 σ."""
    law, users, runs = GroupLaw.correlated(2, 0.73, correlation), 10_000, 300_000
    counts = simulated_counts(law, ones, users, runs, seed=ones)
    formula = float(noise_of(law, 2).count_variance(ones, users))
    assert counts.var(ddof=1) == pytest.approx(formula, rel=0.01)
    assert abs(counts.mean() - ones) < 5 * (formula / runs) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("ones", [100, 900])
def test_the_sampler_has_the_variance_of_theorem_4_and_not_that_of_response_alone(ones):
    """1,500 collections: s²/σ² is χ² over its degrees; level 1e-9, and independent flags are rejected."""
    users, runs = 1000, 1500
    mechanism = JointRandomizedResponse(Categories([0, 1]), 0.5, users=users, correlation=-0.6)
    values, source = [1] * ones + [0] * (users - ones), SeededSource(41)
    found = [mechanism.supports(mechanism.perturb(values, source)) for _ in range(runs)]
    counts = users * mechanism.unbiased(np.array(found), users)[:, 1]
    low, high = chi2.ppf([5e-10, 1 - 5e-10], runs - 1) / (runs - 1)
    assert low < counts.var(ddof=1) / mechanism.count_variance(ones) < high
    alone = JointRandomizedResponse(Categories([0, 1]), 0.5, users=users)
    assert not low < counts.var(ddof=1) / alone.count_variance(ones) < high
    assert abs(counts.mean() - ones) < 6.2 * (mechanism.count_variance(ones) / runs) ** 0.5
