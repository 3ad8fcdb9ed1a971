"""A rule for several classes: one score each, the largest wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.rules import LinearRule, Rule
from noisewright.learn.rules.base import refuse_many_classes
from noisewright.learn.rules.reading import MOST_RULES, Reading


class ManyClassRule(Rule):
    """What rules for several classes share: a column of scores for each class, the largest wins."""

    def predict(self, units: Floats) -> Cells:
        """The class code of each row; of equal scores the first class wins."""
        return np.asarray(self.scores(units).argmax(axis=1), dtype=np.int64)

    def reversed(self) -> Rule:
        """Refused: several classes have no reverse."""
        raise InvalidParameter("a rule for several classes has no reverse; correct it by its confusion")


@dataclass(frozen=True, eq=False)
class ClassRule(ManyClassRule):
    """One rule for each class, "this class or another"; a person belongs to the class of the largest score.

    >>> rule = ClassRule([LinearRule([1.0]), LinearRule([0.0], 0.5), LinearRule([-1.0])])
    >>> rule.predict(np.array([[0.9], [0.1], [-0.9]])).tolist()
    [0, 1, 2]
    """

    rules: Sequence[Rule]
    kind: ClassVar[str] = "classes"
    keys: ClassVar[tuple[str, ...]] = ("rules",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", tuple(self.rules))
        refuse_many_classes("a rule for classes", self.rules)
        if not 2 <= len(self.rules) <= MOST_RULES:
            raise InvalidParameter("a rule for classes needs a rule for each of two or more classes")

    @property
    def class_count(self) -> int:
        return len(self.rules)

    def scores(self, units: Floats) -> Floats:
        return np.column_stack([rule.scores(units) for rule in self.rules])

    def to_dict(self) -> dict[str, Any]:
        return {"rule": self.kind, "rules": [rule.to_dict() for rule in self.rules]}

    @classmethod
    def _read(cls, fields: Mapping[str, Any], reading: Reading) -> Self:
        return cls([reading.rule(rule) for rule in reading.items("the rules of classes", fields["rules"])])


def comparable(rule: Rule) -> Rule:
    """A rule whose scores can stand beside those of others: distances from the hyperplane, if it has one."""
    return rule.normalised() if isinstance(rule, LinearRule) else rule
