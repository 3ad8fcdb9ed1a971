"""How many outputs of either input score above each of some thresholds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats

GRID = 2048
"""Thresholds at evenly spaced ranks of all scores."""

EXTREMES = 256
"""Thresholds at every one of so many of the largest and of the smallest scores."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Of ``left`` and ``right`` outputs in all, how many score above each threshold; thresholds rise.

    >>> counts = Counts.at(np.array([0.0]), np.array([-1.0, 1.0, 2.0]), np.array([-1.0, 0.0]))
    >>> counts.left_above.tolist(), counts.right_above.tolist()
    ([2], [0])
    """

    thresholds: Floats
    left_above: NDArray[np.int64]
    right_above: NDArray[np.int64]
    left: int
    right: int

    @classmethod
    def at(cls, thresholds: Floats, left_sorted: Floats, right_sorted: Floats) -> Counts:
        """Counts at given thresholds, from scores in rising order."""
        above = [
            scores.size - np.searchsorted(scores, thresholds, side="right")
            for scores in (left_sorted, right_sorted)
        ]
        return cls(thresholds, above[0], above[1], left_sorted.size, right_sorted.size)

    @property
    def left_share(self) -> Floats:
        """The share of left outputs above each threshold."""
        return np.asarray(self.left_above / max(self.left, 1))

    @property
    def right_share(self) -> Floats:
        """The share of right outputs above each threshold."""
        return np.asarray(self.right_above / max(self.right, 1))

    def mirrored(self) -> Counts:
        """The same sets seen from the other side: how many right and left outputs score at most each."""
        return Counts(
            self.thresholds, self.right - self.right_above, self.left - self.left_above, self.right, self.left
        )


def thresholds_between(left_sorted: Floats, right_sorted: Floats) -> Floats:
    """Thresholds worth a look: ranks spread evenly over all scores, and every extreme one.

    >>> thresholds_between(np.array([0.0, 1.0]), np.array([1.0, 2.0])).tolist()
    [0.0, 1.0, 2.0]
    """
    parts = []
    for scores in (left_sorted, right_sorted):
        ranks = np.linspace(0, scores.size - 1, min(GRID, scores.size)).astype(np.int64)
        parts += [scores[ranks], scores[:EXTREMES], scores[-EXTREMES:]]
    return np.unique(np.concatenate(parts))
