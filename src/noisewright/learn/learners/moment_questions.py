"""Questions about moments: the numbers that one client is asked for, and their estimates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.moments.moments import Measured
from noisewright.learn.questions.base import unit_channel
from noisewright.learn.questions.product import RecordProduct, ScoreQuestion
from noisewright.learn.questions.rounds import Ask, Procedure, spread
from noisewright.learn.questions.split import cyclic
from noisewright.learn.rules import LinearRule

EPSILON_EACH: Final = 2.5
"""About the ε of one number; below it, noise falls faster with ε than with people (Wang et al. 2019)."""


@dataclass(frozen=True, eq=False)
class Moment:
    """The mean of a product of up to two scores and, with ``label``, of (sign − centre)."""

    rules: tuple[LinearRule, ...] = ()
    label: bool = False
    centre: float = 0.0

    def product(self, at: int) -> RecordProduct:
        """Return the product, if the rules' scores start at column ``at``; a rule twice gives a square."""
        columns = [at + self.rules.index(rule) for rule in self.rules]
        return RecordProduct(tuple(columns), self.label, self.centre)


@dataclass(frozen=True)
class MomentQuestions:
    """A way to ask people for moments: each client gets about ε/2.5 of them, with equal parts of ε."""

    epsilon: float
    mechanism: str

    def measure(self, kinds: Sequence[tuple[Sequence[Moment], int]]) -> Procedure[list[Measured]]:
        """Ask in one round: for each kind, some similar moments and how many people they are shared among."""
        answers = [[_Answers(moment) for moment in moments] for moments, _ in kinds]
        groups = [
            group
            for known, (_, people) in zip(answers, kinds, strict=True)
            for group in self._groups(known, people)
        ]
        asked = tuple(Ask(self._question(known), people) for known, people in groups)
        replies = (yield asked) if asked else []
        for (known, _), reply in zip(groups, replies, strict=True):
            columns = np.asarray(reply, dtype=np.float64).reshape(-1, len(known)).T
            for answer, column in zip(known, columns, strict=True):
                answer.parts.append(answer.moment.product(0).restored(column))
        return [_collect(known) for known in answers]

    def stderr(self, moments: int, people: int) -> float:
        """Return the standard error of a moment with small products, if ``moments`` share ``people``.

        >>> round(MomentQuestions(2.0, "PM").stderr(10, 1000), 3)
        0.08
        """
        each = self._each(moments)
        noise = unit_channel(self.mechanism, self.epsilon / each).law(0.0).variance()
        return float(np.sqrt(noise * moments / max(people * each, 1)))

    def _each(self, moments: int) -> int:
        """Return how many of some moments one client is asked for."""
        return int(np.clip(round(self.epsilon / EPSILON_EACH), 1, moments))

    def _groups(self, known: list[_Answers], people: int) -> list[tuple[list[_Answers], int]]:
        """Group the moments that are asked together, with people so that each is asked of about as many."""
        grouped = cyclic(len(known), self._each(len(known)))
        groups = [[known[place] for place in places] for places in grouped]
        counts = spread(people, len(groups))
        return [(group, count) for group, count in zip(groups, counts, strict=True) if count]

    def _question(self, known: list[_Answers]) -> ScoreQuestion:
        rules: list[LinearRule] = []
        products = []
        for answer in known:
            products.append(answer.moment.product(len(rules)))
            rules.extend(answer.moment.rules)
        return ScoreQuestion(self.epsilon, tuple(rules), tuple(products), self.mechanism)


@dataclass(frozen=True, eq=False)
class _Answers:
    moment: Moment
    parts: list[Floats] = field(default_factory=list)

    def measure(self) -> Measured:
        return Measured.of(np.concatenate(self.parts)) if self.parts else Measured.unknown()


def _collect(known: Sequence[_Answers]) -> Measured:
    found = [answer.measure() for answer in known]
    return Measured(np.array([each.value for each in found]), np.array([each.variance for each in found]))


def rescale(rule: LinearRule, middle: float, reach: float) -> LinearRule:
    """Return the rule whose scores are ±1 where those of a rule are ``reach`` off the ``middle``.

    >>> rescale(LinearRule([1.0, 0.0]), 0.5, 0.25).scores(np.array([[0.75, 0.0]])).tolist()
    [1.0]
    """
    return replace(rule, weights=rule.weights / reach, intercept=(rule.intercept - middle) / reach)


def combine(rules: Sequence[LinearRule], outer: LinearRule) -> LinearRule:
    """Return a rule of the scores of some rules, as a rule of the columns.

    >>> combine([LinearRule([1.0, 0.0], 1.0)], LinearRule([2.0], -1.0))
    LinearRule(weights=array([2., 0.]), intercept=1.0, ties=0)
    """
    weights = outer.weights @ np.array([rule.weights for rule in rules])
    level = outer.intercept + outer.weights @ np.array([rule.intercept for rule in rules])
    return LinearRule(weights, float(level))
