"""Distance weighted discrimination is the minimiser of its objective, as a general optimiser finds it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from learn.bases.samples import noisy_samples, vectors
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import DistanceWeighted
from noisewright.learn.bases.newton import DistanceWeightedLoss

GENERATOR = np.random.default_rng(0)


def objective(row, units, signs, penalty):
    """Wang & Zou (2018), q = 1, with the penalty in units of the sample's own size; written from scratch."""
    scale = np.sum((units - units.mean(axis=0)) ** 2) / len(units)
    margins = signs * (units @ row[:-1] + row[-1])
    losses = [1 - margin if margin <= 0.5 else 1 / (4 * margin) for margin in margins]
    return np.mean(losses) + penalty * scale * (row[:-1] @ row[:-1])


@pytest.mark.parametrize("penalty", [0.001, 0.01, 0.1])
@pytest.mark.parametrize("intercept", [True, False])
def test_no_general_optimiser_does_better(penalty, intercept):
    units, signs = noisy_samples(1, samples=3, columns=3)
    rows = vectors(DistanceWeighted(intercept, penalty=penalty).fit_many(units, signs, GENERATOR))
    for row, x, y in zip(rows, units, signs, strict=True):
        freely = lambda c, x=x, y=y: objective(c * [1, 1, 1, intercept], x, y, penalty)  # noqa: E731
        oracle = minimize(freely, np.zeros(4), method="BFGS", options={"gtol": 1e-9})
        assert objective(row, x, y, penalty) <= oracle.fun + 1e-10
        np.testing.assert_allclose(row, oracle.x * [1, 1, 1, intercept], atol=2e-3 * np.abs(row).max())


def test_stretching_all_units_keeps_the_hyperplane():
    units, signs = noisy_samples(2)
    rows = vectors(DistanceWeighted().fit_many(units, signs, GENERATOR))
    stretched = vectors(DistanceWeighted().fit_many(500 * units, signs, GENERATOR))
    np.testing.assert_allclose(stretched * [500, 500, 500, 500, 1], rows, rtol=1e-4, atol=1e-6)


def test_the_loss_and_its_derivatives_fit_together():
    margins = np.array([-2.0, 0.1, 0.49, 0.51, 0.9, 4.0])
    loss, step = DistanceWeightedLoss(), 1e-6
    slopes = (loss.value(margins + step) - loss.value(margins - step)) / (2 * step)
    np.testing.assert_allclose(loss.slope(margins), slopes, rtol=1e-6)
    bends = (loss.slope(margins + step) - loss.slope(margins - step)) / (2 * step)
    np.testing.assert_allclose(loss.curvature(margins)[3:], bends[3:], rtol=1e-5)


@pytest.mark.parametrize("penalty", [0, -0.1, np.inf, True])
def test_a_penalty_without_meaning_is_refused(penalty):
    with pytest.raises(InvalidParameter, match="penalty"):
        DistanceWeighted(penalty=penalty)
