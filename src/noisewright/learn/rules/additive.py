"""A rule that adds up what each feature says: naive Bayes as it travels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.rules.axes import Axis
from noisewright.learn.rules.base import Rule
from noisewright.learn.rules.reading import AXIS_STEPS, Reading, bounded
from noisewright.learn.schema import MOST_COLUMNS


@dataclass(frozen=True, eq=False)
class AdditiveRule(Rule):
    """One table a feature, a column for each class: the class of the largest sum wins.

    ``offsets`` are the scores before any feature is looked at. With two classes the score is the second sum
    minus the first; with more, :meth:`scores` has a column for each class.

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
        object.__setattr__(self, "offsets", bounded("the offsets of an additive rule", self.offsets))
        object.__setattr__(self, "axes", tuple(self.axes))
        classes = self.offsets.size
        if len(self.axes) > MOST_COLUMNS:
            raise InvalidParameter(f"an additive rule has at most {MOST_COLUMNS:,} axes")
        if classes < 2 or len(self.axes) != len(self.tables):
            raise InvalidParameter(
                "an additive rule needs an offset for each class and a table for each axis"
            )
        flat = [bounded("a table of an additive rule", np.ravel(table)) for table in self.tables]
        if any(row.size != axis.cells * classes for row, axis in zip(flat, self.axes, strict=True)):
            raise InvalidParameter("a table of an additive rule has a row for each cell of its axis")
        tables = tuple(row.reshape(axis.cells, classes) for row, axis in zip(flat, self.axes, strict=True))
        object.__setattr__(self, "tables", tables)

    @property
    def class_count(self) -> int:
        """How many classes it tells apart."""
        return int(self.offsets.size)

    @property
    def constant(self) -> int | None:
        return None if self.axes else int(self.offsets.argmax())

    def sums(self, units: Floats) -> Floats:
        """The score of each class for each person."""
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

    def to_dict(self) -> dict[str, Any]:
        return {
            "rule": self.kind,
            "axes": [axis.to_dict() for axis in self.axes],
            "tables": [table.ravel().tolist() for table in self.tables],
            "offsets": self.offsets.tolist(),
        }

    @classmethod
    def _read(cls, fields: Mapping[str, Any], reading: Reading) -> Self:
        described = reading.items("the axes of a rule", fields["axes"])
        tables = reading.items("the tables of a rule", fields["tables"])
        reading.work(AXIS_STEPS * max(len(described), len(tables)))
        axes = [Axis.from_dict(axis) for axis in described]
        numbers = [reading.numbers("a table of an additive rule", table) for table in tables]
        return cls(axes, numbers, reading.numbers("the offsets of an additive rule", fields["offsets"]))
