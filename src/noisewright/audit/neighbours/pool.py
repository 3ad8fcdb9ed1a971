"""The rows that neighbours are made of: those of the database and, behind them, two of extreme values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.audit.neighbours.databases import rows_of
from noisewright.audit.neighbours.pair import Base
from noisewright.audit.neighbours.rows import Label, Range, Rows, widened
from noisewright.domains import Cells


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
        """The pool of a database; ``bounds`` replace the extremes that its columns happen to show."""
        rows = rows_of(database)
        ranges = widened(rows.ranges(), bounds)
        return cls(rows.extended(ranges) if ranges else rows, rows.count)

    @property
    def extremes(self) -> list[tuple[int, str]]:
        """Where the extreme rows stand, and what they are called; none without numbers."""
        if self.rows.count == self.people:
            return []
        return [(self.people, "the smallest values"), (self.people + 1, "the largest values")]

    def whole(self) -> Base:
        """The database itself."""
        return Base(self.rows, np.arange(self.people))

    def made_up(self, chosen: Cells, name: str) -> Base:
        """Another database, of chosen rows."""
        return Base(self.rows, chosen, name)
