"""The steps of MRMA one at a time: weak rules, and reversed rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.learn.baselines.records import refuse_many, two_classes
from noisewright.learn.chance import Chance
from noisewright.learn.ensemble import Mixture
from noisewright.learn.mrma import MRMA
from noisewright.learn.rules import Rule


class Weak(MRMA):
    """One of the weak classifiers of MRMA, drawn at random, as it was trained.

    Its error is, on average, the mean error of the weak classifiers: the column "Weak" of the paper. The
    evaluating clients are asked all the same, so that the training is MRMA's own. Two classes only.

    >>> X = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    >>> model = Weak(epsilon=1.0, random_state=1).fit(X, X[:, 0] > 0)
    >>> model.rule_ in model.weak_.trained
    True
    """

    def _learn(self, units: Floats, codes: Cells, chance: Chance) -> None:
        refuse_many(self.classes_)
        super()._learn(units, codes, chance)

    def _taken(self, learned: Mixture, public: np.random.Generator) -> Rule:
        rules = self._candidates(learned)
        return rules[public.integers(len(rules))]

    def _candidates(self, learned: Mixture) -> tuple[Rule, ...]:
        return learned.trained

    def __sklearn_tags__(self) -> Any:
        return two_classes(super().__sklearn_tags__())


class Reversed(Weak):
    """One of the weak classifiers of MRMA after reversal, drawn at random.

    Its error is, on average, the mean error of all reversed weak classifiers, which is what the paper's text
    calls "MR". The published numbers agree instead with the mean of those above the cut-off. "MA", weights
    without reversal, is ``MRMA(reversal=False)``.
    """

    def _candidates(self, learned: Mixture) -> tuple[Rule, ...]:
        return learned.kept
