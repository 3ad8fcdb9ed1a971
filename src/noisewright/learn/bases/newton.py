"""Logistic regression and distance weighted discrimination: smooth margin losses by safeguarded Newton steps.

For each sample of a stack the solver minimises, over coefficients c with margins uᵢ = signᵢ·(rowᵢ·c),

    mean of loss(uᵢ) + ½·Σⱼ ridgeⱼ·cⱼ².

A Newton step solves with the matrix mean of curvature(uᵢ)·rowᵢ·rowᵢᵀ + diag(ridge), one small system for
each sample, and is halved until the objective falls enough (Armijo), so no sample can diverge. Samples
leave the stack as soon as they are solved: a few hard ones do not hold up the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases.design import MarginBase, ridged_gram, row_products, solve_each, weighted_rows
from noisewright.parameters import real

MOST_STEPS = 100
"""Steps after which a sample is left where it is; ordinary ones need about seven, separable ones thirty."""

HALVINGS = 40
"""Halvings after which floating point shows no decrease any more."""

ENOUGH = 1e-4
"""Share of the decrease promised by the slope that a step must achieve."""

CLOSE = 1e-13
"""Promised decrease, as a share of the objective, at which one more full step is the last."""


SMALLEST = 1e-12
"""Curvature of a client whose fitted probability has reached 0 or 1: keeps Newton's matrix invertible."""


class LogisticLoss:
    """ln(1 + e^(−u)): minus the logarithm of the probability that a logistic model gives to the truth."""

    def value(self, margins: Floats) -> Floats:
        return np.logaddexp(0, -margins)

    def slope(self, margins: Floats) -> Floats:
        return np.asarray(-expit(-margins))

    def curvature(self, margins: Floats) -> Floats:
        chance: Floats = expit(margins)
        return np.maximum(chance * (1 - chance), SMALLEST)


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


MarginLoss = LogisticLoss | DistanceWeightedLoss
"""A convex, decreasing loss of the margin, its slope and its curvature, each elementwise.

Where the second derivative vanishes, a small positive number stands for the curvature.
"""


@dataclass(frozen=True)
class Stack:
    """The problems to solve: a loss, rows times signs (B, n, p), and ridges (B, p)."""

    loss: MarginLoss
    signed: Floats
    ridge: Floats

    def select(self, samples: Cells) -> Stack:
        """Return the problems of some samples."""
        if len(samples) == len(self.signed):
            return self
        return Stack(self.loss, self.signed[samples], self.ridge[samples])

    def objective(self, margins: Floats, coefficients: Floats) -> Floats:
        """Return what each sample minimises."""
        loss: Floats = self.loss.value(margins).mean(axis=1)
        ridge: Floats = 0.5 * (self.ridge * coefficients**2).sum(axis=1)
        return loss + ridge

    def newton_step(self, margins: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
        """Return each sample's Newton step, and the decrease that the slope along it promises."""
        people = self.signed.shape[1]
        slopes, curvatures = self.loss.slope(margins) / people, self.loss.curvature(margins) / people
        gradient = weighted_rows(self.signed, slopes) + self.ridge * coefficients
        step = -solve_each(ridged_gram(self.signed, curvatures, self.ridge), gradient)
        return step, -(gradient * step).sum(axis=1)


def minimise(loss: MarginLoss, signed: Floats, ridge: Floats) -> Floats:
    """Return the coefficients (B, p) for rows times signs (B, n, p) and a ridge (p,) for all samples."""
    stack = Stack(loss, signed, np.tile(ridge, (len(signed), 1)))
    solution, active = np.zeros_like(stack.ridge), np.arange(len(signed))
    for _ in range(MOST_STEPS):
        if not active.size:
            break
        solution[active], solved = _advance(stack.select(active), solution[active])
        active = active[~solved]
    return solution


def _advance(stack: Stack, current: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Take one safeguarded step; return it, and for each sample whether it is solved or can do no better."""
    margins = row_products(stack.signed, current)
    step, promised = stack.newton_step(margins, current)
    height = stack.objective(margins, current)
    last = promised <= CLOSE * height
    shifts = row_products(stack.signed, step)
    length = np.ones(len(current))
    for _ in range(HALVINGS):
        along = length[:, None]
        tried = stack.objective(margins + along * shifts, current + along * step)
        high = ~last & (tried > height - ENOUGH * length * promised)
        if not high.any():
            break
        length[high] /= 2
    return current + length[:, None] * step, last | high


WHISPER = 1e-8
"""Ridge on standardised columns: far below sampling error, yet separable samples get a finite answer."""


@dataclass(frozen=True)
class Logistic(MarginBase):
    """Maximum-likelihood logistic regression: the usual weak classifier of MRMA.

    A ridge of 10⁻⁸ on columns of unit length keeps separable samples finite (their fitted probabilities
    end near 10⁻⁶ from 0 and 1) and gives a constant column beside an intercept the weight 0.

    Attributes:
        intercept: Whether hyperplanes may miss the origin.

    >>> import numpy as np
    >>> units, signs = [[0.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1]
    >>> rule = Logistic().fit(units, signs, np.random.default_rng(0))
    >>> rule.predict(np.array([[0.0], [3.0]]))
    array([0, 1])
    """

    def _sizes(self, units: Floats) -> Floats:
        return np.asarray(np.sqrt((units**2).mean(axis=1)))

    def _solve(self, signed: Floats, penalised: Floats, size: Floats) -> Floats:
        return minimise(LogisticLoss(), signed, WHISPER * penalised)


@dataclass(frozen=True)
class DistanceWeighted(MarginBase):
    """Distance weighted discrimination with a ridge: the reciprocals of the margins instead of the smallest.

    It minimises mean of loss(sign·score) + penalty·s²·|weights|², where s² is the sample's mean squared
    distance from its centre. With the data's own size in the penalty the same hyperplane is found when all
    units are stretched, so that one setting serves every noise level.

    Attributes:
        intercept: Whether hyperplanes may miss the origin.
        penalty: The weight of the ridge, above 0.

    >>> import numpy as np
    >>> rule = DistanceWeighted().fit([[0.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1], np.random.default_rng(0))
    >>> rule.predict(np.array([[0.0], [3.0]]))
    array([0, 1])
    """

    penalty: float = 0.01

    def __post_init__(self) -> None:
        if real("penalty", self.penalty) <= 0:
            raise InvalidParameter(
                f"must be a number above 0, got {self.penalty!r}; 0.01 is usual", field="penalty"
            )

    def _sizes(self, units: Floats) -> Floats:
        return np.asarray(np.sqrt(units.var(axis=1).sum(axis=1))[:, None])

    def _solve(self, signed: Floats, penalised: Floats, size: Floats) -> Floats:
        return minimise(DistanceWeightedLoss(), signed, 2 * self.penalty * penalised)
