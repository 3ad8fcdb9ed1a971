"""The records of a prediction: rows of numbers, some of whose features are sensitive."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats, Interval


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

    values: Floats
    names: tuple[str, ...]
    sensitive: tuple[Sensitive, ...]
    numbers: Cells

    def __len__(self) -> int:
        return len(self.values)

    def units(self) -> Floats:
        """The sensitive values in unit coordinates, one row a record."""
        columns = [self.values[:, one.column] for one in self.sensitive]
        return np.stack(
            [
                np.clip((column - one.domain.low) / one.domain.length, 0.0, 1.0)
                for one, column in zip(self.sensitive, columns, strict=True)
            ],
            axis=1,
        )

    def placed(self, record: int, units: Floats) -> Floats:
        """Rows of one record with reports, in unit coordinates, in place of its sensitive values."""
        rows = np.repeat(self.values[record : record + 1], len(units), axis=0)
        for axis, one in enumerate(self.sensitive):
            rows[:, one.column] = one.domain.low + units[:, axis] * one.domain.length
        return rows

    def take(self, which: ArrayLike) -> Records:
        """Some of the records."""
        chosen = np.asarray(which)
        return replace(self, values=self.values[chosen], numbers=self.numbers[chosen])
