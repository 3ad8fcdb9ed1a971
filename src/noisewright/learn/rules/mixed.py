"""Rules made of rules: the weighted mean of their scores, or of their votes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.rules.base import Rule, refuse_many_classes
from noisewright.learn.rules.linear import LinearRule
from noisewright.learn.rules.reading import MOST_RULES, Reading, bounded

HOW: Final = ("scores", "votes")


@dataclass(frozen=True, eq=False)
class MixedRule(Rule):
    """Many rules as one: score = Σ weight · score of each, or Σ weight · vote of each, a vote being ±1.

    Scores are mixed where they share a scale (Qin and Bai 2026, eq. 11); votes suit rules of different kinds.

    >>> rules = [LinearRule([1.0]), LinearRule([-0.1]), LinearRule([-0.1])]
    >>> units = np.array([[1.0]])
    >>> [int(MixedRule(rules, [1, 1, 1], how).predict(units)[0]) for how in ("scores", "votes")]
    [1, 0]
    """

    rules: Sequence[Rule]
    weights: Floats
    how: str = "scores"
    kind: ClassVar[str] = "mixed"
    keys: ClassVar[tuple[str, ...]] = ("rules", "weights", "how")

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", tuple(self.rules))
        object.__setattr__(self, "weights", bounded("the weights of a mixed rule", self.weights))
        if not 1 <= len(self.rules) == self.weights.size <= MOST_RULES:
            raise InvalidParameter(f"a mixed rule needs from 1 to {MOST_RULES:,} rules and a weight for each")
        refuse_many_classes("a mixed rule", self.rules)
        if self.how not in HOW:
            raise InvalidParameter("how a mixed rule mixes must be 'scores' or 'votes'")

    def scores(self, units: Floats) -> Floats:
        total = np.zeros(len(units))
        for rule, weight in zip(self.rules, self.weights.tolist(), strict=True):
            total += weight * (rule.scores(units) if self.how == "scores" else _votes(rule, units))
        return total

    def to_dict(self) -> dict[str, Any]:
        rules = [rule.to_dict() for rule in self.rules]
        return {"rule": self.kind, "rules": rules, "weights": self.weights.tolist(), "how": self.how}

    @classmethod
    def _read(cls, fields: Mapping[str, Any], reading: Reading) -> Self:
        weights = reading.numbers("the weights of a mixed rule", fields["weights"])
        rules = [reading.rule(rule) for rule in reading.items("the rules of a mixed rule", fields["rules"])]
        return cls(rules, weights, fields["how"])


def mixed(rules: Sequence[Rule], weights: ArrayLike, how: str = "scores") -> Rule:
    """Mix rules into the simplest rule that scores alike: linear ones, mixed by scores, are one linear rule.

    >>> mixed([LinearRule([1.0, 0.0], 1.0), LinearRule([0.0, 1.0])], [0.75, 0.25]).to_dict()
    {'rule': 'linear', 'weights': [0.75, 0.25], 'intercept': 0.75, 'ties': 0}
    """
    mixture = MixedRule(rules, np.asarray(weights, dtype=np.float64), how)
    linear = [rule for rule in mixture.rules if isinstance(rule, LinearRule)]
    if how != "scores" or len(linear) < len(mixture.rules):
        return mixture
    if len({rule.width for rule in linear}) > 1:
        raise InvalidParameter("linear rules can be mixed only if all take the same number of unit columns")
    slopes = mixture.weights @ np.array([rule.weights for rule in linear])
    return LinearRule(slopes, float(mixture.weights @ np.array([rule.intercept for rule in linear])))


def _votes(rule: Rule, units: Floats) -> Floats:
    return np.where(rule.scores(units) > 0, 1.0, -1.0)
