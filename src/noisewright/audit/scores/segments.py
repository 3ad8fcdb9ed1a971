"""Neighbouring bins joined where their counts do not tell them apart."""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from noisewright.audit.scores.smoothing import Counts
from noisewright.domains import Floats


def segment_ends(left: Counts, right: Counts) -> Counts:
    """The last bin of each segment of the likeliest cut into segments, each of which costs ln(bins) nats.

    Within a segment the share of the left input is one number, so a segment's log-likelihood is
    l·ln(l/n) + r·ln(r/n); the best cut is found exactly, from left to right.

    >>> segment_ends(np.array([10, 12, 90, 88]), np.array([90, 89, 10, 11])).tolist()
    [1, 3]
    """
    lefts, rights = (np.concatenate([[0], np.cumsum(side)]) for side in (left, right))
    price = np.log(len(left) + 1)
    best, start = np.zeros(len(lefts)), np.zeros(len(lefts), dtype=np.int64)
    for stop in range(1, len(lefts)):
        gains = best[:stop] + _likelihood(lefts[stop] - lefts[:stop], rights[stop] - rights[:stop]) - price
        start[stop] = np.argmax(gains)
        best[stop] = gains[start[stop]]
    return _walk_back(start)


def _walk_back(start: Counts) -> Counts:
    ends, stop = [], len(start) - 1
    while stop > 0:
        ends.append(stop - 1)
        stop = int(start[stop])
    return np.array(ends[::-1], dtype=np.int64)


def _likelihood(left: Counts, right: Counts) -> Floats:
    return np.asarray(xlogy(left, left) + xlogy(right, right) - xlogy(left + right, left + right))
