"""Mixing rules by what the feedback says: above a cut-off, as published, or by what is left after doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.feedback import Evaluation
from noisewright.learn.rules import Rule, mixed
from noisewright.learn.shrinkage import shrunken_accuracies
from noisewright.parameters import real


@dataclass(frozen=True, eq=False)
class Weights:
    """A weight for each rule, absolute values summing to one; a negative one asks for the reversed rule.

    ``fallback`` says that the method's own formula gave no weight to anybody and what its documentation
    names for that case was done instead.
    """

    values: Floats
    fallback: bool = False

    def __len__(self) -> int:
        return len(self.values)


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
    level = _read_cutoff(cutoff)
    for step, bar in enumerate((level, min(level, 0.5))):
        excess = np.maximum(evaluation.value - bar, 0.0)
        if excess.any():
            return Weights(excess / excess.sum(), fallback=step > 0)
    return Weights(_alone(evaluation.value), fallback=True)


def shrunken_weights(evaluation: Evaluation, *, centred: bool = False) -> Weights:
    """Weight rules by the posterior mean of 2r − 1: reversal and averaging in one step, without a cut-off.

    weight_b = (2 E[r_b | answers] − 1) / Σ |2 E[r_j | answers] − 1|

    The posterior means are those of :mod:`noisewright.learn.shrinkage`; ``centred`` says that the rules are
    as often wrong as right by construction, like random directions. The evaluation is that of the rules as
    people were asked about them: a negative weight reverses. If every estimate is exactly ½ the formula has
    no answer, and the first rule stands alone, flagged.

    >>> found = Evaluation.of(right=[600, 580, 400], asked=[1000, 1000, 1000], epsilon=1.0)
    >>> shrunken_weights(found).values.round(2).tolist()
    [0.36, 0.29, -0.36]
    """
    lean = 2 * shrunken_accuracies(evaluation, centred=centred) - 1
    if not lean.any():
        return Weights(_alone(evaluation.value), fallback=True)
    return Weights(lean / np.abs(lean).sum())


def average(rules: Sequence[Rule], weights: Weights, how: str = "scores") -> Rule:
    """The mixture of the rules by their weights; rules of weight zero are left out.

    A rule of negative weight enters reversed. Linear rules mixed by their scores become one linear rule (Qin
    and Bai 2026, eq. 11); scores are comparable only between rules of one scale, so mix others by "votes".

    >>> from noisewright.learn.rules import LinearRule
    >>> rules = [LinearRule([1.0, 0.0]), LinearRule([0.0, 1.0]), LinearRule([5.0, 5.0])]
    >>> average(rules, Weights(np.array([0.5, -0.5, 0.0]))).weights.tolist()
    [0.5, -0.5]
    """
    if len(rules) != len(weights):
        raise InvalidParameter(f"{len(rules)} rules need a weight each, got {len(weights)} weights")
    pairs = [(rule, weight) for rule, weight in zip(rules, weights.values.tolist(), strict=True) if weight]
    if not pairs:
        raise InvalidParameter("at least one rule must have a weight other than zero")
    chosen = [rule if weight > 0 else rule.reversed() for rule, weight in pairs]
    return chosen[0] if len(chosen) == 1 else mixed(chosen, [abs(weight) for _, weight in pairs], how)


def _read_cutoff(cutoff: float) -> float:
    level = real("cutoff", cutoff)
    if not 0 <= level < 1:
        raise InvalidParameter(
            f"cutoff must be an accuracy from 0 to below 1, got {cutoff!r}; usual: 0.5 to 0.8"
        )
    return level


def _alone(values: Floats) -> Floats:
    """All the weight to the rule with the largest value."""
    return np.asarray(np.arange(len(values)) == np.argmax(values), dtype=np.float64)
