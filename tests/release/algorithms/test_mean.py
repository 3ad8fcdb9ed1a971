"""The mean of every column."""

import numpy as np

from noisewright.release.algorithms.statistics import Mean

ROWS = np.random.default_rng(6).normal(size=(30, 3))


def test_the_vector_is_the_means_in_any_order_of_rows() -> None:
    facts = Mean().facts(ROWS, None)
    vector = Mean().fit(ROWS, None, 0, facts)
    np.testing.assert_allclose(vector, ROWS.sum(axis=0) / 30)
    np.testing.assert_allclose(Mean().fit(ROWS[::-1], None, 1, facts), vector, atol=1e-12)
    assert Mean().coordinates(facts) == ("mean of x0", "mean of x1", "mean of x2")
    assert Mean().model(vector, facts).names == ("x0", "x1", "x2")


def test_utility_and_confidence_are_distances() -> None:
    facts = Mean().facts(ROWS, None)
    vectors = np.array([ROWS.mean(axis=0), ROWS.mean(axis=0) + np.array([3.0, 4.0, 0.0])])
    np.testing.assert_allclose(Mean().utility(vectors, ROWS, None, facts), [0, -5], atol=1e-12)
    scores = Mean().confidence(np.zeros((2, 3)), ROWS, None, facts)
    np.testing.assert_allclose(scores, [-np.sqrt((ROWS**2).sum(axis=1))] * 2)


def test_the_model_does_not_share_memory_with_the_vector() -> None:
    facts, vector = Mean().facts(ROWS, None), np.zeros(3)
    model = Mean().model(vector, facts)
    vector[0] = 1.0
    assert model.value[0] == 0.0
