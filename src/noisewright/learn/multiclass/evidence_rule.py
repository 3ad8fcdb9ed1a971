"""A rule for several classes that listens to many weak ones, to each by what its words have meant so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.multiclass.class_rule import ManyClassRule
from noisewright.learn.rules import Rule
from noisewright.learn.rules.reading import Reading, bounded


@dataclass(frozen=True, eq=False)
class EvidenceRule(ManyClassRule):
    """Weak rules for several classes, each heard through its table of evidence.

    ``prior`` are the logarithms of the classes' shares; ``evidence[b, p, t]`` is what the word p of rule b
    adds to the score of class t.
    """

    rules: Sequence[Rule]
    prior: Floats
    evidence: Floats
    kind: ClassVar[str] = "evidence"
    keys: ClassVar[tuple[str, ...]] = ("rules", "prior", "evidence")

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", tuple(self.rules))
        object.__setattr__(self, "prior", bounded("the prior of evidence", self.prior))
        tables = bounded("the tables of evidence", np.ravel(self.evidence))
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

    def to_dict(self) -> dict[str, Any]:
        rules = [rule.to_dict() for rule in self.rules]
        numbers = {"prior": self.prior.tolist(), "evidence": self.evidence.ravel().tolist()}
        return {"rule": self.kind, "rules": rules, **numbers}

    @classmethod
    def _read(cls, fields: Mapping[str, Any], reading: Reading) -> Self:
        rules = [reading.rule(rule) for rule in reading.items("the rules of evidence", fields["rules"])]
        prior = reading.numbers("the prior of evidence", fields["prior"])
        evidence = reading.numbers("the tables of evidence", fields["evidence"])
        return cls(rules, prior, evidence)
