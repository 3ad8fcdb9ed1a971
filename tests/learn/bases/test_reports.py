"""Bases that know the noise: their rules are those of the records, whatever the reports look like."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from noisewright.errors import InvalidParameter
from noisewright.learn.bases import NaiveBayes, ReportMoments, find_base
from noisewright.learn.questions import SplitQuestion
from noisewright.published.mrma.baselines import AllData
from noisewright.randomness import SeededSource

NOISY = SplitQuestion(12.0, width=3, mechanism="PM")
PUBLIC = np.random.default_rng(0)


def gaussian(people, correlation=0.0, seed=0):
    """Three columns, the first two correlated within classes, of which the first two tell the label."""
    random = np.random.default_rng(seed)
    labels = (random.random(people) < 0.35).astype(int)
    noise = random.normal(size=(people, 3))
    noise[:, 1] = correlation * noise[:, 0] + np.sqrt(1 - correlation**2) * noise[:, 1]
    units = 0.15 * noise + np.outer(2 * labels - 1, [0.15, 0.05, 0.0]) + [0.1, 0.0, -0.2]
    return np.clip(units, -1, 1), labels


def fitted(base, units, labels, question=NOISY):
    answers = question.answers(units, labels, SeededSource(2))
    return base.bound(question).fit(answers[:, :-1], 2 * answers[:, -1] - 1, PUBLIC)


def test_naive_bayes_tends_to_the_log_odds_of_the_records():
    """200,000 people: weights 13.3, 4.4 and 0 by the formula d/σ², within 8 %; so does the threshold."""
    units, labels = gaussian(200_000)
    rule = fitted(NaiveBayes(), units, labels)
    gap, variance = np.array([0.3, 0.1, 0.0]), 0.15**2
    assert np.allclose(rule.weights, gap / variance, atol=1.1)
    middle = np.array([0.1, 0.0, -0.2])
    assert rule.intercept == pytest.approx(np.log(0.35 / 0.65) - (gap / variance) @ middle, abs=0.25)
    # A base that takes reports for records sees columns as wide as the noise, and its log-odds are too flat.
    answers = NOISY.answers(units, labels, SeededSource(2))
    naive = LinearDiscriminantAnalysis().fit(answers[:, :-1], answers[:, -1])
    assert naive.coef_[0, 0] < 0.5 * gap[0] / variance


def test_fishers_discriminant_knows_correlations_and_naive_bayes_does_not():
    units, labels = gaussian(200_000, correlation=0.8)
    exact = LinearDiscriminantAnalysis().fit(units, labels).coef_[0]
    fisher, naive = (
        fitted(find_base(name), units, labels).normalised().weights for name in ("moments", "bayes")
    )
    assert fisher @ exact / np.linalg.norm(exact) > 0.99
    assert naive @ exact / np.linalg.norm(exact) < 0.9


def test_each_sample_of_a_stack_has_its_own_rule_and_no_intercept_means_none():
    units, labels = gaussian(900)
    answers = NOISY.answers(units, labels, SeededSource(2)).reshape(3, 300, 4)
    signs = 2 * answers[..., -1] - 1
    for kind in (ReportMoments, NaiveBayes):
        base = kind(question=NOISY)
        rules = base.fit_many(answers[..., :-1], signs, PUBLIC)
        alone = base.fit(answers[1, :, :-1], signs[1], PUBLIC)
        assert np.array_equal(rules[1].weights, alone.weights)
        assert rules[0].weights.tolist() != rules[1].weights.tolist()
        through = kind(intercept=False, question=NOISY).fit(answers[1, :, :-1], signs[1], PUBLIC)
        assert through.intercept == 0
        assert np.array_equal(through.weights, alone.weights)


def test_what_the_noise_is_must_be_known_and_right():
    base = find_base("moments", intercept=False)
    assert base.bound(NOISY) == ReportMoments(False, NOISY) == base.bound(NOISY).bound(NOISY)
    with pytest.raises(InvalidParameter, match="another question"):
        base.bound(NOISY).bound(SplitQuestion(11.0, 3, "PM"))
    with pytest.raises(InvalidParameter, match="two classes"):
        base.bound(SplitQuestion(1.0, 3, classes=3))
    with pytest.raises(InvalidParameter, match="needs the split question"):
        base.fit(np.zeros((2, 3)), [1, -1], PUBLIC)
    assert find_base("svm").bound(NOISY) == find_base("svm")


def test_baselines_tell_the_base_what_the_noise_is():
    units, labels = gaussian(3000)
    model = AllData("bayes", epsilon=12.0, mechanism="PM", random_state=1).fit(units, labels)
    assert model.score(units, labels) > 0.8
