"""Naive Bayes from people who each tell one thing: how one feature and their label hang together.

Four rounds. The first asks about every feature, cut into equal parts, and the label; each further one cuts
where, by the rounds before, equally many people stand, so that no answer is wasted on an empty stretch of a
domain that was declared too wide. At a small ε the later rounds ask for single bits
(:mod:`noisewright.learn.learners.feature_questions`). Where all features together get too few answers to be
told apart from noise, each round goes on with the better part of them, by their evidence
(:mod:`noisewright.learn.learners.evidence`): half a dozen features of which nothing is known are worth less
than two that are known. Once it is clear that some matter, all are asked about again. All rounds go into one
likelihood (:mod:`noisewright.learn.learners.odds`).

Unless it is clear by then that features matter, part of the last round tries the rule itself
(:mod:`noisewright.learn.learners.trial`). The rule leaves the most common class only where that is right on
average over two worlds, one in which features matter as was learned and one in which none does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.learn.learners.evidence import feature_evidence, strongest, total_evidence
from noisewright.learn.learners.feature_questions import asks_about, pair_question, worth
from noisewright.learn.learners.label_shares import LabelShares
from noisewright.learn.learners.odds import FeatureAnswers, FeatureLaw
from noisewright.learn.learners.priors import HOPEFUL, SOBER
from noisewright.learn.learners.trial import trial_procedure
from noisewright.learn.questions.cells import CellQuestion
from noisewright.learn.rounds import Ask, Procedure, spread
from noisewright.learn.rules import AdditiveRule, Axis

ROUNDS: Final = (0.3, 0.2, 0.2, 0.3)
"""The shares of the clients who are asked in each round."""

AIM: Final = 60.0
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

HOPE: Final = 0.3
"""The chance, before anybody answered, that features matter."""

LEAST_BAR: Final = float(np.log(1.2))
"""The log of the evidence without which no feature is looked at, however little that would cost."""

TRYING: Final = 0.2
"""The share of the clients who try the rule, unless the evidence is as large without them."""

SURE: Final = float(np.log(20.0))

CROWD: Final = 0.9
ROUGH: Final = {0.7: 1.0}
"""The one strength of a round that only has to find where people are."""


@dataclass(frozen=True)
class Additive:
    """What was learned: the law of every feature that was kept, and how common each class is.

    ``evidence`` is the log of how much likelier the answers are if features matter than if none does;
    ``scale`` stretches the log-odds of the features, by what the trial of their rule says. ``known`` says
    whether the answers tell where people stand.
    """

    laws: tuple[FeatureLaw, ...]
    label: LabelShares
    evidence: float
    scale: float = 1.0
    known: bool = True

    @property
    def shares(self) -> Floats:
        """How common each class is."""
        return self.label.shares

    @property
    def doubt(self) -> float:
        """By how much another class must be ahead of the most common one to be named; from 1 on none can be.

        In two worlds, one as was learned and one in which nothing matters, with odds 1 : o, naming another
        class is right on average if its chance in the first is ahead by o times what it is behind in the
        second. There that is (p₁ − p₂)/(2·p₂) here, which is p₁ − p₂ for even classes and more for uneven
        ones: features that lift a rare class above a common one are rarer than features that matter.
        """
        second, most = np.sort(self.label.cautious())[-2:]
        behind = (most / second - 1) / 2
        return float(behind * (1 - HOPE) / HOPE * np.exp(-self.evidence))

    @property
    def convinced(self) -> bool:
        """Whether the answers say enough for features that any is looked at."""
        return self.evidence >= LEAST_BAR and self.doubt < 1

    def rule(self, strongest: int | None = None) -> AdditiveRule:
        """All features together, or only the ``strongest`` of them."""
        order = sorted(self.laws, key=FeatureLaw.strength, reverse=True) if self.convinced else []
        kept = order if strongest is None else order[:strongest]
        if not kept:
            return AdditiveRule([], [], np.log(self.shares))
        offsets = np.log(self.label.cautious())
        # Of two classes, chances that differ by the doubt d have the log-odds log((1 + d)/(1 − d)).
        offsets[int(np.argmax(offsets))] += 2 * np.arctanh(self.doubt)
        tables = [self.scale * law.centred() for law in kept]
        return AdditiveRule([law.axis for law in kept], tables, offsets)

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
    """Rounds of questions, evenly over the features that are left, and the trial of their rule.

    >>> rounds = additive_procedure([Axis(0, 1), Axis(1, 2)], people=100, epsilon=1.0)
    >>> [(ask.question.cuts, ask.people) for ask in next(rounds)]
    [((8,), 15), ((8,), 15)]
    """
    lesson = _Lesson([FeatureAnswers(axis, classes) for axis in axes], epsilon, classes, default)
    *early, last = _parts(people)
    *keep, final = lesson.kept(people)
    left = list(range(len(axes)))
    for count, asked in zip(keep, early, strict=True):
        left = lesson.better(left, count)
        yield from lesson.ask(left, asked)
    left = lesson.better(left, final)
    trying = min(round(TRYING * people), last) if lesson.learned(left).evidence < SURE else 0
    yield from lesson.ask(left, last - trying)
    found = lesson.learned(left)
    if not trying:
        return found
    trial = yield from trial_procedure(found.laws, found.label, trying, epsilon)
    return replace(found, evidence=found.evidence + trial.evidence, scale=trial.scale)


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
        axes = [feature.axis for feature in self._features]
        each = [worth(pair_question(axis, _even(axis), self._epsilon, self._classes)) for axis in axes]
        part = min(1.0, people * float(np.mean(each)) / features / AIM)
        steps = len(ROUNDS) - 1
        least = min(LEAST_FEATURES, features)
        return [max(least, int(np.ceil(features * part ** (step / steps)))) for step in range(steps + 1)]

    def label(self) -> LabelShares:
        """How common the classes are, by all answers so far."""
        return LabelShares.of(self._asked, self._classes, self._default)

    def better(self, left: Sequence[int], count: int) -> list[int]:
        """So many of the features that are left, or all there are once it is clear that some matter."""
        if count == len(self._features):
            return list(left)
        evidence = [self._evidence(place, self.label()) for place in left]
        if total_evidence(evidence) >= SETTLED:
            return list(range(len(self._features)))
        return [left[place] for place in strongest(evidence, count)]

    def ask(self, left: Sequence[int], people: int) -> Procedure[None]:
        """Ask about some features, cut where people stand as far as that is known."""
        label = self.label()
        asks = [
            (place, ask)
            for place, count in zip(left, spread(people, len(left)), strict=True)
            if count
            for ask in self._asks(place, label, count)
        ]
        if not asks:
            return
        replies = yield tuple(ask for _, ask in asks)
        for (place, ask), reply in zip(asks, replies, strict=True):
            if len(reply):
                self._features[place].add(ask.question, reply)
                self._worth[place] += worth(ask.question) * len(reply)
                if isinstance(ask.question, CellQuestion):
                    self._asked.append((ask.question, reply))

    def _asks(self, place: int, label: LabelShares, people: int) -> list[Ask]:
        """Pairs while nothing is known of a feature, then what tells most."""
        feature = self._features[place]
        if not feature.counts:
            question = pair_question(feature.axis, _even(feature.axis), self._epsilon, self._classes)
            return [Ask(question, people)]
        stand = feature.fit(label.odds(), ROUGH).shares
        return asks_about(feature.axis, stand, label.shares, self._epsilon, people, turn=place)

    def _evidence(self, place: int, label: LabelShares) -> Floats:
        return feature_evidence(self._features[place].relation(*label.open_odds()))

    def learned(self, left: Sequence[int]) -> Additive:
        """The laws of the features that are left, and of those with answers enough to stand by themselves."""
        label = self.label()
        odds = label.odds()
        plenty = np.full(len(self._features), PLENTY)
        plenty[left] = PICKED_PLENTY if len(left) < len(self._features) else PLENTY
        laws = [
            feature.fit(odds, SOBER if self._worth[place] >= plenty[place] else HOPEFUL)
            for place, feature in enumerate(self._features)
            if place in left or self._worth[place] >= PLENTY
        ]
        evidence = total_evidence([self._evidence(place, label) for place in range(len(self._features))])
        return Additive(tuple(laws), label, evidence, known=float(self._worth.mean()) >= KNOWN)


def _parts(people: int) -> list[int]:
    """The clients of each round; rounding leaves the rest to the last."""
    first = [round(share * people) for share in ROUNDS[:-1]]
    return [*first, people - sum(first)]


def _even(axis: Axis) -> Floats:
    return np.full(axis.cells, 1 / axis.cells)


def _drawn(table: Floats, labels: Cells, public: np.random.Generator) -> Cells:
    """A cell for each label, from the row of the table that belongs to the label."""
    ends = np.cumsum(table / table.sum(axis=1, keepdims=True), axis=1)
    cells = (public.random(len(labels))[:, None] > ends[labels]).sum(axis=1)
    return np.asarray(np.minimum(cells, table.shape[1] - 1), dtype=np.int64)
