"""The likelihood that knows the noise: its maximum is the maximum, and its limit the truth."""

import numpy as np
import pytest
from scipy.optimize import minimize

from noisewright.learn.learners.evidence import LabelShares
from noisewright.learn.learners.odds import AxisPrior, FeatureAnswers, _Fit
from noisewright.learn.questions import CellQuestion
from noisewright.learn.rules import Axis
from noisewright.randomness import SeededSource

AXIS = Axis(0, 1, cells=6)


def people(count: int, slope: float, classes: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Units at cell centres, and labels whose log-odds rise by ``slope`` along the axis."""
    generator = np.random.default_rng(seed)
    units = np.zeros((count, 1))
    cells = generator.integers(AXIS.cells, size=count)
    AXIS.fill(units, cells)
    odds = np.exp(slope * units * np.arange(classes))
    return units, (generator.random(count)[:, None] > np.cumsum(odds / odds.sum(1, keepdims=True), 1)).sum(1)


def answered(
    count: int, epsilon: float, slope: float, cuts=((2, 4), (3,)), classes: int = 2
) -> FeatureAnswers:
    units, labels = people(count, slope, classes)
    answers = FeatureAnswers(AXIS, classes)
    for place, some in enumerate(cuts):
        question = CellQuestion(epsilon, AXIS, some, classes)
        part = slice(place, None, len(cuts))
        answers.add(question, question.answers(units[part], labels[part], SeededSource(place)))
    return answers


@pytest.mark.parametrize("classes", [2, 3])
def test_scoring_finds_the_maximum_that_a_general_optimizer_finds(classes):
    fit = _Fit(answered(3000, 1.0, 2.0, classes=classes), np.zeros(classes - 1), 1.0)
    far = minimize(lambda place: -fit._posterior(place)[0], fit._middle, method="BFGS")
    assert np.allclose(fit.law, fit._law(far.x), atol=2e-4)


def test_the_gradient_is_that_of_the_posterior():
    fit = _Fit(answered(500, 1.0, 1.0, classes=3), np.array([0.2, -0.3]), 0.7)
    place = fit._middle + np.random.default_rng(1).normal(0, 0.3, len(fit._middle))
    gradient, _ = fit._slopes(place, fit._law(place))
    step = 1e-6 * np.eye(len(place))
    numeric = [(fit._posterior(place + one)[0] - fit._posterior(place - one)[0]) / 2e-6 for one in step]
    assert np.allclose(gradient, numeric, rtol=1e-4, atol=1e-3)


def test_with_many_answers_the_law_is_the_truth():
    """2 million answers at ε = 3: log-odds within 0.05 of 2·z, six times their standard error."""
    cuts = ((1, 2, 3, 4, 5),)
    law = answered(2_000_000, 3.0, 2.0, cuts).fit(np.zeros(1))
    centres = (2 * np.arange(6) + 1) / 6 - 1
    odds = law.evidence[:, 1] - law.evidence[:, 0]
    assert np.abs(odds - 2 * centres).max() < 0.05
    assert np.abs(law.shares - 1 / 6).max() < 0.005


def test_a_feature_that_says_nothing_is_shrunk_and_one_that_decides_is_not():
    silent, loud = (answered(2000, 2.0, slope).fit(np.zeros(1)).strength() for slope in (0.0, 3.0))
    assert silent < 0.1
    assert loud > 0.7


def test_nobody_answered_leaves_the_prior():
    law = FeatureAnswers(AXIS, 2).fit(np.zeros(1))
    assert law.strength() == 0
    assert np.allclose(law.shares, 1 / 6)


def test_labels_have_no_neighbours():
    smooth, apart = (AxisPrior(Axis(0, 6 if not o else 1, 6, o)).odds_precision(1.0) for o in (True, False))
    away = np.linalg.inv(apart) - np.linalg.inv(apart)[0, 1]
    assert np.allclose(away, np.diag(np.diag(away)))
    assert np.linalg.inv(smooth)[0, 1] > 2 * np.linalg.inv(smooth)[0, 3]


@pytest.mark.parametrize(("default", "expected"), [(0, 0.3), (1, 0.3)])
def test_label_shares_follow_many_answers_whatever_the_default(default, expected):
    labels = (np.random.default_rng(1).random(200_000) < 0.3).astype(int)
    question = CellQuestion(1.0, AXIS, (3,))
    answers = question.answers(np.zeros((200_000, 1)), labels, SeededSource(1))
    assert abs(LabelShares.of([(question, answers)], 2, default).shares[1] - expected) < 0.02


def test_label_shares_lean_to_the_default_where_answers_are_noise():
    """At ε = 0.1 a thousand answers say nothing: the default class is the larger one, whatever they are."""
    question = CellQuestion(0.1, AXIS, (3,))
    for seed in range(20):
        answers = question.answers(np.zeros((1000, 1)), np.ones(1000, dtype=int), SeededSource(seed))
        for default in (0, 1):
            assert LabelShares.of([(question, answers)], 2, default).shares.argmax() == default


def test_label_shares_of_many_classes_sum_to_one():
    shares = LabelShares.of([], 5, default=3).shares
    assert shares.sum() == pytest.approx(1)
    assert shares.argmax() == 3
