"""Questions whose answer is one of finitely many cells, by randomized response among all of them.

About one feature: the bin of its axis, together with the label. About finished classifiers: how one does on
the client's record, and which of two is right.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.questions.base import Question, choice_channel
from noisewright.learn.rules import Axis, Rule
from noisewright.mechanisms import KRR
from noisewright.parameters import real, whole
from noisewright.randomness import Source

MOST_CLASSES: Final = 100
"""Most classes of a question whose answer pairs the label with something else: their numbers multiply."""


@dataclass(frozen=True)
class ChoiceQuestion(Question):
    """A question whose answer is one of finitely many cells, by randomized response among them."""

    @property
    @abstractmethod
    def cells(self) -> int:
        """The number of different answers."""

    @abstractmethod
    def place(self, units: Floats, labels: Cells) -> Cells:
        """Return the true cell of each record, before it is randomized."""

    @property
    def channel(self) -> KRR:
        """The channel that randomizes the cell."""
        return choice_channel(self.cells, self.epsilon)

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> Cells:
        return self.channel.perturb_cells(self.place(units, labels), source)

    def admit(self, answer: Any) -> NDArray[np.int64]:
        if type(answer) is not int or not 0 <= answer < self.cells:
            raise InvalidParameter(f"an answer to this question is a whole number from 0 to {self.cells - 1}")
        return np.array(answer, dtype=np.int64)


MOST_PAIRS: Final = 4096


@dataclass(frozen=True)
class CellQuestion(ChoiceQuestion):
    """Which bin of one feature and which label: one of bins · classes pairs, by k-ary randomized response.

    A pair is numbered bin·classes + label. The whole ε goes into what a classifier needs, the relation
    of feature and label; which feature a client is asked about is public and chosen by the server.

    Attributes:
        epsilon: The cost of an answer.
        axis: The feature.
        cuts: The cells of the axis at which a new bin begins.
        classes: Number of classes.

    >>> question = CellQuestion(20.0, Axis(0, 1, cells=4), cuts=(2,))
    >>> question.answers(np.array([[-0.9], [0.9]]), np.array([1, 0])).tolist()
    [1, 2]
    """

    axis: Axis
    cuts: tuple[int, ...]
    classes: int = 2
    kind: ClassVar[str] = "cells"

    def _prepare(self) -> None:
        object.__setattr__(self, "classes", whole("classes", self.classes, 2, MOST_CLASSES))
        object.__setattr__(self, "cuts", tuple(self.cuts))
        if len(self.cuts) >= self.axis.cells:
            raise InvalidParameter(
                f"an axis of {self.axis.cells} cells has no place for {len(self.cuts)} cuts"
            )
        for cut in self.cuts:
            whole("a cut", cut, 1, self.axis.cells - 1)
        if not self.cuts or any(left >= right for left, right in pairwise(self.cuts)):
            raise InvalidParameter("a cell question needs one cut or more, in rising order")
        if self.pairs > MOST_PAIRS:
            raise InvalidParameter(f"a cell question has at most {MOST_PAIRS} pairs, got {self.pairs}")

    @property
    def bins(self) -> int:
        """The number of parts that the axis is cut into."""
        return len(self.cuts) + 1

    @property
    def cells(self) -> int:
        return self.bins * self.classes

    pairs = cells

    def bins_of(self, cells: Cells) -> Cells:
        """Return the bin of each cell of the axis."""
        return np.searchsorted(self.cuts, cells, side="right")

    def law(self) -> Floats:
        """Return the probability of each answer, a row each, for every label and cell, a column each."""
        cells = np.arange(self.axis.cells)
        matrix = np.full((self.pairs, self.classes * self.axis.cells), self.channel.miss)
        for label in range(self.classes):
            matrix[self.bins_of(cells) * self.classes + label, label * self.axis.cells + cells] = (
                self.channel.hit
            )
        return matrix

    def place(self, units: Floats, labels: Cells) -> Cells:
        # No record may fail where others answer, so a label beyond the question's classes counts as the last.
        known = np.minimum(labels, self.classes - 1)
        return self.bins_of(self.axis.places(units)) * self.classes + known

    @classmethod
    def _from_fields(cls, described: Mapping[str, Any]) -> Self:
        return super()._from_fields({**described, "axis": Axis.from_dict(described["axis"])})


MOST_CUTS: Final = 31


@dataclass(frozen=True)
class CheckQuestion(ChoiceQuestion):
    """How a finished rule does on the client's record, in enough detail for a scorecard, as one cell.

    With two classes the cell is the pair (bin of the rule's score between public ``cuts``, true label), with
    the bins in rising order; 0 is always a cut, since there the predicted class changes. With more classes it
    is the pair (predicted class, true label). A cell is numbered row · classes + label and goes through
    randomized response among all cells, so the answer is ε-LDP in the whole record. For a rule that gives
    everybody one class only the true label is asked: it has one row, and no cuts.

    It is meant for clients who had no part in learning the rule. More cells cost accuracy:
    :func:`~noisewright.learn.scorecard.calibration.cuts_for` chooses how many bins an ε affords.

    Attributes:
        epsilon: The cost of an answer.
        rule: The finished rule.
        cuts: Scores between the bins, rising, 0 among them; for two classes only.
        classes: Number of classes.

    >>> from noisewright.learn.rules import LinearRule
    >>> question = CheckQuestion(2.0, LinearRule([1.0]), cuts=(-0.5, 0.0, 0.5))
    >>> question.rows, question.cells, question.predicted.tolist()
    (4, 8, [0, 0, 1, 1])
    >>> question.place(np.array([[0.0], [0.9]]), np.array([1, 0])).tolist()      # before it is randomized
    [3, 6]
    """

    rule: Rule
    cuts: Sequence[float] = (0.0,)
    classes: int = 2
    kind: ClassVar[str] = "check"

    def _prepare(self) -> None:
        object.__setattr__(self, "classes", whole("classes", self.classes, 2, MOST_CLASSES))
        constant = self.rule.constant is not None
        object.__setattr__(self, "cuts", () if constant else _check_cuts(self.cuts))
        if self.classes > 2 and len(self.cuts) > 1:
            raise InvalidParameter("cuts are for two classes; of more, the predicted class is the row")

    @property
    def rows(self) -> int:
        """The number of bins of the score, or of predicted classes."""
        if self.rule.constant is not None:
            return 1
        return len(self.cuts) + 1 if self.classes == 2 else self.classes

    @property
    def cells(self) -> int:
        return self.rows * self.classes

    @property
    def predicted(self) -> Cells:
        """The class that the rule predicts in each row."""
        if self.rule.constant is not None:
            return np.array([min(self.rule.constant, self.classes - 1)])
        if self.classes > 2:
            return np.arange(self.classes)
        return (np.arange(self.rows) > self.cuts.index(0.0)).astype(np.int64)

    def place(self, units: Floats, labels: Cells) -> Cells:
        # No record may fail where others answer, so a label beyond the question's classes counts as the last.
        return self._row(units) * self.classes + np.minimum(labels, self.classes - 1)

    def _row(self, units: Floats) -> Cells:
        if self.rule.constant is not None:
            return np.zeros(len(units), dtype=np.int64)
        if self.classes > 2:
            return np.minimum(self.rule.predict(units), self.classes - 1)
        scores = self.rule.scores(units)
        if scores.ndim != 1:
            raise InvalidParameter(
                "the rule has a score for each of several classes, and the check is for two; give classes"
            )
        # A score of exactly 0 means class 0, as for every rule: a bin holds its upper end.
        return np.searchsorted(np.asarray(self.cuts), scores, side="left").astype(np.int64)


def _check_cuts(cuts: Any) -> tuple[float, ...]:
    """Return cuts in rising order with 0 among them, or refuse."""
    if (
        not isinstance(cuts, Sequence | np.ndarray)
        or isinstance(cuts, str)
        or not 1 <= len(cuts) <= MOST_CUTS
    ):
        raise InvalidParameter(f"must be a list of 1 to {MOST_CUTS} scores, 0 among them", field="cuts")
    row = tuple(real("a cut", cut) + 0.0 for cut in cuts)  # a negative zero becomes zero
    if 0.0 not in row or any(left >= right for left, right in pairwise(row)):
        raise InvalidParameter(
            "must rise from one to the next and hold 0, where the class changes", field="cuts"
        )
    return row


OUTCOMES: Final = 3


@dataclass(frozen=True)
class ComparisonQuestion(ChoiceQuestion):
    """Whether a rule alone is right about the client, its rival alone, or both or neither.

    Answer 2 is for the rule, 0 for the rival, 1 for no difference, through randomized response among the
    three: ε-LDP in the whole record, since a function of a record cannot reveal more than the record. Two
    rules agree about most people; asking about both at once keeps these from blurring how the rest differ.

    Attributes:
        epsilon: The cost of an answer.
        rule: A rule.
        rival: The rule it is compared with.

    >>> from noisewright.learn.rules import ConstantRule, LinearRule
    >>> question = ComparisonQuestion(20.0, LinearRule([1.0]), ConstantRule(0))
    >>> question.answers(np.array([[0.5], [0.5], [-0.5]]), np.array([1, 0, 0])).tolist()
    [2, 0, 1]
    """

    rule: Rule
    rival: Rule
    kind: ClassVar[str] = "comparison"

    @property
    def cells(self) -> int:
        return OUTCOMES

    def place(self, units: Floats, labels: Cells) -> Cells:
        right, beaten = (rule.predict(units) == labels for rule in (self.rule, self.rival))
        return np.asarray(1 + right.astype(np.int64) - beaten, dtype=np.int64)

    def gain(self, answers: Cells) -> tuple[float, float]:
        """Return how much more often the rule is right than its rival, unbiased, and the variance of that.

        Where the answers are few, the variance is computed as if the rules differed about everybody, so that
        ten answers that all agree leave doubt.

        Args:
            answers: Outcomes 0, 1 and 2, one from each client.
        """
        slope = self.channel.hit - self.channel.miss
        value = float(np.mean(answers - 1.0)) / slope
        differ = max(float(np.mean(answers != 1)), 2 * self.channel.miss)
        return value, differ / (slope**2 * len(answers))


def least_doubt(people: int, epsilon: float) -> float:
    """Return the standard error of a gain if ``people`` compare and the rules differ about everybody.

    Args:
        people: Number of clients who compare.
        epsilon: What each of them spends.

    >>> round(least_doubt(100, 2.0), 3)
    0.139
    """
    channel = choice_channel(OUTCOMES, epsilon)
    slope = channel.hit - channel.miss
    return float(np.sqrt((2 * channel.miss + slope) / max(people, 1)) / slope)
