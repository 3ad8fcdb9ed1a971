"""Laws on a finite set as integers: what is sampled, and the ε that it really spends.

A row of integers sums to 2⁶² and belongs to one true place; a report is drawn by comparing 62 random bits
with its running sums. So the probability of a report is an integer over 2⁶², and the ε of a method on a given
set of places is the largest of ln(largest weight / least weight) over all reports, without any rounding in
between. A weight may be zero; a report that is possible for one place but not for another makes ε infinite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.mechanisms.exact import Worst, log_upper
from noisewright.mechanisms.tables import TABLE_BITS, Weights, to_integers
from noisewright.randomness import Words

_MASK = np.uint64((1 << TABLE_BITS) - 1)


def integer_rows(law: Floats) -> Weights:
    """Round rows of probabilities to integers that sum to 2⁶²; what is impossible stays so.

    Entries are rounded down, but not to zero, and what is left over goes to the largest of its row.

    >>> integer_rows(np.array([[0.5, 0.25, 0.25, 0.0]])).tolist() == [[2**61, 2**60, 2**60, 0]]
    True
    """
    weights = to_integers(law)
    impossible = law == 0
    if impossible.any():
        weights[impossible] = 0
        spare = (1 << TABLE_BITS) - weights.sum(axis=-1)
        np.put_along_axis(
            weights,
            (largest := weights.argmax(axis=-1)[..., None]),
            np.take_along_axis(weights, largest, axis=-1) + spare[..., None],
            axis=-1,
        )
    return weights


def draw_from(weights: Weights, words: Words) -> Cells:
    """Entries of one row, one for each random word; an entry of weight zero never comes up.

    >>> draw_from(np.array([0, 1 << 62, 0]), np.arange(3, dtype=np.uint64)).tolist()
    [1, 1, 1]
    """
    return np.searchsorted(np.cumsum(weights), (words & _MASK).astype(np.int64), side="right")


def draw_places(weights: Callable[[Cells], Weights], truth: Cells, words: Words) -> Cells:
    """One report for each true place; ``weights(rows)`` is asked once a place, however often it occurs."""
    reports = np.empty(truth.size, dtype=np.int64)
    order = np.argsort(truth, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(truth[order])) + 1):
        reports[rows] = draw_from(weights(truth[rows[:1]])[0], words[rows])
    return reports


def real_epsilon(blocks: Iterable[Weights]) -> float:
    """The ε of a table that comes block by block of rows: never more than two rows are kept.

    >>> half, third = 1 << 61, (1 << 62) // 3
    >>> rows = np.array([[half, half], [third, (1 << 62) - third]])
    >>> real_epsilon([rows]) >= math.log(1.5), real_epsilon([rows[:1], np.array([[1 << 62, 0]])])
    (True, inf)
    """
    extremes = ((block.max(axis=0), block.min(axis=0)) for block in blocks)
    most, least = next(extremes)
    for larger, smaller in extremes:
        most, least = np.maximum(most, larger), np.minimum(least, smaller)
    return log_ratio(most[most > 0], least[most > 0])


def log_ratio(most: Weights, least: Weights) -> float:
    """The log of the largest ratio of two rows of integers, rounded up; infinite if one is over zero."""
    if (least == 0).any():
        return math.inf
    ratios, worst = most / least, Worst()
    # Doubles find the few that can be the largest; integers decide among them.
    for place in np.flatnonzero(ratios >= ratios.max() * (1 - 1e-12)):
        worst.meet(int(most[place]), int(least[place]))
    return log_upper(worst.ratio)
