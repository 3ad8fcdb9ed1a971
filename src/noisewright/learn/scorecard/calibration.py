"""Whether probabilities mean what they say: of people told "70 %", seven of ten should be class 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.estimate import Estimate
from noisewright.learn.scorecard.cell_shares import CellShares, Chosen
from noisewright.learn.scorecard.estimates import stacked

BINS: Final = 10
"""Equal bins of the probability when test data are looked at; ½ is the end of one."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """Bins of the predicted probability of class 1: how many people they hold, and how many are class 1.

    Bin i reaches from ``low[i]`` to ``high[i]``; ``predicted[i]`` is the mean prediction in it, or NaN where
    only the bin is known. ``people`` and ``observed`` are the estimated shares of all people in the bin and
    of class 1 among those; each interval holds by itself.

    >>> told, true = np.array([0.15, 0.15, 0.85, 0.85]), np.array([0, 0, 1, 0])
    >>> found = Calibration.measured(told, true, alpha=0.05)
    >>> found.predicted.tolist(), found.observed.value.tolist()
    ([0.15, 0.85], [0.0, 0.5])
    """

    low: Floats
    high: Floats
    predicted: Floats
    people: Estimate
    observed: Estimate

    @classmethod
    def of(cls, cells: CellShares, cuts: Floats, alpha: float) -> Self:
        """From answers to a check of two classes: scores between cuts, read as log odds."""
        from scipy.special import expit  # noqa: PLC0415  (scipy is slow to load)

        edges = expit(np.concatenate([[-np.inf], cuts, [np.inf]]))
        return cls._of(cells, edges[:-1], edges[1:], np.full(len(edges) - 1, np.nan), alpha)

    @classmethod
    def measured(cls, probabilities: Floats, codes: Cells, alpha: float) -> Self:
        """From test records that are looked at; bins in which nobody is are left out."""
        rows = np.clip(np.ceil(probabilities * BINS).astype(np.int64) - 1, 0, BINS - 1)
        counts = np.bincount(rows * 2 + codes, minlength=2 * BINS).reshape(BINS, 2)
        held = np.flatnonzero(counts.sum(axis=1))
        means = np.bincount(rows, weights=probabilities, minlength=BINS)[held] / counts[held].sum(axis=1)
        return cls._of(CellShares(counts[held]), held / BINS, (held + 1) / BINS, means, alpha)

    @classmethod
    def _of(cls, cells: CellShares, low: Floats, high: Floats, predicted: Floats, alpha: float) -> Self:
        bins = [_bin(cells, row) for row in range(len(low))]
        people = stacked([cells.share(whole, alpha) for _, whole in bins])
        observed = stacked([cells.ratio(part, whole, alpha) for part, whole in bins])
        return cls(low, high, predicted, people, observed)

    @property
    def places(self) -> Floats:
        """Where a bin is drawn: at its mean prediction, or in its middle where that is not known."""
        return np.where(np.isnan(self.predicted), (self.low + self.high) / 2, self.predicted)

    def to_dict(self) -> dict[str, Any]:
        """The calibration in plain JSON values."""
        means = [None if np.isnan(mean) else mean for mean in self.predicted.tolist()]
        shares = {"people": self.people.to_dict(), "observed": self.observed.to_dict()}
        return {"low": self.low.tolist(), "high": self.high.tolist(), "predicted": means, **shares}


def _bin(cells: CellShares, row: int) -> tuple[Chosen, Chosen]:
    """The cells of class 1 in a row, and all cells of the row."""
    whole = np.zeros(cells.counts.shape, dtype=bool)
    whole[row] = True
    part = whole.copy()
    part[:, 0] = False
    return part, whole
