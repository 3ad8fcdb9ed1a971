"""The pairs that a search examines: neighbours of the database, and of made-up databases.

A mechanism may treat most databases well and fail on a few. Failures are likeliest where one person stands
against everybody else, so those databases are always proposed; random halves look where nobody thought of.

Many mechanisms (noisy max, the sparse vector technique, histograms) take a vector of answers, each of which
one person may move by the sensitivity. Which entries move, and which way, decides what leaks; the patterns
are those with which known failures were found (Ding et al. 2018; Bichsel et al. 2021), and a few by chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Final, Literal, get_args

import numpy as np

from noisewright.audit.basics.claim import read_positive
from noisewright.audit.neighbours.pairs import Pair, Pool, changes, removals
from noisewright.audit.neighbours.rows import Label, Range
from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.parameters import one_of, whole

Relation = Literal["remove", "change", "queries"]

MOST_PEOPLE: Final = 20_000
"""The most rows that a search examines; of a longer database, a random choice."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchRequest:
    """The neighbours of a database that a search examines.

    Attributes:
        relation: What neighbours are: "remove" one row, "change" one row, or, for a vector of answers to
            "queries", every answer moved by at most ``sensitivity``.
        beyond: Whether to search made-up databases: of extreme rows, and of random halves of the people.
            False searches the database itself only, as relative privacy asks.
        bounds: The smallest and the largest value of extreme rows: one range for all columns of numbers, or
            one for some by name. None takes the range seen in the data.
        sensitivity: How far one person may move an answer, above 0; for "queries" only.
        times: How many random halves of the people are tried, up to 10,000.
        most: The most rows that are examined; of a longer database, a random choice.
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
        """Return the fields by name; they distinguish stored searches."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True, eq=False)
class Proposals:
    """Pairs to examine, and the number of people who are in none because there were too many.

    Attributes:
        pairs: Pairs to examine.
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
        search: The neighbours that are examined.
        seed: The seed of random halves and moves; None draws a fresh one.

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


# -- extreme rows and random halves --------------------------------------------------------------------


ROWS_A_RESTART: Final = 8
"""People tried in each random half; if its people are exposed, any few of them show it."""


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
                pairs.append(base.remove_row(place, f"a row of {odd_name}"))
            else:
                pairs.append(base.change_row(place, f"a row of {odd_name}", crowd, crowd_name))
    return pairs


def restarts(pool: Pool, relation: str, times: int, random: np.random.Generator) -> list[Pair]:
    """Return a few people of random halves of the database, removed or changed.

    Args:
        pool: The rows to choose from.
        relation: "remove" or "change".
        times: How many halves.
        random: The generator that chooses them.
    """
    pairs: list[Pair] = []
    for time in range(1, times + 1):
        size = max(2, pool.people // 2)
        chosen = np.sort(random.choice(pool.people, size, replace=False))
        base = pool.made_up(chosen, f"random half {time}")
        places = np.sort(random.choice(size, min(size, ROWS_A_RESTART), replace=False))
        pairs += removals(base, places) if relation == "remove" else changes(base, pool, places, random)
    return pairs


# -- answers to queries --------------------------------------------------------------------------------


RANDOM_PATTERNS: Final = 8
"""Random patterns tried besides the regular ones."""


def query_pairs(
    answers: Any, sensitivity: float, random: np.random.Generator, beyond: bool = True
) -> list[Pair]:
    """Yield the answers as given, and with ``beyond`` also others, each moved by patterns.

    Args:
        answers: The true answers.
        sensitivity: How far one person moves an answer.
        random: The generator of random patterns.
        beyond: Whether to try other answers than those given.

    >>> pairs = query_pairs([1.0, 1.0, 1.0], 1.0, np.random.default_rng(1))
    >>> [(pair.name, pair.right.tolist()) for pair in pairs[:2]]
    [('answers moved (all up)', [2.0, 2.0, 2.0]), ('answers moved (all down)', [0.0, 0.0, 0.0])]
    """
    given = _vector(answers)
    step = read_positive("sensitivity", sensitivity)
    drawn = random.integers(-1, 2, size=(RANDOM_PATTERNS, given.size)).astype(np.float64)
    by_chance = {f"random moves {time}": move for time, move in enumerate(drawn, start=1) if move.any()}
    moves = patterns(given.size) | by_chance
    lefts: dict[str | None, Floats] = {None: given}
    if beyond and given.size > 1:
        level = np.full_like(given, np.median(given))
        lefts["all answers equal"] = level
        lefts["the first half above the rest"] = level + step * moves["first half up"]
    return [
        Pair(f"answers moved ({name})", left, partial(np.add, left, step * move), made_up)
        for made_up, left in lefts.items()
        for name, move in moves.items()
    ]


def patterns(count: int) -> dict[str, Floats]:
    """Return which answers move up (+1) and down (−1), by the name of the pattern.

    >>> patterns(4)["first half up, rest down"].tolist()
    [1.0, 1.0, -1.0, -1.0]
    """
    up, first = np.ones(count), np.eye(count)[0]
    half = (np.arange(count) < (count + 1) // 2).astype(np.float64)
    found = {"all up": up, "all down": -up}
    if count > 1:
        found |= {
            "one up": first,
            "one down": -first,
            "one up, rest down": 2 * first - up,
            "one down, rest up": up - 2 * first,
            "first half up": half,
            "first half down": -half,
            "first half up, rest down": 2 * half - up,
            "first half down, rest up": up - 2 * half,
        }
    return found


def _vector(answers: Any) -> Floats:
    try:
        vector = np.asarray(answers, dtype=np.float64)
    except (TypeError, ValueError):
        vector = np.empty(0)
    if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
        raise BadTable('for relation="queries" the database is a vector of finite answers, one a query')
    return vector
