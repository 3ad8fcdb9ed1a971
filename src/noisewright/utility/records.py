"""The records of a prediction: rows of numbers, some of whose features are sensitive."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats, Interval
from noisewright.utility.channels import Lattice


@dataclass(frozen=True)
class Sensitive:
    """A feature that is reported through a mechanism: its name, its column, and where its values live."""

    name: str
    column: int
    domain: Interval


@dataclass(frozen=True, eq=False)
class Records:
    """Rows of finite numbers whose sensitive values lie in their intervals (``reading.read_records`` checks).

    ``numbers`` are the rows as the user counts them, from 1, for errors and tables.
    """

    values: Floats = field(repr=False)
    names: tuple[str, ...]
    sensitive: tuple[Sensitive, ...]
    numbers: Cells

    def __len__(self) -> int:
        return len(self.values)

    def units(self) -> Floats:
        """The sensitive values in unit coordinates, one row a record: the centres of their cells.

        A mechanism knows a value by its cell only. The cell is that of the feature's own interval, which
        rounding could miss by one if the value were scaled first.
        """
        columns = [
            (one.domain.snap(self.values[:, one.column]) + 0.5) / one.domain.cells for one in self.sensitive
        ]
        return np.stack(columns, axis=1)

    @property
    def lattice(self) -> int:
        """The number of cells of the sensitive intervals, which is the same for all."""
        return self.sensitive[0].domain.cells

    def placed(self, record: int, units: Floats) -> Floats:
        """Rows of one record with any values, in unit coordinates, in place of its sensitive ones."""
        rows = np.repeat(self.values[record : record + 1], len(units), axis=0)
        for axis, one in enumerate(self.sensitive):
            rows[:, one.column] = one.domain.low + units[:, axis] * one.domain.length
        return rows

    def reported(self, record: int, lattice: Lattice, cells: Cells) -> Floats:
        """Rows of one record with reports, one cell a sensitive feature, in place of its sensitive values."""
        rows = np.repeat(self.values[record : record + 1], len(cells), axis=0)
        for axis, one in enumerate(self.sensitive):
            rows[:, one.column] = lattice.values(cells[:, axis], one.domain)
        return rows

    def take(self, which: ArrayLike) -> Records:
        """Some of the records."""
        chosen = np.asarray(which)
        return replace(self, values=self.values[chosen], numbers=self.numbers[chosen])
