"""Regions of stable answers: exact for trees, and a sound lower bound of the utility for any model."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from noisewright.errors import InvalidParameter
from noisewright.utility import make_curve, predict_utility, stable_region

DICE = np.random.default_rng(4)
ROWS = DICE.random((200, 3))
LABELS = (ROWS[:, 0] + ROWS[:, 1] > 0.9).astype(int)
SENSITIVE = {0: (0, 1), 1: (0, 1)}
NAMES = ["OGPM", "SWC", "TruncatedLaplace"]


@pytest.fixture(scope="module")
def forest():
    return RandomForestClassifier(10, min_samples_leaf=5, random_state=0).fit(ROWS, LABELS)


def test_the_boxes_of_a_forest_are_its_utility(forest):
    region = stable_region(forest, ROWS, 7, sensitive=SENSITIVE)
    exact = predict_utility(forest, ROWS, sensitive=SENSITIVE, epsilons=[1, 4], mechanisms=NAMES, records=[7])
    assert region.masses(make_curve(NAMES, [1, 4])) == pytest.approx(exact.record(7).low, abs=1e-9)
    assert (region.failing_upper == 0).all()
    assert region.confidence == 1.0


def test_inside_the_boxes_the_answer_stays_and_outside_it_does_not(forest):
    region = stable_region(forest, ROWS, 7, sensitive=SENSITIVE)
    units = DICE.random((2000, 2))
    inside = (
        ((units[:, None] > region.boxes.low) & (units[:, None] <= region.boxes.high)).all(axis=2).any(axis=1)
    )
    rows = region.records.with_values(0, units)
    assert (inside == (forest.predict(rows) == forest.predict(ROWS[6:7]))).all()
    assert 0.1 < inside.mean() < 0.9


def test_any_model_gets_boxes_that_promise_no_more_than_is_true(forest):
    asked = stable_region(forest.predict, ROWS, 7, sensitive=SENSITIVE, queries=20_000, seed=1)
    exact = predict_utility(forest, ROWS, sensitive=SENSITIVE, epsilons=[1, 4], mechanisms=NAMES, records=[7])
    low = asked.masses(make_curve(NAMES, [1, 4]))
    assert (low <= exact.record(7).high + 1e-9).all()
    assert low[0, 0] > 0.3  # and it says something
    assert (asked.failing_upper > 0).all()


def test_limits_are_in_the_units_of_the_features(forest):
    wide = {"a": (-1, 3), "b": (0, 1)}
    region = stable_region(forest, ROWS, 7, sensitive=wide, features=["a", "b", "c"])
    ends = np.array([list(limits.values()) for limits in region.limits()])
    assert ends[:, 0].min() >= -1
    assert ends[:, 0].max() <= 3
    assert {tuple(limits) for limits in region.limits()} == {("a", "b")}


def test_a_region_can_be_drawn_for_two_features_at_most(forest):
    axes = stable_region(forest, ROWS, 7, sensitive=SENSITIVE).plot()
    assert len(axes.patches) > 1
    assert axes.get_xlabel() == "x0"
    assert len(stable_region(forest, ROWS, 7, sensitive={0: (0, 1)}).plot().patches) >= 1
    with pytest.raises(InvalidParameter, match="only one or two"):
        stable_region(forest, ROWS, 7, sensitive={0: (0, 1), 1: (0, 1), 2: (0, 1)}).plot()


def test_records_are_counted_from_one(forest):
    for record in (0, 201):
        with pytest.raises(InvalidParameter, match="record"):
            stable_region(forest, ROWS, record, sensitive=SENSITIVE)
