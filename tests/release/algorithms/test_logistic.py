"""Logistic regression: scikit-learn's answer in a form that does not drift."""

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from noisewright.release.algorithms import linear_models
from noisewright.release.algorithms.linear_models import Logistic


def blobs(classes: int, rows: int = 60) -> tuple[np.ndarray, np.ndarray]:
    codes = np.arange(rows) % classes
    spread = np.random.default_rng(0).normal(size=(rows, 2))
    return spread + codes[:, None] * [1.0, -1.0], codes * 10


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_without_noise_it_is_scikit_learns_own(classes: int) -> None:
    rows, labels = blobs(classes)
    logistic = Logistic(C=0.5)
    facts = logistic.facts(rows, labels)
    model = logistic.model(logistic.fit(rows, labels, 0, facts), facts)
    own = LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000).fit(rows, labels)
    fresh = np.random.default_rng(1).normal(size=(100, 2)) * 3
    np.testing.assert_allclose(model.predict_proba(fresh), own.predict_proba(fresh), atol=1e-5)
    assert (model.predict(fresh) == own.predict(fresh)).all()


def test_both_solvers_find_the_same_planes(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, labels = blobs(3)
    logistic = Logistic()
    facts = logistic.facts(rows, labels)
    newton = logistic.fit(rows, labels, 0, facts)
    monkeypatch.setattr(linear_models, "NEWTON_WIDTH", 0)
    np.testing.assert_allclose(logistic.fit(rows, labels, 0, facts), newton, atol=1e-4)
    np.testing.assert_allclose(newton.reshape(3, 3).sum(axis=0), 0, atol=1e-12)


def test_a_missing_class_keeps_the_length_and_is_never_the_answer() -> None:
    rows, labels = blobs(4)
    logistic = Logistic()
    facts = logistic.facts(rows, labels)
    fresh = np.random.default_rng(3).normal(size=(500, 2)) * 10
    for missing in ([10], [10, 20], [0, 10, 20]):
        kept = ~np.isin(labels, missing)
        vector = logistic.fit(rows[kept], labels[kept], 0, facts)
        assert len(vector) == len(logistic.coordinates(facts))
        assert vector.reshape(4, 3)[1].tolist() == [0, 0, -math.log1p(kept.sum())]
        assert not np.isin(logistic.model(vector, facts).predict(fresh), missing).any()


def test_two_of_three_classes_have_the_odds_of_their_own_fit() -> None:
    rows, labels = blobs(3)
    logistic = Logistic()
    facts = logistic.facts(rows, labels)
    kept = labels != 0
    planes = logistic.fit(rows[kept], labels[kept], 0, facts).reshape(3, 3)
    own = LogisticRegression(tol=1e-10, max_iter=1000).fit(rows[kept], labels[kept])
    np.testing.assert_allclose(planes[2] - planes[1], np.append(own.coef_, own.intercept_), atol=1e-5)


@pytest.mark.parametrize("classes", [2, 3])
def test_confidence_is_the_log_odds_of_the_true_class(classes: int) -> None:
    rows, labels = blobs(classes)
    logistic = Logistic()
    facts = logistic.facts(rows, labels)
    vector = logistic.fit(rows, labels, 0, facts)
    chances = logistic.model(vector, facts).predict_proba(rows)
    true = chances[np.arange(len(rows)), labels // 10]
    sure = logistic.confidence(vector[None], rows, labels, facts)
    np.testing.assert_allclose(sure, [np.log(true / (1 - true))], rtol=1e-9)
    np.testing.assert_allclose(
        logistic.confidence(vector[None], rows, None, facts), [np.log(chances.max(axis=1))]
    )


def test_one_class_of_two_is_answered_alone() -> None:
    rows, labels = blobs(2)
    logistic = Logistic()
    facts = logistic.facts(rows, labels)
    for label in (0, 10):
        alone = labels == label
        vector = logistic.fit(rows[alone], labels[alone], 0, facts)
        assert (logistic.model(vector, facts).predict(rows) == label).all()
        assert abs(vector[-1]) == math.log1p(alone.sum())


def test_columns_of_wild_scales_are_solved_without_warnings() -> None:
    rows, labels = blobs(3)
    logistic = Logistic(C=1e6)
    wild = rows * [1e9, 1e-9]  # Newton's matrix is singular in floats, of which scikit-learn warns
    assert np.isfinite(logistic.fit(wild, labels, 0, logistic.facts(wild, labels))).all()
