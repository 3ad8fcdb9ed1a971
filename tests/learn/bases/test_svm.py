"""The support vector machine is libsvm's, solved more exactly; without intercept it is liblinear's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVC, LinearSVC

from learn.bases.samples import noisy_samples, vectors
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import SupportVector

GENERATOR = np.random.default_rng(0)


def objective(units, signs, row, cost=1.0):
    margins = signs * (units @ row[:-1] + row[-1])
    return 0.5 * row[:-1] @ row[:-1] + cost * np.maximum(0, 1 - margins).sum()


@pytest.mark.parametrize("cost", [1.0, 0.05])
@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_hyperplanes_are_those_of_libsvm_or_better(noise, cost):
    units, signs = noisy_samples(1, noise=noise)
    rows = vectors(SupportVector(cost=cost).fit_many(units, signs, GENERATOR))
    for row, x, y in zip(rows, units, signs, strict=True):
        oracle = SVC(kernel="linear", C=cost, tol=1e-5).fit(x, y)
        theirs = np.array([*oracle.coef_[0], oracle.intercept_[0]])
        np.testing.assert_allclose(row[:-1], theirs[:-1], atol=1e-3)
        # Where no client stands on the margin, intercepts differ within a flat stretch of the objective.
        assert row[-1] == pytest.approx(theirs[-1], abs=0.02)
        assert objective(x, y, row, cost) <= objective(x, y, theirs, cost) * (1 + 1e-9)


def test_without_intercept_they_are_those_of_liblinear_or_better():
    units, signs = noisy_samples(2)
    rows = vectors(SupportVector(intercept=False).fit_many(units, signs, GENERATOR))
    for row, x, y in zip(rows, units, signs, strict=True):
        oracle = LinearSVC(C=1.0, loss="hinge", fit_intercept=False, tol=1e-6, max_iter=200_000).fit(x, y)
        np.testing.assert_allclose(row[:-1], oracle.coef_[0], atol=1e-3)
        assert objective(x, y, row) <= objective(x, y, np.array([*oracle.coef_[0], 0.0])) * (1 + 1e-9)


@pytest.mark.parametrize("noise", [0.3, 3.0, 30.0, 3000.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_no_step_away_lowers_the_objective(noise, intercept):
    units, signs = noisy_samples(3, noise=noise)
    rows = vectors(SupportVector(intercept).fit_many(units, signs, GENERATOR))
    steps = np.random.default_rng(4).normal(size=(200, 5)) * [1, 1, 1, 1, float(intercept)]
    for row, x, y in zip(rows, units, signs, strict=True):
        best = objective(x, y, row)
        for size in (1e-3, 1e-1):
            away = row + size * steps * np.abs(row).max()
            assert best <= min(objective(x, y, other) for other in away) + 1e-9 * best


def test_the_widest_street_between_two_clients():
    rule = SupportVector(cost=100.0).fit([[0.0, 1.0], [4.0, 1.0]], [-1, 1], GENERATOR)
    np.testing.assert_allclose([*rule.weights, rule.intercept], [0.5, 0.0, -1.0], atol=1e-7)


def test_many_clients_at_one_spot_are_no_trouble():
    units = np.repeat([[[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]], 20, axis=1)
    signs = np.where(np.arange(60) % 3, 1, -1)[None]
    row = vectors(SupportVector().fit_many(units, signs, GENERATOR))[0]
    oracle = SVC(kernel="linear", tol=1e-8).fit(units[0], signs[0])
    expected = objective(units[0], signs[0], np.array([*oracle.coef_[0], oracle.intercept_[0]]))
    assert objective(units[0], signs[0], row) <= expected * (1 + 1e-7)


@pytest.mark.parametrize("cost", [0, -1.0, np.nan, "1"])
def test_a_cost_without_meaning_is_refused(cost):
    with pytest.raises(InvalidParameter, match="cost"):
        SupportVector(cost=cost)
