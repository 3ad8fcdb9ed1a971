"""How often a rule is right, from one randomized bit of each person asked.

A device applies the rule to its own person and reports, through randomized response, whether the rule was
right. With q the probability of a true report and p̂ the share of "right" among n reports,

    accuracy = (p̂ + q − 1) / (2q − 1)                        (Qin and Bai 2026, eq. 8)

is unbiased, with variance ρ(1 − ρ) / (n(2q − 1)²) where ρ = q·r + (1 − q)(1 − r) is the chance of a "right".
Only the bit is randomized, so the relation between features and label stays intact. One person thus reveals
more about a rule than by sending a noisy record.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Categories, Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.questions.base import Question
from noisewright.learn.rules import Rule
from noisewright.mechanisms.categorical import RR
from noisewright.randomness import Source


@lru_cache(maxsize=256)
def response(epsilon: float) -> RR:
    """Return the channel of the feedback bit: cell 1 says that the rule was right, cell 0 that it was wrong.

    >>> round(response(1.0).hit, 4)
    0.7311
    """
    return RR(Categories(["wrong", "right"]), epsilon)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The feedback on many rules: for each the estimated accuracy, its variance and the people asked.

    A rule that nobody was asked about has the value ½ and an infinite variance.

    >>> found = Evaluation.of(right=[60, 40], asked=[100, 100], epsilon=1.0)
    >>> found.value.round(3).tolist(), found.reversed().value.round(3).tolist()
    ([0.716, 0.284], [0.284, 0.716])
    """

    value: Floats
    variance: Floats
    asked: Cells

    @classmethod
    def of(cls, right: ArrayLike, asked: ArrayLike, epsilon: float) -> Self:
        """Evaluate from the counts of "right" and of all answers to each rule."""
        hits, people = np.asarray(right), np.asarray(asked)
        if hits.ndim != 1 or hits.shape != people.shape or {hits.dtype.kind, people.dtype.kind} - set("iu"):
            raise InvalidParameter(
                "right and asked must be two rows of whole numbers, one of each for every rule"
            )
        if (hits < 0).any() or (hits > people).any():
            raise InvalidParameter(
                "must be from 0 to the number of people asked, for every rule", field="right"
            )
        return cls.of_shares(np.where(people > 0, hits / np.maximum(people, 1), 0.5), people, epsilon)

    @classmethod
    def of_shares(cls, share: Floats, people: NDArray[Any], epsilon: float) -> Self:
        """Evaluate from the share of "right" among the answers to each rule; their number may be effective.

        The chance of a "right" lies between 1 − q and q, so for the variance the share is first brought
        there: ten answers that all agree do not make a variance of zero. Dividing by one person less makes it
        unbiased in between. An effective number between one and two counts as one answer.
        """
        hit = response(epsilon).hit
        slope, possible = 2 * hit - 1, np.clip(share, 1 - hit, hit)
        variance = possible * (1 - possible) / np.maximum(people - 1, 1) / slope**2
        asked = np.floor(people).astype(np.int64)
        return cls((share + hit - 1) / slope, np.where(people > 0, variance, np.inf), asked)

    def reversed(self, which: NDArray[np.bool_] | None = None) -> Evaluation:
        """Return the evaluation after reversing rules (those in ``which``, or all): r becomes 1 − r."""
        turned = np.ones(len(self), dtype=bool) if which is None else which
        return replace(self, value=np.where(turned, 1 - self.value, self.value))

    def __len__(self) -> int:
        return len(self.value)


@dataclass(frozen=True)
class FeedbackQuestion(Question):
    """Whether a rule classifies the client's own record correctly, through randomized response.

    Only one bit is hidden, whatever the number of features: no other question keeps as much of the relation
    between features and label (Qin and Bai 2026, thm 3).

    Attributes:
        epsilon: The cost of an answer.
        rule: The rule that the client judges.

    >>> from noisewright.learn.rules import ConstantRule
    >>> question = FeedbackQuestion(8.0, ConstantRule(1))
    >>> question.answers(np.zeros((2, 1)), np.array([1, 0])).shape
    (2,)
    """

    rule: Rule
    kind: ClassVar[str] = "feedback"

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> NDArray[np.bool_]:
        right = (self.rule.predict(units) == labels).astype(np.int64)
        return np.asarray(response(self.epsilon).perturb_cells(right, source) == 1)

    def admit(self, answer: Any) -> NDArray[np.bool_]:
        if not isinstance(answer, bool):
            raise InvalidParameter("an answer to a feedback question is true or false")
        return np.array(answer)
