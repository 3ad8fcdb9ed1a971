"""The pairs a search looks at: neighbours of the database by the relation the user chose, and inventions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import numpy as np

from noisewright.audit.neighbours.inventions import extremes, restarts
from noisewright.audit.neighbours.one_row import changes, removals
from noisewright.audit.neighbours.pair import Pair
from noisewright.audit.neighbours.pool import Pool
from noisewright.audit.neighbours.queries import query_pairs
from noisewright.audit.neighbours.rows import Label, Range
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole

Relation = Literal["remove", "change", "queries"]

MOST_PEOPLE: Final = 20_000
"""Rows a search looks at; of a longer database, so many by chance."""


@dataclass(frozen=True, eq=False)
class Proposals:
    """Pairs to look at, and how many people of the database are in none because there were too many."""

    pairs: tuple[Pair, ...]
    people: int
    passed_over: int = 0


def propose(
    database: Any,
    relation: Relation = "remove",
    *,
    beyond: bool = True,
    bounds: Mapping[Label, Range] | Range | None = None,
    sensitivity: float = 1.0,
    times: int = 4,
    most: int = MOST_PEOPLE,
    seed: int | np.random.SeedSequence | None = None,
) -> Proposals:
    """Neighbours of a database: everybody removed (or changed), then extremes and ``times`` random halves.

    ``beyond=False`` keeps to the database itself, as relative privacy asks; all else is ``made_up``.

    >>> [pair.name for pair in propose([4, 8, 15], beyond=False).pairs]
    ['row 0 removed', 'row 1 removed', 'row 2 removed']
    """
    if relation not in get_args(Relation):
        raise InvalidParameter(f"relation must be one of {', '.join(get_args(Relation))}, got {relation!r}")
    random = np.random.default_rng(seed)
    if relation == "queries":
        pairs = query_pairs(database, sensitivity, random, beyond)
        return Proposals(tuple(pairs), len(pairs[0].left))
    pool = Pool.of(database, bounds)
    asked = min(pool.people, whole("most", most, 1, 1 << 40))
    places = np.sort(random.choice(pool.people, asked, replace=False))
    base = pool.whole()
    pairs = removals(base, places) if relation == "remove" else changes(base, pool, places, random)
    if beyond:
        pairs += extremes(pool, relation) + restarts(pool, relation, whole("times", times, 0, 10_000), random)
    return Proposals(tuple(pairs), pool.people, pool.people - asked)
