"""Axes and rules that add up tables: what they score, and what of a stranger they refuse."""

import numpy as np
import pytest

from noisewright import Categories, Circle, Interval
from noisewright.errors import InvalidParameter
from noisewright.learn.rules import AdditiveRule, Axis, Rule
from noisewright.learn.rules.additive import axes_of
from noisewright.learn.rules.schema import read_schema

SCHEMA = read_schema([Interval(0, 1), Categories("abc"), Categories("no"), Circle(24)], 4)
AXES = axes_of(SCHEMA, cells=4)


def test_axes_cover_all_columns_of_a_schema():
    assert [(axis.start, axis.stop, axis.cells, axis.ordered) for axis in AXES] == [
        (0, 1, 4, True), (1, 4, 3, False), (4, 5, 2, False), (5, 6, 4, True), (6, 7, 4, True),
    ]  # fmt: skip


def test_a_person_who_stands_for_a_cell_is_in_it():
    for axis in AXES:
        units = np.full((axis.cells, SCHEMA.width), -1.0)
        axis.fill(units, np.arange(axis.cells))
        assert axis.places(units).tolist() == list(range(axis.cells))


def additive(classes: int, seed: int = 0) -> AdditiveRule:
    generator = np.random.default_rng(seed)
    tables = [generator.normal(size=(axis.cells, classes)) for axis in AXES]
    return AdditiveRule(AXES, tables, generator.normal(size=classes))


@pytest.mark.parametrize("classes", [2, 3])
def test_scores_are_sums_of_the_tables(classes):
    rule = additive(classes)
    units = SCHEMA.encode([[0.3, "b", "n", 5.0], [0.9, "c", "o", 20.0]])
    naive = [
        [
            rule.offsets[k]
            + sum(t[axis.places(row[None])[0], k] for axis, t in zip(AXES, rule.tables, strict=True))
            for k in range(classes)
        ]
        for row in units
    ]
    expected = np.array(naive)
    found = rule.scores(units)
    assert np.allclose(found, expected[:, 1] - expected[:, 0] if classes == 2 else expected)
    assert rule.predict(units).tolist() == expected.argmax(axis=1).tolist()


def test_reversal_is_for_two_classes():
    units = SCHEMA.encode([[0.3, "b", "n", 5.0]])
    assert additive(2).reversed().predict(units) == 1 - additive(2).predict(units)
    with pytest.raises(InvalidParameter, match="no reverse"):
        additive(3).reversed()


def test_json_both_ways_to_the_last_digit():
    rule, units = additive(3), SCHEMA.encode([[0.3, "b", "n", 5.0]])
    assert np.array_equal(Rule.from_dict(rule.to_dict()).scores(units), rule.scores(units))


@pytest.mark.parametrize(
    "change",
    [
        {"axes": "x"}, {"axes": [{}] * 5}, {"tables": [[1.0]]}, {"tables": [[1e99] * 8] * 5}, {"offsets": [1.0]},
        {"tables": [["a"] * 8] * 5}, {"offsets": None}, {"more": 1},
    ],
)  # fmt: skip
def test_broken_descriptions_are_refused(change):
    with pytest.raises(InvalidParameter):
        Rule.from_dict({**additive(2).to_dict(), **change})


def test_records_without_the_columns_are_refused():
    with pytest.raises(InvalidParameter, match="unit column"):
        additive(2).predict(np.zeros((1, 2)))


@pytest.mark.parametrize(
    "fields", [(0, 2, 4, True), (0, 1, 1, True), (-1, 0, 4, True), (0, 1, 4, 1), (0, 2, 3, False)]
)
def test_axes_that_are_none_are_refused(fields):
    with pytest.raises(InvalidParameter):
        Axis(*fields)
