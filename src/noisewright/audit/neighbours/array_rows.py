"""Databases held as arrays: one array whose first axis counts people, or a dictionary of columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.neighbours.rows import Label, Range, Rows, range_of
from noisewright.domains import Cells
from noisewright.errors import BadTable

NUMBERS = "iuf"


@dataclass(frozen=True, eq=False)
class ArrayRows(Rows):
    """An array (people,) or (people, columns); columns are told by their place.

    >>> rows = ArrayRows(np.array([3.0, 1.0, 2.0]))
    >>> rows.extended(rows.ranges()).take(np.array([0, 3, 4]))
    array([3., 1., 3.])
    """

    array: NDArray[Any]

    def __post_init__(self) -> None:
        if self.array.ndim not in {1, 2}:
            raise BadTable(
                f"a database as an array has one or two axes, people first, got {self.array.ndim} axes"
            )

    @property
    def count(self) -> int:
        return len(self.array)

    def take(self, chosen: Cells) -> NDArray[Any]:
        return self.array[chosen]

    def ranges(self) -> dict[Label, Range]:
        if self.array.dtype.kind not in NUMBERS:
            return {}
        columns = self.array.reshape(self.count, -1).T
        found = {place: range_of(column.astype(np.float64)) for place, column in enumerate(columns)}
        return {place: span for place, span in found.items() if span is not None}

    def extended(self, ranges: Mapping[Label, Range]) -> ArrayRows:
        more = self.array[[0, 0]].reshape(2, -1)
        for place, span in ranges.items():
            more[:, int(place)] = span
        return ArrayRows(np.concatenate([self.array, more.reshape(2, *self.array.shape[1:])]))


@dataclass(frozen=True, eq=False)
class ColumnRows(Rows):
    """A dictionary of arrays (people,), all of one length.

    >>> ColumnRows({"age": np.array([31, 57]), "city": np.array(["A", "B"])}).ranges()
    {'age': (31.0, 57.0)}
    """

    columns: dict[str, NDArray[Any]]

    def __post_init__(self) -> None:
        shapes = {column.shape for column in self.columns.values()}
        if len(shapes) != 1 or len(next(iter(shapes))) != 1:
            raise BadTable("a database as a dictionary holds columns of one axis and all of one length")

    @property
    def count(self) -> int:
        return len(next(iter(self.columns.values())))

    def take(self, chosen: Cells) -> dict[str, NDArray[Any]]:
        return {name: column[chosen] for name, column in self.columns.items()}

    def ranges(self) -> dict[Label, Range]:
        spans = {name: ArrayRows(column).ranges() for name, column in self.columns.items()}
        return {name: span[0] for name, span in spans.items() if span}

    def extended(self, ranges: Mapping[Label, Range]) -> ColumnRows:
        spans: dict[str, dict[Label, Range]]
        spans = {name: {0: ranges[name]} if name in ranges else {} for name in self.columns}
        return ColumnRows(
            {name: ArrayRows(column).extended(spans[name]).array for name, column in self.columns.items()}
        )
