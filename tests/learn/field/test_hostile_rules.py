"""Whatever rule a server makes up: one answer of one form for everybody, or a refusal for everybody alike.

A question that drew two answers of one record would cost twice what it says. One that fails, or answers in
another form, for some records only would tell of them without any noise.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import noisewright.learn  # noqa: F401  (all rules and questions join their registries)
from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.learn.functional import rule as curves
from noisewright.learn.multiclass import class_rule
from noisewright.learn.questions import Question
from noisewright.learn.rules import base, mixed
from noisewright.randomness import SeededSource

WIDTH = 4
NUMBERS = (0, -0.0, 1, -1, 0.5, -0.5, 1e30, -1e30, 1e-30, 1e-308, 5e-324)
BASIS = {"basis": "fourier", "functions": WIDTH, "domain": [0, 1]}
RECORDS = [
    (np.array([units]), np.array([label]))
    for label, units in enumerate(
        [(-1, -1, -1, -1), (1, 1, 1, 1), (0, 0, 0, 0), (-0.0, 1, -1, 0), (5e-324, -5e-324, 1, -1),
         (1 - 2**-53, -1, 0.3, 1), (2**-53 - 1, 0.5, -0.5, 1)] * 2
    )
    for label in (label % 5,)
]  # fmt: skip


class Stranger:
    """A server that sends anything, by a seed: nested rules of 1 to 4 classes, in every kind of question."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def numbers(self, count: int) -> list[float]:
        return [self.draw.choice(NUMBERS) for _ in range(count)]

    def rule(self, depth: int = 0) -> dict[str, Any]:
        nested = ["mixed", "reversed", "classes", "evidence"] if depth < 3 else []
        kind = self.draw.choice([*nested, "linear", "constant", "additive", "curve"])
        return {"rule": kind, **getattr(self, kind)(depth)}

    def rules(self, depth: int) -> list[dict[str, Any]]:
        return [self.rule(depth + 1) for _ in range(self.draw.randint(1, 4))]

    def linear(self, _: int) -> dict[str, Any]:
        width = self.draw.choice([WIDTH] * 9 + [WIDTH - 1])
        return {
            "weights": self.numbers(width),
            "intercept": self.numbers(1)[0],
            "ties": self.draw.randint(0, 1),
        }

    def constant(self, _: int) -> dict[str, Any]:
        return {"code": self.draw.randint(0, 1)}

    def additive(self, _: int) -> dict[str, Any]:
        classes, cells, ordered = self.draw.randint(1, 4), self.draw.randint(2, 3), self.draw.random() < 0.5
        stop = 1 if ordered or cells == 2 else cells
        axis = {"start": 0, "stop": stop, "cells": cells, "ordered": ordered}
        return {"axes": [axis], "tables": [self.numbers(cells * classes)], "offsets": self.numbers(classes)}

    def mixed(self, depth: int) -> dict[str, Any]:
        rules = self.rules(depth)
        return {
            "rules": rules,
            "weights": self.numbers(len(rules)),
            "how": self.draw.choice(["scores", "votes"]),
        }

    def reversed(self, depth: int) -> dict[str, Any]:
        return {"of": self.rule(depth + 1)}

    def classes(self, depth: int) -> dict[str, Any]:
        return {"rules": self.rules(depth)}

    def evidence(self, depth: int) -> dict[str, Any]:
        rules, classes = self.rules(depth), self.draw.randint(1, 4)
        table = self.numbers(len(rules) * classes**2)
        return {"rules": rules, "prior": self.numbers(classes), "evidence": table}

    def curve(self, _: int) -> dict[str, Any]:
        how = {"rescale": self.draw.choice(["tanh", "max-abs"]), "scale": self.draw.choice([1e-30, 1, 1e30])}
        return {"basis": BASIS, "coefficients": self.numbers(WIDTH), "intercept": self.numbers(1)[0], **how}

    def question(self, kind: str) -> dict[str, Any]:
        epsilon = self.draw.choice([0.5, 20.0])
        return {"question": kind, "epsilon": epsilon, **getattr(self, f"ask_{kind}")(epsilon)}

    def ask_feedback(self, _: float) -> dict[str, Any]:
        return {"rule": self.rule()}

    def ask_confusion(self, _: float) -> dict[str, Any]:
        return {"rule": self.rule(), "classes": self.draw.randint(2, 4)}

    def ask_check(self, _: float) -> dict[str, Any]:
        classes = self.draw.randint(2, 4)
        cuts = self.draw.choice([[0], [-1e308, 0, 1e308], [0, 5e-324]]) if classes == 2 else [0]
        return {"rule": self.rule(), "classes": classes, "cuts": cuts}

    def ask_rest(self, epsilon: float) -> dict[str, Any]:
        kind = self.draw.choice(["feedback", "confusion", "check", "cells", "product"])
        return {"of": {**self.question(kind), "epsilon": epsilon}, "target": self.draw.randint(0, 5)}

    def ask_cells(self, _: float) -> dict[str, Any]:
        axis = {"start": 0, "stop": 1, "cells": 5, "ordered": True}
        return {"axis": axis, "cuts": [1, 3], "classes": self.draw.randint(2, 4)}

    def ask_product(self, _: float) -> dict[str, Any]:
        parts = [{"columns": self.draw.choice([[], [0], [1, 1], [2, 3]]), "label": True, "centre": 0.3}] * 2
        return {"products": parts, "mechanism": "PM"}

    def ask_score(self, _: float) -> dict[str, Any]:
        rules = [{"rule": "linear", **self.linear(0)} for _ in range(2)]
        return {"rules": rules, "products": [{"columns": [0, 1], "label": False}], "mechanism": "PM"}

    def ask_split(self, _: float) -> dict[str, Any]:
        share = self.draw.choice([None, 1e-9, 0.5])
        return {"width": WIDTH, "mechanism": "PM", "label_share": share, "classes": self.draw.randint(2, 4)}

    def ask_sampled(self, _: float) -> dict[str, Any]:
        return {**self.ask_split(0.0), "columns": self.draw.sample(range(WIDTH), 2)}


def form(value: Any) -> str:
    """What anybody sees of an answer before looking at its noise."""
    return str([form(part) for part in value]) if isinstance(value, list) else type(value).__name__


def reaction(question: Question, units: np.ndarray, label: np.ndarray) -> str:
    """How a question meets one record: the form of its one answer, or a refusal."""
    try:
        with np.errstate(all="ignore"):
            answers = question.answers(units, label, SeededSource(1))
    except (NoisewrightError, ValueError):
        return "refused"
    if len(answers) != 1:
        return f"{len(answers)} answers"
    value = json.loads(json.dumps(answers[0].tolist(), allow_nan=False))
    try:
        question.admit(value)
    except InvalidParameter:
        return "an answer that does not fit"
    return form(value)


def reactions(kind: str, strangers: int) -> Counter[str]:
    """How often questions of a kind were refused or answered by all, or did what no question may do."""
    found: Counter[str] = Counter()
    for seed in range(strangers):
        try:
            question = Question.from_dict(json.loads(json.dumps(Stranger(seed).question(kind))))
        except NoisewrightError:
            found["refused"] += 1
            continue
        met = {reaction(question, *record) for record in RECORDS}
        alike = len(met) == 1 and not met & {"an answer that does not fit"}
        told = met.pop() if alike else "told apart"
        found["refused" if told == "refused" else told if "answers" in told or not alike else "answered"] += 1
    return found


@pytest.mark.parametrize("kind", sorted(Question.registry))
def test_no_question_answers_twice_or_treats_records_differently(kind):
    found = reactions(kind, strangers=60)
    assert set(found) <= {"answered", "refused"}
    assert found["answered"] >= 15


def test_the_leak_shows_where_nobody_guards(monkeypatch):
    """With rules for several classes let into others, and scores not counted, one payment buys many bits."""
    for module in (base, mixed, class_rule):
        monkeypatch.setattr(module, "refuse_many_classes", lambda what, rules: None)
    monkeypatch.setattr(
        base.Rule, "predict", lambda rule, units: (rule.scores(units) > 0).ravel().astype(int)
    )
    assert any("answers" in told or told == "told apart" for told in reactions("feedback", strangers=60))


def test_every_kind_of_rule_and_question_is_tried():
    """A new kind joins the registries and fails here until the stranger knows it."""
    stranger = Stranger(1)
    assert curves.CurveRule.kind in base.Rule.registry
    assert all(hasattr(stranger, kind) for kind in base.Rule.registry)
    assert all(hasattr(stranger, f"ask_{kind}") for kind in Question.registry)
