"""What is believed of a feature before anybody answered: smooth along its axis, and of unknown strength.

Neighbouring cells are alike. The shares of the cells vary smoothly, and so does the evidence of a cell for a
class: as a Gaussian process whose strength is not assumed but found (:mod:`noisewright.learn.learners.odds`).
Labels have no neighbours, so there each cell stands alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.rules.axes import Axis

Strengths = Mapping[float, float]
"""Standard deviations of a cell's log-odds, from hardly any evidence to a feature that decides alone, with
their chances before anybody answered."""

HOPEFUL: Final[Strengths] = {0.15: 0.1, 0.5: 0.3, 1.0: 0.3, 2.0: 0.3}
"""While answers are few they cannot tell a strength, and these chances decide. Features are declared because
they are thought to matter, so few are expected to say nothing; if none does, this hope costs accuracy."""

SOBER: Final[Strengths] = {0.15: 0.4, 0.5: 0.2, 1.0: 0.2, 2.0: 0.2}
"""Once answers are enough to tell, a feature must show that it matters."""

REACH: Final = 0.3
"""How far evidence carries along an axis of length 1."""

STRAIGHT: Final = 1.2
"""How much of the variance of the evidence is a straight line, at the ends of the axis."""

BENDS: Final = 2.0
"""Precision of the second differences of the cells' log-shares."""

LEVEL: Final = 0.05
"""Variance of a common shift of all cells' log-odds: the share of the class is known only roughly."""


@dataclass(frozen=True)
class AxisPrior:
    """The precision of the cells' log-shares, and the covariance of their log-odds, by strength."""

    axis: Axis

    def shares_precision(self) -> Floats:
        """Large for rough log-shares, small for a common shift, which the sum of shares takes away anyway."""
        return _shares_precision(self.axis.cells, self.axis.ordered)

    def odds_precision(self, strength: float) -> Floats:
        """The inverse covariance of the log-odds of one class against the first."""
        return _odds_precision(self.axis.cells, self.axis.ordered, strength)


@lru_cache(maxsize=64)
def _shares_precision(cells: int, ordered: bool) -> Floats:
    ridge = 0.02 * np.eye(cells)
    if not ordered:
        return ridge
    first, second = np.diff(np.eye(cells), 1, axis=0), np.diff(np.eye(cells), 2, axis=0)
    return np.asarray(BENDS * (second.T @ second + 0.05 * first.T @ first) + ridge)


@lru_cache(maxsize=256)
def _odds_precision(cells: int, ordered: bool, strength: float) -> Floats:
    shape = _smooth(cells) if ordered else np.eye(cells)
    return np.asarray(np.linalg.inv(strength**2 * shape + LEVEL + 1e-4 * np.eye(cells)), dtype=np.float64)


def _smooth(cells: int) -> Floats:
    """A straight line through the middle plus bends that reach ``REACH`` far."""
    places = (np.arange(cells) + 0.5) / cells
    line = 2 * places - 1
    bends = np.exp(-0.5 * ((places[:, None] - places) / REACH) ** 2)
    return np.asarray(0.8 * bends + STRAIGHT * np.outer(line, line))
