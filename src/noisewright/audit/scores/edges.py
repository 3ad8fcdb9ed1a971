"""Where a number line may be cut: quantiles, finer toward the ends, around repeated numbers, at supports."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats

FEWEST = 8
"""Rows in the outermost bin, over both inputs."""


def candidate_edges(left: Floats, right: Floats, bins: int) -> Floats:
    """Edges of bins that hold about equally many rows each; bin k is above edge k − 1 and at most edge k.

    Toward both ends bins halve until they hold a few rows only, because rare outputs are where ratios are
    largest. A number that fills a bin alone gets one. The ends of each input's numbers are edges as well: one
    input may reach where the other never does.

    >>> candidate_edges(np.arange(100.0), np.arange(50, 150.0), 4).tolist()
    [-5e-324, 7.0, 15.0, 31.0, 49.0, 49.99999999999999, 74.0, 99.0, 117.0, 133.0, 141.0, 149.0]
    """
    numbers = np.sort(np.concatenate([left, right]))
    cuts = numbers[_ranks(len(numbers), bins)]
    values, times = np.unique(cuts, return_counts=True)
    starts = np.concatenate([values[times > 1], [left.min(), right.min()]])
    ends = [left.max(), right.max()]
    with np.errstate(over="ignore"):  # below the lowest double there is none
        before = np.nextafter(starts, -np.inf)
    return np.unique(np.concatenate([values, before, ends]))


def _ranks(rows: int, bins: int) -> NDArray[np.int64]:
    even = np.arange(1, bins) * rows // bins
    halves = FEWEST << np.arange(max(int(np.log2(max(rows // bins, 1) / FEWEST)) + 1, 0))
    ranks = np.concatenate([even, halves, rows - halves]) - 1
    return np.unique(np.clip(ranks, 0, rows - 1))
