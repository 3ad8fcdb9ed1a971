"""Rules: the same score wherever it is computed, exact reversal, and descriptions that no stranger can abuse."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from noisewright.errors import BadModel, InvalidParameter
from noisewright.learn.rules import (
    ConstantRule,
    LinearRule,
    MixedRule,
    ModelRule,
    ReversedRule,
    Rule,
    mixed,
)
from noisewright.learn.rules.base import (
    LARGEST,
    MOST_DEPTH,
    MOST_NUMBERS,
    MOST_RULES,
    MOST_STEPS,
    RULE_STEPS,
)

RNG = np.random.default_rng(5)
UNITS = RNG.uniform(-1, 1, (500, 7))
ON_THE_LINE = np.array([[0.5, 0.5, 0, 0, 0, 0, 0], [0.0] * 7, [1.0, -1.0, 0, 0, 0, 0, 0]])
SLOPES = RNG.normal(size=(3, 7))
LINEAR = [LinearRule(slopes, 0.1 * place) for place, slopes in enumerate(SLOPES)]
TIED = LinearRule([1, -1, 0, 0, 0, 0, 0])

RULES = {
    "linear": LINEAR[1],
    "tied": TIED,
    "all zero": LinearRule(np.zeros(7)),
    "constant": ConstantRule(1),
    "reversed": ReversedRule(LINEAR[2]),
    "by scores": MixedRule([*LINEAR, ConstantRule(0)], [0.5, -0.25, 1 / 3, 0.1]),
    "by votes": MixedRule(LINEAR[:2], [0.5, 0.5], how="votes"),
    "nested": MixedRule([ReversedRule(MixedRule(LINEAR, [1, 2, 3], how="votes")), TIED], [0.1, 0.7]),
}
every_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)


def test_linear_scores_by_hand():
    rule = LinearRule([2.0, -1.0], 0.5)
    assert rule.scores(np.array([[1.0, 0.5], [-0.5, 1.0]])).tolist() == [2.0, -1.5]
    assert rule.predict(np.array([[1.0, 0.5], [-0.5, 1.0]])).tolist() == [1, 0]


@every_rule
def test_a_score_is_the_same_in_the_crowd_and_alone(rule):
    crowd = rule.scores(UNITS)
    alone = [rule.scores(row[None, :])[0] for row in UNITS]
    assert crowd.tolist() == alone
    assert crowd.tolist() == rule.scores(np.asfortranarray(UNITS)).tolist()


def test_one_person_and_many_are_added_up_in_the_same_order():
    """Weights of all sizes, so that another order, or pairs, would round differently."""
    generator = np.random.default_rng(8)
    units = generator.uniform(-1, 1, (400, 300))
    rule = LinearRule(generator.normal(size=300) * 10.0 ** generator.integers(-20, 20, 300), 1e5)
    crowd = rule.scores(units)
    assert crowd.tolist() == [rule.scores(row[None])[0] for row in units]
    assert crowd.tolist() != (rule.intercept + units @ rule.weights).tolist()


@every_rule
def test_a_device_scores_exactly_as_the_server(rule):
    sent = Rule.from_dict(json.loads(json.dumps(rule.to_dict())))
    assert type(sent) is type(rule)
    assert sent.scores(UNITS).tolist() == rule.scores(UNITS).tolist()
    assert pickle.loads(pickle.dumps(rule)).to_dict() == rule.to_dict()


@every_rule
def test_reversal_changes_every_class_and_undoes_itself(rule):
    units = np.concatenate([UNITS, ON_THE_LINE])
    turned = rule.reversed()
    assert (turned.predict(units) == 1 - rule.predict(units)).all()
    assert turned.reversed().scores(units).tolist() == rule.scores(units).tolist()
    assert (ReversedRule(rule).predict(units) == turned.predict(units)).all()


def test_scores_of_linear_rules_mix_into_one_linear_rule():
    weights = [0.2, -0.5, 0.7]
    together = mixed(LINEAR, weights)
    assert isinstance(together, LinearRule)
    np.testing.assert_allclose(together.scores(UNITS), MixedRule(LINEAR, weights).scores(UNITS), atol=1e-12)
    np.testing.assert_allclose(together.weights, weights @ SLOPES, rtol=1e-12)


def test_votes_and_other_kinds_stay_a_mixture():
    assert isinstance(mixed(LINEAR, [1, 1, 1], how="votes"), MixedRule)
    assert isinstance(mixed([*LINEAR, ConstantRule(1)], [1, 1, 1, 1]), MixedRule)
    votes = sum(2 * rule.predict(UNITS) - 1 for rule in LINEAR)
    assert MixedRule(LINEAR, [1, 1, 1], how="votes").scores(UNITS).tolist() == votes.tolist()


def test_normalised_keeps_every_class():
    unit = LinearRule(1000 * SLOPES[0], 12.0).normalised()
    assert np.linalg.norm(unit.weights) == pytest.approx(1)
    assert (unit.predict(UNITS) == LinearRule(1000 * SLOPES[0], 12.0).predict(UNITS)).all()
    assert LinearRule(np.zeros(3), 1.0).normalised().intercept == 1.0


def test_fields_cannot_be_changed_behind_the_rule():
    weights = np.ones(3)
    rule = LinearRule(weights)
    weights[0] = 7
    assert rule.weights.tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="read-only"):
        rule.weights[0] = 7


@pytest.mark.parametrize("units", [UNITS[:, :6], UNITS[0], np.zeros((0, 3))])
def test_rows_of_the_wrong_width_are_refused(units):
    with pytest.raises(InvalidParameter, match="7 unit columns"):
        LINEAR[0].scores(units)


# -- scikit-learn models ---------------------------------------------------------------------------------

SIGNS = np.where(UNITS[:, 0] + 0.3 * UNITS[:, 1] > 0, 1, -1)


class OnlyPredicts:
    classes_ = np.array(["no", "yes"])

    def predict(self, units):
        return np.where(units[:, 0] > 0, "yes", "no")


def test_a_model_scores_by_decision_function_or_probability_or_prediction():
    logistic = LogisticRegression().fit(UNITS, SIGNS)
    assert ModelRule(logistic).scores(UNITS).tolist() == logistic.decision_function(UNITS).tolist()
    tree = DecisionTreeClassifier(max_depth=2).fit(UNITS, SIGNS)
    assert ModelRule(tree).scores(UNITS).tolist() == (tree.predict_proba(UNITS)[:, 1] - 0.5).tolist()
    assert ModelRule(OnlyPredicts(), ("no", "yes")).predict(UNITS).tolist() == (UNITS[:, 0] > 0).tolist()


@pytest.mark.parametrize("model", [LogisticRegression(), DecisionTreeClassifier(max_depth=2)])
def test_the_order_of_the_classes_decides_which_is_class_one(model):
    model.fit(UNITS, SIGNS)
    assert (ModelRule(model, (1, -1)).predict(UNITS) == (model.predict(UNITS) == -1)).all()


def test_a_model_is_refused_unless_it_knows_both_classes():
    for model in (LogisticRegression(), LogisticRegression().fit(UNITS, SIGNS > 0)):
        with pytest.raises(InvalidParameter, match="two given classes"):
            ModelRule(model, ("no", "yes"))


def test_a_model_that_fails_does_not_quote_the_person():
    class Chatty(OnlyPredicts):
        def predict(self, units):
            raise ValueError(f"cannot do {units}")

    with pytest.raises(BadModel) as refused:
        ModelRule(Chatty(), ("no", "yes")).scores(np.array([[0.123456]]))
    assert "0.123" not in str(refused.value)
    assert refused.value.__suppress_context__


def test_a_model_must_give_one_number_a_row():
    class Short(OnlyPredicts):
        def decision_function(self, units):
            return np.zeros(3)

    with pytest.raises(BadModel, match="one number for each row"):
        ModelRule(Short(), ("no", "yes")).scores(UNITS)


def test_a_model_is_not_sent():
    rule = ModelRule(OnlyPredicts(), ("no", "yes"))
    with pytest.raises(InvalidParameter, match="cannot be described"):
        rule.to_dict()
    with pytest.raises(InvalidParameter, match="cannot be described"):
        rule.reversed().to_dict()


# -- descriptions from strangers -------------------------------------------------------------------------


def linear(**changes):
    return {"rule": "linear", "weights": [1.0], "intercept": 0.0, "ties": 0} | changes


def mixture(rules, weights=None, how="scores"):
    return {"rule": "mixed", "rules": rules, "weights": weights or [1.0] * len(rules), "how": how}


def nested(depth):
    return linear() if depth == 1 else {"rule": "reversed", "of": nested(depth - 1)}


BAD = {
    "no mapping": [1, 2],
    "nothing": {},
    "unknown": {"rule": "pickle", "bytes": ""},
    "unhashable kind": {"rule": ["linear"]},
    "missing key": {"rule": "linear", "weights": [1.0]},
    "extra key": linear(note="hello"),
    "not a number": linear(weights=[float("nan")]),
    "infinite": linear(weights=[float("inf")]),
    "infinite intercept": linear(intercept=float("-inf")),
    "larger than any float": linear(weights=[10**400]),
    "too large": linear(weights=[2 * LARGEST]),
    "text": linear(weights=["1.0"]),
    "booleans": linear(weights=[True]),
    "rows in rows": linear(weights=[[1.0]]),
    "a number for a list": linear(weights=1.0),
    "text for a list": linear(weights="123"),
    "a list for a number": linear(intercept=[1.0]),
    "third class of ties": linear(ties=2),
    "third class": {"rule": "constant", "code": 2},
    "boolean class": {"rule": "constant", "code": True},
    "no rules": mixture([]),
    "a weight too few": mixture([linear(), linear()], [1.0]),
    "unknown mixing": mixture([linear()], how="median"),
    "unhashable mixing": mixture([linear()], how=["scores"]),
    "rules that are none": mixture([1.0]),
    "reverse of nothing": {"rule": "reversed", "of": None},
    "too deep": nested(MOST_DEPTH + 1),
    "too many rules": mixture([mixture([{"rule": "constant", "code": 0}] * 5000)] * 2),
    "too many numbers": mixture([linear(weights=[0.0] * (MOST_NUMBERS // 2))] * 2),
}


@pytest.mark.parametrize("description", BAD.values(), ids=BAD)
def test_bad_descriptions_are_refused(description):
    with pytest.raises(InvalidParameter) as refused:
        Rule.from_dict(description)
    assert len(str(refused.value)) < 300


def test_the_largest_permitted_description_is_read():
    assert Rule.from_dict(nested(MOST_DEPTH)).predict(np.ones((1, 1))).tolist() == [0]  # reversed seven times
    assert len(Rule.from_dict(mixture([{"rule": "constant", "code": 0}] * (MOST_RULES - 1))).rules) == 9_999
    assert Rule.from_dict(linear(weights=[0.0] * (MOST_NUMBERS - 1))).width == MOST_NUMBERS - 1
    assert MOST_NUMBERS + MOST_RULES * RULE_STEPS <= MOST_STEPS  # so no mixture of linear rules is lost


def test_no_permitted_description_leads_to_infinities():
    description = linear(weights=[LARGEST] * 100)
    for _ in range(MOST_DEPTH - 1):
        description = mixture([description, description], [LARGEST, LARGEST])
    scores = Rule.from_dict(description).scores(np.ones((2, 100)))
    assert np.isfinite(scores).all()
    # and the worst that the limits allow: a million terms, then ten thousand rules at each level
    worst = MOST_NUMBERS * LARGEST * (MOST_RULES * LARGEST) ** (MOST_DEPTH - 1)
    assert worst < np.finfo(float).max


def test_linear_rules_of_different_widths_do_not_mix():
    with pytest.raises(InvalidParameter, match="same number of unit columns"):
        mixed([LinearRule([1.0]), LinearRule([1.0, 2.0])], [1, 1])
