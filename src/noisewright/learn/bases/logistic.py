"""Logistic regression of many samples at once, unregularised as in R's ``glm``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from noisewright.domains import Floats
from noisewright.learn.bases.base import LinearBase
from noisewright.learn.bases.design import penalised_columns, sizes, split_intercept, with_intercept
from noisewright.learn.bases.newton import minimise

WHISPER = 1e-8
"""Ridge on standardised columns: far below sampling error, yet separable samples get a finite answer."""

SMALLEST = 1e-12
"""Curvature of a client whose fitted probability has run into 0 or 1: keeps Newton's matrix invertible."""


class LogisticLoss:
    """ln(1 + e^(−u)): minus the logarithm of the probability that a logistic model gives to the truth."""

    def value(self, margins: Floats) -> Floats:
        return np.logaddexp(0, -margins)

    def slope(self, margins: Floats) -> Floats:
        return np.asarray(-expit(-margins))

    def curvature(self, margins: Floats) -> Floats:
        chance: Floats = expit(margins)
        return np.maximum(chance * (1 - chance), SMALLEST)


@dataclass(frozen=True)
class Logistic(LinearBase):
    """Maximum-likelihood logistic regression: the usual weak classifier of MRMA.

    A ridge of 10⁻⁸ on columns of unit length keeps separable samples finite (their fitted probabilities
    end near 10⁻⁶ from 0 and 1) and gives a constant column beside an intercept the weight 0.

    >>> import numpy as np
    >>> units, signs = [[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1]
    >>> rule = Logistic().fit(units, signs, np.random.default_rng(0))
    >>> rule.predict(np.array([[0.0], [3.0]]))
    array([0, 1])
    """

    def coefficients(self, units: Floats, signs: Floats) -> tuple[Floats, Floats]:
        size = sizes(np.sqrt((units**2).mean(axis=1)), units)
        signed = with_intercept(units / size[:, None, :], self.intercept) * signs[:, :, None]
        ridge = WHISPER * penalised_columns(units.shape[2], self.intercept)
        solution = minimise(LogisticLoss(), signed, ridge)
        weights, intercepts = split_intercept(solution, self.intercept)
        return weights / size, intercepts
