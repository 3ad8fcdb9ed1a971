"""What is left of estimated accuracies after doubt: each is brought towards what all rules have in common.

An estimated accuracy of 0.9 from ten people at ε = 1 says little, and the largest of fifty such says less.
The accuracies r_b of the rules are taken as draws from one law, whose centre and spread are learned from all
the estimates r̃_b (with variances s_b²):

    r̃_b | r_b ~ N(r_b, s_b²),   r_b | μ, τ ~ N(μ, τ²),   μ | κ ~ N(½, κ²),

with τ uniform on [0, ½], and κ = 0 or κ = 0.1 with equal chances: random directions are as often wrong as
right (μ = ½), trained rules are mostly better than a coin. For a pair τ, κ, with a_b = 1/(s_b² + τ²) and
A = Σ a_b,

    μ(τ, κ)   = ½ + κ² Σ a_b (r̃_b − ½) / (1 + κ² A)       near ½ while the common mean is uncertain,
    r_b(τ, κ) = μ(τ, κ) + τ² a_b (r̃_b − μ(τ, κ))          near μ while this rule's estimate is uncertain,

and the posterior mean of r_b is the mean of r_b(τ, κ) over the posterior of the pair, a sum over a grid.

The answers enter through their likelihood alone, so all this stays right when earlier answers decided who was
asked about which rule, as in halving.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.feedback import Evaluation

CENTRES: Final = (0.0, 0.1)
"""How far, as a standard deviation, the mean accuracy of the rules may be from a coin's: κ."""

_STEPS: Final = np.arange(1, 97)
SPREADS: Final = 0.5 * (_STEPS / 96) ** 2
"""Standard deviations of the accuracies among the rules, τ: finer near zero, where the noise hides them."""

SPREAD_CHANCES: Final = _STEPS / _STEPS.sum()
"""A uniform law of τ on that grid: the distance between its points grows in proportion to their number."""


def shrunken_accuracies(evaluation: Evaluation, *, centred: bool = False) -> Floats:
    """The posterior mean of each rule's accuracy, by the model of this module.

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
    """For one κ and every τ: the log of their posterior, and each rule's mean distance from ½."""
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
