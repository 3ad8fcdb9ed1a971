"""The neighbours of one database: every person removed, or every person's values changed."""

from __future__ import annotations

import numpy as np

from noisewright.audit.neighbours.pair import Base, Pair
from noisewright.audit.neighbours.pool import Pool
from noisewright.domains import Cells


def removals(base: Base, places: Cells) -> list[Pair]:
    """Each of these rows removed; rows are named by where they stand in the database, from 0.

    >>> pool = Pool.of(np.array([5.0, 6.0, 7.0]))
    >>> [pair.right.tolist() for pair in removals(pool.whole(), np.arange(2))]
    [[6.0, 7.0], [5.0, 7.0]]
    """
    return [base.removed(place, f"row {base.chosen[place]}") for place in places.tolist()]


def changes(base: Base, pool: Pool, places: Cells, random: np.random.Generator) -> list[Pair]:
    """Each of these rows given the smallest values, the largest, and the values of another row by chance.

    >>> pool = Pool.of(np.array([5.0, 6.0, 7.0]))
    >>> [pair.name for pair in changes(pool.whole(), pool, np.array([1]), np.random.default_rng(1))]
    ['row 1 changed to the smallest values', 'row 1 changed to the largest values', 'row 1 changed to row 2']
    """
    pairs = []
    for place in places.tolist():
        row = int(base.chosen[place])
        for by, what in [*pool.extremes, _another(row, pool.people, random)]:
            pairs.append(base.changed(place, f"row {row}", by, what))
    return pairs


def _another(row: int, people: int, random: np.random.Generator) -> tuple[int, str]:
    other = (row + int(random.integers(1, people))) % people
    return other, f"row {other}"
