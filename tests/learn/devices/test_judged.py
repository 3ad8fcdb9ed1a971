"""Feedback on models: whatever order a model's classes stand in, a right model is called right."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from noisewright import Interval
from noisewright.errors import InvalidParameter
from noisewright.learn import LearnedModel, LocalClassifier
from noisewright.learn.devices.client import Client, rename_classes, rule_of
from noisewright.learn.rules import LinearRule, Rule
from noisewright.learn.rules.many_classes import ClassRule
from noisewright.learn.rules.schema import read_schema
from noisewright.ledger import Ledger

SCHEMA = read_schema({"age": Interval(0, 100)}, 1)
OLD, YOUNG = [90.0], [10.0]
EPSILON = 20.0
"""An answer is turned with probability 2e-9."""

ILL_IF_OLD = LearnedModel(SCHEMA, ("ill", "well"), LinearRule([-1.0]), EPSILON)
THREE = LearnedModel(
    SCHEMA,
    ("a", "b", "c"),
    ClassRule([LinearRule([-1.0]), LinearRule([0.0], 0.1), LinearRule([1.0])]),
    EPSILON,
)


def fitted(model):
    """A classifier of ages in unit columns: the old are ill."""
    units = np.linspace(-1, 1, 21)[:, None]
    return model.fit(units, np.where(units[:, 0] > 0, "ill", "well"))


def local() -> LocalClassifier:
    ages = np.random.default_rng(1).uniform(0, 100, (400, 1))
    model = LocalClassifier(EPSILON, domain=SCHEMA, random_state=1)
    return model.fit(ages, np.where(ages[:, 0] > 50, "ill", "well"))


@pytest.fixture
def device(tmp_path):
    ledger = Ledger.create(tmp_path / "device.db", budget=32.0)

    def made(*classes: str, person: str = "anna") -> Client:
        return Client(ledger, person, SCHEMA, classes=classes)

    return made


MODELS = {
    "learned": lambda: ILL_IF_OLD,
    "private": local,
    "linear": lambda: fitted(LogisticRegression()),
    "tree": lambda: fitted(DecisionTreeClassifier()),
}


@pytest.mark.parametrize("classes", [("well", "ill"), ("ill", "well")])
@pytest.mark.parametrize("kind", MODELS)
def test_a_right_model_is_called_right_in_either_order(device, kind, classes):
    model = MODELS[kind]()
    told = [
        device(*classes, person=f"{x} {y}").feedback(model, x, y, epsilon=EPSILON, task="visit").value
        for x, y in ((OLD, "ill"), (YOUNG, "well"), (OLD, "well"), (YOUNG, "ill"))
    ]
    assert told == [True, True, False, False]


@pytest.mark.parametrize("classes", ["abc", "cab", "bca", "cba"])
def test_several_classes_in_any_order(device, classes):
    told = [
        device(*classes, person=f"{age} {y}").feedback(THREE, [age], y, epsilon=EPSILON).value
        for age, y in ((5.0, "a"), (50.0, "b"), (95.0, "c"), (95.0, "a"), (5.0, "b"))
    ]
    assert told == [True, True, True, False, False]


def test_what_is_renamed_still_travels():
    units = np.linspace(-1, 1, 9)[:, None]
    for rule, codes in ((ILL_IF_OLD.rule, [1, 0]), (THREE.rule, [2, 0, 1])):
        again = Rule.from_dict(rename_classes(rule, codes).to_dict())
        assert again.predict(units).tolist() == [codes[code] for code in rule.predict(units)]


def test_a_learned_model_needs_no_task_name(device):
    anna = device("well", "ill")
    first = anna.feedback(ILL_IF_OLD, OLD, "ill")
    assert anna.feedback(ILL_IF_OLD, YOUNG, "well") == first  # one model, one answer


@pytest.mark.parametrize(
    ("model", "classes", "words"),
    [
        (ILL_IF_OLD, ("well", "dead"), "the same ones"),
        (ILL_IF_OLD, ("well", "ill", "dead"), "2 classes and the device 3"),
        (fitted(LogisticRegression()), ("no", "yes"), "the same ones"),
        (LogisticRegression(), ("no", "yes"), "fit the classifier first"),
        (LocalClassifier(), ("no", "yes"), "call fit first"),
        ("a model", ("no", "yes"), "feedback is about a rule"),
        (DecisionTreeClassifier().fit([[0], [1], [2]], ["a", "b", "c"]), ("a", "b", "c"), "of two classes"),
    ],
)
def test_models_that_cannot_be_judged_here_are_refused_and_cost_nothing(device, model, classes, words):
    anna = device(*classes)
    with pytest.raises(InvalidParameter, match=words):
        anna.feedback(model, OLD, classes[0], task="visit")
    assert anna.ledger.spent("anna").epsilon == 0


def test_a_model_of_another_schema_is_refused():
    with pytest.raises(InvalidParameter, match="another schema"):
        rule_of(ILL_IF_OLD, read_schema({"age": Interval(0, 120)}, 1), ("ill", "well"))
