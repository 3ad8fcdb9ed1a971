"""The linear support vector machine of many samples at once, by an interior-point method.

For each sample, with A the rows times their signs and P the diagonal of ridges (0 for the intercept),

    minimise ½·cᵀPc + Σᵢ max(0, 1 − (Ac)ᵢ)   over the coefficients c.

With a multiplier a > 0 and its room 1 − a > 0, and the margin's surplus z > 0 and shortfall v > 0, the
optimum is where

    Pc = Aᵀa,   Ac − 1 = z − v,   a·z = 0,   (1 − a)·v = 0.

Newton's method on these equations, aimed at products that shrink to 0 (Mehrotra's predictor and
corrector), solves one p × p system twice a step and needs 10 to 20 steps whatever the data; Ferris & Munson
(2002) reduce the system in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases.base import LinearBase
from noisewright.learn.bases.design import (
    penalised_columns,
    ridged_gram,
    row_products,
    sizes,
    solve_each,
    split_intercept,
    weighted_rows,
    with_intercept,
)
from noisewright.parameters import real

MOST_STEPS = 80

CLOSE = 1e-10
"""Mean product of a multiplier and its slack at which a sample is solved, if its residuals are small too."""

BALANCED = 1e-8
"""Largest residual of a solved sample; it mostly is far below."""

EXHAUSTED = 1e-13
"""Gap at which rounding has the last word: many clients at one spot leave a residual that will not shrink."""

TINY = 1e-300
"""Stands for a gap of exactly zero in a division."""

SHORTEN = 0.995
"""Share of the way to the nearest wall that a step goes."""


@dataclass(frozen=True)
class Point:
    """Where every sample stands, or how it moves: coefficients (B, p) and four positive parts (B, n)."""

    coefficients: Floats
    multipliers: Floats
    room: Floats
    surplus: Floats
    shortfall: Floats

    @property
    def positive(self) -> Floats:
        """The parts that must stay above zero, stacked."""
        return np.stack([self.multipliers, self.room, self.surplus, self.shortfall])

    @property
    def gap(self) -> Floats:
        """The mean, over each sample, of the products that vanish at its optimum."""
        mean: Floats = (self.multipliers * self.surplus + self.room * self.shortfall).mean(axis=1) / 2
        return mean

    def moved(self, step: Point, length: Floats) -> Point:
        """The point a length (B,) along a step."""
        along = length[:, None]
        return Point(
            self.coefficients + along * step.coefficients,
            self.multipliers + along * step.multipliers,
            self.room + along * step.room,
            self.surplus + along * step.surplus,
            self.shortfall + along * step.shortfall,
        )

    def reach(self, step: Point) -> Floats:
        """The longest length, at most 1, along which nothing positive turns negative."""
        speed: Floats = (-step.positive / self.positive).max(axis=(0, 2))
        return 1 / np.maximum(speed, 1)


def solve(signed: Floats, ridge: Floats) -> Floats:
    """The optimal coefficients (B, p) for rows times signs (B, n, p) and ridges (B, p)."""
    half, one = np.full(signed.shape[:2], 0.5), np.ones(signed.shape[:2])
    # At coefficients of zero every margin is short by one, which this surplus and shortfall make up.
    point = Point(np.zeros_like(ridge), half, half, one, 2 * one)
    for _ in range(MOST_STEPS):
        equations = Equations.at(point, signed, ridge)
        solved = (point.gap <= CLOSE) & ((equations.residual <= BALANCED) | (point.gap <= EXHAUSTED))
        if solved.all():
            break
        step = equations.step()
        point = point.moved(step, np.where(solved, 0, SHORTEN * point.reach(step)))
    return point.coefficients


@dataclass(frozen=True)
class Equations:
    """Newton's equations at a point, reduced to one symmetric p × p system for each sample."""

    point: Point
    signed: Floats
    unbalanced: Floats
    misfit: Floats
    stiffness: Floats
    matrix: Floats

    @classmethod
    def at(cls, point: Point, signed: Floats, ridge: Floats) -> Equations:
        """The residuals of the first two conditions of the optimum, and the reduced system."""
        margins = row_products(signed, point.coefficients)
        unbalanced = ridge * point.coefficients - weighted_rows(signed, point.multipliers)
        misfit = margins - 1 - point.surplus + point.shortfall
        stiffness = point.surplus / point.multipliers + point.shortfall / point.room
        return cls(point, signed, unbalanced, misfit, stiffness, ridged_gram(signed, 1 / stiffness, ridge))

    @property
    def residual(self) -> Floats:
        """The largest violation of each sample, the balance as a share of its clients."""
        balance = np.abs(self.unbalanced).max(axis=1) / self.signed.shape[1]
        worst: Floats = np.maximum(balance, np.abs(self.misfit).max(axis=1))
        return worst

    def step(self) -> Point:
        """Mehrotra's step: look how far the products could fall, then aim there to second order."""
        point = self.point
        above, below = point.multipliers * point.surplus, point.room * point.shortfall
        look = self._towards(-above, -below)
        promised = point.moved(look, point.reach(look)).gap
        aim = (promised * (promised / np.maximum(point.gap, TINY)) ** 2)[:, None]
        curved_above, curved_below = look.multipliers * look.surplus, look.room * look.shortfall
        return self._towards(aim - above - curved_above, aim - below - curved_below)

    def _towards(self, above: Floats, below: Floats) -> Point:
        """The Newton step that changes the two kinds of products by ``above`` and ``below``."""
        point = self.point
        force = (above / point.multipliers - below / point.room - self.misfit) / self.stiffness
        coefficients = solve_each(self.matrix, weighted_rows(self.signed, force) - self.unbalanced)
        multipliers = force - row_products(self.signed, coefficients) / self.stiffness
        surplus = (above - point.surplus * multipliers) / point.multipliers
        shortfall = (below + point.shortfall * multipliers) / point.room
        return Point(coefficients, multipliers, -multipliers, surplus, shortfall)


@dataclass(frozen=True)
class SupportVector(LinearBase):
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
            raise InvalidParameter(f"cost must be a number above 0, got {self.cost!r}; 1 is usual")

    def coefficients(self, units: Floats, signs: Floats) -> tuple[Floats, Floats]:
        size = sizes(np.sqrt((units**2).mean(axis=(1, 2))), units)
        signed = with_intercept(units / size[:, None, None], self.intercept) * signs[:, :, None]
        # Units of size one mean weights that are larger by that size; the ridge takes it out again.
        ridge = penalised_columns(units.shape[2], self.intercept) / (self.cost * size[:, None] ** 2)
        weights, intercepts = split_intercept(solve(signed, ridge), self.intercept)
        return weights / size[:, None], intercepts
