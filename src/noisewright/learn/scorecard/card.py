"""An honest report on a classifier: never its accuracy alone.

A classifier that calls everybody well is right about 95 % of people if 5 % are ill. So three numbers stand
beside the accuracy: the rate of the majority class, which needs no classifier at all, the balanced accuracy
(the mean of the recalls of all classes), and the calibration of the predicted probabilities. All of it comes
from one randomized answer of each of some fresh clients, or from test records that may be looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.estimate import Estimate
from noisewright.learn.models.private_classifier import probabilities
from noisewright.learn.questions.choice import CheckQuestion
from noisewright.learn.questions.rounds import Ask, Procedure
from noisewright.learn.rules import Rule
from noisewright.learn.scorecard.calibration import Calibration, cuts_for
from noisewright.learn.scorecard.report import card_blocks, card_words, verdict
from noisewright.learn.scorecard.shares import CellShares, ClassShares
from noisewright.report import Report, Reportable, Section
from noisewright.statistics.intervals import CONFIDENCE

Verdict = Literal["yes", "no", "not shown"]


@dataclass(frozen=True, eq=False)
class Scorecard(Reportable):
    """How good a finished classifier is, every number with an interval that holds at the stated level.

    A value that the answers do not determine is NaN. Each interval holds by itself; that of the balanced
    accuracy is conservative.

    Attributes:
        accuracy: How often it is right.
        majority: How often it is right to always answer the most frequent class.
        majority_class: The label of that class.
        advantage: The accuracy less ``majority``.
        balanced_accuracy: The mean recall of the classes.
        recall: The share of the people of each class who are found.
        predicted: The share of people who are predicted to be in each class.
        confusion: The share of each pair [predicted, true] among all people.
        calibration: Whether probabilities are right on average; None for more than two classes, and for a
            classifier without probabilities or with one class only.
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
            question: The question that they were asked.
            level: How often each interval holds the truth.
            classes: The names of the labels; None numbers them.
        """
        alpha = 1 - CONFIDENCE.check(level)
        found, channel = np.asarray(answers), question.channel
        if found.ndim != 1 or not found.size or found.dtype.kind not in "iu":
            raise InvalidParameter("answers to a check must be a row of whole numbers, one from each client")
        if found.min() < 0 or found.max() >= question.cells:
            raise InvalidParameter(f"answers to this check are whole numbers from 0 to {question.cells - 1}")
        names = tuple(range(question.classes)) if classes is None else tuple(np.asarray(classes).tolist())
        if len(names) != question.classes:
            raise InvalidParameter(
                f"must name the {question.classes} labels of the check, got {len(names)} names",
                field="classes",
            )
        counts = np.bincount(found, minlength=question.cells).reshape(question.rows, question.classes)
        cells = CellShares(counts, channel.hit, channel.miss)
        known = question.classes == 2 and question.rows > 1
        calibration = Calibration.of(cells, np.asarray(question.cuts), alpha) if known else None
        shares = ClassShares(cells, question.predicted)
        return cls._made(shares, alpha, calibration, names, private=True)

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
        truth = np.asarray(labels)
        if truth.ndim != 1 or not truth.size or truth.size != len(records):
            raise BadTable("labels must be one row with as many labels as there are records, at least one")
        if isinstance(model, Rule):
            units = np.asarray(records, dtype=np.float64)
            codes, said, names, chances = _apply_rule(model, units, truth, classes)
        else:
            codes, said, names, chances = _apply_classifier(model, records, truth)
        calibration = None if chances is None else Calibration.measured(chances, codes, alpha)
        count = len(names)
        confusion = np.bincount(said * count + codes, minlength=count**2).reshape(count, count)
        shares = ClassShares(CellShares(confusion), np.arange(count))
        return cls._made(shares, alpha, calibration, names, private=False)

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

    def report(self) -> Report:
        """Describe the card as a document."""
        rates = Section("Rates", card_blocks(self, "own"))
        return Report("Scorecard", verdict(self), [rates], verb="learn", data=self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """Return the card in plain JSON values; unknown values are null."""
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
        """Draw rates with intervals, and the calibration beside them; return the matplotlib figure.

        Args:
            figure: Where to draw; None makes a new one.
        """
        from noisewright.learn.scorecard.plots import plot_scorecard  # noqa: PLC0415  (matplotlib is an extra)

        return plot_scorecard(self, figure)


EvaluatedRecords = tuple[Cells, Cells, tuple[Any, ...], Floats | None]
"""True and predicted codes of records, the names of the classes, and the probabilities of class 1.

There are no probabilities of more than two classes, or where the classifier gives none.
"""


def _apply_rule(rule: Rule, units: Floats, truth: NDArray[Any], classes: Any) -> EvaluatedRecords:
    """Return what a rule says of unit columns, whose labels are codes."""
    if truth.dtype.kind not in "iub" or truth.min() < 0:
        raise InvalidParameter("labels for a rule must be codes 0, 1, … in the order of the classes")
    codes, said = truth.astype(np.int64), rule.predict(units)
    count = max(2, int(codes.max()) + 1, int(said.max()) + 1)
    names = tuple(range(count)) if classes is None else tuple(np.asarray(classes).tolist())
    if len(names) < count:
        raise InvalidParameter(
            f"must name all {count} labels that occur, got {len(names)} names", field="classes"
        )
    scores = rule.scores(units)
    chances = probabilities(scores)[:, 1] if scores.ndim == 1 and len(names) == 2 else None
    return codes, said, names, chances


def _apply_classifier(model: Any, records: Any, truth: NDArray[Any]) -> EvaluatedRecords:
    """Return what a fitted classifier says of its own records; it knows its classes."""
    if not hasattr(model, "predict") or not hasattr(model, "classes_"):
        raise InvalidParameter("a scorecard is about a rule or a fitted classifier, which has classes_")
    known = np.asarray(model.classes_)
    if not np.isin(truth, known).all():
        raise OutOfDomain("labels hold one that the classifier has not learned; drop such records")
    codes, said = (np.searchsorted(known, row) for row in (truth, np.asarray(model.predict(records))))
    chances = None
    if len(known) == 2 and hasattr(model, "predict_proba"):
        chances = np.asarray(model.predict_proba(records), dtype=np.float64)[:, 1]
    return codes, said, tuple(known.tolist()), chances


def check_procedure(
    rule: Rule, people: int, epsilon: float, classes: Sequence[Any], sample: Floats | None = None
) -> Procedure[Scorecard | None]:
    """Ask fresh clients where a finished rule puts them and what they are; None if nobody is left to ask.

    Args:
        rule: The finished rule.
        people: Number of clients.
        epsilon: What each of them spends.
        classes: The labels in order.
        sample: Unit columns of simulated people, with nothing about anybody in them. Their scores, if they
            are log-odds, decide where to cut for a calibration. None asks for the predicted class only.

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
