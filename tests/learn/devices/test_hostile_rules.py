"""Whatever rule a server makes up: one answer of one form for everybody, or a refusal for everybody alike.

A question that drew two answers of one record would cost twice what it says. One that fails, or answers in
another form, for some records only would tell of them without any noise.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest

import noisewright.learn  # noqa: F401  (all rules and questions join their registries)
from learn.devices.stranger import Stranger
from noisewright.errors import NoisewrightError
from noisewright.learn.questions import Question
from noisewright.learn.rules import Rule
from noisewright.randomness import SeededSource

WITH_RULES = ("feedback", "comparison", "confusion", "check", "rest")
EDGES = (
    (-1, -1, -1, -1), (1, 1, 1, 1), (0, 0, 0, 0), (-0.0, 1, -1, 0), (5e-324, -5e-324, 1, -1),
    (1 - 2**-53, -1, 0.3, 1), (2**-53 - 1, 0.5, -0.5, 1),
)  # fmt: skip
RECORDS = [(np.array([units], dtype=float), np.array([label])) for units in EDGES for label in (0, 3)]


def form(value: Any) -> str:
    """What anybody sees of an answer before looking at its noise."""
    return str([form(part) for part in value]) if isinstance(value, list) else type(value).__name__


def reaction(question: Question, units: np.ndarray, label: np.ndarray) -> str:
    """How a question meets one record: with one answer of some form, a refusal, or what must not be."""
    try:
        with np.errstate(all="ignore"):
            answers = question.answers(units, label, SeededSource(1))
    except (NoisewrightError, ValueError):
        return "refused"
    if len(answers) != 1:
        return f"leaks {len(answers)} answers"
    try:
        question.admit(answers[0].tolist())
    except NoisewrightError:
        return "leaks an answer of another form"
    return f"answered by {form(answers[0].tolist())}"


def reactions(kind: str) -> Counter[str]:
    """What became of random questions of a kind, each put to all records: answered, refused, or a leak."""
    found: Counter[str] = Counter()
    for seed in range(120 if kind in WITH_RULES else 25):
        described = json.loads(json.dumps(Stranger(seed).question(kind)))
        try:
            question = Question.from_dict(described)
        except NoisewrightError:
            found["refused"] += 1
            continue
        met = {reaction(question, *record) for record in RECORDS}
        found[met.pop().split()[0] if len(met) == 1 else "leaks who is who"] += 1
    return found


@pytest.mark.parametrize("kind", sorted(Question.registry))
def test_no_question_answers_twice_or_tells_records_apart_without_noise(kind):
    found = reactions(kind)
    assert set(found) <= {"answered", "refused"}
    assert found["answered"] >= 15


@pytest.mark.parametrize("kind", WITH_RULES)
def test_the_leak_is_found_where_nobody_guards(kind, monkeypatch):
    """With rules for several classes let into others, and scores not counted, one payment buys many bits."""
    for module in ("rules.base", "rules.two_classes", "rules.many_classes"):
        place = sys.modules[f"noisewright.learn.{module}"]
        monkeypatch.setattr(place, "refuse_many_classes", lambda what, rules: None)
    monkeypatch.setattr(Rule, "predict", lambda rule, units: (rule.scores(units) > 0).ravel().astype(int))
    assert reactions(kind)["leaks"] > 0


def test_every_kind_of_rule_and_question_is_tried():
    """A new kind joins a registry, and fails here until the stranger knows how to send it."""
    assert all(hasattr(Stranger, kind) for kind in Rule.registry)
    assert all(hasattr(Stranger, f"ask_{kind}") for kind in Question.registry)
