"""The full lattice of a million cells: exact sums against columns added one by one, and against real reports."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import beta

from noisewright.randomness import SeededSource
from noisewright.utility.core.curve import DEFAULT_MECHANISMS, make_curve
from noisewright.utility.core.records import read_records
from noisewright.utility.linear.model import read_linear
from noisewright.utility.linear.utility import linear_utility
from utility.linear.linear_cases import by_columns, exactly, unit_records

FOLDER = os.environ.get("NOISEWRIGHT_DATA")

MODELS = {
    "falling": ([1.0, 0.7], -0.9),
    "rising": ([-0.31, 1.0], -0.2),
    "steep": ([40.0, 1.0], -19.0),
    "level": ([1e-5, -1.0], 0.55),
    "negative": ([-2.0, -3.0], 2.6),
}


@pytest.mark.parametrize("name", MODELS)
def test_two_features_are_summed_over_every_cell(name):
    weights, intercept = MODELS[name]
    curve = make_curve([*DEFAULT_MECHANISMS, "PM"], [0.5, 8.0])
    units = np.array([[0.42, 0.61]])
    found = linear_utility(exactly(weights, intercept), unit_records(units, 2), np.array([1]), curve)
    truth = np.array([by_columns(channel, units[0], weights, intercept) for channel in curve.flat()])
    np.testing.assert_allclose(found.estimate.reshape(-1), truth, atol=2e-10)
    assert (found.high - found.low).max() < 1e-8


@pytest.mark.slow
def test_reports_far_beyond_the_ends():
    """Plain Laplace noise has a lattice of many millions of cells, and no line may overflow on it."""
    curve = make_curve(["Laplace"], [8.0])
    units, (weights, intercept) = np.array([[0.42, 0.61]]), MODELS["falling"]
    found = linear_utility(exactly(weights, intercept), unit_records(units, 2), np.array([1]), curve)
    assert curve.flat()[0].lattice.cells > 1 << 21
    assert found.estimate.item() == pytest.approx(
        by_columns(curve.flat()[0], units[0], weights, intercept), abs=1e-9
    )
    assert (found.high - found.low).max() < 1e-7


def kept_reports(channel, units, weights, intercept, draws, seed):
    """How many of the mechanism's own reports leave the score above 0."""
    source = SeededSource(seed)
    reports = np.stack([channel.mechanism.perturb(np.full(draws, unit), source) for unit in units], axis=1)
    return int((reports @ np.asarray(weights) + intercept > 0).sum())


def clopper_pearson(hits, draws, alpha):
    low = beta.ppf(alpha / 2, hits, draws - hits + 1) if hits else 0.0
    high = beta.ppf(1 - alpha / 2, hits + 1, draws - hits) if hits < draws else 1.0
    return low, high


@pytest.mark.slow
@pytest.mark.parametrize("features", [2, 3, 5])
def test_the_reports_of_the_sampler_agree(features):
    """False alarms: 10⁻⁹ a channel (exact binomial limits). Power: a law that is 10 % off in ε is rejected."""
    draws, alpha = 1_000_000, 1e-9
    weights, intercept = np.array([1.0, -0.6, 0.45, 0.3, -0.8])[:features], -0.12
    units = np.array([[0.62, 0.3, 0.4, 0.7, 0.2]])[:, :features]
    curve, off = (make_curve(DEFAULT_MECHANISMS, [3.0 * factor]) for factor in (1.0, 1.1))
    records, reference = unit_records(units, features), np.array([1])
    found = linear_utility(exactly(weights, intercept), records, reference, curve)
    wrong = linear_utility(exactly(weights, intercept), records, reference, off)
    rejected = 0
    for place, channel in enumerate(curve.flat()):
        hits = kept_reports(channel, units[0], weights, intercept, draws, 100 * features + place)
        low, high = clopper_pearson(hits, draws, alpha)
        assert low <= found.high[0, place, 0]
        assert high >= found.low[0, place, 0]
        rejected += not (low <= wrong.high[0, place, 0] and high >= wrong.low[0, place, 0])
    assert rejected >= 5  # the textbook exponential mechanism hardly moves with ε


@pytest.mark.slow
@pytest.mark.skipif(FOLDER is None, reason="set NOISEWRIGHT_DATA to the folder that holds stroke/")
def test_a_thousand_patients_of_the_stroke_table():
    import pandas as pd
    from sklearn.linear_model import LogisticRegression

    table = pd.read_csv(Path(FOLDER) / "stroke" / "processed_stroke_data.csv")
    rows, labels = table.drop(columns="stroke").to_numpy(float), table["stroke"].to_numpy()
    model = LogisticRegression(class_weight="balanced").fit(rows, labels)
    records = read_records(rows[:1000], {0: (0, 1), 4: (0, 1)}, None)
    curve = make_curve(["OGPM", "TruncatedLaplace", "BinnedKRR"], [1.0, 4.0])
    found = linear_utility(read_linear(model), records, model.predict(rows[:1000]), curve)
    assert (found.high - found.low).max() < 1e-8
    weights, intercept = model.coef_[0], model.intercept_[0]
    for record in (0, 250, 999):
        rest = intercept + rows[record, [1, 2, 3, 5]] @ weights[[1, 2, 3, 5]]
        for place, channel in enumerate(curve.flat()):
            truth = by_columns(channel, rows[record, [0, 4]], weights[[0, 4]], rest)
            truth = truth if model.predict(rows[record : record + 1])[0] == 1 else 1 - truth
            assert found.estimate.reshape(1000, -1)[record, place] == pytest.approx(truth, abs=1e-9)
