"""Naive Bayes from people who each tell one thing: where they stand in one feature, and their label.

Four rounds. The first asks about every feature, cut into equal parts; each further one cuts where, by the
rounds before, equally many people stand, so that no answer is wasted on an empty stretch of a domain that was
declared too wide. Where all features together get too few answers to be told apart from noise, each round
goes on with the better part of them, by their evidence (:mod:`noisewright.learn.learners.evidence`): half a
dozen features of which nothing is known are worth less than two that are known. Once it is clear that some
matter, all are asked about again. All rounds go into one likelihood
(:mod:`noisewright.learn.learners.odds`).

A rule comes of it only if the answers say that features matter. Its threshold leaves the more common class
the benefit of the doubt about how common it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.learn.learners.evidence import feature_evidence, strongest, total_evidence
from noisewright.learn.learners.label_shares import LabelShares
from noisewright.learn.learners.odds import FeatureAnswers, FeatureLaw
from noisewright.learn.learners.priors import HOPEFUL, SOBER
from noisewright.learn.questions.cells import CellQuestion
from noisewright.learn.rounds import Ask, Procedure, spread
from noisewright.learn.rules import AdditiveRule, Axis

ROUNDS: Final = (0.3, 0.2, 0.2, 0.3)
"""The shares of the clients who are asked in each round."""

AIM: Final = 100.0
"""Clean people a feature, were all clients asked about what is left in the last round."""

LEAST_FEATURES: Final = 2

SETTLED: Final = float(np.log(8.0))
"""The log of the evidence from which on all features are asked about: that some matter is clear by then."""

PLENTY: Final = 40.0
PICKED_PLENTY: Final = 60.0
"""Clean people a feature from which on its answers can tell whether it matters; more if it was picked, since
a feature that came so far is likely to."""

KNOWN: Final = 8.0
"""Clean people a feature without which nothing is said about where people stand."""

LEAST_BAR, ODDS_BAR = 1.2, 0.5
"""The evidence without which no feature is looked at: the larger of a number and a multiple of the odds of
the most common class. The rarer the others, the more it costs to leave it for nothing."""

ENOUGH: Final = 100.0
SCANT: Final = 5 / 3
"""By how much the bar is higher where all answers are worth fewer clean people."""

CROWD: Final = 0.9
MOST_BINS: Final = 8
ROUGH: Final = {0.7: 1.0}
"""The one strength of a round that only has to find where people are."""


@dataclass(frozen=True)
class Additive:
    """What was learned: the law of every feature that was kept, and how common each class is.

    ``worth`` is to how many people who hide nothing all answers amount: each counts (hit − miss)².
    ``evidence`` is the log of how much likelier the answers are if features matter than if none does. Below
    the bar a rule would follow the noise, so there :meth:`rule` looks at no feature. ``known`` says whether
    the answers tell where people stand.
    """

    laws: tuple[FeatureLaw, ...]
    label: LabelShares
    worth: float
    evidence: float
    known: bool = True

    @property
    def shares(self) -> Floats:
        """How common each class is."""
        return self.label.shares

    @property
    def bar(self) -> float:
        """The log of the evidence without which no feature is looked at."""
        most = float(self.label.cautious().max())
        bar = max(LEAST_BAR, ODDS_BAR * most / (1 - most))
        return float(np.log(bar if self.worth >= ENOUGH else SCANT * bar))

    @property
    def convinced(self) -> bool:
        """Whether the answers say that features matter."""
        return self.evidence >= self.bar

    def rule(self, strongest: int | None = None) -> AdditiveRule:
        """All features together, or only the ``strongest`` of them."""
        order = sorted(self.laws, key=FeatureLaw.strength, reverse=True) if self.convinced else []
        kept = order if strongest is None else order[:strongest]
        shares = self.label.cautious() if kept else self.shares
        return AdditiveRule([law.axis for law in kept], [law.centred() for law in kept], np.log(shares))

    def crowded(self) -> list[Axis]:
        """The axes on which two neighbouring cells hold nearly everybody, if enough is known to say so."""
        known = [law for law in self.laws if law.axis.ordered] if self.known else []
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
    """Rounds of cell questions, evenly over the features that are left.

    >>> rounds = additive_procedure([Axis(0, 1), Axis(1, 2)], people=100, epsilon=1.0)
    >>> [(ask.question.cuts, ask.people) for ask in next(rounds)]
    [((8,), 15), ((8,), 15)]
    """
    lesson = _Lesson([FeatureAnswers(axis, classes) for axis in axes], epsilon, classes, default)
    keep = lesson.kept(people)
    left = list(range(len(axes)))
    for count, asked in zip(keep, _parts(people), strict=True):
        odds = lesson.label().odds()
        if count < len(axes):
            evidence = [lesson.evidence(place, odds) for place in left]
            best = [left[place] for place in strongest(evidence, count)]
            left = best if total_evidence(evidence) < SETTLED else list(range(len(axes)))
        yield from lesson.ask(left, odds, asked)
    return lesson.learned(left)


class _Lesson:
    """The answers of all rounds, by feature."""

    def __init__(
        self, features: Sequence[FeatureAnswers], epsilon: float, classes: int, default: int
    ) -> None:
        self._features, self._epsilon = features, epsilon
        self._classes, self._default = classes, default
        self._asked: list[tuple[CellQuestion, Cells]] = []
        self._worth = np.zeros(len(features))

    def kept(self, people: int) -> list[int]:
        """How many features are left in each round: public, and all of them where people are plenty."""
        features = len(self._features)
        each = [_worth(_question(feature, _even(feature.axis), self._epsilon)) for feature in self._features]
        part = min(1.0, people * float(np.mean(each)) / features / AIM)
        steps = len(ROUNDS) - 1
        least = min(LEAST_FEATURES, features)
        return [max(least, int(np.ceil(features * part ** (step / steps)))) for step in range(steps + 1)]

    def label(self) -> LabelShares:
        """How common the classes are, by all answers so far."""
        return LabelShares.of(self._asked, self._classes, self._default)

    def evidence(self, place: int, odds: Floats) -> Floats:
        """The evidence of one feature so far."""
        return feature_evidence(self._features[place].relation(odds))

    def ask(self, left: Sequence[int], odds: Floats, people: int) -> Procedure[None]:
        """Ask about some features, cut where people stand as far as that is known."""
        shares = zip(left, spread(people, len(left)), strict=True)
        chosen = [(place, count) for place, count in shares if count]
        if not chosen:
            return
        questions = [self._question(place, odds) for place, _ in chosen]
        counts = [count for _, count in chosen]
        replies = yield tuple(Ask(question, count) for question, count in zip(questions, counts, strict=True))
        for question, (place, _), reply in zip(questions, chosen, replies, strict=True):
            if len(reply):
                self._features[place].add(question, reply)
                self._asked.append((question, reply))
                self._worth[place] += _worth(question) * len(reply)

    def _question(self, place: int, odds: Floats) -> CellQuestion:
        feature = self._features[place]
        stand = feature.fit(odds, ROUGH).shares if feature.counts else _even(feature.axis)
        return _question(feature, stand, self._epsilon)

    def learned(self, left: Sequence[int]) -> Additive:
        """The laws of the features that are left, and of those with answers enough to stand by themselves."""
        label = self.label()
        odds, total = label.odds(), float(self._worth.sum())
        plenty = np.full(len(self._features), PLENTY)
        plenty[left] = PICKED_PLENTY if len(left) < len(self._features) else PLENTY
        laws = [
            feature.fit(odds, SOBER if self._worth[place] >= plenty[place] else HOPEFUL)
            for place, feature in enumerate(self._features)
            if place in left or self._worth[place] >= PLENTY
        ]
        evidence = total_evidence([self.evidence(place, odds) for place in range(len(self._features))])
        return Additive(tuple(laws), label, total, evidence, total >= KNOWN * len(self._features))


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


def _parts(people: int) -> list[int]:
    """The clients of each round; rounding leaves the rest to the last."""
    first = [round(share * people) for share in ROUNDS[:-1]]
    return [*first, people - sum(first)]


def _even(axis: Axis) -> Floats:
    return np.full(axis.cells, 1 / axis.cells)


def _worth(question: CellQuestion) -> float:
    """What an answer is worth beside one that is always true."""
    return (question.channel.hit - question.channel.miss) ** 2


def _drawn(table: Floats, labels: Cells, public: np.random.Generator) -> Cells:
    """A cell for each label, from the row of the table that belongs to the label."""
    ends = np.cumsum(table / table.sum(axis=1, keepdims=True), axis=1)
    cells = (public.random(len(labels))[:, None] > ends[labels]).sum(axis=1)
    return np.asarray(np.minimum(cells, table.shape[1] - 1), dtype=np.int64)
