"""How clearly counts tell two inputs apart."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats

BINS = 16
"""Classes of about equally many numbers; enough to see a shift, another spread, or a lump."""


def telling(left: Floats, right: Floats) -> float:
    """How far the counts of some classes are from those of one law, in standard deviations of chance.

    Pearson's χ² (1900), brought to one scale for any number of classes (Wilson and Hilferty 1931).

    >>> round(telling(np.array([500, 500]), np.array([500, 500])), 1)
    -1.6
    >>> round(telling(np.array([600, 400]), np.array([500, 500])), 1)
    4.1
    """
    seen = left + right > 0
    left, right = left[seen], right[seen]
    freedom, rows, others = len(left) - 1, left.sum(), right.sum()
    if freedom < 1 or not rows or not others:
        return 0.0
    distance = ((left * others - right * rows) ** 2 / (left + right)).sum() / (rows * others)
    spread = 2 / (9 * freedom)
    return float((math.cbrt(distance / freedom) - 1 + spread) / math.sqrt(spread))


def classes(numbers: Floats) -> NDArray[np.int64]:
    """The class of each number; a number that comes often enough to be an edge is a class of its own.

    >>> classes(np.array([-2.0, 0.0, 0.0, 0.0, 1.0])).tolist()
    [1, 3, 3, 3, 4]
    """
    edges = np.unique(np.quantile(numbers, np.arange(1, BINS) / BINS, method="lower"))
    below = np.searchsorted(edges, numbers, "left") + np.searchsorted(edges, numbers, "right")
    return below.astype(np.int64)
