"""Naive Bayes from people who each tell one thing: where they stand in one feature, and their label.

Two rounds. The first cuts every axis into equal parts and finds, roughly, where the people are. The second
cuts it where equally many people stand, so that no answer is wasted on an empty stretch of a domain that was
declared too wide. Both rounds go into one likelihood (:mod:`noisewright.learn.learners.odds`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.learn.learners.label_shares import label_shares
from noisewright.learn.learners.odds import FeatureAnswers, FeatureLaw
from noisewright.learn.learners.priors import HOPEFUL, SOBER
from noisewright.learn.questions.cells import CellQuestion
from noisewright.learn.rounds import Ask, Procedure, spread
from noisewright.learn.rules import AdditiveRule, Axis

KNOWN: Final = 8.0
"""Clean people a feature to whom all answers about it are worth at least, or nothing can be learned."""

PLENTY: Final = 40.0
"""Clean people a feature from which on the answers can tell whether a feature matters."""

CROWD: Final = 0.9

FIRST: Final = 0.4
"""The share of the clients who are asked in the first round."""

MOST_BINS: Final = 8
ROUGH: Final = {0.7: 1.0}
"""The one strength of the first round, which only has to find where people are."""


@dataclass(frozen=True)
class Additive:
    """What was learned: the law of every feature, and how common each class is.

    ``worth`` is to how many people who hide nothing the answers about one feature amount: each counts
    (hit − miss)². Below 8 a rule would follow the noise, so there :meth:`rule` looks at no feature.
    """

    laws: tuple[FeatureLaw, ...]
    shares: Floats
    worth: float

    def rule(self, strongest: int | None = None) -> AdditiveRule:
        """All features together, or only the ``strongest`` of them."""
        order = sorted(self.laws, key=FeatureLaw.strength, reverse=True)
        kept = (order if strongest is None else order[:strongest]) if self.worth >= KNOWN else []
        return AdditiveRule([law.axis for law in kept], [law.centred() for law in kept], np.log(self.shares))

    def crowded(self) -> list[Axis]:
        """The axes on which two neighbouring cells hold nearly everybody, if enough is known to say so."""
        known = [law for law in self.laws if law.axis.ordered] if self.worth >= KNOWN else []
        return [law.axis for law in known if (law.shares[1:] + law.shares[:-1]).max() > CROWD]

    def people(self, count: int, width: int, public: np.random.Generator) -> tuple[Floats, Cells]:
        """Made-up people who follow what was learned: units and labels, to try rules on."""
        labels = public.choice(len(self.shares), size=count, p=self.shares)
        units = np.zeros((count, width))
        for law in self.laws:
            law.axis.fill(units, _drawn(np.exp(law.evidence.T), labels, public))
        return units, labels


def additive_procedure(
    axes: Sequence[Axis], people: int, epsilon: float, classes: int = 2, default: int = 0
) -> Procedure[Additive]:
    """Two rounds of cell questions, evenly over the features.

    >>> rounds = additive_procedure([Axis(0, 1), Axis(1, 2)], people=100, epsilon=1.0)
    >>> [(ask.question.cuts, ask.people) for ask in next(rounds)]
    [((8,), 20), ((8,), 20)]
    """
    answers = [FeatureAnswers(axis, classes) for axis in axes]
    asked: list[tuple[CellQuestion, Cells]] = []
    first = round(FIRST * people)
    even = [np.full(axis.cells, 1 / axis.cells) for axis in axes]
    yield from _ask(answers, even, first, epsilon, asked)
    rough = [known.fit(_odds(label_shares(asked, classes, default)), ROUGH) for known in answers]
    yield from _ask(answers, [law.shares for law in rough], people - first, epsilon, asked)
    shares = label_shares(asked, classes, default)
    worth = sum(_worth(question) * len(replies) for question, replies in asked) / len(axes)
    strengths = SOBER if worth >= PLENTY else HOPEFUL
    return Additive(tuple(known.fit(_odds(shares), strengths) for known in answers), shares, worth)


def _ask(
    features: Sequence[FeatureAnswers],
    stand: Sequence[Floats],
    people: int,
    epsilon: float,
    asked: list[tuple[CellQuestion, Cells]],
) -> Procedure[None]:
    """Ask about every feature; the answers go to the features and, for their labels, to ``asked``."""
    counts = spread(people, len(features))
    chosen = [
        (feature, where, int(count)) for feature, where, count in zip(features, stand, counts, strict=True)
    ]
    chosen = [each for each in chosen if each[2]]
    if not chosen:
        return
    questions = [_question(feature, where, epsilon) for feature, where, _ in chosen]
    replies = yield tuple(Ask(question, each[2]) for question, each in zip(questions, chosen, strict=True))
    for question, (feature, _, _), reply in zip(questions, chosen, replies, strict=True):
        if len(reply):
            feature.add(question, reply)
            asked.append((question, reply))


def _question(feature: FeatureAnswers, where: Floats, epsilon: float) -> CellQuestion:
    axis = feature.axis
    cuts = (
        cuts_at(where, bins_for(epsilon, feature.classes, axis.cells))
        if axis.ordered
        else range(1, axis.cells)
    )
    return CellQuestion(epsilon, axis, tuple(cuts), feature.classes)


def bins_for(epsilon: float, classes: int, cells: int) -> int:
    """Into how many parts to cut: with more of them an answer says more, and is more often a lie.

    Two classes: 1 + ε parts, from 2 to 8, found by simulation.

    >>> bins_for(1.0, 2, 16), bins_for(5.0, 2, 16), bins_for(5.0, 4, 16)
    (2, 6, 3)
    """
    return int(np.clip(round(2 * (1 + epsilon) / classes), 2, min(MOST_BINS, cells)))


def cuts_at(shares: Floats, bins: int) -> list[int]:
    """The cells at which bins of about equally many people begin; no bin is empty of cells.

    >>> cuts_at(np.array([0.7, 0.1, 0.1, 0.1]), 2), cuts_at(np.full(8, 0.125), 4)
    ([1], [2, 4, 6])
    """
    below = np.cumsum(shares) / np.sum(shares)
    cuts = np.searchsorted(below, np.arange(1, bins) / bins - 1e-9) + 1
    places = np.arange(bins - 1)
    cuts = np.maximum.accumulate(np.maximum(cuts, 1) - places) + places  # rising by one at least
    return [int(cut) for cut in np.minimum(cuts, len(shares) - bins + 1 + places)]


def _worth(question: CellQuestion) -> float:
    """What an answer is worth beside one that is always true."""
    return (question.channel.hit - question.channel.miss) ** 2


def _odds(shares: Floats) -> Floats:
    """The log-odds of each class but the first, against it."""
    return np.asarray(np.log(shares[1:] / shares[0]))


def _drawn(table: Floats, labels: Cells, public: np.random.Generator) -> Cells:
    """A cell for each label, from the row of the table that belongs to the label."""
    ends = np.cumsum(table / table.sum(axis=1, keepdims=True), axis=1)
    cells = (public.random(len(labels))[:, None] > ends[labels]).sum(axis=1)
    return np.asarray(np.minimum(cells, table.shape[1] - 1), dtype=np.int64)
