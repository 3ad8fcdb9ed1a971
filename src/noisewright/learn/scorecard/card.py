"""An honest report on a classifier: never its accuracy alone.

A classifier that calls everybody well is right about 95 % of people if 5 % are ill. So beside the accuracy
stand the rate of the majority class, which needs no classifier at all, the balanced accuracy (the mean of the
recalls of all classes), and whether the predicted probabilities mean what they say. All of it comes from one
randomized answer of each of some fresh clients, or from test records that may be looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate import Estimate
from noisewright.learn.questions.check import CheckQuestion
from noisewright.learn.questions.rounds import Ask, Procedure
from noisewright.learn.rules import Rule
from noisewright.learn.scorecard.calibration import Calibration, cuts_for
from noisewright.learn.scorecard.report import card_words
from noisewright.learn.scorecard.shares import (
    CellShares,
    Chosen,
    balanced_ends,
    share_estimate,
    stack_estimates,
)
from noisewright.learn.scorecard.test_set import evaluate_records
from noisewright.statistics.intervals import CONFIDENCE


@dataclass(frozen=True, eq=False)
class ClassShares:
    """Cells of a table whose columns are the true classes, and the class that is ``said`` in each row.

    >>> found = ClassShares(CellShares(np.array([[60, 10], [5, 25]])), np.array([0, 1]))
    >>> found.accuracy(0.05).value, found.majority(0.05)[0], round(found.balanced_accuracy(0.05).value, 4)
    (0.85, 0, 0.8187)
    """

    cells: CellShares
    said: Cells

    def accuracy(self, alpha: float) -> Estimate:
        """How many people's class is predicted."""
        return self.cells.share(self._right, alpha)

    def predicted(self, alpha: float) -> Estimate:
        """Of each class, how many people are said to belong to it."""
        return stack_estimates([self.cells.share(self._said(code), alpha) for code in self._codes])

    def confusion(self, alpha: float) -> Estimate:
        """The share of every pair [predicted, true] of classes among all people."""
        pairs = [self._said(one) & self._true(other) for one in self._codes for other in self._codes]
        return stack_estimates([self.cells.share(pair, alpha) for pair in pairs], (len(self._codes), -1))

    def recall(self, alpha: float) -> Estimate:
        """Of the people of each class, how many are found."""
        return stack_estimates(
            [self.cells.ratio(self._found(code), self._true(code), alpha) for code in self._codes]
        )

    def balanced_accuracy(self, alpha: float) -> Estimate:
        """The mean recall of the classes."""
        found, true = ([each(code) for code in self._codes] for each in (self._found, self._true))
        value = np.mean(list(map(self.cells.ratio_value, found, true)))
        slope = np.mean(list(map(self.cells.ratio_slope, found, true)), axis=0)
        ends = balanced_ends(self.cells, found, true, alpha)
        return share_estimate(value, self.cells.spread(slope), *ends, alpha, self.cells.people)

    def majority(self, alpha: float) -> tuple[int, Estimate]:
        """The code of the class that seems most frequent, and how frequent the most frequent class is.

        The largest share lies between the largest low and the largest high end if all classes are within
        their intervals. Of two classes the intervals mirror each other, so they miss together.
        """
        count = len(self._codes)
        part = alpha if count == 2 else alpha / count
        shares = stack_estimates([self.cells.share(self._true(code), part) for code in self._codes])
        most = int(np.argmax(shares.value))
        low, high = max(shares.low.max(), 1 / count), shares.high.max()
        return most, share_estimate(
            shares.value[most], shares.stderr[most], low, high, alpha, self.cells.people
        )

    def advantage(self, alpha: float) -> Estimate:
        """The accuracy less the rate of the majority class, from the same answers.

        Against class c only people count whom the rule gets right in other classes, or wrong in class c:
        everybody else is as well served by the constant answer c. The advantage is the least over all c, so
        a low end needs the whole error for no class but the true majority; a high end shares it among all.
        """
        rivals = [self._against(code, alpha) for code in self._codes]
        shared = [self._against(code, alpha / len(rivals)) for code in self._codes]
        closest = min(rivals, key=lambda rival: float(rival.value))
        low, high = min(rival.low for rival in rivals), min(rival.high for rival in shared)
        return replace(closest, low=low, high=high)

    def _against(self, code: int, alpha: float) -> Estimate:
        """The accuracy less the share of one class."""
        elsewhere = ~self._said(code)
        return self.cells.difference(elsewhere & self._right, elsewhere & self._true(code), alpha)

    # -- sets of cells ---------------------------------------------------------------------------------

    @property
    def _codes(self) -> range:
        return range(self.cells.counts.shape[1])

    @property
    def _right(self) -> Chosen:
        return np.asarray(self.said[:, None] == np.arange(len(self._codes)))

    def _said(self, code: int) -> Chosen:
        return np.repeat((self.said == code)[:, None], len(self._codes), axis=1)

    def _true(self, code: int) -> Chosen:
        return np.tile(np.arange(len(self._codes)) == code, (len(self.said), 1))

    def _found(self, code: int) -> Chosen:
        return self._said(code) & self._true(code)


Verdict = Literal["yes", "no", "not shown"]


@dataclass(frozen=True, eq=False)
class Scorecard:
    """How good a finished classifier is, every number with an interval that holds at the stated level.

    A value that cannot be told from the answers is NaN. Each interval holds by itself; that of the balanced
    accuracy is conservative.

    Attributes:
        accuracy: How often it is right.
        majority: How often it is right to always answer the most frequent class.
        majority_class: The label of that class.
        advantage: The accuracy less ``majority``.
        balanced_accuracy: The mean recall of the classes.
        recall: Of the people of each class, how many are found.
        predicted: Of each class, how many people are said to belong to it.
        confusion: The share of each pair [predicted, true] among all people.
        calibration: Whether probabilities mean what they say; None for more than two classes, and for a
            classifier that tells no probabilities or one class only.
        classes: The labels in order.
        private: Whether it comes from randomized answers.

    >>> from noisewright.learn.rules import LinearRule
    >>> from noisewright.randomness import SeededSource
    >>> generator = np.random.default_rng(1)
    >>> units = generator.uniform(-1, 1, (4000, 1))
    >>> labels = (units[:, 0] + generator.normal(0, 0.3, 4000) > 0.3).astype(int)
    >>> question = CheckQuestion(2.0, LinearRule([1.0], -0.3))
    >>> print(Scorecard.of(question.answers(units, labels, SeededSource(2)), question))
    accuracy           89.6 %  (95 % interval 87.3 % to 91.8 %), from 4,000 randomized answers
    majority class     66.0 %  (95 % interval 63.4 % to 68.5 %): right by always answering 0
    balanced accuracy  88.7 %  (95 % interval 84.2 % to 93.4 %)
    better than always answering 0: yes, by 19.3 to 28.7 percentage points
    """

    accuracy: Estimate
    majority: Estimate
    majority_class: Any
    advantage: Estimate
    balanced_accuracy: Estimate
    recall: Estimate
    predicted: Estimate
    confusion: Estimate
    calibration: Calibration | None
    classes: tuple[Any, ...]
    private: bool

    @classmethod
    def of(
        cls, answers: ArrayLike, question: CheckQuestion, level: float = 0.95, classes: Any = None
    ) -> Self:
        """Return the card of the answers of fresh clients to a check question.

        Args:
            answers: One cell number from each client.
            question: What they were asked.
            level: How often each interval holds the truth.
            classes: The names of the labels; None numbers them.
        """
        alpha = 1 - CONFIDENCE.check(level)
        channel, counts = question.channel, _counted(answers, question)
        cells = CellShares(counts, channel.hit, channel.miss)
        known = question.classes == 2 and question.rows > 1
        calibration = Calibration.of(cells, np.asarray(question.cuts), alpha) if known else None
        shares = ClassShares(cells, question.predicted)
        return cls._made(shares, alpha, calibration, _names(classes, question.classes), private=True)

    @classmethod
    def measured(
        cls, model: Any, records: Any, labels: ArrayLike, level: float = 0.95, classes: Any = None
    ) -> Self:
        """Return the card of test records that may be looked at: not private, for researchers.

        Args:
            model: A rule, with unit columns and label codes, or any fitted classifier, with its own.
            records: The test records.
            labels: Their labels.
            level: How often each interval holds the truth.
            classes: The names of a rule's label codes; None numbers them.
        """
        alpha = 1 - CONFIDENCE.check(level)
        found = evaluate_records(model, records, labels, classes)
        told = found.probabilities
        calibration = None if told is None else Calibration.measured(told, found.codes, alpha)
        shares = ClassShares(CellShares(found.confusion), np.arange(len(found.classes)))
        return cls._made(shares, alpha, calibration, found.classes, private=False)

    @classmethod
    def _made(
        cls,
        shares: ClassShares,
        alpha: float,
        calibration: Calibration | None,
        classes: tuple[Any, ...],
        *,
        private: bool,
    ) -> Self:
        place, majority = shares.majority(alpha)
        return cls(
            accuracy=shares.accuracy(alpha),
            majority=majority,
            majority_class=classes[place],
            advantage=shares.advantage(alpha),
            balanced_accuracy=shares.balanced_accuracy(alpha),
            recall=shares.recall(alpha),
            predicted=shares.predicted(alpha),
            confusion=shares.confusion(alpha),
            calibration=calibration,
            classes=classes,
            private=private,
        )

    @property
    def value(self) -> float:
        """The accuracy; its interval is :attr:`low` to :attr:`high`."""
        return float(self.accuracy.value)

    @property
    def stderr(self) -> float:
        """The standard error of the accuracy."""
        return float(self.accuracy.stderr)

    @property
    def low(self) -> float:
        """The low end of the accuracy's interval."""
        return float(self.accuracy.low)

    @property
    def high(self) -> float:
        """The high end of the accuracy's interval."""
        return float(self.accuracy.high)

    @property
    def count(self) -> int:
        """How many answers it rests on."""
        return self.accuracy.count

    @property
    def beats_majority(self) -> Verdict:
        """Whether the classifier is right more often than always answering the majority class.

        "yes" and "no" are each wrong with at most half of the error that the level allows.
        """
        if self.advantage.low > 0:
            return "yes"
        return "no" if self.advantage.high < 0 else "not shown"

    def __str__(self) -> str:
        return card_words(self)

    def to_dict(self) -> dict[str, Any]:
        """The card in plain JSON values; what cannot be told is null."""
        names = ("accuracy", "majority", "advantage", "balanced_accuracy", "recall", "predicted", "confusion")
        numbers = {name: getattr(self, name).to_dict() for name in names}
        labels = np.array([self.majority_class, *self.classes]).tolist()
        return {
            **numbers,
            "majority_class": labels[0],
            "beats_majority": self.beats_majority,
            "calibration": self.calibration and self.calibration.to_dict(),
            "classes": labels[1:],
            "from_randomized_answers": self.private,
        }

    def plot(self, figure: Any = None) -> Any:
        """Draw rates with intervals, and the calibration beside them; returns the matplotlib figure.

        Args:
            figure: Where to draw; None makes a new one.
        """
        from noisewright.learn.scorecard.plots import plot_scorecard  # noqa: PLC0415  (matplotlib is an extra)

        return plot_scorecard(self, figure)


def _counted(answers: ArrayLike, question: CheckQuestion) -> np.ndarray[Any, np.dtype[np.int64]]:
    """How many answers there are of each cell, as a table of rows by true labels."""
    cells = np.asarray(answers)
    if cells.ndim != 1 or not cells.size or cells.dtype.kind not in "iu":
        raise InvalidParameter("answers to a check must be a row of whole numbers, one from each client")
    if cells.min() < 0 or cells.max() >= question.cells:
        raise InvalidParameter(f"answers to this check are whole numbers from 0 to {question.cells - 1}")
    return np.bincount(cells, minlength=question.cells).reshape(question.rows, question.classes)


def _names(classes: Any, count: int) -> tuple[Any, ...]:
    names = tuple(range(count)) if classes is None else tuple(np.asarray(classes).tolist())
    if len(names) != count:
        raise InvalidParameter(f"classes must name the {count} labels of the check, got {len(names)} names")
    return names


def check_procedure(
    rule: Rule, people: int, epsilon: float, classes: Sequence[Any], sample: Floats | None = None
) -> Procedure[Scorecard | None]:
    """Ask fresh clients where a finished rule puts them and what they are; None if nobody is left to ask.

    Args:
        rule: The finished rule.
        people: Number of clients.
        epsilon: What each of them spends.
        classes: The labels in order.
        sample: Unit columns of made-up people, with nothing about anybody in them: their scores, if they are
            log-odds, say where to cut for a calibration. None asks for the predicted class only.

    >>> from noisewright.learn.rules import ConstantRule
    >>> [ask.people for ask in next(check_procedure(ConstantRule(1), 50, 1.0, ["no", "yes"]))]
    [50]
    """
    if not people:
        return None
    cut = sample is not None and len(classes) == 2
    cuts = cuts_for(epsilon, people, rule.scores(sample)) if cut else (0.0,)  # type: ignore[arg-type]
    question = CheckQuestion(epsilon, rule, cuts, len(classes))
    (answers,) = yield (Ask(question, people),)
    return Scorecard.of(answers, question, classes=classes) if len(answers) else None
