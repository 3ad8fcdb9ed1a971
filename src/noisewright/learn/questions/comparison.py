"""The question of the vote: which of two classifiers is right about the client, where only one is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.questions.base import Question
from noisewright.learn.questions.channels import choice_channel
from noisewright.learn.rules import Rule
from noisewright.mechanisms import KRR
from noisewright.randomness import Source

OUTCOMES: Final = 3


@dataclass(frozen=True)
class ComparisonQuestion(Question):
    """Whether a rule alone is right about the client, its rival alone, or neither more than the other.

    Answer 2 is for the rule, 0 for the rival, 1 for no difference, through randomized response among the
    three: ε-LDP in the whole record, since a function of a record cannot tell more than the record. Most
    people are served alike by two rules; asked about both at once they do not blur how the rest differ.

    >>> from noisewright.learn.rules import ConstantRule, LinearRule
    >>> question = ComparisonQuestion(20.0, LinearRule([1.0]), ConstantRule(0))
    >>> question.answers(np.array([[0.5], [0.5], [-0.5]]), np.array([1, 0, 0])).tolist()
    [2, 0, 1]
    """

    rule: Rule
    rival: Rule
    kind: ClassVar[str] = "comparison"

    def _prepare(self) -> None:
        for rule in (self.rule, self.rival):
            if not isinstance(rule, Rule):
                raise InvalidParameter(f"a comparison needs two rules, not {type(rule).__name__}")

    @property
    def channel(self) -> KRR:
        """What randomizes the outcome."""
        return choice_channel(OUTCOMES, self.epsilon)

    def place(self, units: Floats, labels: Cells) -> Cells:
        """The true outcome of each record."""
        right, beaten = (rule.predict(units) == labels for rule in (self.rule, self.rival))
        return np.asarray(1 + right.astype(np.int64) - beaten, dtype=np.int64)

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> Cells:
        return self.channel.perturb_cells(self.place(units, labels), source)

    def gain(self, answers: Cells) -> tuple[float, float]:
        """How much more often the rule is right than its rival, unbiased, and the variance of that.

        The variance counts people as if nobody were served alike where the answers are few, so that ten
        answers that all agree leave doubt.
        """
        slope = self.channel.hit - self.channel.miss
        value = float(np.mean(answers - 1.0)) / slope
        differ = max(float(np.mean(answers != 1)), 2 * self.channel.miss)
        return value, differ / (slope**2 * len(answers))

    def admit(self, answer: Any) -> NDArray[np.int64]:
        if type(answer) is not int or not 0 <= answer < OUTCOMES:
            raise InvalidParameter("an answer to a comparison question is a whole number from 0 to 2")
        return np.array(answer, dtype=np.int64)

    def to_dict(self) -> dict[str, Any]:
        rules = {"rule": self.rule.to_dict(), "rival": self.rival.to_dict()}
        return {"question": self.kind, "epsilon": self.epsilon, **rules}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        reading = Rule.reading()
        rule, rival = (Rule.from_dict(fields[name], reading) for name in ("rule", "rival"))
        return cls(fields["epsilon"], rule, rival)


def least_doubt(people: int, epsilon: float) -> float:
    """The standard error of a gain if so many clients compare and the rules differ about everybody.

    >>> round(least_doubt(100, 2.0), 3)
    0.139
    """
    channel = choice_channel(OUTCOMES, epsilon)
    slope = channel.hit - channel.miss
    return float(np.sqrt((2 * channel.miss + slope) / max(people, 1)) / slope)
