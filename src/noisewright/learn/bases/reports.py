"""Weak learners that know the noise: they take it back out of the reports before they fit."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases.base import LinearBase
from noisewright.learn.learners.linear_moments import linear_from_moments
from noisewright.learn.learners.moments import Moments
from noisewright.learn.learners.report_moments import report_moments
from noisewright.learn.questions.split import SplitQuestion
from noisewright.learn.rules import LinearRule


@dataclass(frozen=True)
class ReportBase(LinearBase):
    """A base from moments of the records behind the reports; two classes.

    It has to know which question the reports answer. MRMA tells it its own (:meth:`bound`); outside of MRMA
    ``question`` says it.
    """

    question: SplitQuestion | None = None

    def bound(self, question: SplitQuestion) -> Self:
        """The same base for reports that answer this question; a base for another question is refused."""
        if question.classes != 2:
            raise InvalidParameter(
                'a base from moments is for two classes; with more take multiclass="one_vs_rest"'
            )
        if self.question is not None and self.question != question:
            raise InvalidParameter(
                "the base is for reports to another question than the one that is asked; give it none"
            )
        return replace(self, question=question)

    def coefficients(self, units: Floats, signs: Floats) -> tuple[Floats, Floats]:
        if self.question is None:
            raise InvalidParameter("a base from moments needs the split question that the reports answer")
        answers = np.concatenate([units, (signs[..., None] + 1) / 2], axis=-1)
        rules = [self.from_moments(report_moments([(self.question, sample)])) for sample in answers]
        levels = [rule.intercept if self.intercept else 0.0 for rule in rules]
        return np.array([rule.weights for rule in rules]), np.array(levels)

    @abstractmethod
    def from_moments(self, moments: Moments) -> LinearRule:
        """The rule of one sample."""


@dataclass(frozen=True)
class ReportMoments(ReportBase):
    """Fisher's discriminant of the records behind the reports.

    >>> base = ReportMoments(question=SplitQuestion(1.0, width=2, mechanism="PM"))
    >>> base.fit(np.array([[1.0, 0.0], [-1.0, 0.5]]), [1, -1], np.random.default_rng(0)).width
    2
    """

    def from_moments(self, moments: Moments) -> LinearRule:
        return linear_from_moments(moments)
