"""Pairs of neighbouring databases, each with a name for the difference that shows no value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from noisewright.audit.neighbours.databases import rows_of
from noisewright.audit.neighbours.rows import Label, Range, Rows, widen_ranges
from noisewright.domains import Cells


@dataclass(frozen=True, eq=False)
class Pair:
    """Neighbours: ``left`` is held, ``right`` is made when asked for, so that thousands cost no memory.

    Names show no value, so they may be printed. Pairs with one and the same ``left`` can share its samples.

    Attributes:
        change: What differs, never a value: "row 17 removed".
        left: One database.
        make_right: Makes the other one.
        made_up: What ``left`` is, if not the database that was searched; else None.

    >>> Pair("row 0 removed", [5, 6], partial(list, (6,)))
    Pair(change='row 0 removed', made_up=None)
    """

    change: str
    left: Any = field(repr=False)
    make_right: Callable[[], Any] = field(repr=False)
    made_up: str | None = None

    @property
    def name(self) -> str:
        """The name of the pair, unique within a search."""
        return self.change if self.made_up is None else f"{self.made_up}: {self.change}"

    def names(self, database: str) -> tuple[str, str]:
        """Return what the two inputs are called if the database that was searched is called so.

        >>> Pair("row 3 removed", [], list, made_up="random half 1").names("database 1")
        ('a database made up from database 1 (random half 1)', 'the made-up database with row 3 removed')
        """
        if self.made_up is None:
            return database, f"{database} with {self.change}"
        return (
            f"a database made up from {database} ({self.made_up})",
            f"the made-up database with {self.change}",
        )

    @property
    def right(self) -> Any:
        """The other database."""
        return self.make_right()


@dataclass(frozen=True, eq=False)
class Base:
    """A database made of rows of a pool, and its neighbours that differ in one row.

    ``made_up`` says what it is, if not the database that is searched.
    """

    pool: Rows
    chosen: Cells
    made_up: str | None = None
    left: Any = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "left", self.pool.take(self.chosen))

    def remove_row(self, place: int, who: str) -> Pair:
        """Return the neighbour without the row that stands at a place."""
        make_right = partial(_without, self.pool, self.chosen, place)
        return Pair(f"{who} removed", self.left, make_right, self.made_up)

    def change_row(self, place: int, who: str, by: int, what: str) -> Pair:
        """Return the neighbour with another row of the pool at that place, which is called ``what``.

        Args:
            place: Where the row stands in this database.
            who: What the row is called.
            by: The row of the pool that replaces it.
            what: What that is called.
        """
        make_right = partial(_with, self.pool, self.chosen, place, by)
        return Pair(f"{who} changed to {what}", self.left, make_right, self.made_up)


def _without(pool: Rows, chosen: Cells, place: int) -> Any:
    return pool.take(np.delete(chosen, place))


def _with(pool: Rows, chosen: Cells, place: int, by: int) -> Any:
    changed = chosen.copy()
    changed[place] = by
    return pool.take(changed)


# -- the rows that neighbours are made of --------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Pool:
    """Rows to choose from: ``people`` of the database, then the extremes if any column holds numbers.

    >>> Pool.of([(31, "A"), (57, "B")]).extremes
    [(2, 'the smallest values'), (3, 'the largest values')]
    """

    rows: Rows
    people: int

    @classmethod
    def of(cls, database: Any, bounds: Mapping[Label, Range] | Range | None = None) -> Pool:
        """Return the pool of a database; ``bounds`` replace the extremes that its columns happen to show."""
        rows = rows_of(database)
        ranges = widen_ranges(rows.ranges(), bounds)
        return cls(rows.extend(ranges) if ranges else rows, rows.count)

    @property
    def extremes(self) -> list[tuple[int, str]]:
        """The places of the extreme rows, and their names; none without numbers."""
        if self.rows.count == self.people:
            return []
        return [(self.people, "the smallest values"), (self.people + 1, "the largest values")]

    def whole(self) -> Base:
        """Return the database itself."""
        return Base(self.rows, np.arange(self.people))

    def made_up(self, chosen: Cells, name: str) -> Base:
        """Return another database, of chosen rows."""
        return Base(self.rows, chosen, name)


# -- every person removed, or every person's values changed --------------------------------------------


def removals(base: Base, places: Cells) -> list[Pair]:
    """Return each of these rows removed; rows are named by where they stand in the database, from 0.

    >>> pool = Pool.of(np.array([5.0, 6.0, 7.0]))
    >>> [pair.right.tolist() for pair in removals(pool.whole(), np.arange(2))]
    [[6.0, 7.0], [5.0, 7.0]]
    """
    return [base.remove_row(place, f"row {base.chosen[place]}") for place in places.tolist()]


def changes(base: Base, pool: Pool, places: Cells, random: np.random.Generator) -> list[Pair]:
    """Return each of these rows with the smallest values, the largest, and those of a random other row.

    Args:
        base: The database whose rows are changed.
        pool: Where other rows come from.
        places: Which rows.
        random: The generator that chooses the other row.

    >>> pool = Pool.of(np.array([5.0, 6.0, 7.0]))
    >>> [pair.name for pair in changes(pool.whole(), pool, np.array([1]), np.random.default_rng(1))]
    ['row 1 changed to the smallest values', 'row 1 changed to the largest values', 'row 1 changed to row 2']
    """
    pairs = []
    for place in places.tolist():
        row = int(base.chosen[place])
        other = (row + int(random.integers(1, pool.people))) % pool.people
        for by, what in [*pool.extremes, (other, f"row {other}")]:
            pairs.append(base.change_row(place, f"row {row}", by, what))
    return pairs
