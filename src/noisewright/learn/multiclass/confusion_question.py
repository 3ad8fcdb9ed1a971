"""The feedback of several classes: what the rule said of the client, and what is true, as one pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.questions import Question
from noisewright.learn.questions.base import MOST_CLASSES
from noisewright.learn.questions.channels import choice_channel
from noisewright.learn.rules import Rule
from noisewright.mechanisms import KRR
from noisewright.parameters import whole
from noisewright.randomness import Source


@dataclass(frozen=True)
class ConfusionQuestion(Question):
    """Which class a rule gives the client and which is true: one of K² pairs, by randomized response.

    A pair is numbered predicted·K + true. The answer hides both together, at one ε for the whole record.

    >>> from noisewright.learn.rules import ConstantRule
    >>> question = ConfusionQuestion(20.0, ConstantRule(1), classes=3)
    >>> question.answers(np.zeros((2, 1)), np.array([0, 2])).tolist()
    [3, 5]
    """

    rule: Rule
    classes: int
    kind: ClassVar[str] = "confusion"

    def _prepare(self) -> None:
        object.__setattr__(self, "classes", whole("classes", self.classes, 2, MOST_CLASSES))
        if not isinstance(self.rule, Rule):
            raise InvalidParameter(f"a confusion question needs a rule, not {type(self.rule).__name__}")

    @property
    def channel(self) -> KRR:
        """What randomizes the pair."""
        return pair_channel(self.classes, self.epsilon)

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> Cells:
        # No record may fail where others answer, so what lies beyond the question's classes is the last one.
        said, true = (np.minimum(codes, self.classes - 1) for codes in (self.rule.predict(units), labels))
        return self.channel.perturb_cells(said * self.classes + true, source)

    def admit(self, answer: Any) -> NDArray[np.int64]:
        if type(answer) is not int or not 0 <= answer < self.classes**2:
            raise InvalidParameter(
                f"an answer to a confusion question is a whole number from 0 to {self.classes**2 - 1}"
            )
        return np.array(answer, dtype=np.int64)

    def to_dict(self) -> dict[str, Any]:
        rule = self.rule.to_dict()
        return {"question": self.kind, "epsilon": self.epsilon, "rule": rule, "classes": self.classes}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        return cls(fields["epsilon"], Rule.from_dict(fields["rule"]), fields["classes"])


def pair_channel(classes: int, epsilon: float) -> KRR:
    """Randomized response between the K² pairs of a predicted and a true class."""
    return choice_channel(classes**2, epsilon)
