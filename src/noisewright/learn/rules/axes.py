"""A feature cut into cells: what tables and questions about one feature speak of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.schema import MOST_COLUMNS, Schema
from noisewright.parameters import whole

CELLS: Final = 16
"""Cells of a number's axis; finer ones say little more, and cost time and rounds of a device's attention."""

MOST_CELLS: Final = 4096


@dataclass(frozen=True)
class Axis:
    """The unit columns ``start`` to ``stop`` of one feature as cells: equal parts of [−1, 1], or labels.

    >>> Axis(0, 1, cells=4).places(np.array([[-1.0], [0.1], [1.0]])).tolist()
    [0, 2, 3]
    >>> Axis(0, 3, cells=3, ordered=False).places(np.array([[-1.0, 1.0, -1.0]])).tolist()
    [1]
    """

    start: int
    stop: int
    cells: int = CELLS
    ordered: bool = True

    def __post_init__(self) -> None:
        whole("the first column of an axis", self.start, 0, MOST_COLUMNS)
        whole("the end of an axis", self.stop, 1, MOST_COLUMNS + MOST_CELLS)
        whole("the cells of an axis", self.cells, 2, MOST_CELLS)
        if not isinstance(self.ordered, bool):
            raise InvalidParameter("an axis is ordered or not: true or false")
        wide = 1 if self.ordered or self.cells == 2 else self.cells
        if self.stop != self.start + wide:
            raise InvalidParameter(
                f"an axis of {self.cells} cells from column {self.start} has {wide} columns"
            )

    def places(self, units: Floats) -> Cells:
        """The cell of each person."""
        if self.stop > units.shape[1]:
            raise InvalidParameter(
                f"a rule looks at unit column {self.stop}, and records have {units.shape[1]}; encode the "
                "data with the schema that the rule was learned with"
            )
        if self.stop - self.start > 1:
            return np.asarray(units[:, self.start : self.stop].argmax(axis=1), dtype=np.int64)
        scaled = (units[:, self.start] + 1) * (self.cells / 2)
        return np.clip(np.floor(scaled).astype(np.int64), 0, self.cells - 1)

    def fill(self, units: Floats, places: Cells) -> None:
        """Write the centres of cells into the columns of the axis: a person who stands for the cell."""
        if self.stop - self.start > 1:
            units[:, self.start : self.stop] = np.where(places[:, None] == np.arange(self.cells), 1.0, -1.0)
        elif self.ordered:
            units[:, self.start] = (2 * places + 1) / self.cells - 1
        else:
            units[:, self.start] = np.where(places == 1, 1.0, -1.0)

    def to_dict(self) -> dict[str, Any]:
        """The axis in plain JSON values."""
        return {"start": self.start, "stop": self.stop, "cells": self.cells, "ordered": self.ordered}

    @classmethod
    def from_dict(cls, description: Any) -> Axis:
        """The axis of :meth:`to_dict`."""
        if not isinstance(description, dict) or set(description) != {"start", "stop", "cells", "ordered"}:
            raise InvalidParameter("an axis is described by start, stop, cells and ordered")
        return cls(**description)


def axes_of(schema: Schema, cells: int = CELLS) -> tuple[Axis, ...]:
    """An axis for each feature of a schema; a circle has two, for its cosine and its sine.

    >>> from noisewright import Categories, Interval
    >>> from noisewright.learn.schema import read_schema
    >>> [axis.cells for axis in axes_of(read_schema([Interval(0, 1), Categories("abc")], 2))]
    [16, 3]
    """
    axes: list[Axis] = []
    for block in schema.blocks:
        if block.labels:
            axes.append(Axis(block.start, block.stop, block.labels, ordered=False))
        else:
            axes.extend(Axis(column, column + 1, cells) for column in range(block.start, block.stop))
    return tuple(axes)
