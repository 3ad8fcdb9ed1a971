"""Averaging: the published weights by hand, their fallback, and weights that allow for doubt."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from noisewright.errors import InvalidParameter
from noisewright.learn.ensemble.weights import (
    CENTRES,
    SPREAD_CHANCES,
    SPREADS,
    Weights,
    average,
    cutoff_weights,
    shrunken_accuracies,
    shrunken_weights,
)
from noisewright.learn.questions.feedback import Evaluation, response
from noisewright.learn.rules import ConstantRule, LinearRule, MixedRule


def evaluation(values, variances=0.01):
    values = np.array(values, dtype=float)
    return Evaluation(
        values, np.broadcast_to(variances, values.shape).astype(float), np.full(len(values), 50)
    )


# -- cut-off -----------------------------------------------------------------------------------------------


def test_cutoff_weights_by_hand():
    # excesses over 0.7: 0.1, 0, 0.3, 0 → weights 1/4, 0, 3/4, 0  (Qin and Bai 2026, eq. 10)
    weights = cutoff_weights(evaluation([0.8, 0.7, 1.0, 0.4]), 0.7)
    np.testing.assert_allclose(weights.values, [0.25, 0, 0.75, 0])
    assert not weights.fallback


def test_where_nobody_passes_the_cutoff_is_lowered_to_one_half():
    weights = cutoff_weights(evaluation([0.6, 0.5, 0.65, 0.3]), 0.7)
    np.testing.assert_allclose(weights.values, [0.4, 0, 0.6, 0])
    assert weights.fallback


def test_where_nobody_beats_a_coin_the_best_stands_alone():
    weights = cutoff_weights(evaluation([0.3, 0.5, 0.45]), 0.7)
    assert weights.values.tolist() == [0, 1, 0]
    assert weights.fallback
    assert cutoff_weights(evaluation([0.1, 0.3]), 0.4).values.tolist() == [0, 1]  # never raised to ½


def test_weights_sum_to_one_whatever_the_estimates():
    rng = np.random.default_rng(2)
    for size in (1, 2, 50):
        for scale in (1e-9, 0.1, 3.0):
            found = evaluation(0.5 + scale * rng.normal(size=size), rng.uniform(1e-6, 1, size))
            for weights in (cutoff_weights(found, 0.7), shrunken_weights(found)):
                assert np.abs(weights.values).sum() == pytest.approx(1)
            assert (cutoff_weights(found, 0.7).values >= 0).all()


@pytest.mark.parametrize("cutoff", [1.0, -0.1, float("nan"), "0.7", None])
def test_a_cutoff_that_is_no_accuracy_is_refused(cutoff):
    with pytest.raises(InvalidParameter, match="cutoff"):
        cutoff_weights(evaluation([0.6]), cutoff)


# -- shrinkage ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("centred", [False, True])
def test_posterior_means_against_dense_gaussian_algebra(centred):
    rng = np.random.default_rng(4)
    found = evaluation(rng.normal(0.62, 0.15, 6), rng.uniform(0.001, 0.05, 6))
    means, evidence = [], []
    for kappa in CENTRES[:1] if centred else CENTRES:
        for tau, chance in zip(SPREADS, SPREAD_CHANCES, strict=True):
            prior = tau**2 * np.eye(6) + kappa**2
            total = prior + np.diag(found.variance)
            means.append(0.5 + prior @ np.linalg.solve(total, found.value - 0.5))
            evidence.append(chance * multivariate_normal(np.full(6, 0.5), total).pdf(found.value))
    expected = np.average(means, axis=0, weights=evidence)
    np.testing.assert_allclose(shrunken_accuracies(found, centred=centred), expected, rtol=1e-9)


def test_an_uncertain_estimate_is_brought_nearer_to_the_others():
    doubted = shrunken_accuracies(evaluation([0.9, 0.9, 0.6, 0.62, 0.58], [0.001, 0.1, 0.001, 0.001, 0.001]))
    assert 0.6 < doubted[1] < doubted[0] < 0.9


def test_much_evidence_is_believed():
    values = np.array([0.2, 0.55, 0.61, 0.9])
    np.testing.assert_allclose(shrunken_accuracies(evaluation(values, 1e-8)), values, atol=1e-5)


def test_a_rule_that_nobody_was_asked_about_gets_what_the_others_have_in_common():
    doubted = shrunken_accuracies(evaluation([0.5, 0.7, 0.72, 0.74], [np.inf, 1e-3, 1e-3, 1e-3]))
    assert 0.6 < doubted[0] < 0.73
    nothing = shrunken_weights(evaluation([0.5, 0.5], np.inf))
    assert nothing.values.tolist() == [1, 0]
    assert nothing.fallback


def test_swapping_the_classes_swaps_the_signs():
    found = evaluation([0.3, 0.8, 0.55], [0.01, 0.02, 0.03])
    np.testing.assert_allclose(shrunken_weights(found).values, -shrunken_weights(found.reversed()).values)


def test_centred_weights_of_equal_doubt_are_proportional_to_the_lead():
    found = evaluation([0.3, 0.8, 0.55], 0.01)
    lead = found.value - 0.5
    np.testing.assert_allclose(shrunken_weights(found, centred=True).values, lead / np.abs(lead).sum())


def test_doubt_beats_the_cutoff_for_trained_rules_asked_few_people():
    """50 directions, 10 people each, ε = 0.5, two Gaussian classes; accuracies of mixtures are exact.

    In 2,000 other runs the gain was 4.3 points with a standard deviation of 7.5 a run. Over 400 runs 2.25
    points are 6 standard errors: no gain at all passes with probability 1e-9, the true gain fails with 3e-8.
    """
    rng, hit, gains = np.random.default_rng(8), response(0.5).hit, []
    for _ in range(400):
        slopes = rng.normal(size=(50, 8))
        slopes[:, 0] += 1  # trained: on average towards the direction that separates the classes
        slopes /= np.linalg.norm(slopes, axis=1, keepdims=True)
        truth = norm.cdf(slopes[:, 0])
        right = rng.binomial(10, hit * truth + (1 - hit) * (1 - truth))
        found = Evaluation.of(right, np.full(50, 10), 0.5)
        below = found.value < 0.5
        published = cutoff_weights(found.reversed(below), 0.7).values * np.where(below, -1, 1)
        mixtures = (weights @ slopes for weights in (shrunken_weights(found).values, published))
        ours, theirs = (norm.cdf(mixture[0] / np.linalg.norm(mixture)) for mixture in mixtures)
        gains.append(ours - theirs)
    assert np.mean(gains) > 0.0225


# -- mixing ------------------------------------------------------------------------------------------------


def test_average_of_linear_rules_is_the_average_of_their_weights():  # Qin and Bai 2026, eq. 11
    rules = [LinearRule([1.0, 2.0], 1.0), LinearRule([3.0, -2.0], -1.0), LinearRule([9.0, 9.0], 9.0)]
    rule = average(rules, Weights(np.array([0.25, 0.75, 0.0])))
    assert (rule.weights.tolist(), rule.intercept) == ([2.5, -1.0], -0.5)


def test_a_negative_weight_reverses():
    rule = average([LinearRule([1.0]), ConstantRule(1)], Weights(np.array([0.4, -0.6])))
    assert isinstance(rule, MixedRule)
    assert rule.predict(np.array([[1.0], [0.2]])).tolist() == [0, 0]
    assert (rule.weights > 0).all()


def test_one_rule_left_is_that_rule():
    rules = [ConstantRule(1), LinearRule([1.0])]
    assert average(rules, Weights(np.array([0.0, 1.0]))) is rules[1]


def test_weights_must_belong_to_the_rules():
    with pytest.raises(InvalidParameter, match="1 rules need a weight each, got 2"):
        average([ConstantRule(1)], Weights(np.array([0.5, 0.5])))
    with pytest.raises(InvalidParameter, match="other than zero"):
        average([ConstantRule(1)], Weights(np.zeros(1)))
