"""Weights of rules by their feedback: reverse rules mostly wrong, weigh above a cut-off or after shrinkage.

Shrinkage brings each estimated accuracy towards what all rules have in common. An estimated accuracy of 0.9
from ten people at ε = 1 says little, and the largest of fifty such says less. The accuracies r_b of the rules
are taken as draws from one law, whose centre and spread are learned from all the estimates r̃_b (with
variances s_b²):

    r̃_b | r_b ~ N(r_b, s_b²),   r_b | μ, τ ~ N(μ, τ²),   μ | κ ~ N(½, κ²),

with τ uniform on [0, ½], and κ = 0 or κ = 0.1 with equal chances: random directions are as often wrong as
right (μ = ½), trained rules are mostly better than a coin. For a pair τ, κ, with a_b = 1/(s_b² + τ²) and
A = Σ a_b,

    μ(τ, κ)   = ½ + κ² Σ a_b (r̃_b − ½) / (1 + κ² A)       near ½ while the common mean is uncertain,
    r_b(τ, κ) = μ(τ, κ) + τ² a_b (r̃_b − μ(τ, κ))          near μ while this rule's estimate is uncertain,

and the posterior mean of r_b is the mean of r_b(τ, κ) over the posterior of the pair, a sum over a grid.

The answers enter through their likelihood alone. So all this stays right when earlier answers decided who was
asked about which rule, as in halving.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.questions.feedback import Evaluation
from noisewright.learn.rules import Rule, mixed
from noisewright.parameters import real

CENTRES: Final = (0.0, 0.1)
"""How far, as a standard deviation, the mean accuracy of the rules may be from a coin's: κ."""

_STEPS: Final = np.arange(1, 97)
SPREADS: Final = 0.5 * (_STEPS / 96) ** 2
"""Standard deviations of the accuracies among the rules, τ: finer near zero, where the noise hides them."""

SPREAD_CHANCES: Final = _STEPS / _STEPS.sum()
"""A uniform law of τ on that grid: the distance between its points grows in proportion to their number."""


def shrunken_accuracies(evaluation: Evaluation, *, centred: bool = False) -> Floats:
    """Return the posterior mean of each rule's accuracy, by the model of this module.

    ``centred`` says that the rules are as often wrong as right by construction, like random directions.

    >>> found = Evaluation.of(right=[9, 610, 590, 600], asked=[10, 1000, 1000, 1000], epsilon=1.0)
    >>> found.value.round(2).tolist()
    [1.37, 0.74, 0.69, 0.72]
    >>> shrunken_accuracies(found).round(2).tolist()
    [0.79, 0.73, 0.7, 0.71]
    """
    parts = [_given_centre(evaluation, centre) for centre in (CENTRES[:1] if centred else CENTRES)]
    evidence = np.concatenate([part[0] for part in parts])
    chances = np.exp(evidence - evidence.max())
    means = np.concatenate([part[1] for part in parts])
    return np.asarray(np.clip(0.5 + chances @ means / chances.sum(), 0.0, 1.0))


def _given_centre(evaluation: Evaluation, deviation: float) -> tuple[Floats, Floats]:
    """Return, for one κ and every τ, the log of their posterior and each rule's mean distance from ½."""
    # A variance may be infinite (nobody was asked): then the precision is zero, and all below stays finite.
    precision = 1 / (evaluation.variance + SPREADS[:, None] ** 2)
    off, total = evaluation.value - 0.5, precision.sum(axis=1)
    pull = precision @ off
    middle = deviation**2 * pull / (1 + deviation**2 * total)
    # log N(off; 0, diag(1/precision) + κ²), by the matrix determinant lemma and the Sherman–Morrison formula.
    misfit = precision @ off**2 - pull * middle
    scale = np.log(np.where(precision > 0, precision, 1.0)).sum(axis=1) - np.log1p(deviation**2 * total)
    kept = SPREADS[:, None] ** 2 * precision
    means = middle[:, None] + kept * (off - middle[:, None])
    return np.log(SPREAD_CHANCES) + (scale - misfit) / 2, means


@dataclass(frozen=True, eq=False)
class Weights:
    """A weight for each rule, absolute values summing to one; a negative one asks for the reversed rule.

    ``fallback`` says that the method's own formula gave no weight to any rule, and that the remedy in its
    documentation was used instead.
    """

    values: Floats
    fallback: bool = False


def cutoff_weights(evaluation: Evaluation, cutoff: float) -> Weights:
    """Weight rules by how far their estimated accuracy exceeds a cut-off, and drop those that do not.

    weight_b = max(r̃_b − cutoff, 0) / Σ max(r̃_j − cutoff, 0)          (Qin and Bai 2026, eq. 10)

    Where no rule exceeds the cut-off the published formula divides zero by zero. Then the cut-off is lowered
    to ½, and if still no rule exceeds it, the rule with the highest estimate stands alone; both are flagged.

    >>> found = Evaluation(np.array([0.9, 0.75, 0.6]), np.full(3, 0.01), np.full(3, 100))
    >>> cutoff_weights(found, cutoff=0.7).values.round(9).tolist()
    [0.8, 0.2, 0.0]
    >>> lowered = cutoff_weights(found, cutoff=0.95)
    >>> lowered.values.round(3).tolist(), lowered.fallback
    ([0.533, 0.333, 0.133], True)
    """
    level = read_cutoff(cutoff)
    for step, bar in enumerate((level, min(level, 0.5))):
        excess = np.maximum(evaluation.value - bar, 0.0)
        if excess.any():
            return Weights(excess / excess.sum(), fallback=step > 0)
    return Weights(_alone(evaluation.value), fallback=True)


def shrunken_weights(evaluation: Evaluation, *, centred: bool = False) -> Weights:
    """Weight rules by the posterior mean of 2r − 1: reversal and averaging in one step, without a cut-off.

    weight_b = (2 E[r_b | answers] − 1) / Σ |2 E[r_j | answers] − 1|

    The posterior means are those of :func:`shrunken_accuracies`; ``centred`` says that the rules are as often
    wrong as right by construction, like random directions. The evaluation is that of the rules as people were
    asked about them: a negative weight reverses. If every estimate is exactly ½ the formula has no answer,
    and the first rule stands alone, flagged.

    >>> found = Evaluation.of(right=[600, 580, 400], asked=[1000, 1000, 1000], epsilon=1.0)
    >>> shrunken_weights(found).values.round(2).tolist()
    [0.36, 0.29, -0.36]
    """
    lean = 2 * shrunken_accuracies(evaluation, centred=centred) - 1
    if not lean.any():
        return Weights(_alone(evaluation.value), fallback=True)
    return Weights(lean / np.abs(lean).sum())


def average(rules: Sequence[Rule], weights: Weights) -> Rule:
    """Return the mixture of the rules by their weights; rules of weight zero are left out.

    A rule of negative weight enters reversed. Linear rules become one linear rule (Qin and Bai 2026, eq. 11).

    >>> from noisewright.learn.rules import LinearRule
    >>> rules = [LinearRule([1.0, 0.0]), LinearRule([0.0, 1.0]), LinearRule([5.0, 5.0])]
    >>> average(rules, Weights(np.array([0.5, -0.5, 0.0]))).weights.tolist()
    [0.5, -0.5]
    """
    if len(rules) != len(weights.values):
        raise InvalidParameter(f"{len(rules)} rules need a weight each, got {len(weights.values)} weights")
    pairs = [(rule, weight) for rule, weight in zip(rules, weights.values.tolist(), strict=True) if weight]
    if not pairs:
        raise InvalidParameter("at least one rule must have a weight other than zero")
    chosen = [rule if weight > 0 else rule.reversed() for rule, weight in pairs]
    return chosen[0] if len(chosen) == 1 else mixed(chosen, [abs(weight) for _, weight in pairs])


def read_cutoff(cutoff: float) -> float:
    """Return an accuracy from 0 to below 1, or refuse it."""
    level = real("cutoff", cutoff)
    if not 0 <= level < 1:
        raise InvalidParameter(
            f"must be an accuracy from 0 to below 1, got {cutoff!r}; usual: 0.5 to 0.8", field="cutoff"
        )
    return level


def _alone(values: Floats) -> Floats:
    """Return weights that give everything to the rule with the largest value."""
    return np.asarray(np.arange(len(values)) == np.argmax(values), dtype=np.float64)


def reverse(rules: Sequence[Rule], evaluation: Evaluation) -> tuple[list[Rule], Evaluation]:
    """Reverse every rule whose estimated accuracy is below ½; r̃ becomes max(r̃, 1 − r̃).

    Noise in the training data makes some weak rules worse than a coin; turned round, they are better than
    one. The larger of the two estimates is too high on average where the truth is near ½, because the side
    is chosen by the same answers; ask fresh people for an accuracy that is to be reported.

    >>> from noisewright.learn.rules import ConstantRule
    >>> found = Evaluation.of(right=[30, 70], asked=[100, 100], epsilon=2.0)
    >>> rules, better = reverse([ConstantRule(1), ConstantRule(1)], found)
    >>> [rule.code for rule in rules], bool((better.value > 0.5).all())
    ([0, 1], True)
    """
    if len(rules) != len(evaluation):
        raise InvalidParameter(
            f"{len(rules)} rules need an evaluation of each, got {len(evaluation)}; evaluate the same rules"
        )
    below = np.asarray(evaluation.value < 0.5)  # Qin and Bai 2026, eq. 9
    turned = [rule.reversed() if flip else rule for rule, flip in zip(rules, below, strict=True)]
    return turned, evaluation.reversed(below)
