"""Reversal: which rules are turned, what their evaluation becomes, and that it undoes itself."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.learn.ensemble.weights import reverse
from noisewright.learn.questions.feedback import Evaluation
from noisewright.learn.rules import ConstantRule, LinearRule

FOUND = Evaluation(np.array([0.2, 0.5, 0.9, 1.3, -0.1]), np.full(5, 0.01), np.full(5, 40))
RULES = [LinearRule([1.0, float(place)]) for place in range(5)]


def test_rules_below_one_half_are_turned():  # Qin and Bai 2026, eq. 9
    rules, better = reverse(RULES, FOUND)
    assert [rule is old for rule, old in zip(rules, RULES, strict=True)] == [False, True, True, True, False]
    np.testing.assert_allclose(better.value, np.maximum(FOUND.value, 1 - FOUND.value))
    assert better.variance.tolist() == FOUND.variance.tolist()


def test_a_turned_rule_is_right_where_it_was_wrong():
    units = np.random.default_rng(1).uniform(-1, 1, (100, 2))
    labels = 1 - RULES[0].predict(units)
    rules, _ = reverse(RULES, FOUND)
    assert (rules[0].predict(units) == labels).all()


def test_turning_twice_changes_nothing():
    below = FOUND.value < 0.5
    np.testing.assert_allclose(FOUND.reversed(below).reversed(below).value, FOUND.value, atol=1e-15)
    rules, better = reverse(*reverse(RULES, FOUND))
    once, _ = reverse(RULES, FOUND)
    assert [rule.to_dict() for rule in rules] == [rule.to_dict() for rule in once]
    assert (better.value >= 0.5).all()


def test_an_evaluation_of_other_rules_is_refused():
    with pytest.raises(InvalidParameter, match="2 rules need an evaluation of each, got 5"):
        reverse([ConstantRule(0), ConstantRule(1)], FOUND)
