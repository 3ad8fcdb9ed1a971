"""Databases nobody handed over: made of extreme rows, of a random half of the people, of moved answers.

A mechanism may treat most databases well and fail on a few. Failures are likeliest where one person stands
against everybody else, so those databases are always proposed; random halves look where nobody thought of.

Many mechanisms (noisy max, the sparse vector technique, histograms) take a vector of answers, each of which
one person may move by the sensitivity. Which entries move, and which way, decides what leaks; the patterns
are those with which known failures were found (Ding et al. 2018; Bichsel et al. 2021), and a few by chance.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from noisewright.audit.neighbours.pairs import Pair, Pool, changes, removals
from noisewright.domains import Floats
from noisewright.errors import BadTable, InvalidParameter
from noisewright.parameters import real

# -- extreme rows and random halves --------------------------------------------------------------------


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
        random: Chooses them.
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
    """The answers as given, and ``beyond`` them all equal and half above the rest, each moved by patterns.

    Args:
        answers: The true answers.
        sensitivity: How far one person moves an answer.
        random: Chooses the random patterns.
        beyond: Whether to try other answers than those given.

    >>> pairs = query_pairs([1.0, 1.0, 1.0], 1.0, np.random.default_rng(1))
    >>> [(pair.name, pair.right.tolist()) for pair in pairs[:2]]
    [('answers moved (all up)', [2.0, 2.0, 2.0]), ('answers moved (all down)', [0.0, 0.0, 0.0])]
    """
    given = _vector(answers)
    step = real("sensitivity", sensitivity)
    if step <= 0:
        raise InvalidParameter(f"sensitivity must be above 0, got {step:g}")
    moves = patterns(given.size) | random_patterns(given.size, random)
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
    """Who moves which way, +1 up and −1 down, by a name for people.

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


def random_patterns(count: int, random: np.random.Generator) -> dict[str, Floats]:
    """Return every answer up, down or left alone by chance."""
    drawn = random.integers(-1, 2, size=(RANDOM_PATTERNS, count)).astype(np.float64)
    return {f"random moves {time}": move for time, move in enumerate(drawn, start=1) if move.any()}


def _vector(answers: Any) -> Floats:
    try:
        vector = np.asarray(answers, dtype=np.float64)
    except (TypeError, ValueError):
        vector = np.empty(0)
    if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
        raise BadTable('for relation="queries" the database is a vector of finite answers, one a query')
    return vector
