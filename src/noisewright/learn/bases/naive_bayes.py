"""Naive Bayes from reports: columns that are Gaussian and independent within each class, noise taken out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.learn.bases.reports import ReportBase
from noisewright.learn.learners.linear_moments import MOST_EXPLAINED, Shrunk
from noisewright.learn.learners.moments import Moments
from noisewright.learn.rules import LinearRule


@dataclass(frozen=True)
class NaiveBayes(ReportBase):
    """Gaussian naive Bayes of the records behind the reports, each column's variance common to both classes.

    Of the columns it needs far less than Fisher's discriminant: no products of two columns, of which noise
    leaves least. Its question is that of :class:`ReportBase`.

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
        return naive_from_moments(moments)


def naive_from_moments(moments: Moments) -> LinearRule:
    """The log-odds of naive Bayes, from moments known with errors.

    With π₁ the share of class 1, t the tie of a column to the label and v its variance, class means are
    d = t/(2π₀π₁) apart and the variance within a class is v − π₀π₁d². So

        weight = d / (v − π₀π₁d²),   intercept = log(π₁/π₀) − Σ weight · (middle of the class means),

    each moment shrunk as in :mod:`~noisewright.learn.learners.linear_moments` first.
    """
    known = Shrunk.of(moments)
    within = known.deviations * (1 - np.minimum(known.ties**2 / known.both, MOST_EXPLAINED))
    return known.rule(2 * known.ties / (known.both * within))
