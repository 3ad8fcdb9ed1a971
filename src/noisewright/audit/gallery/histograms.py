"""Histograms without noise: private only as far as the other rows are unknown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from noisewright.audit.gallery.mechanism import FiniteLaw, FiniteMechanism


@dataclass(frozen=True)
class UncertainCount(FiniteMechanism):
    """The exact number of ones in a column, when all rows but one are fair coins to the observer.

    Distributional privacy (Lu et al. 2024, section 8.3): the input is the one row that is looked for.

    >>> count = UncertainCount(rows=3)
    >>> count.law(0).shares.round(9).tolist(), count.law(1).shares.round(9).tolist()
    ([0.25, 0.5, 0.25, 0.0], [0.0, 0.25, 0.5, 0.25])
    """

    rows: int

    def __call__(self, data: int, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        return data + generator.binomial(self.rows - 1, 0.5, size=count)

    def law(self, data: int) -> FiniteLaw:
        counts = np.arange(self.rows + 1)
        return FiniteLaw(counts[:, None], binom.pmf(counts - data, self.rows - 1, 0.5))
