"""The exponential mechanism among places: near ones are likelier, far ones are possible.

From a set C of candidates, place x is reported as y with a probability proportional to e^(−rate·d(x, y)),
where d is the distance. For any two true places x and x', whatever C is, with both sums over z in C,

    P[y | x] / P[y | x'] = Σ e^(−rate·(d(x', z) − d(x', y))) / Σ e^(−rate·(d(x, z) − d(x, y))) ≤ e^(2·rate·Δ)

if |d(x, z) − d(x, y)| ≤ Δ, for which it is enough that no two candidates are further apart than Δ. So rate =
ε/(2Δ) keeps ε (McSherry and Talwar 2007), as long as C does not depend on the true place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.mechanisms.tables import TABLE_BITS, Weights
from noisewright.trajectory.baselines.integers import integer_rows, real_epsilon
from noisewright.trajectory.spaces.base import Flags

RETREAT = 2.0**-20
"""By how much less than ε is asked for, relatively, so that rounding to integers stays within it."""


def textbook_rate(budget: float, spread: float) -> float:
    """The rate that keeps a budget where distances differ by at most ``spread`` between candidates."""
    return budget * (1 - RETREAT) / (2 * spread)


def choice_law(distances: Floats, rate: float) -> Floats:
    """The law on paper: one row for each row of distances to the candidates.

    >>> choice_law(np.array([[0.0, 1.0]]), np.log(3)).round(6).tolist()
    [[0.75, 0.25]]
    """
    rows = np.ascontiguousarray(distances)  # sums depend on the order in memory, and proofs on the sums
    law = np.exp(-rate * (rows - rows.min(axis=1, keepdims=True)))
    return np.asarray(law / law.sum(axis=1, keepdims=True))


def choice_weights(distances: Floats, rate: float) -> Weights:
    """The integers that are sampled."""
    return integer_rows(choice_law(distances, rate))


def choice_bound(budget: float, places: int) -> float:
    """A proved bound on the ε of any set of candidates: the textbook's, and what rounding can add to it.

    Doubles are right to 2⁻⁴⁴ here. A weight is at least 2⁶²·e^(−budget/2)/places and loses one unit at most.
    The largest weight, at least 2⁶²/places, takes up what all of them lose, and the error of their sum.
    """
    whole = 2.0**TABLE_BITS
    lost, taken_up = 2 * places * math.exp(budget / 2) / whole, places * (places + 2.0**15) / whole
    rounding = 2.0**-44 + lost + taken_up
    return math.nextafter(budget * (1 - RETREAT) + 2 * rounding, math.inf)


def worst_choice(distances: Floats, rate: float, candidates: Iterable[Cells]) -> float:
    """The ε of the worst of some sets of candidates (columns of ``distances``), from its integers."""
    return max(real_epsilon([choice_weights(distances[:, chosen], rate)]) for chosen in candidates)


def worst_choice_roughly(distances: Floats, rate: float, candidates: Iterable[Cells]) -> float:
    """The same in doubles: a guide for a search, never a proof."""
    return max(_log_ratio(choice_law(distances[:, chosen], rate)) for chosen in candidates)


def _log_ratio(law: Floats) -> float:
    return math.log(float((law.max(axis=0) / law.min(axis=0)).max()))


def distinct_sets(flags: Iterable[Flags]) -> list[Cells]:
    """The different sets among rows of flags, as numbers of places."""
    return [np.flatnonzero(row) for row in {row.tobytes(): row for row in flags}.values()]
