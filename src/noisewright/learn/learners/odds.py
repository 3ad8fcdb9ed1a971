"""The likelihood of noisy answers about one feature, given the exact law of the noise.

Let P(cell, label) be the joint law of the feature's cell and the label. An answer to question j falls on
report r with probability Σ M_j[r, (cell, label)] P(cell, label), where M_j is the law of the question, known
to the last digit. So all answers, whatever cuts their questions had, add up to one likelihood of P:

    log L(P) = Σ_j Σ_r n_jr · log (M_j P)_r

It is maximized together with a prior over the logits of P by
Fisher scoring. How strong the evidence of a feature may be is weighed by the answers themselves: the model is
fitted for several strengths, and each counts by its Laplace approximation of the probability of the answers
(MacKay 1992). A feature that says nothing is thus shrunk to nothing, one that decides is hardly shrunk.

**Prior.** Before anybody answered, neighbouring cells are thought to be alike: the shares of the cells vary
smoothly, and so does the evidence of a cell for a class, as a Gaussian process whose strength is not assumed
but found as above. Labels have no neighbours, so there each cell stands alone.

:meth:`FeatureAnswers.relation` uses the same likelihood for a score test (Rao 1948): how steeply it rises
where feature and label are independent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.learn.questions.choice import CellQuestion
from noisewright.learn.rules.additive import Axis

Strengths = Mapping[float, float]
"""Standard deviations of a cell's log-odds, from hardly any evidence to a feature that decides alone, with
their chances before anybody answered."""

HOPEFUL: Final[Strengths] = {0.15: 0.1, 0.5: 0.3, 1.0: 0.3, 2.0: 0.3}
"""While answers are few they do not determine a strength, and these chances decide. Features are declared
because they are thought to matter, so few are expected to say nothing; if none does, this costs accuracy."""

SOBER: Final[Strengths] = {0.15: 0.4, 0.5: 0.2, 1.0: 0.2, 2.0: 0.2}
"""Once answers are enough, a feature must show that it matters."""

REACH: Final = 0.3
"""Distance that evidence carries along an axis of length 1."""

STRAIGHT: Final = 1.2
"""The part of the variance of the evidence that is a straight line, at the ends of the axis."""

BENDS: Final = 2.0
"""Precision of the second differences of the cells' log-shares."""

LEVEL: Final = 0.05
"""Variance of a common shift of all cells' log-odds: the share of the class is known only roughly."""


@dataclass(frozen=True)
class AxisPrior:
    """The precision of the cells' log-shares, and the covariance of their log-odds, by strength."""

    axis: Axis

    def shares_precision(self) -> Floats:
        """Return a precision: large for rough log-shares, small for a common shift (their sum removes it)."""
        return _shares_precision(self.axis.cells, self.axis.ordered)

    def odds_precision(self, strength: float) -> Floats:
        """Return the inverse covariance of the log-odds of one class against the first."""
        return _odds_precision(self.axis.cells, self.axis.ordered, strength)


@lru_cache(maxsize=64)
def _shares_precision(cells: int, ordered: bool) -> Floats:
    ridge = 0.02 * np.eye(cells)
    if not ordered:
        return ridge
    first, second = np.diff(np.eye(cells), 1, axis=0), np.diff(np.eye(cells), 2, axis=0)
    return np.asarray(BENDS * (second.T @ second + 0.05 * first.T @ first) + ridge)


@lru_cache(maxsize=256)
def _odds_precision(cells: int, ordered: bool, strength: float) -> Floats:
    shape = _smooth(cells) if ordered else np.eye(cells)
    return np.asarray(np.linalg.inv(strength**2 * shape + LEVEL + 1e-4 * np.eye(cells)), dtype=np.float64)


def _smooth(cells: int) -> Floats:
    """Return the covariance of a straight line through the middle plus bends that reach ``REACH`` far."""
    places = (np.arange(cells) + 0.5) / cells
    line = 2 * places - 1
    bends = np.exp(-0.5 * ((places[:, None] - places) / REACH) ** 2)
    return np.asarray(0.8 * bends + STRAIGHT * np.outer(line, line))


MOST_STEPS: Final = 40
ENOUGH: Final = 1e-5
"""A step that gains less log-posterior than this is the last."""

LEAST_STEP: Final = 1e-4

UNRELATED: Final = 1e-3
"""A strength of the evidence that is practically none."""

LEAST_SPREAD: Final = 0.5
"""The least standard deviation of a feature, in cells."""


@dataclass(frozen=True, eq=False)
class Relation:
    """How the answers favour a slope of the log-odds along a feature: the score and its information matrix.

    One entry for each class but the first, and of labels for each label. The information is reduced by what
    is unknown about the shares of the cells and of the classes.
    """

    score: Floats
    information: Floats


@dataclass(frozen=True)
class FeatureLaw:
    """The law of one feature: log-probabilities of its cells in each class, and the cells' shares."""

    axis: Axis
    evidence: Floats
    shares: Floats

    def centred(self) -> Floats:
        """Return the evidence as a table of an additive rule: a cell of average evidence favours no class."""
        return np.asarray(self.evidence - self.evidence.mean(axis=1, keepdims=True))

    def stretch(self, scale: float) -> FeatureLaw:
        """Return the law with log-odds ``scale`` times as large."""
        return replace(self, evidence=self.evidence + (scale - 1) * self.centred())

    def strength(self) -> float:
        """Return the spread of the feature's evidence over the people, summed over the classes."""
        table = self.centred()
        middle = self.shares @ table
        return float(self.shares @ ((table - middle) ** 2).sum(axis=1))


@dataclass
class FeatureAnswers:
    """The answers about one feature so far, counted by question."""

    axis: Axis
    classes: int
    laws: list[Floats] = field(default_factory=list)
    counts: list[Cells] = field(default_factory=list)

    def add(self, question: CellQuestion, answers: Cells) -> None:
        """Count some answers to one question."""
        self.laws.append(question.law())
        self.counts.append(np.bincount(answers, minlength=question.pairs))

    def fit(self, label_odds: Floats, strengths: Strengths = HOPEFUL) -> FeatureLaw:
        """Return the law of the feature, averaged over strengths; ``label_odds`` are against class 0."""
        fits = [_Fit(self, label_odds, strength) for strength in strengths]
        found = np.array([fit.log_probability for fit in fits]) + np.log(list(strengths.values()))
        weights = np.exp(found - found.max())
        weights /= weights.sum()
        tables = [np.log(fit.law / fit.law.sum(axis=1, keepdims=True)) for fit in fits]
        shares = [fit.law.sum(axis=0) for fit in fits]
        mix = [
            (weight * table, weight * share)
            for weight, table, share in zip(weights, tables, shares, strict=True)
        ]
        return FeatureLaw(self.axis, sum(table for table, _ in mix).T, sum(share for _, share in mix))

    def relation(self, label_odds: Floats, variance: float = 0.0) -> Relation:
        """Return the score of the log-odds along the axis at independence of feature and label.

        ``variance`` is that of ``label_odds``: their possible error is no relation.
        """
        fit = _Fit(self, label_odds, UNRELATED)
        cells = self.axis.cells
        wanted = _by_class(self._slope_directions(fit.law.sum(axis=0)), self.classes)
        shares, even = np.eye(cells, wanted.shape[1]), _by_class(np.ones((1, cells)), self.classes)
        score, information = fit.score(np.vstack([wanted, shares, even]))
        count = len(wanted)
        unknown = information[count:, count:]
        unknown[:cells, :cells] += AxisPrior(self.axis).shares_precision()
        unknown[cells:, cells:] += np.eye(self.classes - 1) / (LEVEL + variance)
        across = information[:count, count:]
        left = information[:count, :count] - across @ np.linalg.solve(unknown, across.T)
        return Relation(score[:count], (left + left.T) / 2)

    def with_slopes(self, label_odds: Floats, slopes: Floats) -> FeatureLaw:
        """Return the law whose log-odds have given slopes, as :meth:`relation` counts them."""
        shares = _Fit(self, label_odds, UNRELATED).law.sum(axis=0)
        tilt = slopes @ _by_class(self._slope_directions(shares), self.classes)
        table = np.log(shares) + tilt.reshape(self.classes, self.axis.cells)
        return FeatureLaw(self.axis, table.T, shares)

    def _slope_directions(self, shares: Floats) -> Floats:
        """Return the slopes that log-odds may have, a row each: a line in deviations, or label by label."""
        if not self.axis.ordered:
            return np.asarray(np.eye(self.axis.cells)[1 if self.axis.cells == 2 else 0 :] - shares)
        line = np.arange(self.axis.cells) - shares @ np.arange(self.axis.cells)
        return np.asarray(line / max(float(np.sqrt(shares @ line**2)), LEAST_SPREAD))[None]


def _by_class(ways: Floats, classes: int) -> Floats:
    """Return directions in the parameters of a fit: each way for the log-odds of each class but the first."""
    blocks = np.kron(np.eye(classes - 1), ways)
    return np.hstack([np.zeros((len(blocks), ways.shape[1])), blocks])


class _Fit:
    """The most probable law at one strength; parameters are the first class's logits and the others' odds."""

    def __init__(self, answers: FeatureAnswers, label_odds: Floats, strength: float) -> None:
        self._shape = (answers.classes, answers.axis.cells)
        self._matrix = (
            np.vstack(answers.laws) if answers.laws else np.empty((0, answers.classes * answers.axis.cells))
        )
        self._counts = np.concatenate([*answers.counts, np.empty(0)])
        self._asked = np.concatenate([*(np.full(len(c), c.sum()) for c in answers.counts), np.empty(0)])
        self._set_prior(AxisPrior(answers.axis), label_odds, strength)
        self._climb()

    def _set_prior(self, prior: AxisPrior, label_odds: Floats, strength: float) -> None:
        classes, cells = self._shape
        precision = np.zeros((classes * cells, classes * cells))
        precision[:cells, :cells] = prior.shares_precision()
        for label in range(1, classes):
            block = slice(label * cells, (label + 1) * cells)
            precision[block, block] = prior.odds_precision(strength)
        self._precision = precision
        self._middle = np.concatenate([np.zeros(cells), np.repeat(label_odds, cells)])

    def _climb(self) -> None:
        """Maximize by Fisher scoring with step halving; sets ``law`` and ``log_probability``."""
        place = self._middle.copy()
        height, law = self._posterior(place)
        for _ in range(MOST_STEPS):
            gradient, curvature = self._slopes(place, law)
            step = np.linalg.solve(curvature, gradient)
            size, higher, at = 1.0, -np.inf, law
            while higher < height and size > LEAST_STEP:
                higher, at = self._posterior(place + size * step)
                size /= 2
            if higher <= height + ENOUGH:
                break
            place, height, law = place + 2 * size * step, higher, at
        _, curvature = self._slopes(place, law)
        self.law = law
        self.log_probability = height + 0.5 * (_log_det(self._precision) - _log_det(curvature))

    def _posterior(self, place: Floats) -> tuple[float, Floats]:
        """Return the log-posterior up to a constant, and the law."""
        law = self._law(place)
        away = place - self._middle
        likely = self._counts @ np.log(self._matrix @ law.ravel())
        return float(likely - 0.5 * away @ self._precision @ away), law

    def _law(self, place: Floats) -> Floats:
        logits = place.reshape(self._shape).copy()
        logits[1:] += logits[0]
        law = np.exp(logits - logits.max())
        return np.asarray(law / law.sum())

    def score(self, directions: Floats) -> tuple[Floats, Floats]:
        """Return the slopes of the log-likelihood at the fitted law in some directions, with information."""
        reported, change = self._change(self.law)
        along = change @ directions.T
        return along.T @ (self._counts / reported), along.T @ (along * (self._asked / reported)[:, None])

    def _change(self, law: Floats) -> tuple[Floats, Floats]:
        """Return the chance of each answer, and how it changes with the parameters."""
        flat = law.ravel()
        reported = self._matrix @ flat
        by_logit = (self._matrix * flat - reported[:, None] * flat).reshape(len(reported), *self._shape)
        by_logit[:, 0] = by_logit.sum(axis=1)  # the first class's logits shift all classes
        return reported, by_logit.reshape(len(reported), flat.size)

    def _slopes(self, place: Floats, law: Floats) -> tuple[Floats, Floats]:
        """Return the gradient of the log-posterior, and its expected curvature."""
        reported, change = self._change(law)
        gradient = change.T @ (self._counts / reported) - self._precision @ (place - self._middle)
        curvature = change.T @ (change * (self._asked / reported)[:, None]) + self._precision
        return gradient, curvature


def _log_det(matrix: Floats) -> float:
    return float(np.linalg.slogdet(matrix)[1])
