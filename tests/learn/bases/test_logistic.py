"""Logistic regression is the maximum-likelihood fit of scikit-learn, many samples at a time."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from learn.bases.samples import noisy_samples, vectors
from noisewright.learn.bases import Logistic

GENERATOR = np.random.default_rng(0)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("noise", [0.0, 2.0, 50.0])
def test_coefficients_are_those_of_unpenalised_scikit_learn(intercept, noise):
    units, signs = noisy_samples(1, noise=noise)
    ours = vectors(Logistic(intercept).fit_many(units, signs, GENERATOR))
    size = np.abs(units).mean()  # scikit-learn's solver wants standard units
    for row, x, y in zip(ours, units, signs, strict=True):
        oracle = LogisticRegression(C=np.inf, fit_intercept=intercept, solver="newton-cholesky", tol=1e-10)
        oracle.fit(x / size, y)
        expected = [*oracle.coef_[0] / size, float(np.ravel(oracle.intercept_)[0])]
        np.testing.assert_allclose(row, expected, rtol=1e-4, atol=1e-6 / size)


def test_at_the_optimum_the_residuals_are_orthogonal_to_the_columns():
    units, signs = noisy_samples(2, samples=30, columns=8, noise=18.0)
    for rule, x, y in zip(Logistic().fit_many(units, signs, GENERATOR), units, signs, strict=True):
        residuals = (y > 0) - 1 / (1 + np.exp(-rule.scores(x)))
        assert abs(residuals.sum()) < 1e-7
        assert np.abs(residuals @ x).max() < 1e-6 * np.abs(x).sum(axis=0).max()


def test_a_separable_sample_ends_with_sure_but_finite_probabilities():
    rule = Logistic().fit([[-2.0], [-1.0], [1.0], [2.0]], [-1, -1, 1, 1], GENERATOR)
    nearest = 1 / (1 + np.exp(rule.scores(np.array([[1.0]]))[0]))
    assert 1e-9 < nearest < 1e-4


def test_one_outlier_does_not_throw_the_newton_steps_off():
    units, signs = noisy_samples(3, samples=1, noise=0.1)
    units[0, 0] *= 1e4
    rule = Logistic().fit_many(units, signs, GENERATOR)[0]
    assert np.mean(rule.predict(units[0]) == (signs[0] > 0)) > 0.6
