"""Weak learners that know the noise: they take it back out of the reports before they fit."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases.base import LinearBase
from noisewright.learn.learners.linear_moments import linear_from_moments, posterior_means
from noisewright.learn.learners.moments import Measured, Moments
from noisewright.learn.learners.noise import calibration
from noisewright.learn.learners.report_moments import report_moments
from noisewright.learn.questions.split import SplitQuestion
from noisewright.learn.rules import LinearRule

USUAL_LEAN: Final = 0.3
"""How far the mean sign of labels usually is from that of equal classes."""


@dataclass(frozen=True)
class ReportBase(LinearBase):
    """A base from moments of the records behind the reports; two classes.

    It has to know which question the reports answer. MRMA tells it its own (:meth:`bound`); outside of MRMA
    ``question`` says it.
    """

    question: SplitQuestion | None = None

    def bound(self, question: SplitQuestion) -> Self:
        """The same base for reports that answer this question, if it can be, before anybody answers."""
        if question.classes != 2:
            raise InvalidParameter(
                'a base from moments is for two classes; with more take multiclass="one_vs_rest"'
            )
        if self.question is not None and self.question != question:
            raise InvalidParameter(
                "the base is for reports to another question than the one that is asked; give it none"
            )
        calibration(question.mechanism, question.column_epsilon)  # refuses noise that cannot be taken back
        return replace(self, question=question)

    def coefficients(self, units: Floats, signs: Floats) -> tuple[Floats, Floats]:
        if self.question is None:
            raise InvalidParameter("a base from moments needs the split question that the reports answer")
        answers = np.concatenate([units, (signs[..., None] + 1) / 2], axis=-1)
        moments = [report_moments([(self.question, sample)]) for sample in answers]
        rules = [self.from_moments(replace(each, label=doubted(each.label))) for each in moments]
        levels = [rule.intercept if self.intercept else 0.0 for rule in rules]
        return np.array([rule.weights for rule in rules]), np.array(levels)

    @abstractmethod
    def from_moments(self, moments: Moments) -> LinearRule:
        """The rule of one sample."""


def doubted(label: Measured) -> Measured:
    """The mean sign of the labels as far as it is known: else a few noisy labels would make the intercept.

    >>> doubted(Measured(np.array(1.7), np.array(4.0))).value.round(2).tolist()
    0.04
    """
    value, variance = (np.reshape(part, 1) for part in (label.value, label.variance))
    (lean,) = posterior_means(Measured(value, variance), USUAL_LEAN)
    return Measured(lean, label.variance)


@dataclass(frozen=True)
class ReportMoments(ReportBase):
    """Fisher's discriminant of the records behind the reports.

    >>> base = ReportMoments(question=SplitQuestion(1.0, width=2, mechanism="PM"))
    >>> base.fit(np.array([[1.0, 0.0], [-1.0, 0.5]]), [1, -1], np.random.default_rng(0)).width
    2
    """

    def from_moments(self, moments: Moments) -> LinearRule:
        return linear_from_moments(moments)
