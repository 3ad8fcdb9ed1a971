"""Rules for two classes: one hyperplane, one class for everybody, mixtures of rules, or a fitted model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Never

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Floats
from noisewright.errors import BadModel, InvalidParameter
from noisewright.learn.rules.base import (
    BARELY_POSITIVE,
    MOST_RULES,
    Rule,
    bounded_row,
    refuse_many_classes,
    unit_rows,
)
from noisewright.parameters import one_of, whole


@dataclass(frozen=True, eq=False)
class LinearRule(Rule):
    """The side of a hyperplane that a person is on: score = intercept + Σ weight · unit.

    Attributes:
        weights: One for each unit column.
        intercept: The score at the origin.
        ties: The class of people exactly on it, as happens with labels and with weights of zero.

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
        object.__setattr__(self, "weights", bounded_row("the weights of a linear rule", self.weights))
        intercept = bounded_row("the intercept of a linear rule", [self.intercept])
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
        """Return the same sums, added in the same order, for few people: a device has one."""
        total = np.empty(len(rows))
        for place, row in enumerate(rows):
            total[place] = np.add.accumulate(np.append(self.intercept, self.weights * row))[-1]
        return total

    def normalised(self) -> LinearRule:
        """Return the same hyperplane with weights of length one (unchanged if all weights are zero)."""
        length = float(np.linalg.norm(self.weights))
        if length == 0:
            return self
        return replace(self, weights=self.weights / length, intercept=self.intercept / length)

    def reversed(self) -> LinearRule:
        return LinearRule(-self.weights, -self.intercept, 1 - self.ties)


@dataclass(frozen=True, eq=False)
class ConstantRule(Rule):
    """The same class for everybody; the majority-class rate is the accuracy of the best such rule.

    Attributes:
        code: The class, 0 or 1.

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


HOW: Final = ("scores", "votes")


@dataclass(frozen=True, eq=False)
class MixedRule(Rule):
    """Many rules as one: score = Σ weight · score of each, or Σ weight · vote of each, a vote being ±1.

    Scores are mixed where they share a scale (Qin and Bai 2026, eq. 11); votes suit rules of different kinds.

    Attributes:
        rules: Rules for two classes.
        weights: The weight of each.
        how: "scores" or "votes".

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
        object.__setattr__(self, "weights", bounded_row("the weights of a mixed rule", self.weights))
        if not 1 <= len(self.rules) == self.weights.size <= MOST_RULES:
            raise InvalidParameter(f"a mixed rule needs from 1 to {MOST_RULES:,} rules and a weight for each")
        refuse_many_classes("a mixed rule", self.rules)
        one_of("how", self.how, HOW)

    def scores(self, units: Floats) -> Floats:
        total = np.zeros(len(units))
        for rule, weight in zip(self.rules, self.weights.tolist(), strict=True):
            scores = rule.scores(units)
            total += weight * (scores if self.how == "scores" else np.where(scores > 0, 1.0, -1.0))
        return total


def mixed(rules: Sequence[Rule], weights: ArrayLike, how: str = "scores") -> Rule:
    """Mix rules into the simplest rule with the same scores: linear ones mixed by scores give a linear rule.

    Args:
        rules: Rules for two classes.
        weights: The weight of each.
        how: "scores" or "votes".

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


@dataclass(frozen=True, eq=False)
class ModelRule(Rule):
    """Any fitted binary classifier.

    The score is its decision function, else its probability of class 1 less ½, else its prediction as ±1.
    Such a rule has no description: the only general way to send a model is to send code, which no device
    should accept from a server.

    Attributes:
        estimator: The fitted classifier.
        classes: Its labels of class 0 and class 1, in this order.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[-1.0], [1.0]], [-1, 1])
    >>> ModelRule(tree).scores(np.array([[0.5], [-0.5]])).tolist()
    [0.5, -0.5]
    """

    estimator: Any
    classes: Sequence[Any] = (-1, 1)

    def __post_init__(self) -> None:
        known = list(getattr(self.estimator, "classes_", ()))
        if len(self.classes) != 2 or len(known) != 2 or any(label not in known for label in self.classes):
            raise InvalidParameter(
                "a model as a rule must be fitted and know exactly the two given classes; a model that has "
                "seen one class only is a ConstantRule"
            )

    def scores(self, units: Floats) -> Floats:
        try:
            raw = np.asarray(self._raw_scores(units), dtype=np.float64)
        except ValueError:
            # The model's own message may quote the person's numbers, so it is not passed on.
            raise BadModel(f"the {type(self.estimator).__name__} of a rule cannot score these rows") from None
        if raw.shape != (len(units),) or np.isnan(raw).any():
            raise BadModel(f"the {type(self.estimator).__name__} of a rule must give one number for each row")
        return raw

    def _raw_scores(self, units: Floats) -> NDArray[Any]:
        known = list(self.estimator.classes_)
        place = known.index(self.classes[1])
        if hasattr(self.estimator, "decision_function"):
            # scikit-learn decides for its second class above zero.
            return np.asarray(self.estimator.decision_function(units)) * (2 * place - 1)
        if hasattr(self.estimator, "predict_proba"):
            return np.asarray(self.estimator.predict_proba(units)[:, place]) - 0.5
        return np.where(self.estimator.predict(units) == self.classes[1], 1.0, -1.0)

    def to_dict(self) -> Never:
        raise InvalidParameter(
            f"a {type(self.estimator).__name__} cannot be described in plain numbers; send devices linear "
            "rules, or install the model on them by other means"
        )
