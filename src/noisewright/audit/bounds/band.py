"""Bounds on the probabilities of all sets of a chain at once, from one sample.

A chain is a family of sets of which any two lie one in the other: the half-lines {score > t}, or the best
events {p/q > e^ε} of an audit, whether they are known or not. Along a chain the empirical shares are an
empirical distribution function, so Massart's form of the Dvoretzky–Kiefer–Wolfowitz inequality holds for all
of its sets together. It is blunt where probabilities are small; there exact binomial bounds at a grid of true
probabilities take over, and reach all sets between by monotony.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binom

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

BULK = 0.12
"""Beyond this share the grid is no better than the inequality for the bulk, and has no levels."""

LEVELS_SHARE = 0.1
"""The levels' part of the failure probability: their bounds feel it little."""

STEP = 2.0
"""Distance of neighbouring levels, in standard errors."""


class Band:
    """One-sided bounds for one law: each of :meth:`above` and :meth:`below` fails with ``failure`` at most.

    Whoever uses both pays twice. Most of the failure goes to the bulk, a tenth to the levels.

    >>> band = Band(1_000_000, failure=0.025)
    >>> band.above([0.5, 0.0001]).round(6).tolist(), band.below([0.5, 0.0001]).round(6).tolist()
    ([0.501377, 0.000169], [0.498623, 4.9e-05])
    """

    def __init__(self, count: int, failure: float) -> None:
        """For a sample of ``count`` independent draws."""
        if count < 1 or not 0 < failure <= 0.5:
            raise InvalidParameter("a band needs draws and a failure probability above 0 and up to 1/2")
        self.count, self.failure = count, failure

    @property
    def reach(self) -> float:
        """How far the bulk's bound lies from an empirical share: √(ln(1/failure)/2n) for its part of it."""
        failure = self.failure * (1 - LEVELS_SHARE)
        return math.sqrt(math.log(1 / failure) / (2 * self.count))  # Massart 1990, one side

    def above(self, share: ArrayLike) -> Floats:
        """Return the largest probability that a set of the chain with this empirical share can have."""
        shares = np.asarray(share, dtype=np.float64)
        levels, fewest, _ = self._levels
        # A set likelier than a level holds at least as many draws as the level's own set.
        place = np.searchsorted(fewest, np.round(shares * self.count), side="right")
        return np.asarray(np.minimum(np.append(levels, 1.0)[place], shares + self.reach))

    def below(self, share: ArrayLike) -> Floats:
        """Return the smallest probability that a set of the chain with this empirical share can have."""
        shares = np.asarray(share, dtype=np.float64)
        levels, _, most = self._levels
        place = np.searchsorted(most, np.round(shares * self.count), side="left")
        return np.asarray(np.maximum(np.insert(levels, 0, 0.0)[place], shares - self.reach))

    @cached_property
    def _levels(self) -> tuple[Floats, Floats, Floats]:
        """True probabilities, and the fewest and most draws that sets of just that probability hold."""
        low = _grid(self.count)
        levels = np.concatenate([low, 1 - low[::-1]])
        each = self.failure * LEVELS_SHARE / levels.size
        fewest, most = binom.ppf(each, self.count, levels), binom.isf(each, self.count, levels)
        rising = np.minimum.accumulate(fewest[::-1])[::-1]  # they rise already; if they did not, the safe way
        return levels, rising, np.maximum.accumulate(most)


def _grid(count: int) -> Floats:
    """Levels from one draw in ``count`` up to the bulk, in equal steps of the square root."""
    least, most = math.sqrt(1 / count), math.sqrt(BULK)
    steps = max(math.ceil((most - least) * 2 * math.sqrt(count) / STEP), 2)
    return np.asarray(np.linspace(least, max(most, least * 2), steps) ** 2).clip(max=0.5)
