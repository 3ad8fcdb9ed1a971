"""Weak classifiers that look at no data at all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from noisewright.learn.bases.base import Base
from noisewright.learn.rules import LinearRule, Rule


@dataclass(frozen=True)
class RandomDirections(Base):
    """Hyperplanes through the origin in uniformly random directions.

    They cost nobody's data: every client can then answer for a rule instead of reporting features, and
    the feedback tells which directions, or their reverses, are good. At small ε that beats fitted rules,
    whose training reports are almost pure noise. Only the shape of the units is used.

    >>> import numpy as np
    >>> rule = RandomDirections().fit(np.empty((0, 3)), np.empty(0), np.random.default_rng(0))
    >>> rule.weights.shape, rule.intercept
    ((3,), 0.0)
    """

    @property
    def trained(self) -> bool:
        return False

    def fit_many(self, units: ArrayLike, signs: ArrayLike, generator: np.random.Generator) -> list[Rule]:
        samples, _, width = np.shape(units)
        directions = generator.standard_normal((samples, width))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        return [LinearRule(direction, 0.0) for direction in directions]
