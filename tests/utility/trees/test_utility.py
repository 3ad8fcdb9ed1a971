"""Utility of tree models equals the sum over all reports, asked of the model one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier
from threadpoolctl import threadpool_limits

from noisewright.errors import InvalidParameter
from noisewright.utility.core.curve import make_curve
from noisewright.utility.trees.utility import Effort, read_trees, tree_regions, tree_utility
from utility.trees.small_trees import answers_of, enumerated, records_of, table, without_loops

KINDS = ["OGPM", "SWC", "TPM", "TruncatedLaplace", "Exponential"]
CURVES = {
    1: make_curve([*KINDS, "Laplace"], [0.5, 4.0], points=10, lattice=40),
    2: make_curve(KINDS, [0.5, 4.0], points=10, lattice=20),
    3: make_curve(["OGPM", "TruncatedLaplace", "Exponential"], [0.5, 4.0], points=10, lattice=10),
}
MODELS = {
    "tree": DecisionTreeClassifier(random_state=0),
    "random tree": ExtraTreeClassifier(random_state=0),
    "forest": RandomForestClassifier(12, random_state=0),
    "forest that ties": RandomForestClassifier(4, min_samples_leaf=3, random_state=0),
    "extra trees": ExtraTreesClassifier(8, random_state=0),
    "boosting": GradientBoostingClassifier(n_estimators=8, random_state=0),
    "boosting from zero": GradientBoostingClassifier(n_estimators=5, init="zero", random_state=0),
    "histogram boosting": HistGradientBoostingClassifier(max_iter=8, min_samples_leaf=5),
    "bagging": BaggingClassifier(n_estimators=6, max_features=0.6, max_samples=0.1, random_state=0),
    "adaboost": AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=6, random_state=0),
    "scaled forest": make_pipeline(
        StandardScaler(), MinMaxScaler((-3, 7)), RandomForestClassifier(6, random_state=0)
    ),
    "scaled boosting": make_pipeline(
        RobustScaler(), MaxAbsScaler(), HistGradientBoostingClassifier(max_iter=6)
    ),
}


@pytest.fixture(autouse=True)
def _one_thread():
    """Histogram boosting starts a thread a core, which on a busy machine wait for each other."""
    with threadpool_limits(1):
        yield


def check_against_enumeration(model, records, curve, references=None):
    ensemble = read_trees(model)
    references = answers_of(model, records) if references is None else references
    found = tree_utility(ensemble, records, references, curve)
    truth = enumerated(model, records, references, curve)
    assert found.method == ("exact (trees)",) * len(records)
    np.testing.assert_allclose(found.low, truth, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(found.low, found.high)


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", MODELS)
def test_the_utility_is_the_sum_over_all_reports(name, classes, axes):
    values, labels = table(classes)
    model = MODELS[name].fit(values, labels)
    check_against_enumeration(model, records_of(values[:2], axes), CURVES[axes])


def test_a_reference_may_be_any_class():
    values, labels = table(3)
    model = RandomForestClassifier(5, random_state=1).fit(values, labels)
    records = records_of(values[:3], 2)
    check_against_enumeration(model, records, CURVES[2], references=np.array([0, 1, 2]))
    ensemble = read_trees(model)
    shares = [tree_utility(ensemble, records, np.full(3, at), CURVES[2]).low for at in range(3)]
    np.testing.assert_allclose(sum(shares), 1.0, atol=1e-12)


def test_records_at_the_ends_of_their_intervals():
    values, labels = table(2)
    model = RandomForestClassifier(7, random_state=2).fit(values, labels)
    corners = np.array([[0.0, 0.0, 0.5, 0.5, 20], [1.0, 100.0, 0.5, 0.5, 20], [0.0, 100.0, 2.0, 0.1, 0]])
    check_against_enumeration(model, records_of(corners, 2), CURVES[2])


@pytest.mark.parametrize(
    "model", [DecisionTreeClassifier(), HistGradientBoostingClassifier(min_samples_leaf=1)]
)
@pytest.mark.parametrize("wide", [1.0, 100.0])
def test_thresholds_at_centres_of_cells_follow_the_model(model, wide):
    # values at tenths: thresholds are at 0.05, 0.15, …, the centres of the cells of a lattice of ten
    values = np.tile(np.linspace(0, 1, 11), 5)[:, None].repeat(2, axis=1) * [wide, wide]
    labels = (np.arange(55) * 7 % 11 + np.arange(55) // 11) % 2
    records = records_of(values[:11], 2 if wide > 1 else 1)
    if wide > 1:
        records = records_of(values[:11] / [wide, 1], 2)
        values = values / [wide, 1]
    model.fit(values, labels)
    curve = make_curve(["OGPM", "Exponential"], [1.0], points=10, lattice=10)
    check_against_enumeration(model, records, curve)


def test_single_precision_decides_as_the_model_does():
    # 0.3 as a single lies above the double 0.3: the model sends the report 0.3 left of a threshold below it
    centres = (np.arange(10) + 0.5) / 10
    thresholds = np.concatenate([np.nextafter(np.float32(centres), np.float32(side)) for side in (0, 1)])
    for threshold in [*thresholds.astype(float), *np.float32(centres).astype(float), *centres]:
        model = DecisionTreeClassifier(max_depth=1).fit([[0.0, 0.0], [1.0, 0.0]], [0, 1])
        model.tree_.threshold[0] = threshold
        curve = make_curve(["OGPM"], [1.0], lattice=10)
        check_against_enumeration(model, records_of(np.array([[0.2, 0.0], [0.9, 0.0]]), 1), curve)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 6), st.integers(2, 3))
def test_random_small_forests(seed, trees, depth, classes):
    values, labels = table(classes, rows=40, seed=seed)
    model = RandomForestClassifier(trees, max_depth=depth, random_state=seed).fit(values, labels)
    check_against_enumeration(model, records_of(values[:1], 2), CURVES[2])


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("name", ["forest that ties", "boosting", "histogram boosting"])
def test_without_numba_the_twins_answer_the_same(monkeypatch, name, axes):
    pytest.importorskip("numba")
    values, labels = table(3)
    model = MODELS[name].fit(values, labels)
    records = records_of(values[:2], axes)
    arguments = read_trees(model), records, answers_of(model, records)
    effort = Effort(cells=500, flat_cells=500)  # several blocks
    fast = tree_utility(*arguments, CURVES[axes], effort=effort)
    fast_boxes = list(tree_regions(*arguments, effort))
    without_loops(monkeypatch)
    plain = tree_utility(*arguments, CURVES[axes], effort=effort)
    np.testing.assert_allclose(fast.low, plain.low, rtol=0, atol=1e-14)
    for fast_pair, plain_pair in zip(fast_boxes, tree_regions(*arguments, effort), strict=True):
        for one, other in zip(fast_pair, plain_pair, strict=True):
            np.testing.assert_array_equal(one.low, other.low)
            np.testing.assert_array_equal(one.high, other.high)


@pytest.mark.parametrize("axes", [2, 3])
def test_cutting_space_into_blocks_changes_nothing(axes):
    values, labels = table(3)
    model = RandomForestClassifier(12, random_state=3).fit(values, labels)
    records = records_of(values[:3], axes)
    arguments = read_trees(model), records, answers_of(model, records), CURVES[axes]
    whole = tree_utility(*arguments, effort=Effort(cells=1 << 24))
    pieces = tree_utility(*arguments, effort=Effort(cells=64, flat_cells=64))
    np.testing.assert_allclose(whole.low, pieces.low, atol=1e-12)
    np.testing.assert_array_equal(pieces.low, pieces.high)


def test_too_few_boxes_widen_the_interval_and_keep_the_truth():
    values, labels = table(2)
    model = RandomForestClassifier(12, random_state=3).fit(values, labels)
    records = records_of(values[:3], 3)
    arguments = read_trees(model), records, answers_of(model, records), CURVES[3]
    truth = tree_utility(*arguments).low
    gaps = []
    for boxes in (1, 30, 1000):
        rough = tree_utility(*arguments, effort=Effort(boxes=boxes, cells=8))
        assert (rough.low <= truth + 1e-12).all()
        assert (rough.high >= truth - 1e-12).all()
        np.testing.assert_allclose(rough.estimate, (rough.low + rough.high) / 2)
        gaps.append((rough.high - rough.low).max())
    assert gaps[0] > gaps[1] > gaps[2]


def test_sums_in_an_unknown_order_stay_undecided_and_keep_the_truth():
    values, labels = table(2)
    forest = RandomForestClassifier(4, min_samples_leaf=3, random_state=0).fit(values, labels)
    records = records_of(values[:40], 2)
    references = answers_of(forest, records)
    exact = tree_utility(read_trees(forest), records, references, CURVES[2])
    unsure = tree_utility(read_trees(forest.set_params(n_jobs=2)), records, references, CURVES[2])
    assert (unsure.low <= exact.low + 1e-12).all()
    assert (unsure.high >= exact.high - 1e-12).all()
    assert (unsure.high - unsure.low).max() > 1e-3  # this forest does tie


def test_regions_are_disjoint_and_weigh_what_the_certificate_says():
    values, labels = table(3)
    model = GradientBoostingClassifier(n_estimators=6, random_state=1).fit(values, labels)
    records = records_of(values[:4], 2)
    ensemble, references = read_trees(model), answers_of(model, records)
    found = tree_utility(ensemble, records, references, CURVES[2])
    points = np.random.default_rng(5).uniform(-0.2, 1.2, (2000, 2))
    for record, (stable, undecided) in enumerate(tree_regions(ensemble, records, references)):
        assert len(undecided) == 0
        holds = ((points[:, None] > stable.low) & (points[:, None] <= stable.high)).all(axis=-1).sum(axis=1)
        same = model.predict(records.with_values(record, points)) == model.classes_[references[record]]
        np.testing.assert_array_equal(holds, same)
        np.testing.assert_allclose(
            stable.masses(CURVES[2], records.units()[record]), found.low[record], atol=1e-12
        )


def test_progress_counts_records_and_the_wrong_number_of_features_is_refused():
    values, labels = table(2)
    model = DecisionTreeClassifier(max_depth=3).fit(values, labels)
    records, told = records_of(values[:3], 1), []
    tree_utility(
        read_trees(model), records, answers_of(model, records), CURVES[1], lambda *at: told.append(at)
    )
    assert told == [(1, 3), (2, 3), (3, 3)]
    with pytest.raises(InvalidParameter, match="fitted on 5 features"):
        tree_utility(read_trees(model), records_of(values[:3, :4], 1), np.zeros(3, dtype=int), CURVES[1])
