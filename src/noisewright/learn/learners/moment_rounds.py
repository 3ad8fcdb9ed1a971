"""Learning a linear classifier in rounds of moments.

1. How common the classes are, and where people are on every column: its mean and its spread.
2. How every column varies with the label, on a scale that fits where people are. That gives a direction.
(For a large ε one round does both: each client reports one column and the label.)
3. How every column varies with the score of that direction: what columns have in common. Conjugate gradients
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

from noisewright.learn.learners.first_round import (
    FirstRound,
    product_rounds,
    report_round,
    scale_round,
    ties_of,
)
from noisewright.learn.learners.moment_questions import Moment, MomentQuestions, combine
from noisewright.learn.moments.moments import (
    USUAL_TIE,
    Measured,
    linear_from_moments,
    moments_from_raw,
    posterior_means,
    symmetric,
)
from noisewright.learn.questions.rounds import Procedure
from noisewright.learn.rules import LinearRule, Rule
from noisewright.learn.rules.schema import Schema

OPENING, IMAGE = 0.65, 0.15
"""The shares of the people of rounds one and two, and of the third, if there are four."""

SCALING: Final = 0.3
"""The share of the people of the first round if all moments of all columns are asked for in the second."""

SCORES: Final = (0.5, 0.3, 0.2)
COLUMNS: Final = (0.35, 0.15, 0.5)
"""How a round that asks for all moments is shared by ties, means and products: of two scores, of columns."""

CLEAR: Final = 0.03
"""The standard error of a moment below which more rounds begin to pay. It was tuned on the data of the
benchmark ``channels``, so the errors there are to that extent fitted."""

REPORTED: Final = 4.0
"""The ε from which a column and the label, each with half of it, give more than products, one at a time: two
reports give four moments. Tuned on the same data; on diabetes alone a larger one did better."""


def moment_procedure(
    schema: Schema, people: int, epsilon: float, mechanism: str = "designed", default: int = 0
) -> Procedure[Rule]:
    """Ask for moments, and make a linear rule of them; ``default`` is the class assumed more common.

    >>> from noisewright.learn.rules.schema import read_schema
    >>> rounds = moment_procedure(read_schema(None, 3), 1000, 1.0, "PM")
    >>> [ask.people for ask in next(rounds)]
    [150, 67, 67, 66, 17, 17, 16]
    """
    questions, width = MomentQuestions(epsilon, mechanism), schema.width
    if questions.stderr(width * (width + 1) // 2, round(COLUMNS[2] * (1 - SCALING) * people)) < CLEAR:
        scaling = round(SCALING * people)
        view, label = yield from scale_round(questions, width, scaling, (1 / 3, 1 / 3, 1 / 3), default)
        return (yield from _discriminant(questions, view.columns, label, people - scaling, COLUMNS))
    longer = questions.stderr(width, round(OPENING / 2 * people)) < CLEAR
    opening = round(OPENING * people) if longer else people
    opened = yield from (report_round if epsilon >= REPORTED else product_rounds)(
        questions, width, opening, default
    )
    if not longer:
        return opened.uncorrelated()
    return (yield from _two_directions(questions, opened, people - opening, round(IMAGE * people)))


def _two_directions(
    questions: MomentQuestions, opened: FirstRound, people: int, image: int
) -> Procedure[Rule]:
    """Run rounds three and four."""
    view, label = opened.view, opened.label
    first = posterior_means(view.standardise(opened.ties), USUAL_TIE)
    if not first.any():  # nothing was learned about any column: the more common class for everybody
        return opened.uncorrelated()
    scores = [view.score(first)]
    (seen,) = yield from questions.measure(
        [([Moment((column, scores[0])) for column in view.columns], image)]
    )
    second = view.second_direction(first, seen)
    if second.any():
        scores.append(view.score(second))
    return (yield from _discriminant(questions, scores, label, people - image, SCORES))


def _discriminant(
    questions: MomentQuestions,
    scores: Sequence[LinearRule],
    label: Measured,
    people: int,
    shares: Sequence[float],
) -> Procedure[Rule]:
    """Ask for all moments of some scores in one round, and return their discriminant."""
    means = [Moment((score,)) for score in scores]
    products = [Moment((score, score)) for score in scores]
    products += [Moment(pair) for pair in combinations(scores, 2)]
    counts = [round(share * people) for share in shares[:2]]
    counts.append(people - sum(counts))
    kinds = list(zip((ties_of(scores, label), means, products), counts, strict=True))
    ties, middles, squares = yield from questions.measure(kinds)
    moments = moments_from_raw(label, middles, ties, symmetric(squares, len(scores)), float(label.value))
    return combine(scores, linear_from_moments(moments))
