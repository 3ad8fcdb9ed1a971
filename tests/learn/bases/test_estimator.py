"""Any scikit-learn classifier as a base: cloned, seeded, fitted through joblib, linear where it is linear."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from learn.bases.samples import noisy_samples, vectors
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import EstimatorBase
from noisewright.learn.rules import ConstantRule, LinearRule, ModelRule

UNITS, SIGNS = noisy_samples(1, samples=3)
CODES = (SIGNS > 0).astype(int)


def fitted(estimator, seed=0, **settings):
    return EstimatorBase(estimator, **settings).fit_many(UNITS, SIGNS, np.random.default_rng(seed))


@pytest.mark.parametrize("model", [LogisticRegression(), RidgeClassifier(), SVC(kernel="linear")])
def test_linear_models_become_linear_rules_with_their_decisions(model):
    for rule, x, y in zip(fitted(model), UNITS, CODES, strict=True):
        assert type(rule) is LinearRule
        np.testing.assert_allclose(rule.scores(x), model.fit(x, y).decision_function(x), atol=1e-9)


@pytest.mark.parametrize(
    "model",
    [DecisionTreeClassifier(max_depth=2), GaussianNB(), SVC(), make_pipeline(StandardScaler(), SVC(C=0.5))],
)
def test_other_models_stay_models_with_their_predictions(model):
    for rule, x, y in zip(fitted(model), UNITS, CODES, strict=True):
        assert type(rule) is ModelRule
        np.testing.assert_array_equal(rule.predict(x), model.fit(x, y).predict(x))


def test_the_estimator_handed_in_is_never_fitted():
    model = LogisticRegression()
    fitted(model)
    with pytest.raises(NotFittedError):
        check_is_fitted(model)


def test_seeds_come_from_the_generator_and_differ_between_samples():
    forest = RandomForestClassifier(n_estimators=3)
    one, same, other = (fitted(forest, seed) for seed in (5, 5, 6))
    seeds = [[rule.estimator.random_state for rule in rules] for rules in (one, same, other)]
    assert seeds[0] == seeds[1]
    assert len({*seeds[0], *seeds[2]}) == 6
    for left, right, x in zip(one, same, UNITS, strict=True):
        np.testing.assert_array_equal(left.scores(x), right.scores(x))


@pytest.mark.parametrize(("jobs", "chosen"), [(None, 2), (2, 1)])
def test_a_back_end_and_jobs_chosen_by_the_caller_are_used_and_change_nothing(jobs, chosen, monkeypatch):
    threads = set()
    plain = Perceptron.fit

    def watched(model, units, codes):
        threads.add(threading.current_thread().name)
        return plain(model, units, codes)

    alone = vectors(fitted(Perceptron()))
    monkeypatch.setattr(Perceptron, "fit", watched)
    with parallel_config(backend="threading", n_jobs=chosen):
        np.testing.assert_array_equal(vectors(fitted(Perceptron(), jobs=jobs)), alone)
    assert threading.main_thread().name not in threads


def test_intercepts_are_switched_off_where_they_can_be_and_refused_elsewhere():
    rows = vectors(fitted(LogisticRegression(), intercept=False))
    assert (rows[:, -1] == 0).all()
    with pytest.raises(InvalidParameter, match="DecisionTreeClassifier has no fit_intercept"):
        EstimatorBase(DecisionTreeClassifier(), intercept=False)


def test_one_class_only_becomes_the_constant_rule():
    signs = SIGNS.copy()
    signs[1] = -1
    rules = EstimatorBase(LogisticRegression()).fit_many(UNITS, signs, np.random.default_rng(0))
    assert [type(rule) for rule in rules] == [LinearRule, ConstantRule, LinearRule]
    assert rules[1].code == 0


@pytest.mark.parametrize("model", [LinearRegression(), LogisticRegression, None, 3])
def test_what_is_no_classifier_is_refused(model):
    with pytest.raises(InvalidParameter, match="an instance of a scikit-learn classifier"):
        EstimatorBase(model)
