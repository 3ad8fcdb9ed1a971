"""The transformer: scikit-learn's manners, and nothing learned from people."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.learn.functional import BSplineBasis, FourierBasis, FunctionalFeatures

CURVES = np.random.default_rng(1).normal(size=(40, 31)).cumsum(axis=1) / 5


# The checks bring tables of one to ten columns, so the basis must fit a grid of one point.
@parametrize_with_checks(
    [FunctionalFeatures(FourierBasis(1)), FunctionalFeatures(FourierBasis(1), "max-abs")]
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("rescale", ["tanh", "max-abs"])
def test_a_row_of_features_depends_on_its_own_curve_only(rescale):
    features = FunctionalFeatures(BSplineBasis(4), rescale)
    before = features.fit_transform(CURVES)
    others = CURVES.copy()
    others[np.arange(len(CURVES)) != 7] *= -100
    assert np.array_equal(features.fit_transform(others)[7], before[7])
    assert np.array_equal(features.transform(CURVES[[7]])[0], before[7])
    assert not np.array_equal(features.fit_transform(others)[8], before[8])


def test_a_device_needs_no_fit_and_finds_what_the_server_simulates():
    fitted = FunctionalFeatures(BSplineBasis(4)).fit(CURVES)
    assert np.array_equal(
        FunctionalFeatures(BSplineBasis(4)).transform(CURVES[:1]), fitted.transform(CURVES)[:1]
    )


def test_fitting_learns_the_number_of_points_and_nothing_else():
    features = FunctionalFeatures(BSplineBasis(4)).fit(CURVES)
    assert {name for name in vars(features) if name.endswith("_")} == {"n_features_in_"}


def test_features_are_the_rescaled_coefficients():
    features = FunctionalFeatures(BSplineBasis(5), scale=3.0)
    coefficients = features.projection(31).coefficients(CURVES)
    assert np.allclose(features.transform(CURVES), np.tanh(coefficients / 3), rtol=0, atol=1e-15)
    assert np.allclose(features.rescaling.undo(features.transform(CURVES)), coefficients)


def test_perturbed_curves_are_made_of_the_reports():
    features, grid = FunctionalFeatures(BSplineBasis(4)), np.linspace(0, 1, 7)
    reports = np.array([[3.0, -20.0, 8.0, 1.5]])
    assert np.allclose(features.reconstruct(reports, grid), reports @ BSplineBasis(4).values(grid).T)


def test_the_grid_of_the_measurements_counts():
    grid = np.linspace(0, 1, 31) ** 2
    line = FunctionalFeatures(BSplineBasis(4, degree=1), grid=grid).transform(grid[None])
    assert np.allclose(np.arctanh(line[:, :-1]), [[0, 1 / 3, 2 / 3]], atol=1e-12)


def test_it_clones_pickles_and_works_in_a_pipeline():
    features = FunctionalFeatures(FourierBasis(4), "max-abs", grid=np.linspace(0, 1, 31))
    again = pickle.loads(pickle.dumps(clone(features)))
    assert np.array_equal(again.transform(CURVES), features.transform(CURVES))
    piped = make_pipeline(features, FunctionTransformer()).fit(CURVES)
    assert list(features.get_feature_names_out()) == [f"fourier {place}" for place in (1, 2, 3, 4)]
    assert piped.transform(CURVES).shape == (40, 4)


@pytest.mark.parametrize(
    ("features", "error", "sentence"),
    [
        (FunctionalFeatures(BSplineBasis(40)), InvalidParameter, "40 functions need a grid"),
        (FunctionalFeatures(rescale="log"), InvalidParameter, "rescale must be one of tanh, max-abs"),
        (FunctionalFeatures(grid=np.linspace(0, 1, 30)), BadTable, "rows of 30 values"),
        (FunctionalFeatures(grid=np.linspace(0, 2, 31)), OutOfDomain, "from 0 to 1"),
    ],
)
def test_public_settings_that_do_not_fit_are_refused(features, error, sentence):
    with pytest.raises(error, match=sentence):
        features.fit(CURVES)


def test_gaps_are_refused_by_their_place():
    gaps = CURVES.copy()
    gaps[3, 17] = np.inf
    with pytest.raises(OutOfDomain, match=r"curves\[3, 17\] is missing \(NaN\) or infinite"):
        FunctionalFeatures().transform(gaps)
