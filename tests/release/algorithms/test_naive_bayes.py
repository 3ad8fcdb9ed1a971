"""Naive Bayes: scikit-learn's answers, and valid shares and variances whatever the noise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import GaussianNB

from noisewright.errors import InvalidParameter
from noisewright.release.algorithms.naive_bayes import NaiveBayes
from noisewright.statistics.simplex import norm_sub

GENERATOR = np.random.default_rng(8)
CODES = np.repeat([0, 1, 2], [10, 20, 30])
ROWS = GENERATOR.normal(size=(60, 2)) * (1 + CODES[:, None]) + CODES[:, None] * [2.0, -1.0]
LABELS = np.array(["x", "y", "z"])[CODES]
BAYES = NaiveBayes()
FACTS = BAYES.facts(ROWS, LABELS)


def test_without_noise_it_is_scikit_learns_own() -> None:
    model = BAYES.model(BAYES.fit(ROWS, LABELS, 0, FACTS), FACTS)
    own = GaussianNB().fit(ROWS, LABELS)
    np.testing.assert_allclose(model.predict_joint_log_proba(ROWS), own.predict_joint_log_proba(ROWS))
    assert (model.predict(ROWS) == own.predict(ROWS)).all()


def test_a_missing_class_keeps_the_length_and_is_not_the_answer() -> None:
    kept = LABELS != "y"
    vector = BAYES.fit(ROWS[kept], LABELS[kept], 0, FACTS)
    assert len(vector) == len(BAYES.coordinates(FACTS)) == 15
    middle = vector.reshape(3, 5)[1]
    np.testing.assert_allclose(middle, [0, *ROWS.mean(axis=0), *np.log(ROWS.var(axis=0))], rtol=1e-6)
    assert (BAYES.model(vector, FACTS).predict(ROWS[kept]) != "y").all()


@pytest.mark.parametrize("noise", [0.3, 30.0, 3000.0])
def test_noised_vectors_still_make_valid_models(noise: float) -> None:
    vectors = BAYES.fit(ROWS, LABELS, 0, FACTS) + noise * GENERATOR.normal(size=(20, 15))
    models = [BAYES.model(vector, FACTS) for vector in vectors]
    assert all((model.class_prior_ > 0).all() and (model.var_ > 0).all() for model in models)
    np.testing.assert_allclose([model.class_prior_.sum() for model in models], 1)
    each = [model.score(ROWS, LABELS) for model in models]
    np.testing.assert_allclose(BAYES.utility(vectors, ROWS, LABELS, FACTS), each)


def test_confidence_is_the_joint_density() -> None:
    vector = BAYES.fit(ROWS, LABELS, 0, FACTS)
    joint = BAYES.model(vector, FACTS).predict_joint_log_proba(ROWS)
    sure = BAYES.confidence(vector[None], ROWS, LABELS, FACTS)
    np.testing.assert_allclose(sure, [joint[np.arange(60), CODES]])
    total = BAYES.confidence(vector[None], ROWS, None, FACTS)
    np.testing.assert_allclose(total, [np.log(np.exp(joint).sum(axis=1))])


def test_columns_that_do_not_vary_are_no_obstacle() -> None:
    rows = np.column_stack([ROWS[:, 0], np.full(60, 5.0)])
    for pool in (rows, np.ones((60, 2))):
        facts = BAYES.facts(pool, LABELS)
        assert np.isfinite(BAYES.fit(pool, LABELS, 0, facts)).all()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-3, 3), min_size=2, max_size=6))
def test_positive_shares_is_the_nearest_point(shares: list[float]) -> None:
    least = 0.01
    found = norm_sub(np.array([shares]), least)[0]
    assert found.min() >= least - 1e-12
    assert found.sum() == pytest.approx(1)
    # At the nearest point the way back is no shorter towards any corner of the admissible set.
    corners = least + (1 - least * len(shares)) * np.eye(len(shares))
    assert (((np.array(shares) - found) * (corners - found)).sum(axis=1) <= 1e-9).all()


def test_smoothing_is_checked() -> None:
    with pytest.raises(InvalidParameter, match="smoothing must lie between"):
        NaiveBayes(smoothing=0)
