"""Rules of one hyperplane, and the rule of none: linear in the unit columns, or one class for everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.rules.base import BARELY_POSITIVE, Rule, unit_rows
from noisewright.learn.rules.reading import Reading, bounded
from noisewright.parameters import whole


@dataclass(frozen=True, eq=False)
class LinearRule(Rule):
    """Which side of a hyperplane a person is on: score = intercept + Σ weight · unit.

    ``ties`` is the class of people who stand exactly on it, as happens with labels and with weights of zero.

    >>> rule = LinearRule([3.0, 4.0], 1.0)
    >>> rule.scores(np.array([[1.0, -0.5]])).tolist()
    [2.0]
    >>> rule.normalised().weights.tolist(), rule.reversed().intercept
    ([0.6, 0.8], -1.0)
    """

    weights: Floats
    intercept: float = 0.0
    ties: int = 0
    kind: ClassVar[str] = "linear"
    keys: ClassVar[tuple[str, ...]] = ("weights", "intercept", "ties")

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", bounded("the weights of a linear rule", self.weights))
        intercept = bounded("the intercept of a linear rule", [self.intercept])
        object.__setattr__(self, "intercept", float(intercept[0]))
        object.__setattr__(self, "ties", whole("the class of ties", self.ties, 0, 1))

    @property
    def width(self) -> int:
        """How many unit columns it takes."""
        return int(self.weights.size)

    def scores(self, units: Floats) -> Floats:
        # Column by column: a matrix product may round differently for one person than for a thousand, or on
        # another machine, and people near the hyperplane would change sides between device and server.
        rows = unit_rows(units, self.width)
        total = self._one_by_one(rows) if len(rows) < self.width else self._column_by_column(rows)
        if self.ties:
            total[total == 0] = BARELY_POSITIVE
        return total

    def _column_by_column(self, rows: Floats) -> Floats:
        total = np.full(len(rows), self.intercept)
        for weight, column in zip(self.weights.tolist(), rows.T, strict=True):
            total += weight * column
        return total

    def _one_by_one(self, rows: Floats) -> Floats:
        """The same sums, added in the same order, for few people: a device has one."""
        total = np.empty(len(rows))
        for place, row in enumerate(rows):
            total[place] = np.add.accumulate(np.append(self.intercept, self.weights * row))[-1]
        return total

    def normalised(self) -> LinearRule:
        """The same hyperplane with weights of length one (unchanged if all weights are zero)."""
        length = float(np.linalg.norm(self.weights))
        if length == 0:
            return self
        return replace(self, weights=self.weights / length, intercept=self.intercept / length)

    def reversed(self) -> LinearRule:
        return LinearRule(-self.weights, -self.intercept, 1 - self.ties)

    def to_dict(self) -> dict[str, Any]:
        fields = {"weights": self.weights.tolist(), "intercept": self.intercept, "ties": self.ties}
        return {"rule": self.kind, **fields}

    @classmethod
    def _read(cls, fields: Mapping[str, Any], reading: Reading) -> Self:
        weights = reading.numbers("the weights of a linear rule", fields["weights"])
        intercept = reading.number("the intercept of a linear rule", fields["intercept"])
        return cls(weights, intercept, fields["ties"])


@dataclass(frozen=True, eq=False)
class ConstantRule(Rule):
    """The same class for everybody: what the majority-class rate is the accuracy of.

    >>> ConstantRule(1).predict(np.zeros((2, 5))).tolist()
    [1, 1]
    """

    code: int
    kind: ClassVar[str] = "constant"
    keys: ClassVar[tuple[str, ...]] = ("code",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", whole("the class of a constant rule", self.code, 0, 1))

    def scores(self, units: Floats) -> Floats:
        return np.full(len(units), 2.0 * self.code - 1.0)

    @property
    def constant(self) -> int:
        return self.code

    def reversed(self) -> ConstantRule:
        return ConstantRule(1 - self.code)

    def to_dict(self) -> dict[str, Any]:
        return {"rule": self.kind, "code": self.code}

    @classmethod
    def _read(cls, fields: Mapping[str, Any], reading: Reading) -> Self:
        return cls(fields["code"])
