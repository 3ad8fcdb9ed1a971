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

    ``name`` says what differs ("row 17 removed") and never a value, so it may be printed; ``kind`` says which
    rule proposed it. Pairs with one and the same ``left`` can share its samples.

    >>> Pair("row 0 removed", "remove", [5, 6], partial(list, (6,)))
    Pair(name='row 0 removed', kind='remove')
    """

    name: str
    kind: str
    left: Any = field(repr=False)
    make_right: Callable[[], Any] = field(repr=False)

    @property
    def right(self) -> Any:
        """The other database."""
        return self.make_right()


@dataclass(frozen=True, eq=False)
class Base:
    """A database made of rows of a pool, and its neighbours that differ in one row."""

    pool: Rows
    chosen: Cells
    left: Any = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "left", self.pool.take(self.chosen))

    def removed(self, place: int, name: str, kind: str) -> Pair:
        """The neighbour without the row that stands at a place."""
        return Pair(name, kind, self.left, partial(_without, self.pool, self.chosen, place))

    def changed(self, place: int, by: int, name: str, kind: str) -> Pair:
        """The neighbour with another row of the pool at that place."""
        return Pair(name, kind, self.left, partial(_with, self.pool, self.chosen, place, by))


def _without(pool: Rows, chosen: Cells, place: int) -> Any:
    return pool.take(np.delete(chosen, place))


def _with(pool: Rows, chosen: Cells, place: int, by: int) -> Any:
    changed = chosen.copy()
    changed[place] = by
    return pool.take(changed)
