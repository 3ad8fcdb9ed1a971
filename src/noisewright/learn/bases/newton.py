"""One solver for smooth margin losses: safeguarded Newton steps on all samples of a stack at once.

For each sample it minimises, over coefficients c with margins uᵢ = signᵢ·(rowᵢ·c),

    mean of loss(uᵢ) + ½·Σⱼ ridgeⱼ·cⱼ².

A Newton step solves with the matrix mean of curvature(uᵢ)·rowᵢ·rowᵢᵀ + diag(ridge), one small system for
each sample, and is halved until the objective falls enough (Armijo), so no sample can diverge. Samples
leave the stack as soon as they are solved: a few hard ones do not hold up the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.learn.bases.design import ridged_gram, row_products, solve_each, weighted_rows

MOST_STEPS = 100
"""Steps after which a sample is left where it is; ordinary ones need about seven, separable ones thirty."""

HALVINGS = 40
"""Halvings after which floating point shows no decrease any more."""

ENOUGH = 1e-4
"""Share of the decrease promised by the slope that a step must achieve."""

CLOSE = 1e-13
"""Promised decrease, as a share of the objective, at which one more full step is the last."""


class MarginLoss(Protocol):
    """A convex, decreasing, differentiable loss of the margin; every function works elementwise."""

    def value(self, margins: Floats) -> Floats:
        """The loss itself."""

    def slope(self, margins: Floats) -> Floats:
        """Its derivative."""

    def curvature(self, margins: Floats) -> Floats:
        """Its second derivative, or a small positive number in its place where that vanishes."""


@dataclass(frozen=True)
class Stack:
    """The problems to solve: a loss, rows times signs (B, n, p), and ridges (B, p)."""

    loss: MarginLoss
    signed: Floats
    ridge: Floats

    def kept(self, samples: Cells) -> Stack:
        """The problems of some samples."""
        if len(samples) == len(self.signed):
            return self
        return Stack(self.loss, self.signed[samples], self.ridge[samples])

    def objective(self, margins: Floats, coefficients: Floats) -> Floats:
        """What each sample minimises."""
        loss: Floats = self.loss.value(margins).mean(axis=1)
        ridge: Floats = 0.5 * (self.ridge * coefficients**2).sum(axis=1)
        return loss + ridge

    def newton_step(self, margins: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
        """Each sample's Newton step, and the decrease that the slope along it promises."""
        people = self.signed.shape[1]
        slopes, curvatures = self.loss.slope(margins) / people, self.loss.curvature(margins) / people
        gradient = weighted_rows(self.signed, slopes) + self.ridge * coefficients
        step = -solve_each(ridged_gram(self.signed, curvatures, self.ridge), gradient)
        return step, -(gradient * step).sum(axis=1)


def minimise(loss: MarginLoss, signed: Floats, ridge: Floats) -> Floats:
    """The minimising coefficients (B, p) for rows times signs (B, n, p) and a ridge (p,) for all samples."""
    stack = Stack(loss, signed, np.tile(ridge, (len(signed), 1)))
    solution, active = np.zeros_like(stack.ridge), np.arange(len(signed))
    for _ in range(MOST_STEPS):
        if not active.size:
            break
        solution[active], solved = _advanced(stack.kept(active), solution[active])
        active = active[~solved]
    return solution


def _advanced(stack: Stack, current: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Every sample one safeguarded step further, and whether it needs no other or can do no better."""
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
