"""The trial of a rule by fresh clients, before it may depart from the most common class.

Features that each say little may say much together, which testing one after the other does not show. So the
learned rule is shifted until, by what was learned, it gives every class to equally many people. Clients with
no part in the learning then say by randomized response whether it is right about them. If features and
label are independent and the rule gives class k, of share p_k, to a share q_k, it is right
about c = Σ q_k·p_k of them: 1/K if it is balanced, however common the classes are. Uncertainty about q and
p adds variance. The estimate r̃ − c ~ N(θ, v) has the evidence

    B(s) = 2·√(1 − k)·exp(½·k·z²)·Φ(√k·z),     k = s²/(s² + v),   z = (r̃ − c)/√v,

against θ = 0 if θ is the absolute value of a N(0, s²); its mean is 1 under θ = 0. How often the rule is right
also shows how far its log-odds may be believed: shrunken feature by feature, they are too small together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from noisewright.domains import Floats
from noisewright.learn.learners.evidence import LabelShares
from noisewright.learn.learners.odds import FeatureLaw
from noisewright.learn.questions.choice import ComparisonQuestion
from noisewright.learn.questions.feedback import Evaluation, FeedbackQuestion, response
from noisewright.learn.questions.rounds import Ask, Procedure
from noisewright.learn.rules import AdditiveRule, ConstantRule

LEADS: Final = (0.05, 0.1, 0.2)
"""Standard deviations s of how much more often than by chance a rule is right, equally likely beforehand."""

BALANCE: Final = 0.15
"""Plausible imbalance of a rule, by what was learned, as a standard deviation of a share that it names."""

OFF: Final = 0.4
"""The same where clients are asked for that share, wide enough that they decide."""

MOST_SCALE: Final = 3.0
"""The largest factor by which the log-odds of a rule are stretched."""

SIMULATED_PEOPLE: Final = 500
"""Simulated people by whom a rule is balanced."""


FINE: Final = 0.04
"""The standard error of a trial that is fine enough: further clients learn instead."""


@dataclass(frozen=True)
class Trial:
    """The result of a trial: the log of the evidence for the rule, and the factor to stretch its log-odds."""

    evidence: float = 0.0
    scale: float = 1.0


def enough_people(epsilon: float) -> int:
    """Return the number of clients who must try a rule until its accuracy is known finely enough.

    >>> enough_people(1.0), enough_people(2.0)
    (732, 270)
    """
    return int(np.ceil((2 * FINE * (2 * response(epsilon).hit - 1)) ** -2.0))


def trial_procedure(
    laws: tuple[FeatureLaw, ...], label: LabelShares, people: int, epsilon: float
) -> Procedure[Trial]:
    """Ask ``people`` clients whether the balanced rule of some features is right about them."""
    tables = [law.centred() for law in laws]
    scores = _simulated_scores(laws, tables)
    middle = np.median(scores, axis=0)
    rule = AdditiveRule([law.axis for law in laws], tables, -middle)
    named = np.bincount((scores - middle).argmax(axis=1), minlength=len(label.shares)) / len(scores)
    reply, named, doubt = yield from _feedback(rule, named, label, people, epsilon)
    if not len(reply):
        return Trial()
    shares, variance = label.open()
    even = 1 / len(shares)
    chance = float(named @ shares)
    # Both the classes' shares and the shares that the rule names may be wrong.
    variance = (
        2 * variance * float(((named - even) ** 2).sum()) + doubt * float(2 * (shares.max() - even)) ** 2
    )
    variance += _noise(chance, len(reply), epsilon)
    found = Evaluation.of([int(np.sum(reply))], [len(reply)], epsilon)
    evidence, expected = lead_evidence(float(found.value[0]) - chance, variance)
    return Trial(evidence, _scale(scores - middle, chance + expected))


def _feedback(
    rule: AdditiveRule, named: Floats, label: LabelShares, people: int, epsilon: float
) -> Procedure[tuple[NDArray[np.bool_], Floats, float]]:
    """Return the feedback, and how often the rule names each class, with the variance of that.

    With two classes, the more uneven they are, the more clients are asked whether the rule names the second:
    they compare it with the first, and differ where it does.
    """
    classes = len(named)
    uneven = float(2 * label.cautious().max() - 1) if classes == 2 else 0.0
    placed = min(round(people * uneven / (1 + uneven)), people - 1)
    asks = [Ask(FeedbackQuestion(epsilon, rule), people - placed)]
    comparison = ComparisonQuestion(epsilon, rule, ConstantRule(0))
    asks += [Ask(comparison, placed)] if placed else []
    reply, *others = yield tuple(asks)
    places = np.concatenate([*others, np.empty(0)])
    if classes > 2 or not len(places):
        return reply, named, BALANCE**2
    hit, miss = comparison.channel.hit, comparison.channel.miss
    second = (float(np.mean(places != 1)) - 2 * miss) / (hit - miss)
    precision = 4 * len(places) * (hit - miss) ** 2  # the inverse of the largest variance of that
    second = (named[1] / OFF**2 + second * precision) / (OFF**-2 + precision)
    return reply, np.array([1 - second, second]).clip(0, 1), 1 / (OFF**-2 + precision)


def _simulated_scores(laws: Sequence[FeatureLaw], tables: Sequence[Floats]) -> Floats:
    """Return the scores of simulated people, always the same ones, whose features are independent."""
    generator = np.random.default_rng(0)
    drawn = [
        generator.choice(len(law.shares), SIMULATED_PEOPLE, p=law.shares / law.shares.sum()) for law in laws
    ]
    return np.asarray(np.sum([table[cells] for table, cells in zip(tables, drawn, strict=True)], axis=0))


def lead_evidence(lead: float, variance: float) -> tuple[float, float]:
    """Return the log of the evidence that a rule beats chance, and by how much it then does on average.

    >>> evidence, expected = lead_evidence(0.2, 0.1**2)      # two standard errors
    >>> round(evidence, 2), round(expected, 2)
    (1.2, 0.12)
    """
    spread = np.array(LEADS)
    kept = spread**2 / (spread**2 + variance)
    score = np.sqrt(kept) * lead / np.sqrt(variance)
    parts = np.log(2) + np.log1p(-kept) / 2 + score**2 / 2 + log_ndtr(score)
    total = float(np.logaddexp.reduce(parts))
    deviation = np.sqrt(kept * variance)
    # The mean of a normal law cut at 0: the ratio of density and distribution, by their logarithms.
    means = deviation * (score + np.exp(-(score**2) / 2 - np.log(2 * np.pi) / 2 - log_ndtr(score)))
    return total - float(np.log(len(LEADS))), float(np.exp(parts - total) @ means)


def _noise(right: float, people: int, epsilon: float) -> float:
    """Return the variance of the estimated accuracy of a rule with accuracy ``right``."""
    hit = response(epsilon).hit
    rate = hit * right + (1 - hit) * (1 - right)
    return rate * (1 - rate) / (people * (2 * hit - 1) ** 2)


def _scale(scores: Floats, right: float) -> float:
    """Return the factor, 1 or more, of log-odds at which a rule has accuracy ``right`` on such people."""
    scales = np.geomspace(1.0, MOST_SCALE, 25)
    # The largest of the chances softmax(λ·scores), on average: the rule's accuracy if its odds are true.
    ahead = scores - scores.max(axis=1, keepdims=True)
    chances = [float(np.mean(1 / np.exp(scale * ahead).sum(axis=1))) for scale in scales]
    return float(np.interp(right, chances, scales))
