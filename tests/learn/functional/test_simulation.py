"""The made-up curves of the paper's section 6."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm

from noisewright.errors import InvalidParameter
from noisewright.learn.functional.simulation import (
    ALIKE,
    OPPOSED,
    TERMS,
    UNRELATED,
    cosines,
    server,
    server_groups,
    single_server,
)

ALARM = 1e-9


def test_the_cosines_are_orthonormal():
    points = (np.arange(1000) + 0.5) / 1000
    values = cosines(points)
    assert np.allclose(values.T @ values / 1000, np.eye(TERMS), rtol=0, atol=1e-12)


def test_chances_follow_the_integral_of_curve_and_slope():
    points = (np.arange(1000) + 0.5) / 1000
    sample = single_server().draw(50, np.random.default_rng(1), points)
    scores = 0.1 + (sample.curves * single_server().slope_values(points)).mean(axis=1)
    assert np.allclose(sample.chances, 1 / (1 + np.exp(-scores)), rtol=0, atol=1e-10)


@pytest.mark.parametrize(("intercept", "accepted"), [(0.1, True), (0.5, False)])
def test_labels_follow_the_chances(intercept, accepted):
    """False alarm 1e-9; chances from another intercept are seen at this number of people."""
    people = 40_000
    sample = single_server().draw(people, np.random.default_rng(2))
    claimed = 1 / (1 + np.exp(-(np.log(sample.chances / (1 - sample.chances)) + intercept - 0.1)))
    distance = sample.labels.sum() - claimed.sum()
    bound = norm.isf(ALARM / 2) * np.sqrt((claimed * (1 - claimed)).sum())
    assert (abs(distance) < bound) == accepted


def test_the_best_rule_is_wrong_for_about_one_in_ten():
    sample = single_server().draw(20_000, np.random.default_rng(3))
    assert sample.least_error == pytest.approx(0.0996, abs=0.006)
    wrong = ((sample.chances > 0.5) != sample.labels).sum()
    low, high = binom.ppf([ALARM, 1 - ALARM], len(sample.labels), 0.0996)
    assert low <= wrong <= high


def test_curves_have_the_stated_variance():
    """Var X(t) = Σ j⁻² φⱼ(t)²; the standard error of a variance of 20,000 is below 1 %."""
    sample = single_server().draw(20_000, np.random.default_rng(4), [0.0, 0.3, 1.0])
    expected = (cosines(sample.grid) ** 2 / np.arange(1, TERMS + 1) ** 2).sum(axis=1)
    assert np.allclose(sample.curves.var(axis=0), expected, rtol=0.06)


def test_groups_of_servers():
    groups = server_groups()
    assert [groups.count(group) for group in (OPPOSED, UNRELATED, ALIKE)] == [10, 5, 10]
    shape = single_server().slope / 4
    draw = np.random.default_rng(5)
    assert ((server(OPPOSED, draw).slope / shape >= -8) & (server(OPPOSED, draw).slope / shape <= -2)).all()
    assert ((server(ALIKE, draw).slope / shape >= 2) & (server(ALIKE, draw).slope / shape <= 8)).all()
    with pytest.raises(InvalidParameter, match="group"):
        server(4, draw)


def test_unrelated_slopes_have_the_stated_covariance():
    """The first coefficient is the mean of the process: its variance is ∬ e^(−15|s−t|) = 2(15 − 1 + e⁻¹⁵)/15²."""
    draw = np.random.default_rng(6)
    first = np.array([server(UNRELATED, draw).slope[0] for _ in range(500)])
    assert first.var() == pytest.approx(2 * (15 - 1) / 15**2, rel=0.38)  # six standard errors of 6.3 %
    assert abs(first.mean()) < 6 * first.std() / np.sqrt(500)
