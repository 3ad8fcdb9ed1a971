"""Databases nobody handed over: made of extreme rows, or of a random half of the people.

A mechanism may treat most databases well and fail on a few. Failures are likeliest where one person stands
against everybody else, so those databases are always proposed; random halves look where nobody thought of.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from noisewright.audit.neighbours.one_row import changes, removals
from noisewright.audit.neighbours.pair import Pair
from noisewright.audit.neighbours.pool import Pool

ROWS_A_RESTART: Final = 8
"""People tried in each random half; a half whose people are exposed shows it on any few of them."""


def extremes(pool: Pool, relation: str) -> list[Pair]:
    """One extreme person among people of the other extreme, among half of each, or joining the database.

    >>> [pair.right.tolist() for pair in extremes(Pool.of(np.array([5.0, 6.0, 9.0])), "remove")]
    [[5.0, 5.0], [5.0, 9.0], [5.0, 6.0, 9.0], [9.0, 9.0], [9.0, 5.0], [5.0, 6.0, 9.0]]
    """
    pairs = []
    ends = pool.extremes
    for (crowd, crowd_name), (odd, odd_name) in zip(ends, reversed(ends), strict=True):
        alone = np.full(pool.people, crowd)
        alone[0] = odd
        halves = np.where(np.arange(pool.people) % 2, crowd, odd)
        joined = np.append(np.arange(pool.people), odd)
        for chosen, place, name in [
            (alone, 0, f"one row of {odd_name}, all others of {crowd_name}"),
            (halves, 0, f"half the rows of {odd_name}, half of {crowd_name}"),
            (joined, pool.people, f"the database and one row of {odd_name}"),
        ]:
            base = pool.made_up(chosen, name)
            if relation == "remove":
                pairs.append(base.removed(place, f"a row of {odd_name}"))
            else:
                pairs.append(base.changed(place, f"a row of {odd_name}", crowd, crowd_name))
    return pairs


def restarts(pool: Pool, relation: str, times: int, random: np.random.Generator) -> list[Pair]:
    """A few people of random halves of the database, removed or changed."""
    pairs: list[Pair] = []
    for time in range(1, times + 1):
        size = max(2, pool.people // 2)
        chosen = np.sort(random.choice(pool.people, size, replace=False))
        base = pool.made_up(chosen, f"random half {time}")
        places = np.sort(random.choice(size, min(size, ROWS_A_RESTART), replace=False))
        pairs += removals(base, places) if relation == "remove" else changes(base, pool, places, random)
    return pairs
