"""Columns on one scale, so that no unit and no outlier leads a learner astray."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from noisewright.domains import Floats

FARTHEST = 20.0
"""Scaled numbers are held to this; what lies beyond is told apart by bins and trees, not by slopes."""


@dataclass(frozen=True, eq=False)
class Standard:
    """Each column less its median, over its robust spread.

    >>> Standard.fit(np.array([[0.0], [1.0], [2.0], [1e9]])).scaled(np.array([[1.5], [1e300]])).tolist()
    [[0.0], [...]]
    """

    centre: Floats
    spread: Floats

    @classmethod
    def fit(cls, table: Floats) -> Self:
        """Learn centre and spread; a column that hardly moves keeps its own scale."""
        low, centre, high = np.quantile(table, [0.16, 0.5, 0.84], axis=0)
        spread = (high - low) / 2
        rest = np.maximum(np.abs(table - centre).mean(axis=0), np.finfo(float).tiny)
        return cls(centre, np.where(spread > 0, spread, rest))

    def scaled(self, table: Floats) -> Floats:
        """Columns on the common scale."""
        with np.errstate(over="ignore"):
            scaled = (table - self.centre) / self.spread
        return np.asarray(np.clip(scaled, -FARTHEST, FARTHEST, out=scaled))
