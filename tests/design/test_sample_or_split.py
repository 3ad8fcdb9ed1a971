from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import chi2

from noisewright import Interval
from noisewright.design.splits import sample_or_split, unbiased_variance
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import PM, Duchi, Hybrid
from noisewright.randomness import SeededSource

SYMMETRIC = Interval(-1, 1)


@pytest.mark.parametrize(
    ("epsilon", "kept"), [(0.5, 1), (1.0, 1), (2.0, 1), (5.0, 2), (8.0, 3), (10.0, 4), (20.0, 8)]
)
@pytest.mark.parametrize("columns", [10, 16])
def test_the_published_rule_for_pm(epsilon, kept, columns):
    """Wang et al. 2019: about ε/2.5 columns a person; here from the exact laws."""
    assert kept == max(1, int(epsilon / 2.5))
    assert sample_or_split(columns, epsilon, variance=unbiased_variance(SYMMETRIC, PM)).best == kept


def test_a_small_budget_is_better_spent_on_one_column():
    found = sample_or_split(10, 1.0)
    hybrid = Hybrid(SYMMETRIC, 1.0).worst_error("squared")
    tenth = Hybrid(SYMMETRIC, 0.1).worst_error("squared")
    assert found.variances[0] == pytest.approx(10 * hybrid + 9)
    assert found.variances[-1] == pytest.approx(tenth)
    assert found.best == 1
    assert tenth / found.variance == pytest.approx(7.72, abs=0.01)
    assert "report 1 of 10 columns with ε = 1 each" in found.sentence
    assert "7.72 times" in found.sentence


def test_values_that_do_not_spread_need_only_one_column_each():
    assert sample_or_split(8, 12.0, variance=lambda epsilon: 1 / epsilon**2, spread=0.0).best == 1
    assert sample_or_split(8, 12.0, variance=lambda epsilon: 1 / epsilon**2, spread=1.0).best == 8


def test_the_domain_scales_the_variances_and_not_the_choice():
    narrow, wide = sample_or_split(6, 3.0), sample_or_split(6, 3.0, Interval(0, 200))
    assert np.array(wide.variances) == pytest.approx(100**2 * np.array(narrow.variances), rel=1e-6)
    assert wide.best == narrow.best


@pytest.mark.parametrize("kept", [1, 2, 4])
def test_the_variance_is_that_of_a_simulated_collection(kept):
    """400 people, 4 columns, 1,500 collections: a false alarm in 10⁹, and 30 % more or less is noticed.

    Everybody is at an end of the domain, where PM's variance is largest and the values spread the most.
    """
    people, columns, epsilon, rounds = 400, 4, 2.0, 1500
    random = np.random.default_rng(5)
    values = np.repeat([-1.0, 1.0], people // 2)
    reports = PM(SYMMETRIC, epsilon / kept).perturb(np.tile(values, (rounds, 1)), SeededSource(2))
    asked = random.permuted(np.tile(np.arange(people) < people * kept // columns, (rounds, 1)), axis=1)
    means = (reports * asked).sum(axis=1) / asked.sum(axis=1)
    claim = sample_or_split(columns, epsilon, variance=unbiased_variance(SYMMETRIC, PM)).variances[kept - 1]
    ratio = people * np.mean(means**2) / claim
    low, high = chi2.ppf([5e-10, 1 - 5e-10], rounds) / rounds
    assert low < ratio < high
    assert 0.7 < low < high < 1.3


@pytest.mark.parametrize("kind", [PM, Duchi, Hybrid])
def test_the_noise_of_unbiased_mechanisms_is_their_largest_variance(kind):
    values = np.linspace(-1, 1, 401)
    largest = kind(SYMMETRIC, 1.5).law(values).variance().max()
    assert unbiased_variance(SYMMETRIC, kind)(1.5) == pytest.approx(largest, rel=1e-5)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"columns": 0}, "number of columns must be a whole number"),
        ({"columns": 2.5}, "number of columns must be a whole number"),
        ({"epsilon": -1.0}, "epsilon must be"),
        ({"spread": -1.0}, "spread of a column must be at least zero"),
        ({"spread": math.nan}, "spread must be a finite number"),
    ],
)
def test_a_senseless_comparison_is_refused(arguments, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        sample_or_split(**{"columns": 3, "epsilon": 1.0, **arguments})
