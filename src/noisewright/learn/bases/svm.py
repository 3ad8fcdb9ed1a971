"""The linear support vector machine of many samples at once, by an interior-point method.

For each sample, with A the rows times their signs and P the diagonal of ridges (0 for the intercept),

    minimise ½·cᵀPc + Σᵢ max(0, 1 − (Ac)ᵢ)   over the coefficients c.

With a multiplier a > 0 and its room 1 − a > 0, and the margin's surplus z > 0 and shortfall v > 0, the
optimum is where

    Pc = Aᵀa,   Ac − 1 = z − v,   a·z = 0,   (1 − a)·v = 0.

Newton's method on these equations, aimed at products that shrink to 0 (Mehrotra's predictor and
corrector), solves one p × p system twice a step and needs 10 to 20 steps whatever the data; Ferris & Munson
(2002) reduce the system in the same way. libsvm finds the same hyperplanes where noise is small; where it is
30 times the units it takes a thousand times as long and has not converged after two million steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases.design import MarginBase, ridged_gram, row_products, solve_each, weighted_rows
from noisewright.parameters import real

MOST_STEPS = 80

CLOSE = 1e-10
"""Mean product of a multiplier and its slack at which a sample is solved, if its residuals are small too."""

BALANCED = 1e-8
"""Largest residual of a solved sample; it is mostly far below."""

EXHAUSTED = 1e-13
"""Gap at which rounding has the last word: many clients at one spot leave a residual that will not shrink."""

TINY = 1e-300
"""Stands for a gap of exactly zero in a division."""

SHORTEN = 0.995
"""Share of the way to the nearest wall that a step goes."""


def solve(signed: Floats, ridge: Floats) -> Floats:
    """Return the optimal coefficients (B, p) for rows times signs (B, n, p) and ridges (B, p)."""
    # At coefficients of zero every margin is short by one, which this surplus and shortfall make up.
    positive = np.stack([np.full(signed.shape[:2], start) for start in (0.5, 0.5, 1.0, 2.0)])
    coefficients = np.zeros_like(ridge)
    for _ in range(MOST_STEPS):
        equations, gap = Equations.at(coefficients, positive, signed, ridge), mean_gap(positive)
        solved = (gap <= CLOSE) & ((equations.residual <= BALANCED) | (gap <= EXHAUSTED))
        if solved.all():
            break
        step, change = equations.step()
        length = np.where(solved, 0, SHORTEN * reach(positive, change))[:, None]
        coefficients, positive = coefficients + length * step, positive + length * change
    return coefficients


def mean_gap(positive: Floats) -> Floats:
    """Return the mean, over each sample, of the products that vanish at its optimum."""
    return np.asarray((positive[:2] * positive[2:]).sum(axis=0).mean(axis=1) / 2)


def reach(positive: Floats, change: Floats) -> Floats:
    """Return the longest length, at most 1, along which nothing positive turns negative."""
    return np.asarray(1 / np.maximum((-change / positive).max(axis=(0, 2)), 1))


@dataclass(frozen=True)
class Equations:
    """Newton's equations at a point, reduced to one symmetric p × p system for each sample.

    ``positive`` (4, B, n) holds the multipliers, their room, the surplus and the shortfall.
    """

    positive: Floats
    signed: Floats
    unbalanced: Floats
    misfit: Floats
    stiffness: Floats
    matrix: Floats

    @classmethod
    def at(cls, coefficients: Floats, positive: Floats, signed: Floats, ridge: Floats) -> Equations:
        """Return the residuals of the first two conditions of the optimum, and the reduced system."""
        multipliers, room, surplus, shortfall = positive
        unbalanced = ridge * coefficients - weighted_rows(signed, multipliers)
        misfit = row_products(signed, coefficients) - 1 - surplus + shortfall
        stiffness = surplus / multipliers + shortfall / room
        matrix = ridged_gram(signed, 1 / stiffness, ridge)
        return cls(positive, signed, unbalanced, misfit, stiffness, matrix)

    @property
    def residual(self) -> Floats:
        """The largest violation of each sample, the balance as a share of its clients."""
        balance = np.abs(self.unbalanced).max(axis=1) / self.signed.shape[1]
        worst: Floats = np.maximum(balance, np.abs(self.misfit).max(axis=1))
        return worst

    def step(self) -> tuple[Floats, Floats]:
        """Return Mehrotra's step: see how far the products could fall, then aim there to second order."""
        products = self.positive[:2] * self.positive[2:]
        _, look = self._towards(-products)
        promised = mean_gap(self.positive + reach(self.positive, look)[:, None] * look)
        aim = promised * (promised / np.maximum(mean_gap(self.positive), TINY)) ** 2
        return self._towards(aim[:, None] - products - look[:2] * look[2:])

    def _towards(self, aims: Floats) -> tuple[Floats, Floats]:
        """Return the step of coefficients and positive parts that changes the products by ``aims``."""
        (above, below), (multipliers, room, surplus, shortfall) = aims, self.positive
        force = (above / multipliers - below / room - self.misfit) / self.stiffness
        step = solve_each(self.matrix, weighted_rows(self.signed, force) - self.unbalanced)
        turn = force - row_products(self.signed, step) / self.stiffness
        slack = [(above - surplus * turn) / multipliers, (below + shortfall * turn) / room]
        return step, np.stack([turn, -turn, *slack])


@dataclass(frozen=True)
class SupportVector(MarginBase):
    """The soft-margin linear support vector machine, hinge loss, as in libsvm with a linear kernel.

    It minimises ½·|weights|² + cost·Σ max(0, 1 − sign·score), the intercept unpenalised. Where no client
    stands exactly on the margin many intercepts are optimal; one from the middle of them is taken.

    Attributes:
        intercept: Whether hyperplanes may miss the origin.
        cost: The weight of the hinge loss, above 0.

    >>> import numpy as np
    >>> rule = SupportVector().fit([[-2.0], [-1.0], [1.0], [3.0]], [-1, -1, 1, 1], np.random.default_rng(0))
    >>> rule.scores(np.array([[-1.0], [0.5]])).round(6)
    array([-1. ,  0.5])
    """

    cost: float = 1.0

    def __post_init__(self) -> None:
        if real("cost", self.cost) <= 0:
            raise InvalidParameter(f"must be a number above 0, got {self.cost!r}; 1 is usual", field="cost")

    def _sizes(self, units: Floats) -> Floats:
        return np.asarray(np.sqrt((units**2).mean(axis=(1, 2)))[:, None])

    def _solve(self, signed: Floats, penalised: Floats, size: Floats) -> Floats:
        # Columns scaled to size one have weights larger by that size; the ridge takes it out again.
        return solve(signed, penalised / (self.cost * size**2))
