"""Sparse vector techniques that publish numbers: one that must not, and one that pays for them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.gallery.mechanism import Numbers, ShownMechanism, one_sided
from noisewright.audit.gallery.sparse_vector import seen_before
from noisewright.domains import Floats

NOTHING, ENDED = -math.inf, math.nan
"""In place of a number, for a query that lay below and for one that was not asked any more."""


@dataclass(frozen=True)
class SparseValues(ShownMechanism):
    """Publish a number for each query above the threshold, and stop after so many.

    ``value_scale=None`` publishes the very number that was compared, from which the noisy threshold can be
    bounded (Lyu et al. 2017, algorithm 3); otherwise the number gets noise of its own (Wang et al. 2019).

    >>> svt = SparseValues(threshold=1.0, threshold_scale=0.1, query_scale=0.1, positives=1, value_scale=0.1)
    >>> svt([0.0, 9.0, 9.0], 1, np.random.default_rng(1)).round().tolist()
    [[-inf, 9.0, nan]]
    """

    threshold: float
    threshold_scale: float
    query_scale: float
    positives: int
    value_scale: float | None = None

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> Floats:
        queries = np.asarray(data, dtype=np.float64)
        noisy = queries + self.query_scale * generator.laplace(size=(count, queries.size))
        above = noisy >= self.threshold + self.threshold_scale * generator.laplace(size=(count, 1))
        values = noisy
        if self.value_scale is not None:
            values = queries + self.value_scale * generator.laplace(size=(count, queries.size))
        return np.where(seen_before(above) >= self.positives, ENDED, np.where(above, values, NOTHING))

    def epsilon(self, left: Numbers, right: Numbers, delta: float = 0.0) -> float | None:
        """Known for the published number: if it lies below all queries, so did all answers before it."""
        if delta or self.value_scale is not None:
            return None
        return one_sided(left, right, self.query_scale)


@dataclass(frozen=True)
class Together(ShownMechanism):
    """Several mechanisms on the same data, side by side in one output.

    >>> one = SparseValues(1.0, 0.1, 0.1, positives=1)
    >>> Together((one, one))([0.0, 9.0], 3, np.random.default_rng(1)).shape
    (3, 4)
    """

    parts: tuple[ShownMechanism, ...]

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> NDArray[np.float64]:
        return np.column_stack([part(data, count, generator) for part in self.parts])


def published_values(epsilon: float, threshold: float, positives: int = 1) -> SparseValues:
    """Algorithm 3 of Lyu et al. 2017."""
    return SparseValues(threshold, 2 / epsilon, 2 * positives / epsilon, positives)


def numerical(epsilon: float, threshold: float, positives: int) -> SparseValues:
    """The numerical sparse vector technique of Wang et al. 2019: ε/3 for each of its three noises."""
    return SparseValues(
        threshold, 3 / epsilon, 6 * positives / epsilon, positives, value_scale=3 * positives / epsilon
    )
