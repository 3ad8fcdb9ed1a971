"""An honest report on a classifier: never its accuracy alone.

A classifier that calls everybody well is right about 95 % of people if 5 % are ill. So beside the accuracy
stand the rate of the majority class, which needs no classifier at all, the balanced accuracy (the mean of the
recalls of all classes), and whether the predicted probabilities mean what they say. All of it comes from one
randomized answer of each of some fresh clients, or from test records that may be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.errors import InvalidParameter
from noisewright.estimate import Estimate
from noisewright.estimate.intervals import CONFIDENCE
from noisewright.learn.questions.check import CheckQuestion
from noisewright.learn.scorecard.calibration import Calibration
from noisewright.learn.scorecard.cell_shares import CellShares
from noisewright.learn.scorecard.class_shares import ClassShares
from noisewright.learn.scorecard.looked_at import look_at
from noisewright.learn.scorecard.words import card_words

Verdict = Literal["yes", "no", "not shown"]


@dataclass(frozen=True, eq=False)
class Scorecard:
    """How good a finished classifier is, every number with an interval that holds at the stated level.

    ``majority`` is how often it is right to always answer the most frequent class, ``advantage`` the
    accuracy less that; ``recall`` and ``predicted`` have a number for each class (how many of its people are
    found; how many people are said to belong to it), ``confusion`` one for each pair [predicted, true], as
    shares of all people. ``calibration`` is None for more than two classes, and for a classifier that tells
    no probabilities or one class only. A value that cannot be told from the answers is NaN. Each interval
    holds by itself; that of the balanced accuracy is conservative.

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
        """From the answers of fresh clients to a check question; ``classes`` are the names of the labels."""
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
        """From test records that may be looked at: not private, for researchers.

        ``model`` is a rule, with unit columns and label codes, or any fitted classifier, with its own.
        """
        alpha = 1 - CONFIDENCE.check(level)
        found = look_at(model, records, labels, classes)
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
        """Draw rates with intervals, and the calibration beside them; returns the matplotlib figure."""
        from noisewright.learn.scorecard.drawing import plot_scorecard  # noqa: PLC0415  (matplotlib is an extra)

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
