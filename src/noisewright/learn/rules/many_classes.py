"""Rules for several classes: a score for each class, the largest wins.

A :class:`ClassRule` has one two-class rule for each class. An :class:`EvidenceRule` consults many weak rules
and adds up, for each of their answers, the log-evidence that this answer carries about every class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.rules import LinearRule, Rule
from noisewright.learn.rules.base import MOST_RULES, bounded_row, refuse_many_classes


class ManyClassRule(Rule):
    """The common part of rules for several classes: a column of scores for each class, the largest wins."""

    def predict(self, units: Floats) -> Cells:
        """Return the class code of each row; of equal scores the first class wins."""
        return np.asarray(self.scores(units).argmax(axis=1), dtype=np.int64)

    def reversed(self) -> Rule:
        """Refuse: several classes have no reverse."""
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


def comparable(rule: Rule) -> Rule:
    """Return a rule with comparable scores: distances from the hyperplane, if it has one."""
    return rule.normalised() if isinstance(rule, LinearRule) else rule


@dataclass(frozen=True, eq=False)
class EvidenceRule(ManyClassRule):
    """Weak rules for several classes, each counted through its table of evidence.

    ``prior`` are the logarithms of the classes' shares; ``evidence[b, p, t]`` is what the answer p of rule b
    adds to the score of class t.
    """

    rules: Sequence[Rule]
    prior: Floats
    evidence: Floats
    kind: ClassVar[str] = "evidence"
    keys: ClassVar[tuple[str, ...]] = ("rules", "prior", "evidence")

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", tuple(self.rules))
        object.__setattr__(self, "prior", bounded_row("the prior of evidence", self.prior))
        tables = bounded_row("the tables of evidence", np.ravel(self.evidence))
        shape = (len(self.rules), self.prior.size, self.prior.size)
        if not self.rules or self.prior.size < 2 or tables.size != np.prod(shape):
            raise InvalidParameter("an evidence rule needs for each rule a table of classes by classes")
        object.__setattr__(self, "evidence", tables.reshape(shape))

    @property
    def class_count(self) -> int:
        return int(self.prior.size)

    def scores(self, units: Floats) -> Floats:
        total = np.tile(self.prior, (len(units), 1))
        for rule, table in zip(self.rules, self.evidence, strict=True):
            total += table[np.minimum(rule.predict(units), len(table) - 1)]
        return total
