"""What a table of rows by true classes says of a classifier: the rates of a scorecard, one by one.

Each row stands for people of whom one class is predicted. Every rate here misses the truth with at most
``alpha``, for every truth, number of people and ε.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from noisewright.domains import Cells
from noisewright.estimate import Estimate
from noisewright.learn.scorecard.balance import balanced_ends
from noisewright.learn.scorecard.cell_shares import CellShares, Chosen
from noisewright.learn.scorecard.estimates import made, stacked


@dataclass(frozen=True, eq=False)
class ClassShares:
    """Cells of a table whose columns are the true classes, and the class that is ``said`` in each row.

    >>> found = ClassShares(CellShares(np.array([[60, 10], [5, 25]])), np.array([0, 1]))
    >>> found.accuracy(0.05).value, found.majority(0.05)[0], round(found.balanced_accuracy(0.05).value, 4)
    (0.85, 0, 0.8187)
    """

    cells: CellShares
    said: Cells

    def accuracy(self, alpha: float) -> Estimate:
        """How many people's class is predicted."""
        return self.cells.share(self._right, alpha)

    def predicted(self, alpha: float) -> Estimate:
        """Of each class, how many people are said to belong to it."""
        return stacked([self.cells.share(self._said(code), alpha) for code in self._codes])

    def confusion(self, alpha: float) -> Estimate:
        """The share of every pair [predicted, true] of classes among all people."""
        pairs = [self._said(one) & self._true(other) for one in self._codes for other in self._codes]
        return stacked([self.cells.share(pair, alpha) for pair in pairs], (len(self._codes), -1))

    def recall(self, alpha: float) -> Estimate:
        """Of the people of each class, how many are found."""
        return stacked([self.cells.ratio(self._found(code), self._true(code), alpha) for code in self._codes])

    def balanced_accuracy(self, alpha: float) -> Estimate:
        """The mean recall of the classes."""
        found, true = ([each(code) for code in self._codes] for each in (self._found, self._true))
        value = np.mean(list(map(self.cells.ratio_value, found, true)))
        slope = np.mean(list(map(self.cells.ratio_slope, found, true)), axis=0)
        ends = balanced_ends(self.cells, found, true, alpha)
        return made(value, self.cells.spread(slope), *ends, alpha, self.cells.people)

    def majority(self, alpha: float) -> tuple[int, Estimate]:
        """The code of the class that seems most frequent, and how frequent the most frequent class is.

        The largest share lies between the largest low and the largest high end if all classes are within
        their intervals. Of two classes the intervals mirror each other, so they miss together.
        """
        count = len(self._codes)
        part = alpha if count == 2 else alpha / count
        shares = stacked([self.cells.share(self._true(code), part) for code in self._codes])
        most = int(np.argmax(shares.value))
        low, high = max(shares.low.max(), 1 / count), shares.high.max()
        return most, made(shares.value[most], shares.stderr[most], low, high, alpha, self.cells.people)

    def advantage(self, alpha: float) -> Estimate:
        """The accuracy less the rate of the majority class, from the same answers.

        Against class c only people count whom the rule gets right in other classes, or wrong in class c:
        everybody else is as well served by the constant answer c. The advantage is the least over all c, so
        a low end needs the whole error for no class but the true majority; a high end shares it among all.
        """
        rivals = [self._against(code, alpha) for code in self._codes]
        shared = [self._against(code, alpha / len(rivals)) for code in self._codes]
        closest = min(rivals, key=lambda rival: float(rival.value))
        low, high = min(rival.low for rival in rivals), min(rival.high for rival in shared)
        return replace(closest, low=low, high=high)

    def _against(self, code: int, alpha: float) -> Estimate:
        """The accuracy less the share of one class."""
        elsewhere = ~self._said(code)
        return self.cells.difference(elsewhere & self._right, elsewhere & self._true(code), alpha)

    # -- sets of cells ---------------------------------------------------------------------------------

    @property
    def _codes(self) -> range:
        return range(self.cells.counts.shape[1])

    @property
    def _right(self) -> Chosen:
        return np.asarray(self.said[:, None] == np.arange(len(self._codes)))

    def _said(self, code: int) -> Chosen:
        return np.repeat((self.said == code)[:, None], len(self._codes), axis=1)

    def _true(self, code: int) -> Chosen:
        return np.tile(np.arange(len(self._codes)) == code, (len(self.said), 1))

    def _found(self, code: int) -> Chosen:
        return self._said(code) & self._true(code)
