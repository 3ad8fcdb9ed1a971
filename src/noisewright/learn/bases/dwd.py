"""Distance weighted discrimination of many samples at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases.base import LinearBase
from noisewright.learn.bases.design import penalised_columns, sizes, split_intercept, with_intercept
from noisewright.learn.bases.newton import minimise
from noisewright.parameters import real

FLAT = 0.02
"""Curvature used where the loss is straight: keeps Newton's matrix invertible, costs a step or two."""


class DistanceWeightedLoss:
    """1 − u up to u = ½ and 1/(4u) beyond: every client pulls, near ones most (Wang & Zou 2018, q = 1)."""

    def value(self, margins: Floats) -> Floats:
        return np.where(margins <= 0.5, 1 - margins, 0.25 / np.maximum(margins, 0.5))

    def slope(self, margins: Floats) -> Floats:
        return -0.25 / np.maximum(margins, 0.5) ** 2

    def curvature(self, margins: Floats) -> Floats:
        return np.where(margins <= 0.5, FLAT, 0.5 / np.maximum(margins, 0.5) ** 3)


@dataclass(frozen=True)
class DistanceWeighted(LinearBase):
    """Distance weighted discrimination with a ridge: the reciprocals of the margins instead of the smallest.

    It minimises mean of loss(sign·score) + penalty·s²·|weights|², where s² is the sample's mean squared
    distance from its centre. With the data's own size in the penalty the same hyperplane is found when all
    units are stretched, so that one setting serves every noise level.

    >>> import numpy as np
    >>> rule = DistanceWeighted().fit([[0.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1], np.random.default_rng(0))
    >>> rule.predict(np.array([[0.0], [3.0]]))
    array([0, 1])
    """

    penalty: float = 0.01

    def __post_init__(self) -> None:
        if real("penalty", self.penalty) <= 0:
            raise InvalidParameter(f"penalty must be a number above 0, got {self.penalty!r}; 0.01 is usual")

    def coefficients(self, units: Floats, signs: Floats) -> tuple[Floats, Floats]:
        size = sizes(np.sqrt(units.var(axis=1).sum(axis=1)), units)
        signed = with_intercept(units / size[:, None, None], self.intercept) * signs[:, :, None]
        ridge = 2 * self.penalty * penalised_columns(units.shape[2], self.intercept)
        solution = minimise(DistanceWeightedLoss(), signed, ridge)
        weights, intercepts = split_intercept(solution, self.intercept)
        return weights / size[:, None], intercepts
