"""Laws on a finite set as integers: the sampler, and the ε that it really spends.

A row of integers sums to 2⁶² and belongs to one true place; a report is drawn by comparing 62 random bits
with its running sums. So the probability of a report is an integer over 2⁶², and the ε of a method on a given
set of places is the largest of ln(largest weight / least weight) over all reports, without any rounding in
between. A weight may be zero; a report that is possible for one place but not for another makes ε infinite.

**The exponential mechanism among places.** From a set C of candidates, place x is reported as y with a
probability proportional to e^(−rate·d(x, y)), where d is the distance. For any two true places x and x',
whatever C is, with both sums over z in C,

    P[y | x] / P[y | x'] = Σ e^(−rate·(d(x', z) − d(x', y))) / Σ e^(−rate·(d(x, z) − d(x, y))) ≤ e^(2·rate·Δ)

if |d(x, z) − d(x, y)| ≤ Δ, for which it is enough that no two candidates are further apart than Δ. So rate =
ε/(2Δ) keeps ε (McSherry and Talwar 2007), as long as C does not depend on the true place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.mechanisms.basics.exact import Worst, log_upper
from noisewright.mechanisms.basics.tables import TABLE_BITS, Weights, to_integers
from noisewright.randomness import Words
from noisewright.trajectory.spaces import Flags

_MASK = np.uint64((1 << TABLE_BITS) - 1)


def integer_rows(law: Floats) -> Weights:
    """Round rows of probabilities to integers that sum to 2⁶²; zeros stay zero.

    Entries are rounded down, but not to zero, and the remainder goes to the largest of its row.

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
    """Draw entries of one row, one for each random word; an entry of weight zero is never drawn.

    >>> draw_from(np.array([0, 1 << 62, 0]), np.arange(3, dtype=np.uint64)).tolist()
    [1, 1, 1]
    """
    return np.searchsorted(np.cumsum(weights), (words & _MASK).astype(np.int64), side="right")


def draw_places(weights: Callable[[Cells], Weights], truth: Cells, words: Words) -> Cells:
    """Draw one report for each true place; ``weights(rows)`` is asked once for each place."""
    reports = np.empty(truth.size, dtype=np.int64)
    order = np.argsort(truth, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(truth[order])) + 1):
        reports[rows] = draw_from(weights(truth[rows[:1]])[0], words[rows])
    return reports


def real_epsilon(blocks: Iterable[Weights]) -> float:
    """Return the ε of a table that comes in blocks of rows; only two rows are kept in memory.

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
    """Return the log of the largest ratio of two rows of integers, rounded up; infinite over a zero."""
    if (least == 0).any():
        return math.inf
    ratios, worst = most / least, Worst()
    # Doubles find the few candidates for the largest; integers decide among them.
    for place in np.flatnonzero(ratios >= ratios.max() * (1 - 1e-12)):
        worst.meet(int(most[place]), int(least[place]))
    return log_upper(worst.ratio)


# -- the exponential mechanism among places --------------------------------------------------------

RETREAT = 2.0**-20
"""The relative amount by which the target is below ε, so that rounding to integers stays within ε."""


def textbook_rate(budget: float, spread: float) -> float:
    """Return the rate that keeps a budget where distances differ by at most ``spread`` between candidates."""
    return budget * (1 - RETREAT) / (2 * spread)


def choice_law(distances: Floats, rate: float) -> Floats:
    """Return the law on paper: one row for each row of distances to the candidates.

    >>> choice_law(np.array([[0.0, 1.0]]), np.log(3)).round(6).tolist()
    [[0.75, 0.25]]
    """
    rows = np.ascontiguousarray(distances)  # sums depend on the order in memory, and proofs on the sums
    law = np.exp(-rate * (rows - rows.min(axis=1, keepdims=True)))
    return np.asarray(law / law.sum(axis=1, keepdims=True))


def choice_weights(distances: Floats, rate: float) -> Weights:
    """Return the integers that are sampled."""
    return integer_rows(choice_law(distances, rate))


def choice_bound(budget: float, places: int) -> float:
    """Return a proved bound on the ε of any set of candidates: the textbook's, plus rounding.

    Doubles are right to 2⁻⁴⁴ here. A weight is at least 2⁶²·e^(−budget/2)/places and loses one unit at most.
    The largest weight, at least 2⁶²/places, takes up what all of them lose, and the error of their sum.
    """
    whole = 2.0**TABLE_BITS
    lost, taken_up = 2 * places * math.exp(budget / 2) / whole, places * (places + 2.0**15) / whole
    rounding = 2.0**-44 + lost + taken_up
    return math.nextafter(budget * (1 - RETREAT) + 2 * rounding, math.inf)


def worst_choice(distances: Floats, rate: float, candidates: Iterable[Cells]) -> float:
    """Return the ε of the worst of some sets of candidates (columns of ``distances``), from its integers."""
    return max(real_epsilon([choice_weights(distances[:, chosen], rate)]) for chosen in candidates)


def distinct_sets(flags: Iterable[Flags]) -> list[Cells]:
    """Return the different sets among rows of flags, as numbers of places."""
    return [np.flatnonzero(row) for row in {row.tobytes(): row for row in flags}.values()]
