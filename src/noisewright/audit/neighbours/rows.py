"""A database as rows that can be left out, repeated or swapped, in whatever kind the mechanism takes.

Every neighbour that a search proposes is a choice of rows, with repetition, from one pool: the rows of the
database and, behind them, two rows of extreme values. So all that a kind of database must be able to do is to
name the ranges of its numbers, to take two more rows, and to be rebuilt from a choice of rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real

Label = int | str
"""What a column is called: its place in an array or a tuple, its name in a table."""

Range = tuple[float, float]


class Rows(ABC):
    """One kind of database: how many rows it has, what its numbers span, and any choice of its rows."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many rows there are."""

    @abstractmethod
    def take(self, chosen: Cells) -> Any:
        """The database that consists of these rows, in this order and of the same kind."""

    @abstractmethod
    def ranges(self) -> dict[Label, Range]:
        """The smallest and the largest value of every column of numbers."""

    @abstractmethod
    def extended(self, ranges: Mapping[Label, Range]) -> Rows:
        """The same with two rows more, all smallest and all largest; other columns repeat the first row."""


def range_of(values: Floats) -> Range | None:
    """Smallest and largest of what is finite, if anything is."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else None


def widened(seen: Mapping[Label, Range], bounds: Mapping[Label, Range] | Range | None) -> dict[Label, Range]:
    """The ranges seen, replaced where the user knows better: one range for all columns, or one for some.

    >>> widened({"age": (31.0, 57.0), "pay": (0.0, 9.0)}, {"age": (0, 120)})
    {'age': (0.0, 120.0), 'pay': (0.0, 9.0)}
    """
    if bounds is None:
        return dict(seen)
    given = bounds if isinstance(bounds, Mapping) else dict.fromkeys(seen, bounds)
    if not seen:
        raise InvalidParameter("bounds are for columns of numbers, and the database has none")
    strange = [label for label in given if label not in seen]
    if strange:
        raise InvalidParameter(f"bounds name {strange[0]!r}, which is no column of numbers of the database")
    return dict(seen) | {label: _checked(label, pair) for label, pair in given.items()}


def _checked(label: Label, pair: Range) -> Range:
    if np.shape(pair) != (2,):
        raise InvalidParameter(f"bounds of column {label!r} are a smallest and a largest value")
    low, high = (real(f"a bound of column {label!r}", end) for end in pair)
    if not low < high:
        raise InvalidParameter(f"bounds of column {label!r} must rise, got {low:g} and {high:g}")
    return low, high
