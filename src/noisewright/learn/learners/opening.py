"""How learning from moments begins: by reports or by products, to the ties of all columns with the label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.learn.learners.asking import Asking, Moment, combined
from noisewright.learn.learners.label_shares import DOUBT, LEAN
from noisewright.learn.learners.linear_moments import linear_from_moments
from noisewright.learn.learners.moments import Measured, moments_from_raw, symmetric_diagonal
from noisewright.learn.learners.report_moments import report_moments
from noisewright.learn.learners.view import View
from noisewright.learn.questions.sampled import SampledQuestion
from noisewright.learn.rounds import Ask, Procedure, spread
from noisewright.learn.rules import LinearRule

FIRST: Final = (0.15, 0.2, 0.05)
"""The shares of the people who tell the label, means and squares, before the rest is asked for ties."""


@dataclass(frozen=True, eq=False)
class Opening:
    """What is known after the opening: the columns to scale, the mean sign of the label, and the ties."""

    view: View
    label: Measured
    ties: Measured

    def uncorrelated(self) -> LinearRule:
        """The discriminant if columns have nothing in common; means and spreads as the view has them."""
        width = len(self.view.columns)
        certain = Measured(np.zeros(width), np.zeros(width))
        spreads = Measured(np.diag(self.view.deviations**2), np.where(np.eye(width) > 0, 0.0, np.inf))
        moments = moments_from_raw(self.label, certain, self.ties, spreads, float(self.label.value))
        return combined(self.view.columns, linear_from_moments(moments))


def reported(asking: Asking, width: int, people: int, default: int) -> Procedure[Opening]:
    """One round: a column and the label from each client."""
    questions = [SampledQuestion(asking.epsilon, (place,), width, asking.mechanism) for place in range(width)]
    counts = spread(people, width)
    asked = [Ask(question, count) for question, count in zip(questions, counts, strict=True) if count]
    answers = yield tuple(asked)
    nothing = [np.empty((0, 2))] * (width - len(asked))  # for columns at the end if there are fewer clients
    rows = [np.reshape(part, (-1, 2)) for part in (*answers, *nothing)]
    moments = report_moments(zip(questions, rows, strict=True))
    view = View.of(moments.means, moments.spreads.diagonal())
    return Opening(view, leaning(moments.label, default), view.scaled(moments.ties))


def multiplied(asking: Asking, width: int, people: int, default: int) -> Procedure[Opening]:
    """Two rounds of products: the second on the scale, and about the mean of the label, of the first."""
    first = round(sum(FIRST) * people)
    shares = [share / sum(FIRST) for share in FIRST]
    view, label = yield from scaled(asking, width, first, shares, default)
    (ties,) = yield from asking.measured([(ties_of(view.columns, label), people - first)])
    return Opening(view, label, ties)


def scaled(
    asking: Asking, width: int, people: int, shares: Sequence[float], default: int
) -> Procedure[tuple[View, Measured]]:
    """One round: how common the classes are, and the means and spreads of the columns."""
    columns = [LinearRule(row) for row in np.eye(width)]
    signs = [Moment(label=True)]
    means = [Moment((column,)) for column in columns]
    squares = [Moment((column, column)) for column in columns]
    counts = [round(share * people) for share in shares[:2]]
    kinds = list(zip((signs, means, squares), (*counts, people - sum(counts)), strict=True))
    sign, middles, raw = yield from asking.measured(kinds)
    known = Measured(sign.value[0], sign.variance[0])
    nothing = Measured.unknown(width)
    moments = moments_from_raw(known, middles, nothing, symmetric_diagonal(raw), 0.0)
    return View.of(middles, moments.spreads.diagonal()), leaning(known, default)


def ties_of(rules: Sequence[LinearRule], label: Measured) -> list[Moment]:
    """The covariances of scores with the label, as moments about its mean."""
    return [Moment((rule,), True, float(label.value)) for rule in rules]


def leaning(sign: Measured, default: int) -> Measured:
    """The mean sign of the labels, with the public guess that goes with the default class as its prior.

    >>> leaning(Measured.unknown(), default=0).value.round(2).tolist()
    -0.14
    """
    guess, doubt = (2 * LEAN - 1) * (1 if default else -1), (2 * DOUBT) ** 2
    certain = 1 / np.maximum(sign.variance, 1e-12)
    value = (guess / doubt + certain * sign.known()) / (1 / doubt + certain)
    return Measured(np.clip(value, -0.96, 0.96), 1 / (1 / doubt + certain))
