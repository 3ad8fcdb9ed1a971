"""The search for a best law as a linear program: which laws are allowed, and what they are charged.

A law over n inputs and m outputs is a matrix P of probabilities. It keeps ε if every output j has a least
probability lⱼ, its *floor*, with lⱼ ≤ Pᵢⱼ ≤ e^ε·lⱼ. All objectives and constraints are linear in P:

    worst case     Σⱼ Pᵢⱼ·losses[i, s, j] ≤ t   for every input i and every situation s it may stand for,
    average        Σᵢⱼ Pᵢⱼ·average[i, j],        the loss times the prior,
    no bias        Σⱼ Pᵢⱼ·places[j] = means[i],  both measured from the middle of the domain.

The *situations* of an input are the true values it stands for: for example the two edges of a cell, between
which a convex loss is never larger.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

MOST_PAIRS = 1 << 17
"""Most pairs of an input and an output in a program: it takes minutes, not hours."""


@dataclass(frozen=True, eq=False)
class Program:
    """The objective to minimize over all ε-LDP laws.

    Without ``average`` it is the worst case; with it, the average, among the laws whose worst case is at
    most ``ceiling`` if there is one.

    >>> coin = Program(1.0, losses=(1 - np.eye(2))[:, None, :])
    >>> coin.value(np.array([[0.75, 0.25], [0.5, 0.5]]))
    0.5
    """

    epsilon: float
    losses: Floats
    average: Floats | None = None
    ceiling: float | None = None
    places: Floats | None = None
    means: Floats | None = None

    def __post_init__(self) -> None:
        inputs, outputs = self.size
        if inputs * outputs > MOST_PAIRS:
            raise InvalidParameter(
                f"a program of {inputs} inputs and {outputs} outputs is too large; ask for at most "
                f"{MOST_PAIRS} pairs of them"
            )

    @property
    def size(self) -> tuple[int, int]:
        """The numbers of inputs and outputs."""
        return self.losses.shape[0], self.losses.shape[2]

    @property
    def limited(self) -> bool:
        """Whether the worst case matters at all."""
        return self.average is None or self.ceiling is not None

    def worst(self, law: Floats) -> float:
        """Return the largest expected loss of a law over all inputs and their situations."""
        return float(np.einsum("isj,ij->is", self.losses, law).max())

    def value(self, law: Floats) -> float:
        """Return the value of a law: its average, or its worst case if no average is asked for."""
        return self.worst(law) if self.average is None else float((self.average * law).sum())

    @property
    def mirrored(self) -> bool:
        """Whether the program is its own mirror image, inputs, situations and outputs all reversed."""
        odd = [side for side in (self.places, self.means) if side is not None]
        even = [charge for charge in (self.losses, self.average) if charge is not None]
        return all(_same(side, -np.flip(side)) for side in odd) and all(
            _same(charge, np.flip(charge)) for charge in even
        )


def _same(left: Floats, right: Floats) -> bool:
    """Return whether two arrays are equal but for rounding."""
    return bool(np.abs(left - right).max() <= 1e-12 * np.abs(left).max())


@dataclass(frozen=True, eq=False)
class Multipliers:
    """The price of every constraint, which proves a law optimal (``certificate.py``).

    ``situations`` weighs the worst cases, one row an input; ``inputs`` holds the prices of the rows' sums and
    ``means`` those of their expected reports, zero where bias is allowed.
    """

    situations: Floats
    inputs: Floats
    means: Floats


@dataclass(frozen=True, eq=False)
class Solution:
    """A law in floating point, up to the solver's tolerance, with its multipliers."""

    law: Floats
    multipliers: Multipliers
