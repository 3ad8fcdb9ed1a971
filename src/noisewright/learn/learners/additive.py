"""Naive Bayes from people who each report one thing: their bin in one feature, and their label.

Four rounds. The first asks about every feature, cut into equal parts. Each further round cuts where, by the
rounds before, equally many people are, so that no answer is wasted on an empty stretch of a domain that was
declared too wide. Where all features together get too few answers to stand out from noise, each round goes
on with the better part of them, by their evidence (:mod:`noisewright.learn.learners.evidence`): two
features known well are worth more than half a dozen of which nothing is known. Once it is clear that some
matter, all are asked about again. All rounds go into one likelihood
(:mod:`noisewright.learn.learners.odds`). A feature that was dropped still votes, by its likely slope.

Unless it is clear by then that features matter, part of the last round tries the rule itself
(:mod:`noisewright.learn.learners.trial`). The rule departs from the most common class only where that is
right on average over two worlds: in one, features matter as was learned; in the other, none does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.learn.learners.evidence import (
    LabelShares,
    feature_evidence,
    likely_slopes,
    strongest,
    total_evidence,
)
from noisewright.learn.learners.odds import HOPEFUL, SOBER, FeatureAnswers, FeatureLaw, Relation
from noisewright.learn.learners.trial import enough_people, trial_procedure
from noisewright.learn.questions.choice import CellQuestion
from noisewright.learn.questions.rounds import Ask, Procedure, spread
from noisewright.learn.rules import AdditiveRule, Axis

ROUNDS: Final = (0.3, 0.2, 0.2, 0.3)
"""The shares of the clients who are asked in each round."""

AIM: Final = 50.0
"""Clean people a feature, if all clients were asked about the features left in the last round."""

LEAST_FEATURES: Final = 2

SETTLED: Final = float(np.log(8.0))
"""The log of the evidence from which all features are asked about: by then it is clear that some matter."""

PLENTY: Final = 60.0
"""Clean people a feature from which its answers show whether it matters."""

KNOWN: Final = 8.0
"""Clean people a feature below which nothing is said about where people are."""

HOPE: Final = 0.65
"""The chance, before anybody answered, that features matter."""

MOST_TRYING: Final = 0.15
"""The largest share of the clients who try the rule."""

SURE: Final = float(np.log(20.0))
"""The log of the evidence from which nobody tries the rule: those clients learn."""

CROWD: Final = 0.9
MOST_BINS: Final = 8
ROUGH: Final = {0.7: 1.0}
"""The one strength of a round that only has to find where people are."""


@dataclass(frozen=True)
class Additive:
    """The result of learning: the law of every feature, and how common each class is.

    ``evidence`` is the log of how much likelier the answers are if features matter than if none does.
    ``known`` says whether the answers show where people are.
    """

    laws: tuple[FeatureLaw, ...]
    label: LabelShares
    evidence: float
    known: bool = True

    @property
    def shares(self) -> Floats:
        """How common each class is."""
        return self.label.shares

    @property
    def doubt(self) -> float:
        """How far another class must be ahead of the most common one to be named; from 1 on none can be.

        In two worlds, one as was learned and one in which nothing matters, with odds 1 : o, naming another
        class is right on average if its lead in the first is at least o times its deficit in the second.
        That deficit is taken as (p₁ − p₂)/(2·p₂), which is p₁ − p₂ for even classes and more for uneven
        ones: features that lift a rare class above a common one are rarer than features that matter. The
        shares are the least favourable ones that the answers leave possible. So classes known to be even
        need little evidence, and classes of which little is known need much.
        """
        second, most = np.sort(self.label.high())[-2:]
        behind = (most / second - 1) / 2
        return float(behind * (1 - HOPE) / HOPE * np.exp(-self.evidence))

    @property
    def convinced(self) -> bool:
        """Whether the answers give enough evidence to use any feature."""
        return self.doubt < 1

    def rule(self, strongest: int | None = None) -> AdditiveRule:
        """Return the rule of all features, or of the ``strongest``; constant if one class always wins."""
        order = sorted(self.laws, key=FeatureLaw.strength, reverse=True) if self.convinced else []
        kept = order if strongest is None else order[:strongest]
        constant = AdditiveRule([], [], np.log(self.shares))
        if not kept:
            return constant
        offsets, tables = np.log(self.label.cautious()), [law.centred() for law in kept]
        most = int(np.argmax(offsets))
        # Of two classes, chances that differ by the doubt d have the log-odds log((1 + d)/(1 − d)).
        offsets[most] += 2 * np.arctanh(self.doubt)
        leads = np.sum([(table - table[:, [most]]).max(axis=0) for table in tables], axis=0)
        if (np.delete(leads + offsets, most) < offsets[most]).all():
            return constant  # no combination of cells could name another class
        return AdditiveRule([law.axis for law in kept], tables, offsets)

    def crowded(self) -> list[Axis]:
        """Return the axes on which two neighbouring cells hold nearly everybody, if enough is known."""
        known = [law for law in self.laws if law.axis.ordered] if self.known else []
        return [law.axis for law in known if (law.shares[1:] + law.shares[:-1]).max() > CROWD]

    def people(self, count: int, width: int, public: np.random.Generator) -> tuple[Floats, Cells]:
        """Draw simulated people who follow what was learned: units and labels, to try rules on."""
        labels = public.choice(len(self.shares), size=count, p=self.shares)
        units = np.zeros((count, width))
        for law in self.laws:
            law.axis.fill(units, _draw_cells(np.exp(law.evidence.T), labels, public))
        return units, labels


def additive_procedure(
    axes: Sequence[Axis], people: int, epsilon: float, classes: int = 2, default: int = 0
) -> Procedure[Additive]:
    """Ask cell questions in rounds, evenly over the features that are left, and try their rule.

    >>> rounds = additive_procedure([Axis(0, 1), Axis(1, 2)], people=100, epsilon=1.0)
    >>> [(ask.question.cuts, ask.people) for ask in next(rounds)]
    [((8,), 15), ((8,), 15)]
    """
    lesson = _Lesson([FeatureAnswers(axis, classes) for axis in axes], epsilon, classes, default)
    *early, last = _parts(people)
    *keep, final = lesson.features_left(people)
    left = list(range(len(axes)))
    for count, asked in zip(keep, early, strict=True):
        left = lesson.better(left, count)
        yield from lesson.ask(left, asked)
    left = lesson.better(left, final)
    trying = 0
    if lesson.result(left).evidence < SURE:
        trying = min(round(MOST_TRYING * people), enough_people(epsilon))
    yield from lesson.ask(left, last - trying)
    found = lesson.result(left)
    if not trying:
        return found
    trial = yield from trial_procedure(found.laws, found.label, trying, epsilon)
    laws = tuple(law.stretch(trial.scale) for law in found.laws)
    return replace(found, laws=laws, evidence=found.evidence + trial.evidence)


class _Lesson:
    """The answers of all rounds, by feature."""

    def __init__(
        self, features: Sequence[FeatureAnswers], epsilon: float, classes: int, default: int
    ) -> None:
        self._features, self._epsilon = features, epsilon
        self._classes, self._default = classes, default
        self._asked: list[tuple[CellQuestion, Cells]] = []
        self._worth = np.zeros(len(features))

    def features_left(self, people: int) -> list[int]:
        """Return the number of features left in each round: public, and all of them with plenty of people."""
        features = len(self._features)
        each = [_worth(_question(feature, _even(feature.axis), self._epsilon)) for feature in self._features]
        part = min(1.0, people * float(np.mean(each)) / features / AIM)
        steps = len(ROUNDS) - 1
        least = min(LEAST_FEATURES, features)
        return [max(least, int(np.ceil(features * part ** (step / steps)))) for step in range(steps + 1)]

    def label(self) -> LabelShares:
        """Return the shares of the classes, by all answers so far."""
        return LabelShares.of(self._asked, self._classes, self._default)

    def better(self, left: Sequence[int], count: int) -> list[int]:
        """Return the ``count`` best features that are left, or all once it is clear that some matter."""
        if count == len(self._features):
            return list(left)
        label = self.label()
        evidence = [feature_evidence(self._relation(place, label)) for place in left]
        if total_evidence(evidence) >= SETTLED:
            return list(range(len(self._features)))
        return [left[place] for place in strongest(evidence, count)]

    def ask(self, left: Sequence[int], people: int) -> Procedure[None]:
        """Ask about some features, cut by where people are, as far as that is known."""
        odds = self.label().odds()
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

    def _relation(self, place: int, label: LabelShares) -> Relation:
        return self._features[place].relation(*label.open_odds())

    def result(self, left: Sequence[int]) -> Additive:
        """Return the laws of all features: fitted for those left or with answers enough to stand alone.

        Too little is known of the others to fit a law. Their log-odds have the slopes that are likely.
        """
        label = self.label()
        relations = [self._relation(place, label) for place in range(len(self._features))]
        evidence = [feature_evidence(relation) for relation in relations]
        leans = likely_slopes(relations, evidence)
        laws = []
        for place, (feature, slopes) in enumerate(zip(self._features, leans, strict=True)):
            plenty = self._worth[place] >= PLENTY
            if plenty or place in left:
                strengths = SOBER if plenty else HOPEFUL
                laws.append(feature.fit(label.odds(), strengths))
            elif self._worth[place]:
                laws.append(feature.with_slopes(label.odds(), slopes))
        known = float(self._worth.sum()) >= KNOWN * len(self._features)
        return Additive(tuple(laws), label, total_evidence(evidence), known)


def _question(feature: FeatureAnswers, where: Floats, epsilon: float) -> CellQuestion:
    axis = feature.axis
    cuts = (
        cuts_at(where, bins_for(epsilon, feature.classes, axis.cells))
        if axis.ordered
        else range(1, axis.cells)
    )
    return CellQuestion(epsilon, axis, tuple(cuts), feature.classes)


def bins_for(epsilon: float, classes: int, cells: int) -> int:
    """Return the number of bins: with more of them an answer says more, and is more often a lie.

    Two classes: 1 + ε parts, from 2 to 8, found by simulation.

    >>> bins_for(1.0, 2, 16), bins_for(5.0, 2, 16), bins_for(5.0, 4, 16)
    (2, 6, 3)
    """
    return int(np.clip(round(2 * (1 + epsilon) / classes), 2, min(MOST_BINS, cells)))


def cuts_at(shares: Floats, bins: int) -> list[int]:
    """Return the cells at which bins of about equally many people begin; every bin has a cell.

    >>> cuts_at(np.array([0.7, 0.1, 0.1, 0.1]), 2), cuts_at(np.full(8, 0.125), 4)
    ([1], [2, 4, 6])
    """
    below = np.cumsum(shares) / np.sum(shares)
    cuts = np.searchsorted(below, np.arange(1, bins) / bins - 1e-9) + 1
    places = np.arange(bins - 1)
    cuts = np.maximum.accumulate(np.maximum(cuts, 1) - places) + places  # rising by at least one
    return [int(cut) for cut in np.minimum(cuts, len(shares) - bins + 1 + places)]


def _parts(people: int) -> list[int]:
    """Return the number of clients of each round; rounding leaves the rest to the last."""
    first = [round(share * people) for share in ROUNDS[:-1]]
    return [*first, people - sum(first)]


def _even(axis: Axis) -> Floats:
    return np.full(axis.cells, 1 / axis.cells)


def _worth(question: CellQuestion) -> float:
    """Return the worth of an answer, compared with one that is always true."""
    return (question.channel.hit - question.channel.miss) ** 2


def _draw_cells(table: Floats, labels: Cells, public: np.random.Generator) -> Cells:
    """Draw a cell for each label, from the label's row of the table."""
    ends = np.cumsum(table / table.sum(axis=1, keepdims=True), axis=1)
    cells = (public.random(len(labels))[:, None] > ends[labels]).sum(axis=1)
    return np.asarray(np.minimum(cells, table.shape[1] - 1), dtype=np.int64)
