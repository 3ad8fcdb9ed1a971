"""Learning a linear classifier in rounds of moments.

1. How common the classes are, and where people stand on every column: its mean and its spread.
2. How every column goes with the label, on a scale that fits where people stand. That gives a direction.
3. How every column goes with the score of that direction: what the columns tell twice. Conjugate gradients
   need no more than this product of the covariance matrix and a vector, d numbers instead of d²/2, to find a
   second direction.
4. All moments of the two scores. They set the share of each, the threshold and the length.

Two steps of conjugate gradients are two components of partial least squares, and come near to Fisher's
discriminant on most data. How far to go is decided by what the noise lets through, which is public: with few
people, or a small ε, the second round is the last and the columns count as uncorrelated; with very many all
moments of all columns are asked for after the first round, and the rule tends to Fisher's discriminant.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from noisewright.learn.chance import Chance
from noisewright.learn.learners.asking import Asking, Moment, combined
from noisewright.learn.learners.label_shares import DOUBT, LEAN
from noisewright.learn.learners.linear_moments import USUAL_TIE, linear_from_moments, posterior_means
from noisewright.learn.learners.moments import Measured, moments_from_raw, symmetric
from noisewright.learn.learners.view import View
from noisewright.learn.rounds import Procedure
from noisewright.learn.rules import LinearRule, Rule
from noisewright.learn.schema import Schema

FIRST: Final = (0.15, 0.2, 0.05)
"""The shares of the people who tell the label, means and squares if two rounds are all there is."""

LONGER: Final = (0.1, 0.1, 0.1)
TIES, IMAGE = 0.35, 0.15
"""The same if more rounds follow, and the shares of the second and the third round."""

SCORES: Final = (0.5, 0.3, 0.2)
COLUMNS: Final = (0.35, 0.15, 0.5)
"""How a round that asks for all moments is shared by ties, means and products: of two scores, of columns."""

CLEAR: Final = 0.03
"""The standard error of a moment with which more rounds begin to pay; found by simulation."""


def moment_procedure(
    schema: Schema, people: int, epsilon: float, chance: Chance, mechanism: str = "designed", default: int = 0
) -> Procedure[Rule]:
    """Ask for moments, and make a linear rule of them; ``default`` is the class that is thought more common.

    Who is asked what follows from public numbers alone, so ``chance`` has nothing to decide here.

    >>> from noisewright.learn.chance import read_chance
    >>> from noisewright.learn.schema import read_schema
    >>> rounds = moment_procedure(read_schema(None, 3), 1000, 1.0, read_chance(1), "PM")
    >>> [ask.people for ask in next(rounds)]
    [150, 67, 67, 66, 17, 17, 16]
    """
    asking, width = Asking(epsilon, mechanism), schema.width
    products = width * (width + 1) // 2
    longer = asking.stderr(width, round(TIES * people)) < CLEAR
    view, label, left = yield from _first(asking, width, people, LONGER if longer else FIRST, default)
    if not longer:
        return (yield from _uncorrelated(asking, view, label, left))
    if asking.stderr(products, round(COLUMNS[2] * left)) < CLEAR:
        return (yield from _discriminant(asking, view.columns, label, left, COLUMNS))
    return (yield from _two_directions(asking, view, label, left, people))


def _first(
    asking: Asking, width: int, people: int, shares: Sequence[float], default: int
) -> Procedure[tuple[View, Measured, int]]:
    """The first round: the columns on their scale, the mean sign of the label, and the people left."""
    columns = [LinearRule(row) for row in np.eye(width)]
    kinds = (
        [Moment(label=True)],
        [Moment((column,)) for column in columns],
        [Moment((column, column)) for column in columns],
    )
    counts = [round(share * people) for share in shares]
    sign, means, squares = yield from asking.measured(list(zip(kinds, counts, strict=True)))
    return View.of(means, squares), leaning(sign, default), people - sum(counts)


def _uncorrelated(asking: Asking, view: View, label: Measured, people: int) -> Procedure[Rule]:
    """The discriminant of columns that count as uncorrelated, with means and spreads as the view has them."""
    (ties,) = yield from asking.measured([(_ties(view.columns, label), people)])
    width = len(view.columns)
    certain = Measured(np.zeros(width), np.zeros(width))
    spreads = Measured(np.diag(view.deviations**2), np.where(np.eye(width) > 0, 0.0, np.inf))
    moments = moments_from_raw(label, certain, ties, spreads, float(label.value))
    return combined(view.columns, linear_from_moments(moments))


def _two_directions(asking: Asking, view: View, label: Measured, left: int, people: int) -> Procedure[Rule]:
    """Rounds two to four."""
    counts = round(TIES * people), round(IMAGE * people)
    (ties,) = yield from asking.measured([(_ties(view.columns, label), counts[0])])
    first = posterior_means(view.standardised(ties), USUAL_TIE)
    if not first.any():  # nothing was learned of any column: the more common class for everybody
        return LinearRule(np.zeros(len(view.columns)), float(label.value))
    scores = [view.score(first)]
    products = [Moment((column, scores[0])) for column in view.columns]
    (seen,) = yield from asking.measured([(products, counts[1])])
    second = view.second_direction(first, seen)
    if second.any():
        scores.append(view.score(second))
    return (yield from _discriminant(asking, scores, label, left - sum(counts), SCORES))


def _discriminant(
    asking: Asking, scores: Sequence[LinearRule], label: Measured, people: int, shares: Sequence[float]
) -> Procedure[Rule]:
    """A round of all moments of some scores, and the discriminant that they make."""
    means = [Moment((score,)) for score in scores]
    products = [Moment((score, score)) for score in scores]
    products += [Moment(pair) for pair in combinations(scores, 2)]
    counts = [round(share * people) for share in shares[:2]]
    counts.append(people - sum(counts))
    kinds = list(zip((_ties(scores, label), means, products), counts, strict=True))
    ties, middles, squares = yield from asking.measured(kinds)
    moments = moments_from_raw(label, middles, ties, symmetric(squares, len(scores)), float(label.value))
    return combined(scores, linear_from_moments(moments))


def _ties(rules: Sequence[LinearRule], label: Measured) -> list[Moment]:
    return [Moment((rule,), True, float(label.value)) for rule in rules]


def leaning(sign: Measured, default: int) -> Measured:
    """The mean sign of the labels, with the public guess that goes with the default class as its prior.

    >>> leaning(Measured.unknown(1), default=0).value.round(2).tolist()
    -0.2
    """
    guess, doubt = (2 * LEAN - 1) * (1 if default else -1), (2 * DOUBT) ** 2
    certain = 1 / np.maximum(sign.variance[0], 1e-12)
    value = (guess / doubt + certain * sign.known()[0]) / (1 / doubt + certain)
    return Measured(np.clip(value, -0.96, 0.96), 1 / (1 / doubt + certain))
