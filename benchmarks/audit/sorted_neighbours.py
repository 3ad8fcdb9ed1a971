"""Nearest neighbours of single numbers by sorting: the votes of the published classifier, much sooner.

A stronger rival than the published procedure, and what makes its error measurable at every ε: scikit-learn's
neighbours need ten minutes for one ε at 2×10⁶ runs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from noisewright.domains import Cells, Floats


class SortedNeighbours(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Votes of the ``neighbours`` (an odd number) nearest values, for tables of one column.

    >>> voters = SortedNeighbours(3).fit(np.array([[0.0], [1.0], [2.0], [9.0]]), np.array([0, 0, 1, 1]))
    >>> voters.predict(np.array([[0.2], [8.0]])).tolist()
    [0, 1]
    """

    def __init__(self, neighbours: int = 1) -> None:
        self.neighbours = neighbours

    def fit(self, table: Floats, labels: Cells) -> SortedNeighbours:
        """Sort, and count ones from the left."""
        order = np.argsort(table[:, 0], kind="stable")
        self.values_, self.ones_ = table[order, 0], np.append(0, np.cumsum(labels[order]))
        self.count_ = min(self.neighbours, len(order))
        return self

    def predict(self, table: Floats) -> NDArray[np.int64]:
        """The label with more votes."""
        first = self._first(table[:, 0])
        ones = self.ones_[first + self.count_] - self.ones_[first]
        return np.asarray(2 * ones > self.count_).astype(np.int64)

    def _first(self, asked: Floats) -> NDArray[np.int64]:
        """Where the nearest values begin, by bisection for all asked numbers at once."""
        last = len(self.values_) - self.count_
        low, high = np.zeros(len(asked), np.int64), np.full(len(asked), last, np.int64)
        while np.any(low < high):
            middle = (low + high) // 2
            # a run of values moves on where the one after its end is nearer than its first
            after = self.values_[np.minimum(middle + self.count_, len(self.values_) - 1)]
            later = (low < high) & (asked - self.values_[middle] > after - asked)
            low, high = np.where(later, middle + 1, low), np.where(later, high, np.maximum(middle, low))
        return low
