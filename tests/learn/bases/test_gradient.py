"""Conjugate gradients: from the difference of means in one step to Fisher's direction in as many as columns."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cross_decomposition import PLSRegression
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from learn.bases.samples import noisy_samples
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import ConjugateGradient

GENERATOR = np.random.default_rng(0)
GRAM = [[2.0, 0.6, 0.0, 0.1], [0.6, 1.0, 0.2, 0.0], [0.0, 0.2, 0.5, 0.1], [0.1, 0.0, 0.1, 3.0]]


def correlation(left, right):
    return left @ right / np.linalg.norm(left) / np.linalg.norm(right)


def direction(units, signs, steps, gram):
    """The direction among functions with these inner products: gradients in coordinates that have them."""
    root = np.eye(4) if gram is None else np.linalg.cholesky(gram)
    return root @ ConjugateGradient(steps=steps).fit(units @ root, signs, GENERATOR).weights


def means(units, signs):
    return units[signs < 0].mean(axis=0), units[signs > 0].mean(axis=0)


@pytest.mark.parametrize("gram", [None, GRAM])
def test_one_step_is_the_difference_of_the_class_means(gram):
    units, signs = (stack[0] for stack in noisy_samples(1))
    below, above = means(units, signs)
    found = direction(units, signs, 1, gram)
    functional = np.eye(4) if gram is None else np.array(gram)
    assert correlation(found, functional @ (above - below)) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("gram", [None, GRAM])
@pytest.mark.parametrize("steps", [4, 9])
def test_as_many_steps_as_columns_are_linear_discriminant_analysis(gram, steps):
    for units, signs in zip(*noisy_samples(2), strict=True):
        found = direction(units, signs, steps, gram)
        oracle = LinearDiscriminantAnalysis(solver="lsqr", priors=[0.5, 0.5]).fit(units, signs)
        # The pooled covariance weighs the classes by their counts, scikit-learn's by the priors: build ours.
        below, above = means(units, signs)
        centred = np.where(signs[:, None] > 0, units - above, units - below)
        fisher = np.linalg.solve(centred.T @ centred, above - below)
        assert correlation(found, fisher) == pytest.approx(1, abs=1e-10)
        assert correlation(found, oracle.coef_[0]) > 0.99


def test_two_steps_are_partial_least_squares_with_two_components():
    generator = np.random.default_rng(3)
    signs = np.repeat([-1, 1], 30)
    units = generator.normal(size=(60, 5)) * [1, 2, 3, 4, 5] + 0.7 * signs[:, None]
    rule = ConjugateGradient(steps=2).fit(units, signs, GENERATOR)
    # For equally frequent classes, total and pooled covariance span the same spaces of search directions.
    oracle = PLSRegression(n_components=2, scale=False).fit(units, signs)
    assert correlation(rule.weights, oracle.coef_[0]) == pytest.approx(1, abs=1e-9)


def test_the_midpoint_of_the_class_means_scores_zero():
    units, signs = (stack[0] for stack in noisy_samples(4))
    rule = ConjugateGradient().fit(units, signs, GENERATOR)
    assert rule.scores(np.mean(means(units, signs), axis=0)[None])[0] == pytest.approx(0, abs=1e-12)


def test_a_direction_in_which_the_classes_do_not_spread_is_the_answer():
    units = np.array([[0.0, 0.3], [0.0, -1.0], [1.0, 2.0], [1.0, 0.1]])
    rule = ConjugateGradient(steps=2).fit(units, [-1, -1, 1, 1], GENERATOR)
    assert abs(rule.weights[1]) < 1e-9 * abs(rule.weights[0])


def test_no_steps_are_refused():
    with pytest.raises(InvalidParameter, match="steps"):
        ConjugateGradient(steps=0)
