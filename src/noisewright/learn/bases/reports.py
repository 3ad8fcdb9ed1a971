"""Weak learners that know the noise: they remove it from the reports before they fit."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases.base import LinearBase
from noisewright.learn.moments.moments import (
    MOST_EXPLAINED,
    Measured,
    Moments,
    Shrunk,
    linear_from_moments,
    posterior_means,
)
from noisewright.learn.moments.report_moments import calibration, report_moments
from noisewright.learn.questions.split import SplitQuestion
from noisewright.learn.rules import LinearRule

USUAL_LEAN: Final = 0.3
"""Usual distance of the labels' mean sign from that of equal classes."""


@dataclass(frozen=True)
class ReportBase(LinearBase):
    """A base from moments of the records behind the reports; two classes.

    It has to know which question the reports answer. MRMA sets its own (:meth:`bound`); outside of MRMA,
    ``question`` names it.

    Attributes:
        intercept: Whether hyperplanes may miss the origin.
        question: The question that the reports answer, which determines the noise.
    """

    question: SplitQuestion | None = None

    def bound(self, question: SplitQuestion) -> Self:
        """Return the same base for reports that answer this question; refuse before anybody answers."""
        if question.classes != 2:
            raise InvalidParameter(
                'a base from moments is for two classes; with more take multiclass="one_vs_rest"'
            )
        if self.question is not None and self.question != question:
            raise InvalidParameter(
                "the base is for reports to another question than the one that is asked; give it none"
            )
        calibration(question.mechanism, question.column_epsilon)  # refuses noise that cannot be removed
        return replace(self, question=question)

    def coefficients(self, units: Floats, signs: Floats) -> tuple[Floats, Floats]:
        if self.question is None:
            raise InvalidParameter("a base from moments needs the split question that the reports answer")
        answers = np.concatenate([units, (signs[..., None] + 1) / 2], axis=-1)
        moments = [report_moments([(self.question, sample)]) for sample in answers]
        rules = [self.from_moments(replace(each, label=_shrink_label(each.label))) for each in moments]
        levels = [rule.intercept if self.intercept else 0.0 for rule in rules]
        return np.array([rule.weights for rule in rules]), np.array(levels)

    @abstractmethod
    def from_moments(self, moments: Moments) -> LinearRule:
        """Return the rule of one sample."""


def _shrink_label(label: Measured) -> Measured:
    """Shrink the labels' mean sign by its uncertainty: else a few noisy labels would set the intercept."""
    (lean,) = posterior_means(Measured(label.value[None], label.variance[None]), USUAL_LEAN)
    return Measured(lean, label.variance)


@dataclass(frozen=True)
class ReportMoments(ReportBase):
    """Fisher's discriminant of the records behind the reports.

    Attributes:
        intercept: Whether hyperplanes may miss the origin.
        question: The question that the reports answer, which determines the noise.

    >>> base = ReportMoments(question=SplitQuestion(1.0, width=2, mechanism="PM"))
    >>> base.fit(np.array([[1.0, 0.0], [-1.0, 0.5]]), [1, -1], np.random.default_rng(0)).width
    2
    """

    def from_moments(self, moments: Moments) -> LinearRule:
        return linear_from_moments(moments)


@dataclass(frozen=True)
class NaiveBayes(ReportBase):
    """Gaussian naive Bayes of the records behind the reports, each column's variance common to both classes.

    It needs far fewer moments than Fisher's discriminant: no products of two columns, which noise hides
    most. With π₁ the share of class 1, t the covariance of a column with the label and v its variance, class
    means are d = t/(2π₀π₁) apart and the variance within a class is v − π₀π₁d², so

        weight = d / (v − π₀π₁d²),   intercept = log(π₁/π₀) − Σ weight · (middle of the class means),

    each moment shrunk first (:mod:`~noisewright.learn.moments.moments`).

    Attributes:
        intercept: Whether hyperplanes may miss the origin.
        question: The question that the reports answer, which determines the noise.

    >>> from noisewright.learn.questions import SplitQuestion
    >>> from noisewright.randomness import SeededSource
    >>> units, labels = np.linspace(-1, 1, 8000)[:, None], np.arange(8000) // 5000
    >>> question = SplitQuestion(4.0, width=1, mechanism="PM")
    >>> reports = question.answers(units, labels, SeededSource(1))
    >>> base = NaiveBayes(question=question)
    >>> rule = base.fit(reports[:, :1], 2 * reports[:, 1] - 1, np.random.default_rng(0))
    >>> round(-rule.intercept / float(rule.weights[0]), 1)
    0.2
    """

    def from_moments(self, moments: Moments) -> LinearRule:
        known = Shrunk.of(moments)
        within = known.deviations * (1 - np.minimum(known.ties**2 / known.both, MOST_EXPLAINED))
        return known.rule(2 * known.ties / (known.both * within))
