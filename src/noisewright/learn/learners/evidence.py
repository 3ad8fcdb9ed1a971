"""How common each class is, and the evidence of the answers that features matter.

**Classes.** :class:`LabelShares` uses the labels in all answers, and a public guess while they are
few.

**Features.** The evidence is a Bayes factor, paid for by ε. If a feature's log-odds run along a line of slope
b (in standard deviations of the feature), the answers about it have, near b = 0, the log-likelihood g·b −
½·b·I·b with the score g and the information I of
:meth:`~noisewright.learn.learners.odds.FeatureAnswers.relation`. For b ~ N(0, τ²) that integrates to

    log B(τ) = ½·gᵀ(I + 1/τ²)⁻¹g − ½·log det(1 + τ²·I),

and if a share ω of the features matters, the answers to all of them together are

    E = mean over τ, ω of  Π over features of (1 − ω + ω·B(τ))

times as likely as if none did. Where nothing matters E is 1 on average, so it reaches K with a chance of at
most 1/K (Markov), however earlier answers decided what was asked about later (up to the normal approximation
of the score).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.learn.learners.odds import Relation
from noisewright.learn.questions.choice import CellQuestion

LEAN: Final = 0.57
"""The share that the default class is thought to have, before anybody answered, of two classes."""

DOUBT: Final = 0.075
"""The standard deviation of that guess."""

OPEN_DOUBT: Final = 0.3
"""The same where the guess must not hide how common the more common class may be."""

CAUTION: Final = 0.25
"""Standard errors by which the most common class is assumed more common before a rule departs from it."""

HIGH: Final = 2.5
"""Standard errors above its estimate that the share of the most common class may well reach."""

LEAST: Final = 0.02
"""No class is thought to be rarer."""


@dataclass(frozen=True, eq=False)
class LabelShares:
    """The share of each class: the unbiased estimate of all answers, pulled to the guess by its uncertainty.

    At ε = 0.1, two thousand answers cannot tell a class of one third apart from one of two thirds. Then the
    guess decides: ``default`` is the class to predict where nothing is known, and it is public. ``seen`` and
    ``precision`` are the unbiased estimate and the inverse of its variance.

    >>> LabelShares.of([], 2, default=0).shares.round(3).tolist()
    [0.57, 0.43]
    """

    shares: Floats
    guess: Floats
    seen: Floats
    precision: float

    @classmethod
    def of(cls, asked: Iterable[tuple[CellQuestion, Cells]], classes: int, default: int) -> Self:
        """Estimate shares from the answers to cell questions, whatever they are about."""
        guess = np.full(classes, (1 - LEAN) / (classes - 1) if classes == 2 else 0.9 / classes)
        guess[default] = 1 - (guess.sum() - guess[default])
        precision, total = 0.0, np.zeros(classes)
        for question, answers in asked:
            value, variance = _label_shares(question, answers)
            precision, total = precision + 1 / variance, total + value / variance
        seen = total / precision if precision else guess
        return cls(_pool(guess, DOUBT, seen, precision), guess, seen, precision)

    def odds(self) -> Floats:
        """Return the log-odds of each class but the first, against it."""
        return np.asarray(np.log(self.shares[1:] / self.shares[0]))

    def open(self) -> tuple[Floats, float]:
        """Return shares that depend on the guess as little as needed, and their variance."""
        shares = _pool(self.guess, OPEN_DOUBT, self.seen, self.precision)
        return shares, 1 / (self.precision + 1 / OPEN_DOUBT**2)

    def open_odds(self) -> tuple[Floats, float]:
        """Return the log-odds of :meth:`open`, and about their variance."""
        shares, variance = self.open()
        most = float(shares.max())
        return np.asarray(np.log(shares[1:] / shares[0])), variance / (most * (1 - most)) ** 2

    def cautious(self) -> Floats:
        """Return the shares with the most common class given the benefit of the doubt.

        A rule that departs from it must be right to do so even if it is a quarter of a standard error more
        common than it seems; the guess, which is far from a rare class, counts for little here.

        >>> known = LabelShares.of([], 2, default=0)
        >>> known.cautious().round(2).tolist()
        [0.64, 0.36]
        """
        most = int(np.argmax(self.shares))
        open_shares, variance = self.open()
        return self._with_most(max(self.shares[most], open_shares[most] + CAUTION * variance**0.5))

    def high(self) -> Floats:
        """Return the shares if the most common class is as common as the answers leave possible.

        They show what is at stake if a rule departs from that class for nothing: little where many answers
        show even classes, much where few answers leave open how uneven they are.

        >>> LabelShares.of([], 2, default=0).high().round(2).tolist()
        [0.76, 0.24]
        """
        error = (self.precision + DOUBT**-2) ** -0.5
        return self._with_most(max(self.shares.max() + HIGH * error, self.cautious().max()))

    def _with_most(self, share: float) -> Floats:
        """Give the most common class another share, and scale the others to the rest."""
        most, share = int(np.argmax(self.shares)), min(share, 1 - LEAST)
        others = np.delete(self.shares, most)
        return np.insert(others * (1 - share) / others.sum(), most, share)


def _pool(guess: Floats, doubt: float, seen: Floats, precision: float) -> Floats:
    """Weigh the guess and the estimate by their certainty; no class is rarer than ``LEAST``."""
    shares = np.maximum((guess / doubt**2 + seen * precision) / (1 / doubt**2 + precision), LEAST)
    return np.asarray(shares / shares.sum())


def _label_shares(question: CellQuestion, answers: Cells) -> tuple[Floats, float]:
    """Return unbiased shares of the labels from one question, with their largest variance."""
    hit, miss = question.channel.hit, question.channel.miss
    counts = np.bincount(answers % question.classes, minlength=question.classes)
    value = (counts / len(answers) - question.bins * miss) / (hit - miss)
    return value, 0.25 / (len(answers) * (hit - miss) ** 2)


SLOPES: Final = (0.25, 0.5, 1.0)
"""Standard deviations τ of the slopes, equally likely beforehand."""

SHARES: Final = (0.15, 0.5, 1.0)
"""Shares ω of the features that matter, equally likely beforehand."""


def feature_evidence(relation: Relation) -> Floats:
    """Return the log Bayes factor of one feature for each τ of ``SLOPES``; 0 where nothing was asked.

    >>> found = Relation(score=np.array([6.0]), information=np.array([[9.0]]))      # two standard errors
    >>> feature_evidence(found).round(2).tolist()
    [0.5, 0.8, 0.65]
    """
    one = np.eye(len(relation.score))
    parts = []
    for slope in SLOPES:
        scaled = one + slope**2 * relation.information
        fit = relation.score @ np.linalg.solve(scaled, relation.score) * slope**2
        parts.append((fit - np.linalg.slogdet(scaled)[1]) / 2)
    return np.array(parts)


def strongest(evidence: Sequence[Floats], count: int) -> list[int]:
    """Return the places of the features with the most evidence, in their old order."""
    each = np.array([np.logaddexp.reduce(feature) for feature in evidence])
    return sorted(int(place) for place in np.argsort(-each, kind="stable")[:count])


def total_evidence(evidence: Sequence[Floats]) -> float:
    """Return the log of E: how much likelier all answers are if some features matter than if none does.

    >>> round(total_evidence([np.array([2.0, 2.5, 2.2]), np.zeros(3)]), 2)
    1.74
    """
    worlds = _factors(np.array(evidence)).sum(axis=1)
    return float(np.logaddexp.reduce(np.ravel(worlds)) - np.log(len(SHARES) * len(SLOPES)))


def likely_slopes(relations: Sequence[Relation], evidence: Sequence[Floats]) -> list[Floats]:
    """Return each feature's slopes, on average over τ, ω and whether it matters, given all answers.

    ``evidence`` is :func:`feature_evidence` of each relation.

    Given τ and that the feature matters, they are (I + 1/τ²)⁻¹g on average; that it matters has the odds
    ω·B(τ) to 1 − ω. So a feature of which little is known counts for more where many others matter.

    >>> found = Relation(score=np.array([6.0]), information=np.array([[9.0]]))      # two standard errors
    >>> nothing = Relation(score=np.array([0.0]), information=np.array([[9.0]]))
    >>> asked = [found, *[found] * 9], [found, *[nothing] * 9]
    >>> [round(float(likely_slopes(each, list(map(feature_evidence, each)))[0][0]), 2) for each in asked]
    [0.47, 0.14]
    """
    table = np.array(evidence)
    each = _factors(table)
    worlds = each.sum(axis=1)
    chances = np.exp(worlds - np.logaddexp.reduce(np.ravel(worlds)))
    matters = np.exp(np.log(SHARES)[:, None, None] + table - each)
    weights = (chances[:, None] * matters).sum(axis=0)
    return [
        np.sum([weight * _slopes(relation, slope) for weight, slope in zip(row, SLOPES, strict=True)], axis=0)
        for relation, row in zip(relations, weights, strict=True)
    ]


def _factors(table: Floats) -> Floats:
    """Return the log of 1 − ω + ω·B(τ) for each ω, feature and τ."""
    share = np.array(SHARES)[:, None, None]
    with np.errstate(divide="ignore"):
        return np.asarray(np.logaddexp(np.log1p(-share), np.log(share) + table))


def _slopes(relation: Relation, slope: float) -> Floats:
    scaled = np.eye(len(relation.score)) + slope**2 * relation.information
    return np.asarray(slope**2 * np.linalg.solve(scaled, relation.score))
