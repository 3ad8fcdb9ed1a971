"""The first rounds of learning from moments: by reports or by products, to the columns' label covariances.

A :class:`View` puts columns on a scale that fits where people are, and gives directions in units of their
standard deviations. A *tie* is the covariance of a column with the label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.learners.evidence import DOUBT, LEAN
from noisewright.learn.learners.moment_questions import Moment, MomentQuestions, combine, rescale
from noisewright.learn.moments.moments import (
    USUAL_CORRELATION,
    Measured,
    column_deviations,
    column_means,
    linear_from_moments,
    moments_from_raw,
    posterior_means,
    symmetric_diagonal,
)
from noisewright.learn.moments.report_moments import report_moments
from noisewright.learn.questions.rounds import Ask, Procedure, spread
from noisewright.learn.questions.split import SampledQuestion
from noisewright.learn.rules import LinearRule

REACH: Final = 2.5
SCORE_REACH: Final = 2.0
"""Number of standard deviations of a column, and of a score, beyond which it is cut."""

LEAST_TURN: Final = 1e-6
"""A second direction shorter than this part of the first counts as none."""


@dataclass(frozen=True, eq=False)
class View:
    """The columns on a scale that fits where people are, and their standard deviations on that scale."""

    columns: list[LinearRule]
    deviations: Floats
    reaches: Floats

    @classmethod
    def of(cls, means: Measured, spreads: Measured) -> View:
        """Scale each column about its mean, REACH standard deviations wide, wider if the mean is uncertain.

        >>> certain = np.zeros(1)
        >>> view = View.of(Measured(np.array([0.5]), certain), Measured(np.array([0.04]), certain))
        >>> view.columns[0].scores(np.array([[0.0], [1.0]])).round(2).tolist()
        [-1.0, 1.0]
        """
        middles, doubt = column_means(means), np.minimum(means.stderr, 0.3)
        deviations = column_deviations(spreads)
        reaches = np.minimum(REACH * deviations + doubt, 1 + np.abs(middles))
        columns = [
            rescale(LinearRule(row), float(middle), float(reach))
            for row, middle, reach in zip(np.eye(len(middles)), middles, reaches, strict=True)
        ]
        return cls(columns, deviations / reaches, reaches)

    def rescale_ties(self, ties: Measured) -> Measured:
        """Return ties of the unit columns as ties of these."""
        return Measured(ties.value / self.reaches, ties.variance / self.reaches**2)

    def standardise(self, ties: Measured) -> Measured:
        """Return ties of the columns in units of their standard deviations."""
        return Measured(ties.value / self.deviations, ties.variance / self.deviations**2)

    def score(self, direction: Floats) -> LinearRule:
        """Return the rule of a direction, given in standard deviations, cut at SCORE_REACH of its own."""
        rule = combine(self.columns, LinearRule(direction / self.deviations))
        return rescale(rule, 0.0, self._reach(direction))

    def _reach(self, direction: Floats) -> float:
        """Return a deviation of the score between that of uncorrelated and that of identical columns."""
        apart, together = np.linalg.norm(direction), np.abs(direction).sum()
        return float(SCORE_REACH * np.sqrt(apart * together))

    def second_direction(self, first: Floats, seen: Measured) -> Floats:
        """Return the part of the first direction orthogonal to its image under the covariance matrix.

        Together with the first it spans what two steps of conjugate gradients reach. The image is measured
        as products of the columns with the first score. As long as these are uncertain it is taken to be the
        first direction itself, as it would be without any correlation.
        """
        scale: Floats = self._reach(first) / self.deviations
        image = first + posterior_means(
            Measured(scale * seen.value - first, scale**2 * seen.variance),
            USUAL_CORRELATION * float(np.linalg.norm(first)),
        )
        rest = first - image * (image @ first) / max(float(image @ image), 1e-12)
        return rest if np.linalg.norm(rest) > LEAST_TURN * np.linalg.norm(first) else np.zeros_like(first)


FIRST: Final = (0.15, 0.2, 0.05)
"""The shares of the people who report the label, means and squares, before the rest is asked for ties."""


@dataclass(frozen=True, eq=False)
class FirstRound:
    """The knowledge after the opening: the columns to scale, the mean sign of the label, and the ties."""

    view: View
    label: Measured
    ties: Measured

    def uncorrelated(self) -> LinearRule:
        """Return the discriminant of uncorrelated columns, with means and spreads as the view has them."""
        width = len(self.view.columns)
        certain = Measured(np.zeros(width), np.zeros(width))
        spreads = Measured(np.diag(self.view.deviations**2), np.where(np.eye(width) > 0, 0.0, np.inf))
        moments = moments_from_raw(self.label, certain, self.ties, spreads, float(self.label.value))
        return combine(self.view.columns, linear_from_moments(moments))


def report_round(questions: MomentQuestions, width: int, people: int, default: int) -> Procedure[FirstRound]:
    """Ask each client for a column and the label, in one round."""
    one_column = [
        SampledQuestion(questions.epsilon, (place,), width, questions.mechanism) for place in range(width)
    ]
    counts = spread(people, width)
    asked = [Ask(question, count) for question, count in zip(one_column, counts, strict=True) if count]
    answers = yield tuple(asked)
    nothing = [np.empty((0, 2))] * (width - len(asked))  # for the last columns if there are fewer clients
    rows = [np.reshape(part, (-1, 2)) for part in (*answers, *nothing)]
    moments = report_moments(zip(one_column, rows, strict=True))
    view = View.of(moments.means, moments.spreads.diagonal())
    return FirstRound(view, prior_sign(moments.label, default), view.rescale_ties(moments.ties))


def product_rounds(
    questions: MomentQuestions, width: int, people: int, default: int
) -> Procedure[FirstRound]:
    """Ask for products in two rounds: the second on the scale, and about the label's mean, of the first."""
    first = round(sum(FIRST) * people)
    shares = [share / sum(FIRST) for share in FIRST]
    view, label = yield from scale_round(questions, width, first, shares, default)
    (ties,) = yield from questions.measure([(ties_of(view.columns, label), people - first)])
    return FirstRound(view, label, ties)


def scale_round(
    questions: MomentQuestions, width: int, people: int, shares: Sequence[float], default: int
) -> Procedure[tuple[View, Measured]]:
    """Ask in one round how common the classes are, and for the means and spreads of the columns."""
    columns = [LinearRule(row) for row in np.eye(width)]
    signs = [Moment(label=True)]
    means = [Moment((column,)) for column in columns]
    squares = [Moment((column, column)) for column in columns]
    counts = [round(share * people) for share in shares[:2]]
    kinds = list(zip((signs, means, squares), (*counts, people - sum(counts)), strict=True))
    sign, middles, raw = yield from questions.measure(kinds)
    known = Measured(sign.value[0], sign.variance[0])
    nothing = Measured.unknown(width)
    moments = moments_from_raw(known, middles, nothing, symmetric_diagonal(raw), 0.0)
    return View.of(middles, moments.spreads.diagonal()), prior_sign(known, default)


def ties_of(rules: Sequence[LinearRule], label: Measured) -> list[Moment]:
    """Return the covariances of scores with the label, as moments about its mean."""
    return [Moment((rule,), True, float(label.value)) for rule in rules]


def prior_sign(sign: Measured, default: int) -> Measured:
    """Return the mean sign of the labels, with the public guess about the default class as its prior.

    >>> prior_sign(Measured.unknown(), default=0).value.round(2).tolist()
    -0.14
    """
    guess, doubt = (2 * LEAN - 1) * (1 if default else -1), (2 * DOUBT) ** 2
    certain = 1 / np.maximum(sign.variance, 1e-12)
    value = (guess / doubt + certain * sign.known()) / (1 / doubt + certain)
    return Measured(np.clip(value, -0.96, 0.96), 1 / (1 / doubt + certain))
