"""Additive rules: one table of scores for each feature, summed. Naive Bayes is sent in this form.

An :class:`Axis` is a feature cut into cells; tables and questions about one feature are indexed by its cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Final, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.rules.base import AXIS_STEPS, Rule, RuleReader, bounded_row
from noisewright.learn.rules.schema import MOST_COLUMNS, Schema
from noisewright.parameters import whole

CELLS: Final = 16
"""Cells of a number's axis; finer ones gain little, and cost a device time."""

MOST_CELLS: Final = 4096


@dataclass(frozen=True)
class Axis:
    """The unit columns ``start`` to ``stop`` of one feature as cells: equal parts of [−1, 1], or labels.

    Attributes:
        start: The first unit column of the feature.
        stop: One after its last.
        cells: Number of cells, 2 to 4,096.
        ordered: Whether cells are equal parts of [−1, 1]; False for labels.

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
        """Return the cell of each person."""
        if self.stop > units.shape[1]:
            raise InvalidParameter(
                f"a rule uses unit column {self.stop}, and records have {units.shape[1]}; encode the "
                "data with the schema that the rule was learned with"
            )
        if self.stop - self.start > 1:
            return np.asarray(units[:, self.start : self.stop].argmax(axis=1), dtype=np.int64)
        scaled = (units[:, self.start] + 1) * (self.cells / 2)
        return np.clip(np.floor(scaled).astype(np.int64), 0, self.cells - 1)

    def fill(self, units: Floats, places: Cells) -> None:
        """Write the centres of cells into the columns of the axis: a typical person of each cell."""
        if self.stop - self.start > 1:
            units[:, self.start : self.stop] = np.where(places[:, None] == np.arange(self.cells), 1.0, -1.0)
        elif self.ordered:
            units[:, self.start] = (2 * places + 1) / self.cells - 1
        else:
            units[:, self.start] = np.where(places == 1, 1.0, -1.0)

    def to_dict(self) -> dict[str, Any]:
        """Return the axis in plain JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, description: Any) -> Axis:
        """Read the axis of :meth:`to_dict`."""
        if not isinstance(description, dict) or set(description) != {"start", "stop", "cells", "ordered"}:
            raise InvalidParameter("an axis is described by start, stop, cells and ordered")
        return cls(**description)


def axes_of(schema: Schema, cells: int = CELLS) -> tuple[Axis, ...]:
    """Return an axis for each feature of a schema; a circle has two, for its cosine and its sine.

    >>> from noisewright import Categories, Interval
    >>> from noisewright.learn.rules.schema import read_schema
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


@dataclass(frozen=True, eq=False)
class AdditiveRule(Rule):
    """One table a feature, a column for each class: the class of the largest sum wins.

    With two classes the score is the second sum minus the first; with more, :meth:`scores` has a column for
    each class.

    Attributes:
        axes: The features that are used.
        tables: For each axis the scores of its cells, a column for each class.
        offsets: The score of each class before any feature.

    >>> rule = AdditiveRule([Axis(0, 1, cells=2)], [[[0.0, -1.0], [0.0, 2.0]]], [0.0, -0.5])
    >>> rule.scores(np.array([[-0.5], [0.5]])).tolist()
    [-1.5, 1.5]
    """

    axes: Sequence[Axis]
    tables: Sequence[Floats]
    offsets: Floats
    kind: ClassVar[str] = "additive"
    keys: ClassVar[tuple[str, ...]] = ("axes", "tables", "offsets")

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", bounded_row("the offsets of an additive rule", self.offsets))
        object.__setattr__(self, "axes", tuple(self.axes))
        classes = self.offsets.size
        if len(self.axes) > MOST_COLUMNS:
            raise InvalidParameter(f"an additive rule has at most {MOST_COLUMNS:,} axes")
        if classes < 2 or len(self.axes) != len(self.tables):
            raise InvalidParameter(
                "an additive rule needs an offset for each class and a table for each axis"
            )
        flat = [bounded_row("a table of an additive rule", np.ravel(table)) for table in self.tables]
        if any(row.size != axis.cells * classes for row, axis in zip(flat, self.axes, strict=True)):
            raise InvalidParameter("a table of an additive rule has a row for each cell of its axis")
        tables = tuple(row.reshape(axis.cells, classes) for row, axis in zip(flat, self.axes, strict=True))
        object.__setattr__(self, "tables", tables)

    @property
    def class_count(self) -> int:
        """The number of classes that it tells apart."""
        return int(self.offsets.size)

    @property
    def constant(self) -> int | None:
        return None if self.axes else int(self.offsets.argmax())

    def sums(self, units: Floats) -> Floats:
        """Return the score of each class for each person."""
        total = np.tile(self.offsets, (len(units), 1))
        for axis, table in zip(self.axes, self.tables, strict=True):
            total += table[axis.places(units)]
        return total

    def scores(self, units: Floats) -> Floats:
        sums = self.sums(units)
        return np.asarray(sums[:, 1] - sums[:, 0]) if self.class_count == 2 else sums

    def predict(self, units: Floats) -> Cells:
        return np.asarray(self.sums(units).argmax(axis=1), dtype=np.int64)

    def reversed(self) -> Rule:
        if self.class_count > 2:
            raise InvalidParameter("a rule for several classes has no reverse")
        return super().reversed()

    @classmethod
    def _read(cls, fields: Mapping[str, Any], reader: RuleReader) -> Self:
        described = reader.items("the axes of a rule", fields["axes"])
        tables = reader.items("the tables of a rule", fields["tables"])
        reader.work(AXIS_STEPS * max(len(described), len(tables)))
        axes = [Axis.from_dict(axis) for axis in described]
        numbers = [reader.numbers("a table of an additive rule", table) for table in tables]
        return cls(axes, numbers, reader.numbers("the offsets of an additive rule", fields["offsets"]))
