"""The question of moments of scores: products of what some linear rules say of a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.questions.base import Question
from noisewright.learn.questions.product import ProductQuestion, RecordProduct
from noisewright.learn.rules import LinearRule, Rule
from noisewright.randomness import Source

MOST_RULES = 1000


@dataclass(frozen=True)
class ScoreQuestion(Question):
    """Products of scores: the columns of its ``products`` are the scores of ``rules``, cut to [−1, 1].

    A rule that maps where people are believed to be to [−1, 1] makes full use of the channel: for a column
    that only fills a fifth of its domain the same noise counts five times less. And a rule that was learned
    roughly is put right by the moments of its score, one number instead of as many as there are columns.

    >>> rules = (LinearRule([2.0, 0.0]), LinearRule([1.0, -1.0]))
    >>> question = ScoreQuestion(8.0, rules, (RecordProduct((0, 1)),))
    >>> question.scores(np.array([[0.25, 0.0], [0.75, -0.5]])).tolist()
    [[0.5, 0.25], [1.0, 1.0]]
    """

    rules: tuple[LinearRule, ...]
    products: tuple[RecordProduct, ...]
    mechanism: str = "Hybrid"
    kind: ClassVar[str] = "score"

    def _prepare(self) -> None:
        rules = tuple(self.rules) if isinstance(self.rules, tuple | list) else ()
        if len(rules) > MOST_RULES or not all(isinstance(rule, LinearRule) for rule in rules):
            raise InvalidParameter(f"a score question needs a list of at most {MOST_RULES} linear rules")
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "products", self.reported.products)
        if any(column >= len(rules) for product in self.products for column in product.columns):
            raise InvalidParameter(f"a product is asked of a score that {len(rules)} rules do not have")

    @property
    def reported(self) -> ProductQuestion:
        """The same question to a record that consists of its scores."""
        return ProductQuestion(self.epsilon, self.products, self.mechanism)

    def scores(self, units: Floats) -> Floats:
        """What the rules say of some records, a column for each rule."""
        found = np.empty((len(units), len(self.rules)))
        for place, rule in enumerate(self.rules):
            found[:, place] = np.clip(rule.scores(units), -1, 1)
        return found

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> Floats:
        return self.reported.answers(self.scores(units), labels, source)

    def admit(self, answer: Any) -> Floats:
        return self.reported.admit(answer)

    def to_dict(self) -> dict[str, Any]:
        rules = [rule.to_dict() for rule in self.rules]
        return {**self.reported.to_dict(), "question": self.kind, "rules": rules}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        inner = ProductQuestion._from_fields(fields)
        reading = Rule.reading()
        rules = tuple(_linear(Rule.from_dict(described, reading)) for described in fields["rules"])
        return cls(inner.epsilon, rules, inner.products, inner.mechanism)


def _linear(rule: Rule) -> LinearRule:
    if not isinstance(rule, LinearRule):
        raise InvalidParameter("a score question needs linear rules")
    return rule
