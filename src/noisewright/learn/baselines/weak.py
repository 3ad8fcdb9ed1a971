"""The steps of MRMA one at a time: weak rules, reversed rules, averaged rules."""

from __future__ import annotations

from typing import Any

from noisewright.domains import Cells, Floats
from noisewright.learn.baselines.records import refuse_many, two_classes
from noisewright.learn.chance import Chance
from noisewright.learn.mrma import MRMA


class Weak(MRMA):
    """One of the weak classifiers of MRMA, drawn at random, as it was trained.

    Its error is, on average, the mean error of the weak classifiers: the column "Weak" of the paper. The
    evaluating clients are asked all the same, so that the training is MRMA's own. Two classes only.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    >>> model = Weak(epsilon=1.0, random_state=1).fit(X, X[:, 0] > 0)
    >>> model.rule_ in model.weak_.trained
    True
    """

    def _learn(self, units: Floats, codes: Cells, chance: Chance) -> None:
        refuse_many(self.classes_)
        super()._learn(units, codes, chance)
        rules = self._candidates()
        self.rule_, self.accuracy_ = rules[chance.public.integers(len(rules))], None

    def _candidates(self) -> Any:
        return self.weak_.trained

    def __sklearn_tags__(self) -> Any:
        return two_classes(super().__sklearn_tags__())


class Reversed(Weak):
    """One of the weak classifiers of MRMA after reversal, drawn at random: the column "MR" of the paper."""

    def _candidates(self) -> Any:
        return self.weak_.kept
