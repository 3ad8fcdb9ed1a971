"""Tasks of a hostile server, over JSON and with a real ledger: refused in our own words, and nothing paid."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import numpy as np
import pytest

from learn.devices.stranger import WIDTH, Stranger
from noisewright import Interval
from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.learn.devices.client import Client
from noisewright.learn.devices.messages import Task, schema_name
from noisewright.learn.functional import BSplineBasis
from noisewright.learn.questions import FeedbackQuestion, Question
from noisewright.learn.rules import ConstantRule, LinearRule
from noisewright.learn.rules.additive import Axis
from noisewright.learn.rules.base import AXIS_STEPS, MOST_STEPS
from noisewright.learn.rules.schema import read_schema
from noisewright.ledger import Ledger

SCHEMA = read_schema(Interval(0, 100), WIDTH)
ANNA = [63.0, 12.0, 0.0, 100.0]
LINEAR = {"rule": "linear", "weights": [1.0] * WIDTH, "intercept": 0.0, "ties": 0}


def classes(count: int) -> dict[str, Any]:
    return {"rule": "classes", "rules": [LINEAR] * count}


def turned(rule: dict[str, Any]) -> dict[str, Any]:
    return {"rule": "reversed", "of": rule}


MANY = {
    "a score for each class, reversed": turned(classes(100)),
    "two classes, which look like two scores": turned(classes(2)),
    "in votes": {"rule": "mixed", "rules": [classes(2)], "weights": [1.0], "how": "votes"},
    "in scores": {"rule": "mixed", "rules": [LINEAR, classes(2)], "weights": [1.0, 1.0], "how": "scores"},
    "in evidence": {"rule": "evidence", "rules": [turned(classes(2))], "prior": [0, 0], "evidence": [0] * 4},
    "additive": turned({"rule": "additive", "axes": [], "tables": [], "offsets": [0.0] * 7}),
}


def asking(rule: dict[str, Any]) -> list[dict[str, Any]]:
    """All questions that put a rule to a record, at ε = 0.5."""
    feedback = {"question": "feedback", "epsilon": 0.5, "rule": rule}
    return [
        feedback,
        {**feedback, "question": "confusion", "classes": 3},
        {**feedback, "question": "check", "classes": 2, "cuts": [0]},
        {**feedback, "question": "check", "classes": 3, "cuts": [0]},
        {"question": "rest", "epsilon": 0.5, "of": feedback, "target": 1},
    ]


def sent(question: Any, name: str = "t1") -> str:
    return json.dumps({"task": name, "question": question, "schema": schema_name(SCHEMA)})


@pytest.fixture
def client(tmp_path) -> Client:
    return Client(Ledger.create(tmp_path / "device.db", budget=0.5), "anna", SCHEMA, classes=("well", "ill"))


def spent(client: Client) -> float:
    return client.ledger.spent("anna").epsilon


@pytest.mark.parametrize("rule", MANY.values(), ids=MANY)
def test_a_rule_for_several_classes_buys_no_second_bit(client, rule):
    """Each of a hundred scores, read as a person, would have its own noisy bit: the record for one payment."""
    for question in asking(rule):
        with pytest.raises(InvalidParameter):
            client.answer(sent(question), ANNA, "ill")
    assert spent(client) == 0
    assert isinstance(client.answer(sent(asking(LINEAR)[0]), ANNA, "ill").value, bool)


class Twice(FeedbackQuestion):
    """A question that draws two answers and names the price of one."""

    def answers(self, units, labels, source=None):
        return np.concatenate([super().answers(units, labels, source) for _ in range(2)])


class Pair(FeedbackQuestion):
    """A question whose one answer holds two bits."""

    def answers(self, units, labels, source=None):
        return np.column_stack([super(Pair, self).answers(units, labels, source) for _ in range(2)])


@pytest.mark.parametrize("greedy", [Twice, Pair])
def test_a_question_that_draws_more_than_it_says_is_not_answered(client, greedy):
    task = Task("t1", greedy(0.5, ConstantRule(1)), schema_name(SCHEMA))
    with pytest.raises(InvalidParameter):
        client.answer(task, ANNA, "ill")
    assert spent(client) == 0


HOSTILE = (
    0, 1, 2, 0.5, None, True, -1, 1e-320, 1e308, 10**400, "", "designed", [], {}, [[1]], [None], [0, 5e-324],
)  # fmt: skip


def mutated(task: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """A description in which one thing somewhere is replaced by something that makes little sense."""
    broken = copy.deepcopy(task)
    inside: Any = broken
    while True:
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        key = draw.choice(keys)
        if not isinstance(inside[key], dict | list) or not inside[key] or draw.random() < 0.2:
            inside[key] = draw.choice(HOSTILE)
            return broken
        inside = inside[key]


def test_broken_descriptions_are_answered_or_refused_in_our_own_words(tmp_path):
    ledger = Ledger.create(tmp_path / "devices.db", budget=32.0)
    refused = 0
    for seed in range(200):
        stranger, device = Stranger(seed), Client(ledger, str(seed), SCHEMA)
        task = mutated(stranger.question(stranger.draw.choice(sorted(Question.registry))), stranger.draw)
        try:
            device.answer(sent(task), ANNA, 1)
        except NoisewrightError:  # and no other error
            refused += 1
            assert ledger.spent(str(seed)).epsilon == 0
    assert 100 < refused < 195


BROKEN = [
    {"question": "split", "epsilon": 0.5, "width": 9, "mechanism": "PM", "label_share": None, "classes": 2},
    {"question": "split", "epsilon": 0.5, "width": WIDTH, "mechanism": "PM", "label_share": 1e-320, "classes": 2},
    {"question": "split", "epsilon": 0.5, "width": WIDTH, "mechanism": "Gaussian", "label_share": 0.5, "classes": 2},
    {"question": "cells", "epsilon": 0.5, "axis": {"start": 9, "stop": 10, "cells": 3, "ordered": True},
     "cuts": [1], "classes": 2},
    {"question": "product", "epsilon": 0.5, "products": [{"columns": [99]}], "mechanism": "PM"},
    {"question": "product", "epsilon": 0.5, "products": [7], "mechanism": "PM"},
    {"question": "score", "epsilon": 0.5, "rules": [{**LINEAR, "weights": [1.0]}],
     "products": [{"columns": [0]}], "mechanism": "PM"},
    {"question": "feedback", "epsilon": 0.5, "rule": {**LINEAR, "weights": [1.0]}},
    {"question": "feedback", "epsilon": 5e-324, "rule": {**LINEAR, "weights": "1"}},
    {"question": "confusion", "epsilon": 0.5, "rule": LINEAR, "classes": list(range(1000))},
    {"question": ["feedback"], "epsilon": 0.5},
]  # fmt: skip


def test_tasks_that_make_no_sense_cost_nothing(client):
    for place, question in enumerate(BROKEN):
        with pytest.raises(InvalidParameter):
            client.answer(sent(question, f"t{place}"), ANNA, "ill")
    assert spent(client) == 0


# -- work for a device -----------------------------------------------------------------------------------

AXIS = {"start": 0, "stop": 1, "cells": 2, "ordered": True}


def additive(axes: int) -> dict[str, Any]:
    return {"rule": "additive", "axes": [AXIS] * axes, "tables": [[0.0] * 4] * axes, "offsets": [0.0, 0.0]}


def curve(place: int) -> dict[str, Any]:
    """A rule with a basis of its own, whose integrals nobody remembers."""
    basis = {"basis": "b-spline", "functions": WIDTH, "domain": [0, 1 + place]}
    return {
        "rule": "curve", "basis": basis, "coefficients": [1.0] * WIDTH, "intercept": 0.0, "rescale": "tanh",
        "scale": 1,
    }  # fmt: skip


def mixture(rules: list[dict[str, Any]]) -> dict[str, Any]:
    return {"rule": "mixed", "rules": rules, "weights": [1.0] * len(rules), "how": "scores"}


def feedback(rule: Any) -> dict[str, Any]:
    return {"question": "feedback", "epsilon": 0.5, "rule": rule}


BUSY = {
    "axes": (feedback(mixture([additive(100)] * 600)), "1,500,000 steps"),
    "tables": (feedback({**additive(1), "tables": [[]] * 60_000}), "1,500,000 steps"),
    "bases": (feedback(mixture([curve(place) for place in range(33)])), "32 different bases"),
    "two rules at once": (
        {"question": "comparison", "epsilon": 0.5, "rule": mixture([LINEAR] * 5_001), "rival": mixture([LINEAR] * 5_001)},
        "10,000 rules",
    ),
    "rules of a score": (
        {"question": "score", "epsilon": 0.5, "rules": [{**LINEAR, "weights": [1] * 1_100}] * 1_000,
         "products": [{"columns": [0]}], "mechanism": "PM"},
        "1,000,000 numbers",
    ),
    "products": ({"question": "product", "epsilon": 0.5, "products": [{}] * 10_001, "mechanism": "PM"}, "10,000 products"),
    "cuts": ({"question": "cells", "epsilon": 0.5, "axis": AXIS, "cuts": [1] * 100_000, "classes": 2}, "no place"),
    "empty lists": (feedback([[]] * 200_000), "2,000,000 values"),
    "numbers": (feedback([0] * 2_000_001), "2,000,000 values"),
}  # fmt: skip


@pytest.mark.parametrize(("question", "bound"), BUSY.values(), ids=BUSY)
def test_no_task_keeps_a_device_busy(client, monkeypatch, question, bound):
    """What would take seconds is refused by what its description says, before it is built or scored."""
    built: list[Any] = []
    monkeypatch.setattr(Axis, "__post_init__", lambda axis: built.append(axis.cells))
    monkeypatch.setattr(BSplineBasis, "integrals", lambda basis: pytest.fail("integrals were computed"))
    monkeypatch.setattr(LinearRule, "scores", lambda *_: pytest.fail("a record was scored"))
    with pytest.raises(InvalidParameter, match=bound):
        client.answer(sent(question).encode(), ANNA, "ill")
    assert len(built) <= MOST_STEPS / AXIS_STEPS
    assert spent(client) == 0


def test_rules_that_share_a_basis_are_answered(client):
    question = feedback(mixture([curve(place % 32) for place in range(200)]))
    assert isinstance(client.answer(sent(question), ANNA, "ill").value, bool)


# -- names of tasks ------------------------------------------------------------------------------------


def test_a_name_that_no_task_can_have_is_refused_before_it_is_paid(client):
    for name in ("my study / 2", "", "x" * 129, 7):
        with pytest.raises(InvalidParameter, match="name of a task"):
            client.feedback(ConstantRule(1), ANNA, "ill", task=name)
    assert spent(client) == 0


def test_a_named_answer_is_never_that_of_a_servers_task(tmp_path):
    """A server might call its task as the owner calls theirs, or so that a receipt would look the same."""
    client = Client(Ledger.create(tmp_path / "device.db", budget=20.0), "anna", SCHEMA)
    right = client.feedback(LinearRule([0.0] * WIDTH, 1.0), ANNA, 1, epsilon=10.0, task="visit")
    for name in ("visit", "named"):
        task = Task(name, FeedbackQuestion(5.0, ConstantRule(0)), schema_name(SCHEMA))
        before = spent(client)
        client.answer(task, ANNA, 1)
        assert spent(client) == before + 5
        assert not task.receipt.startswith("/named")
    assert client.feedback(ConstantRule(0), ANNA, 1, epsilon=10.0, task="visit") == right
    assert spent(client) == 20
