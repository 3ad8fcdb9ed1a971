"""The question of the feedback: whether a classifier is right about the client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.feedback import response
from noisewright.learn.questions.base import Question
from noisewright.learn.rules import Rule
from noisewright.randomness import Source


@dataclass(frozen=True)
class FeedbackQuestion(Question):
    """Whether a rule classifies the client's own record right, through randomized response.

    Only one bit is hidden, whatever the number of features: no other question keeps so much of what connects
    features and label (Qin and Bai 2026, thm 3).

    >>> from noisewright.learn.rules import ConstantRule
    >>> question = FeedbackQuestion(8.0, ConstantRule(1))
    >>> question.answers(np.zeros((2, 1)), np.array([1, 0])).shape
    (2,)
    """

    rule: Rule
    kind: ClassVar[str] = "feedback"

    def _prepare(self) -> None:
        if not isinstance(self.rule, Rule):
            raise InvalidParameter(f"feedback needs a rule, not {type(self.rule).__name__}")

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> NDArray[np.bool_]:
        right = (self.rule.predict(units) == labels).astype(np.int64)
        return np.asarray(response(self.epsilon).perturb_cells(right, source) == 1)

    def admit(self, answer: Any) -> NDArray[np.bool_]:
        if not isinstance(answer, bool):
            raise InvalidParameter("an answer to a feedback question is true or false")
        return np.array(answer)

    def to_dict(self) -> dict[str, Any]:
        return {"question": self.kind, "epsilon": self.epsilon, "rule": self.rule.to_dict()}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        return cls(fields["epsilon"], Rule.from_dict(fields["rule"]))
