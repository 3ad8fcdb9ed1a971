"""Ridge regression: scikit-learn's line, and its error."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge as RidgeRegression

from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.release.algorithms.linear_models import Ridge

GENERATOR = np.random.default_rng(5)
ROWS = GENERATOR.normal(size=(40, 3))
TARGETS = ROWS @ [1.0, -2.0, 0.5] + 3 + GENERATOR.normal(size=40)


def test_without_noise_it_is_scikit_learns_own() -> None:
    ridge = Ridge(alpha=2.5)
    facts = ridge.facts(ROWS, TARGETS)
    model = ridge.model(ridge.fit(ROWS, TARGETS, 0, facts), facts)
    own = RidgeRegression(alpha=2.5).fit(ROWS, TARGETS)
    np.testing.assert_array_equal(model.predict(ROWS), own.predict(ROWS))
    assert len(ridge.coordinates(facts)) == 4


def test_utility_and_confidence_are_those_of_the_models() -> None:
    ridge = Ridge()
    facts = ridge.facts(ROWS, TARGETS)
    vectors = ridge.fit(ROWS, TARGETS, 0, facts) + GENERATOR.normal(size=(6, 4))
    residuals = np.array([ridge.model(vector, facts).predict(ROWS) - TARGETS for vector in vectors])
    np.testing.assert_allclose(
        ridge.utility(vectors, ROWS, TARGETS, facts), -np.sqrt((residuals**2).mean(axis=1))
    )
    np.testing.assert_allclose(ridge.confidence(vectors, ROWS, TARGETS, facts), -np.abs(residuals))
    assert ridge.utility(vectors, ROWS, None, facts) is None
    assert ridge.confidence(vectors, ROWS, None, facts) is None


def test_labels_must_be_numbers_and_are_not_quoted() -> None:
    with pytest.raises(OutOfDomain, match="one finite number per row") as refusal:
        Ridge().facts(ROWS, np.array(["secret"] * len(ROWS)))
    assert "secret" not in str(refusal.value)
    with pytest.raises(OutOfDomain):
        Ridge().facts(ROWS, np.full(len(ROWS), np.nan))
    with pytest.raises(InvalidParameter, match="pass them as y"):
        Ridge().facts(ROWS, None)
    with pytest.raises(InvalidParameter, match="alpha must be above 0"):
        Ridge(alpha=0)
