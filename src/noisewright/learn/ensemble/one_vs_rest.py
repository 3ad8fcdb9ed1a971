"""Several classes as several two-class problems, each with clients of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import Base
from noisewright.learn.ensemble import Mixing, Mixture, Plan, mrma_procedure
from noisewright.learn.questions import Question, SplitQuestion
from noisewright.learn.questions.rounds import Ask, Procedure, Round, relay
from noisewright.learn.rules.many_classes import ClassRule, comparable
from noisewright.parameters import whole
from noisewright.randomness import Source

MOST_CLASSES = 10_000


@dataclass(frozen=True)
class RestQuestion(Question):
    """A two-class question to a client of many classes: label 1 is the class ``target``, 0 any other.

    The client merges its label before the question's own randomizing. That keeps it private: a function of a
    record cannot reveal more than the record.

    >>> question = RestQuestion(1.0, SplitQuestion(1.0, width=1), target=2)
    >>> question.answers(np.zeros((4, 1)), np.array([0, 1, 2, 2])).shape
    (4, 2)
    """

    question: Question
    target: int
    kind: ClassVar[str] = "rest"

    def _prepare(self) -> None:
        object.__setattr__(self, "target", whole("target", self.target, 0, MOST_CLASSES - 1))
        if not isinstance(self.question, Question) or isinstance(self.question, RestQuestion):
            raise InvalidParameter("a question against the rest is put around a question of two classes")
        if self.question.epsilon != self.epsilon:
            raise InvalidParameter("a question against the rest costs the epsilon of the question inside")

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> NDArray[Any]:
        return self.question.answers(units, (labels == self.target).astype(np.int64), source)

    def admit(self, answer: Any) -> NDArray[Any]:
        return self.question.admit(answer)

    def to_dict(self) -> dict[str, Any]:
        described = super().to_dict()  # where "question" names the kind first, and then the question inside
        return {**described, "question": self.kind, "of": described["question"]}

    @classmethod
    def _from_fields(cls, described: Mapping[str, Any]) -> Self:
        if isinstance(described["of"], Mapping) and described["of"].get("question") == cls.kind:
            raise InvalidParameter("questions against the rest are not nested")
        return super()._from_fields({**described, "question": Question.from_dict(described["of"])})


@dataclass(frozen=True, eq=False)
class OneVsRest:
    """The result of one against the rest: the rule for all classes, and each class's mixture of rules."""

    rule: ClassRule
    mixtures: tuple[Mixture, ...]


def one_vs_rest_procedure(
    question: SplitQuestion,
    plan: Plan,
    base: Base,
    mixing: Mixing,
    public: np.random.Generator,
    *,
    features: int | None = None,
) -> Procedure[OneVsRest]:
    """Learn every class against the rest, from a share of the clients each; all shares are asked at once.

    Every client still answers one question at ε. Scores of different classes are compared as distances from
    their hyperplanes.
    """
    plain = replace(question, classes=2)
    problems = [
        relay(
            mrma_procedure(plain, share, base, mixing, public, features=features),
            partial(_against_rest, target=target),
        )
        for target, share in enumerate(plan.split(question.classes))
    ]
    mixtures = yield from side_by_side(problems)
    return OneVsRest(ClassRule([comparable(mixture.rule) for mixture in mixtures]), tuple(mixtures))


def _against_rest(asked: Round, target: int) -> Round:
    """Return questions of two classes in the form for clients of many classes."""
    return tuple(Ask(RestQuestion(ask.question.epsilon, ask.question, target), ask.people) for ask in asked)


def side_by_side(procedures: Sequence[Procedure[Any]]) -> Procedure[list[Any]]:
    """Run several procedures at once: their questions share rounds, so that none waits for another.

    >>> from noisewright.learn.scorecard.card import check_procedure
    >>> from noisewright.learn.rules import ConstantRule
    >>> rounds = side_by_side([check_procedure(ConstantRule(code), 3, 1.0, [0, 1]) for code in (0, 1)])
    >>> [ask.people for ask in next(rounds)]
    [3, 3]
    """
    learned: list[Any] = [None] * len(procedures)
    given: dict[int, Any] = dict.fromkeys(range(len(procedures)))
    while True:
        asked: dict[int, Round] = {}
        for place, answers in given.items():
            try:
                asked[place] = procedures[place].send(answers)
            except StopIteration as done:
                learned[place] = done.value
        if not asked:
            return learned
        answers = iter((yield tuple(ask for share in asked.values() for ask in share)))
        given = {place: [next(answers) for _ in share] for place, share in asked.items()}
