"""Reading tree models: the same answers as the library, and nothing for what is not known."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    BaggingClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, Normalizer, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from noisewright.utility.core.curve import make_curve
from noisewright.utility.trees.ensemble import Columns
from noisewright.utility.trees.scores import STABLE, UNDECIDED, UNSTABLE, Scores
from noisewright.utility.trees.utility import read_trees, tree_utility
from utility.trees.small_trees import records_of, table
from utility.trees.test_utility import MODELS


@pytest.fixture(autouse=True)
def _one_thread():
    """Histogram boosting starts a thread a core, which on a busy machine wait for each other."""
    with threadpool_limits(1):
        yield


class Contrary(RandomForestClassifier):
    """A forest that answers otherwise."""

    def predict(self, rows):
        return super().predict(rows)[::-1]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", MODELS)
def test_answers_are_those_of_the_library(name, classes):
    values, labels = table(classes)
    model = MODELS[name].fit(values, labels)
    rows = np.random.default_rng(1).uniform(-2, 100, (500, 5)) * [0.02, 1, 0.04, 0.02, 0.5]
    ensemble = read_trees(model)
    assert ensemble.classes == tuple(model.classes_)
    np.testing.assert_array_equal(model.classes_[ensemble.answers(rows)], model.predict(rows))


def test_what_is_no_plain_sum_of_trees_is_not_read():
    values, labels = table(2)
    numbers = (labels == "a").astype(float)
    passing = make_pipeline(None, "passthrough", DecisionTreeClassifier())
    assert read_trees(passing.fit(values, labels)) is not None
    for model in (
        Contrary(3).fit(values, labels),
        RandomForestRegressor(3).fit(values, numbers),
        RandomForestClassifier(3).fit(values, np.stack([labels, labels], axis=1)),
        DecisionTreeClassifier().fit(values, np.stack([labels, labels], axis=1)),
        BaggingClassifier(LogisticRegression(), n_estimators=2).fit(values / 100, labels),
        GradientBoostingClassifier(n_estimators=2, init=DecisionTreeClassifier()).fit(values, labels),
        HistGradientBoostingClassifier(max_iter=2, categorical_features=[3]).fit(np.round(values), labels),
        make_pipeline(MinMaxScaler(clip=True), DecisionTreeClassifier()).fit(values, labels),
        make_pipeline(Normalizer(), DecisionTreeClassifier()).fit(values, labels),
        make_pipeline(StandardScaler(), LogisticRegression()).fit(values, labels),
        DummyClassifier().fit(values, labels),
        RandomForestClassifier(),  # not fitted
        len,
    ):
        assert read_trees(model) is None, model


@pytest.mark.parametrize("single", [False, True])
def test_the_reach_of_a_threshold_is_the_last_double_that_goes_left(single):
    rng = np.random.default_rng(4)
    scaler = StandardScaler().fit(rng.normal(50, 20, (30, 1)))
    columns = Columns((("subtract", scaler.mean_), ("divide", scaler.scale_)), single)
    thresholds = rng.normal(0, 2, 200)
    reach = columns.reach(thresholds, 0)

    def seen(reports):
        values = scaler.transform(reports[:, None])[:, 0]
        return values.astype(np.float32) if single else values

    assert (seen(reach) <= thresholds).all()
    assert (seen(np.nextafter(reach, np.inf)) > thresholds).all()


def test_a_threshold_that_nothing_reaches():
    reach = Columns(single=False).reach(np.array([-np.inf, np.inf]), 0)
    assert reach[0] == -np.inf
    assert reach[1] > 1e300


def test_exact_ties_are_ties_and_near_ties_with_rounded_leaves_are_undecided():
    values, labels = table(2)
    scores = Scores.of(read_trees(RandomForestClassifier(4, random_state=0).fit(values, labels)))
    one = 1 << scores.bits
    totals = np.array(
        [[0], [one], [-one], [1], [one + 1], [3 * scores.near * one + 2], [-3 * scores.near * one]]
    )
    expected = [STABLE, STABLE, UNSTABLE, UNDECIDED, UNDECIDED, STABLE, UNSTABLE]
    assert scores.verdict(totals, np.array([True])).tolist() == expected
    assert scores.verdict(totals[:1], np.array([False])).tolist() == [UNSTABLE]


def test_sums_of_scores_are_exact_integers():
    values, labels = table(3)
    ensemble = read_trees(GradientBoostingClassifier(n_estimators=6, random_state=0).fit(values, labels))
    scores = Scores.of(ensemble)
    leaves = np.flatnonzero(ensemble.feature < 0).astype(np.int32)
    packed = scores.margins(leaves, 1)
    assert (packed & ((1 << scores.bits) - 1) == scores.rounded[leaves][:, None]).all()
    lead = ensemble.scores[leaves, 1][:, None] - ensemble.scores[np.ix_(leaves, scores.rivals(1))]
    largest = np.abs(lead).max()
    scale = 2.0 ** np.round(np.log2((packed >> scores.bits).max() / largest))
    assert np.abs((packed >> scores.bits) - lead * scale).max() <= 1
    assert largest * scale > 2**40  # fine enough to tell sums apart


@pytest.mark.parametrize(
    ("model", "winner"),
    [
        (GradientBoostingClassifier(n_estimators=2, init="zero"), 1),
        (HistGradientBoostingClassifier(max_iter=2), 0),
        (RandomForestClassifier(2, bootstrap=False), 0),
    ],
)
def test_a_tie_goes_to_the_class_that_the_library_prefers(model, winner):
    values, labels = np.zeros((40, 5)), np.arange(40) % 2
    ensemble = read_trees(model.fit(values, labels))
    assert model.predict(values[:1]) == ensemble.answers(values[:1]) == winner
    found = tree_utility(
        ensemble, records_of(values[:2], 2), np.array([0, 1]), make_curve(["OGPM"], [1.0], lattice=16)
    )
    np.testing.assert_allclose(found.low.ravel(), np.arange(2) == winner, atol=1e-12)
    np.testing.assert_array_equal(found.low, found.high)


def test_two_sums_that_the_average_rounds_together_are_a_tie():
    sums = 1.5 + np.arange(64) * 2.0**-52
    first = sums[:-1][sums[:-1] / 3 == sums[1:] / 3][0]
    model = RandomForestClassifier(3, bootstrap=False).fit(np.zeros((4, 5)), [0, 1, 0, 1])
    for tree, pair in zip(model.estimators_, [(first, np.nextafter(first, 2)), (0, 0), (0, 0)], strict=True):
        tree.tree_.value[0, 0] = pair
    ensemble, row = read_trees(model), np.zeros((1, 5))
    assert model.predict(row) == ensemble.answers(row) == 0
    found = tree_utility(ensemble, records_of(row, 1), np.array([0]), make_curve(["OGPM"], [1.0], lattice=16))
    assert found.low.item() == pytest.approx(1.0)
