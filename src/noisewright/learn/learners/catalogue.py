"""The learners by their names, and how several share the clients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import RandomDirections
from noisewright.learn.choosing import DOUBT, UNPROVEN, Candidate
from noisewright.learn.ensemble import Mixing, make_plan, mrma_procedure
from noisewright.learn.learners.additive import Additive, additive_procedure
from noisewright.learn.learners.moment_rounds import moment_procedure
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.rounds import Procedure, spread
from noisewright.learn.rules import AdditiveRule, ConstantRule, Rule
from noisewright.learn.rules.axes import axes_of
from noisewright.learn.schema import Schema

MADE_UP: Final = 4000
"""Made-up people on whom candidates are tried before anybody is asked about them."""

EQUAL: Final = 0.6
"""What is hoped of every candidate where hopes cannot be compared."""


@dataclass(frozen=True)
class LearningTask:
    """What a learner is given: the public facts, and how many clients it may ask."""

    schema: Schema
    people: int
    epsilon: float
    classes: int
    default: int
    public: np.random.Generator


@dataclass(frozen=True)
class Proposals:
    """What learners hand over: candidates, made-up people to try a rule on, and notes for the user."""

    candidates: tuple[Candidate, ...]
    sample: Floats
    notes: tuple[str, ...] = ()


def _directions(task: LearningTask) -> Procedure[Rule]:
    """Random directions, weighed by bits of feedback: nothing is trained, the feedback is the signal."""
    plan = make_plan(task.people, task.schema.width, trained=False)
    mixing = Mixing(centred=True)
    question = SplitQuestion(task.epsilon, task.schema.width)
    return (yield from mrma_procedure(question, plan, RandomDirections(), mixing, task.public)).rule


def _moments(task: LearningTask) -> Procedure[Rule]:
    """A linear rule from the moments of features and label."""
    return moment_procedure(task.schema, task.people, task.epsilon, default=task.default)


ADDITIVE: Final = "additive"
CONSTANT: Final = "always the same class"
LINEAR: Final[dict[str, Callable[[LearningTask], Procedure[Rule]]]] = {
    "moments": _moments,
    "directions": _directions,
}
"""Learners of one linear rule for two classes, beside the additive learner, which takes any number."""


def check_learners(names: Sequence[str], classes: int) -> tuple[str, ...]:
    """The names of learners, or a refusal that lists them.

    >>> check_learners(["forest"], classes=2)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: unknown learner 'forest'; known: additive, moments, directions
    """
    if isinstance(names, str) or not isinstance(names, Sequence) or not names:
        raise InvalidParameter("learners must be a list of names, for example ('additive', 'directions')")
    for name in names:
        if name != ADDITIVE and name not in LINEAR:
            raise InvalidParameter(f"unknown learner {name!r}; known: {', '.join((ADDITIVE, *LINEAR))}")
        if name != ADDITIVE and classes > 2:
            raise InvalidParameter(
                f"the learner {name!r} tells two classes apart, not {classes}; take 'additive'"
            )
    return tuple(dict.fromkeys(names))


def learn_all(names: Sequence[str], task: LearningTask) -> Procedure[Proposals]:
    """Let each learner ask its share of the clients; the constant rule is always a candidate, too."""
    chosen = check_learners(names, task.classes)
    shares = spread(task.people, len(chosen))
    rules: dict[str, Rule] = {}
    law = None
    for name, people in zip(chosen, shares, strict=True):
        part = LearningTask(task.schema, people, task.epsilon, task.classes, task.default, task.public)
        if name == ADDITIVE:
            law = yield from additive_procedure(
                axes_of(task.schema), people, task.epsilon, task.classes, task.default
            )
            rules[ADDITIVE] = law.rule()
        else:
            rules[name] = yield from LINEAR[name](part)
    rules[CONSTANT] = constant(task.default if law is None else int(np.argmax(law.shares)), task)
    return _hoped(rules, law, task)


def constant(code: int, task: LearningTask) -> Rule:
    """The same class for everybody."""
    if task.classes == 2:
        return ConstantRule(code)
    return AdditiveRule([], [], np.where(np.arange(task.classes) == code, 0.0, -1.0))


def _hoped(rules: dict[str, Rule], law: Additive | None, task: LearningTask) -> Proposals:
    """Candidates with what is hoped of them.

    One additive learner tries its rule, and the constant one, on people made up from what it learned. Rules
    of other learners must not be tried on those, who are as the additive learner sees them: then all hopes
    are the same, and the comparisons decide.
    """
    if law is None:
        return Proposals(_unweighed(rules), task.public.uniform(-1, 1, (MADE_UP, task.schema.width)))
    sample, labels = law.people(MADE_UP, task.schema.width, task.public)
    if len(rules) > 2:
        return Proposals(_unweighed(rules), sample, _notes(law, task.schema))
    hopes = [float(np.mean(rule.predict(sample) == labels)) for rule in rules.values()]
    pairs = zip(rules.items(), hopes, strict=True)
    return Proposals(tuple(Candidate(*rule, hope) for rule, hope in pairs), sample, _notes(law, task.schema))


def _unweighed(rules: dict[str, Rule]) -> tuple[Candidate, ...]:
    bars = dict.fromkeys(LINEAR, UNPROVEN)
    return tuple(Candidate(name, rule, EQUAL, DOUBT, bars.get(name, 0.0)) for name, rule in rules.items())


def _notes(law: Additive, schema: Schema) -> tuple[str, ...]:
    """Where a declared domain is far wider than where people are, as far as the answers tell."""
    return tuple(
        f"nearly everybody stands in one eighth of the scale of {schema.names[axis.start]!r}: a narrower "
        "domain would tell more"
        for axis in law.crowded()
    )
