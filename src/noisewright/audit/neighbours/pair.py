"""Two neighbouring databases, and a name for the difference that shows no value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from noisewright.audit.neighbours.rows import Rows
from noisewright.domains import Cells


@dataclass(frozen=True, eq=False)
class Pair:
    """Neighbours: ``left`` is held, ``right`` is made when asked for, so that thousands cost no memory.

    ``change`` says what differs ("row 17 removed") and never a value, so it may be printed. ``made_up`` says
    what ``left`` is if not the database that was searched. Pairs with one and the same ``left`` can share its
    samples.

    >>> Pair("row 0 removed", [5, 6], partial(list, (6,)))
    Pair(change='row 0 removed', made_up=None)
    """

    change: str
    left: Any = field(repr=False)
    make_right: Callable[[], Any] = field(repr=False)
    made_up: str | None = None

    @property
    def name(self) -> str:
        """What tells the pair from all others of a search."""
        return self.change if self.made_up is None else f"{self.made_up}: {self.change}"

    def names(self, database: str) -> tuple[str, str]:
        """What the two inputs are called if the database that was searched is called so.

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

    def removed(self, place: int, who: str) -> Pair:
        """The neighbour without the row that stands at a place."""
        make_right = partial(_without, self.pool, self.chosen, place)
        return Pair(f"{who} removed", self.left, make_right, self.made_up)

    def changed(self, place: int, who: str, by: int, what: str) -> Pair:
        """The neighbour with another row of the pool at that place, which is called ``what``."""
        make_right = partial(_with, self.pool, self.chosen, place, by)
        return Pair(f"{who} changed to {what}", self.left, make_right, self.made_up)


def _without(pool: Rows, chosen: Cells, place: int) -> Any:
    return pool.take(np.delete(chosen, place))


def _with(pool: Rows, chosen: Cells, place: int, by: int) -> Any:
    changed = chosen.copy()
    changed[place] = by
    return pool.take(changed)
