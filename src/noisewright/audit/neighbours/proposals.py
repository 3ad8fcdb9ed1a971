"""The pairs a search looks at: neighbours of the database by the chosen relation, and synthetic ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, get_args

import numpy as np

from noisewright.audit.neighbours.pairs import Pair, Pool, changes, removals
from noisewright.audit.neighbours.rows import Label, Range
from noisewright.audit.neighbours.synthetic import extremes, query_pairs, restarts
from noisewright.parameters import one_of, whole

Relation = Literal["remove", "change", "queries"]

MOST_PEOPLE: Final = 20_000
"""Rows a search looks at; of a longer database, so many by chance."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchRequest:
    """Which neighbours of a database a search looks at.

    Attributes:
        relation: What neighbours are: "remove" one row, "change" one row, or, for a vector of answers to
            "queries", every answer moved by at most ``sensitivity``.
        beyond: Whether to search databases that nobody handed over: of extreme rows, and random halves of the
            people. False keeps to the database itself, as relative privacy asks.
        bounds: The smallest and the largest value of extreme rows: one range for all columns of numbers, or
            one for some by name. None takes the range seen in the data.
        sensitivity: How far one person may move an answer, above 0; for "queries" only.
        times: How many random halves of the people are tried, up to 10,000.
        most: Rows that are looked at; of a longer database, so many by chance.
    """

    relation: Relation = "remove"
    beyond: bool = True
    bounds: Mapping[Label, Range] | Range | None = None
    sensitivity: float = 1.0
    times: int = 4
    most: int = MOST_PEOPLE

    def __post_init__(self) -> None:
        one_of("relation", self.relation, get_args(Relation))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, as stored searches are told apart by them."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True, eq=False)
class Proposals:
    """Pairs to look at, and how many people of the database are in none because there were too many.

    Attributes:
        pairs: Pairs to look at.
        people: Rows of the database.
        passed_over: Rows that are in no pair because there were too many.
    """

    pairs: tuple[Pair, ...]
    people: int
    passed_over: int = 0


def propose(
    database: Any, search: SearchRequest, *, seed: int | np.random.SeedSequence | None = None
) -> Proposals:
    """Return the neighbours of a database: everybody removed (or changed), extremes, and random halves.

    Args:
        database: What is searched.
        search: Which neighbours are looked at.
        seed: The chance of random halves and moves; None draws fresh chance.

    >>> [pair.name for pair in propose([4, 8, 15], SearchRequest(beyond=False)).pairs]
    ['row 0 removed', 'row 1 removed', 'row 2 removed']
    """
    random, relation = np.random.default_rng(seed), search.relation
    if relation == "queries":
        pairs = query_pairs(database, search.sensitivity, random, search.beyond)
        return Proposals(tuple(pairs), len(pairs[0].left))
    pool = Pool.of(database, search.bounds)
    asked = min(pool.people, whole("most", search.most, 1, 1 << 40))
    places = np.sort(random.choice(pool.people, asked, replace=False))
    base = pool.whole()
    pairs = removals(base, places) if relation == "remove" else changes(base, pool, places, random)
    if search.beyond:
        times = whole("times", search.times, 0, 10_000)
        pairs += extremes(pool, relation) + restarts(pool, relation, times, random)
    return Proposals(tuple(pairs), pool.people, pool.people - asked)
