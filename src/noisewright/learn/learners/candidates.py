"""The learners by name, the candidates that they propose, and the choice among these by fresh clients.

The last candidate is the constant answer, and the others must beat it. Some clients had no part in the
learning. They say which of a candidate and the constant answer is right about them where only one is
(:class:`~noisewright.learn.questions.choice.ComparisonQuestion`): that estimates the gain of the
candidate, without bias. A few hundred such answers are coarse, so a candidate may come with a hoped-for
gain h, trusted to within σ. With an estimate g of variance v its gain is taken to be

    (h/σ² + g/v)/(1/σ² + 1/v),     with variance 1/(1/σ² + 1/v),

so with few or heavily randomized answers the hope decides, with many the answers do. A candidate supported
only by its hope must gain by ``bar`` standard deviations of that before it is taken.

A worth is a number to choose by, and no accuracy. A learner tries its rule on people simulated from what it
learned, noise included, so it hopes for too much, the more the less it knows. How good the chosen rule is,
only clients with no part in it can show (:mod:`noisewright.learn.scorecard`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import logit

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import RandomDirections
from noisewright.learn.ensemble import Mixing, make_plan, mrma_procedure
from noisewright.learn.learners.additive import Additive, additive_procedure
from noisewright.learn.learners.moment_rounds import moment_procedure
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.questions.choice import ComparisonQuestion
from noisewright.learn.questions.rounds import Ask, Procedure, spread
from noisewright.learn.rules import AdditiveRule, ConstantRule, MixedRule, Rule
from noisewright.learn.rules.additive import axes_of
from noisewright.learn.rules.schema import Schema

TRUST: Final = 0.015
"""Plausible error in the difference between two hopes of one learner, as a standard deviation."""

DOUBT: Final = 0.1
"""The same between learners, which all get the same hope: wide enough that the comparisons decide."""

UNPROVEN: Final = 1.645
"""The bar of a learner whose own answers do not say whether it learned anything: one-sided, at 5 %."""


@dataclass(frozen=True)
class Candidate:
    """A rule that might be the result: its origin, how often it is hoped to be right, and how surely.

    ``bar`` is by how many standard deviations its gain over the constant answer must be above 0.
    """

    name: str
    rule: Rule
    hope: float
    trust: float = TRUST
    bar: float = 0.0


@dataclass(frozen=True, eq=False)
class Choice:
    """The rule that was taken, its candidates, the worth of each, and the learners' notes."""

    candidates: tuple[Candidate, ...]
    worth: Floats
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> Candidate:
        """The candidate that was taken; of equals the last, which is the constant answer."""
        return self.candidates[len(self.worth) - 1 - int(np.argmax(self.worth[::-1]))]

    def vote(self) -> Rule:
        """Return the vote of all candidates for two classes, each weighted by its log-odds of being right.

        That is the best vote of rules that err independently (Nitzan and Paroush 1982); rules from the same
        answers do not, so use it where each learner asked people of its own.
        """
        weights = logit(np.clip(self.worth, 0.5, 1 - 1e-6))
        if not weights.any():
            return self.best.rule
        return MixedRule([each.rule for each in self.candidates], weights / weights.sum(), how="votes")

    def __str__(self) -> str:
        order = np.argsort(-self.worth, kind="stable")
        return " before ".join(self.candidates[place].name for place in order)


def choice_procedure(
    candidates: Sequence[Candidate], people: int, epsilon: float, notes: Sequence[str] = ()
) -> Procedure[Choice]:
    """Let fresh clients compare each candidate with the last, the constant answer; nobody if few are left.

    >>> from noisewright.learn.rules import ConstantRule
    >>> rivals = [Candidate("ill", ConstantRule(1), 0.6), Candidate("well", ConstantRule(0), 0.4)]
    >>> rounds = choice_procedure(rivals, people=400, epsilon=1.0)
    >>> [(ask.question.kind, ask.people) for ask in next(rounds)]
    [('comparison', 400)]
    """
    known = tuple(candidates)
    *learned, default = known
    gains: list[tuple[float, float] | None] = [None] * len(learned)
    if learned and people >= len(known):
        questions = [ComparisonQuestion(epsilon, each.rule, default.rule) for each in learned]
        shares = spread(people, len(learned))
        asked = tuple(Ask(question, share) for question, share in zip(questions, shares, strict=True))
        answers = yield asked
        pairs = zip(questions, answers, strict=True)
        gains = [question.gain(answer) if len(answer) else None for question, answer in pairs]
    return Choice(known, worth(known, gains), tuple(notes))


def worth(candidates: Sequence[Candidate], gains: Sequence[tuple[float, float] | None]) -> Floats:
    """Return the worth of each candidate: the constant answer's hope, plus the gain by hope and answers.

    ``gains`` has an estimate and its variance for each candidate but the last, None where nobody was asked.

    >>> from noisewright.learn.rules import ConstantRule
    >>> rivals = [Candidate("ill", ConstantRule(1), 0.5), Candidate("well", ConstantRule(0), 0.6)]
    >>> worth(rivals, [(0.4, 0.0005)]).round(2).tolist()
    [0.66, 0.6]
    """
    default = candidates[-1]
    found = [_worth(each, default, gain) for each, gain in zip(candidates[:-1], gains, strict=True)]
    return np.array([*found, default.hope])


def _worth(candidate: Candidate, default: Candidate, gain: tuple[float, float] | None) -> float:
    trust = candidate.trust**-2
    value, precision = (gain[0], 1 / gain[1]) if gain else (0.0, 0.0)
    mean = (trust * (candidate.hope - default.hope) + precision * value) / (trust + precision)
    return float(default.hope + mean - candidate.bar * (trust + precision) ** -0.5)


SIMULATED_PEOPLE: Final = 4000
"""Simulated people on whom candidates are tried before anybody is asked about them."""

EQUAL: Final = 0.6
"""The hope of every candidate where hopes cannot be compared."""


@dataclass(frozen=True)
class LearningTask:
    """A learner's input: the public facts, and how many clients it may ask."""

    schema: Schema
    people: int
    epsilon: float
    classes: int
    default: int
    public: np.random.Generator


@dataclass(frozen=True)
class Proposals:
    """The output of learners: candidates, simulated people to try a rule on, and notes for the user."""

    candidates: tuple[Candidate, ...]
    sample: Floats
    notes: tuple[str, ...] = ()


def _directions(task: LearningTask) -> Procedure[Rule]:
    """Learn random directions, weighed by bits of feedback: nothing is trained, feedback is the signal."""
    plan = make_plan(task.people, task.schema.width, trained=False)
    mixing = Mixing(centred=True)
    question = SplitQuestion(task.epsilon, task.schema.width)
    return (yield from mrma_procedure(question, plan, RandomDirections(), mixing, task.public)).rule


def _moments(task: LearningTask) -> Procedure[Rule]:
    """Learn a linear rule from the moments of features and label."""
    return moment_procedure(task.schema, task.people, task.epsilon, default=task.default)


ADDITIVE: Final = "additive"
CONSTANT: Final = "always the same class"
LINEAR: Final[dict[str, Callable[[LearningTask], Procedure[Rule]]]] = {
    "moments": _moments,
    "directions": _directions,
}
"""Learners of one linear rule for two classes, beside the additive learner, which takes any number."""


def check_learners(names: Sequence[str], classes: int) -> tuple[str, ...]:
    """Return the names of learners, or refuse with a list of them.

    >>> check_learners(["forest"], classes=2)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: unknown learner 'forest'; known: additive, moments, directions
    """
    if isinstance(names, str) or not isinstance(names, Sequence) or not names:
        raise InvalidParameter(
            "must be a list of names, for example ('additive', 'directions')", field="learners"
        )
    for name in names:
        if name != ADDITIVE and name not in LINEAR:
            raise InvalidParameter(f"unknown learner {name!r}; known: {', '.join((ADDITIVE, *LINEAR))}")
        if name != ADDITIVE and classes > 2:
            raise InvalidParameter(f"the learner {name!r} is for two classes, not {classes}; take 'additive'")
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
    return _with_hopes(rules, law, task)


def constant(code: int, task: LearningTask) -> Rule:
    """Return the rule that gives everybody the same class."""
    if task.classes == 2:
        return ConstantRule(code)
    return AdditiveRule([], [], np.where(np.arange(task.classes) == code, 0.0, -1.0))


def _with_hopes(rules: dict[str, Rule], law: Additive | None, task: LearningTask) -> Proposals:
    """Return candidates, each with its hope.

    A single additive learner tries its rule, and the constant one, on people simulated from what it learned.
    Rules of other learners must not be tried on those, who follow the additive learner's view. Then all
    hopes are the same, and the comparisons decide.
    """
    if law is None:
        return Proposals(
            _with_equal_hopes(rules), task.public.uniform(-1, 1, (SIMULATED_PEOPLE, task.schema.width))
        )
    sample, labels = law.people(SIMULATED_PEOPLE, task.schema.width, task.public)
    if len(rules) > 2:
        return Proposals(_with_equal_hopes(rules), sample, _notes(law, task.schema))
    hopes = [float(np.mean(rule.predict(sample) == labels)) for rule in rules.values()]
    pairs = zip(rules.items(), hopes, strict=True)
    return Proposals(tuple(Candidate(*rule, hope) for rule, hope in pairs), sample, _notes(law, task.schema))


def _with_equal_hopes(rules: dict[str, Rule]) -> tuple[Candidate, ...]:
    bars = dict.fromkeys(LINEAR, UNPROVEN)
    return tuple(Candidate(name, rule, EQUAL, DOUBT, bars.get(name, 0.0)) for name, rule in rules.items())


def _notes(law: Additive, schema: Schema) -> tuple[str, ...]:
    """Note where a declared domain is far wider than where people are, as far as the answers show."""
    return tuple(
        f"nearly everybody is in one eighth of the scale of {schema.names[axis.start]!r}: a narrower "
        "domain would give better answers"
        for axis in law.crowded()
    )
