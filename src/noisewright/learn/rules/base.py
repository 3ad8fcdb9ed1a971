"""What every rule is: a score for each person, a class by its sign, a description in plain JSON values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.rules.reading import Reading

BARELY_POSITIVE = float(np.finfo(np.float64).tiny)
"""Stands for a score of zero where zero shall mean class 1; added to a real score it changes nothing."""


class Rule(ABC):
    """A binary classifier that travels: the server sends it, a device scores its own person with it.

    A score above zero means class 1, any other score class 0. A person's score depends on that person's
    numbers and the rule alone, never on who else is scored in the same call, so that a device and a
    simulation of it find the same class.

    A kind of rule joins the registry by naming its ``kind`` and its ``keys`` (the fields of its description)
    and defining ``_read``, which rebuilds it from a description that may come from a stranger.
    """

    registry: ClassVar[dict[str, type[Rule]]] = {}
    kind: ClassVar[str]
    keys: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "kind" in cls.__dict__:
            Rule.registry[cls.kind] = cls

    @property
    def class_count(self) -> int:
        """How many classes the rule tells apart; rules for more than two have a column of scores for each."""
        return 2

    @property
    def constant(self) -> int | None:
        """The class that the rule gives to everybody, if it is known to give only one."""
        return None

    @abstractmethod
    def scores(self, units: Floats) -> Floats:
        """One score for each row of ``units``, an array of people by unit columns in [-1, 1]."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Describe the rule in plain JSON values, with its kind under the key "rule"."""

    @classmethod
    @abstractmethod
    def _read(cls, fields: Mapping[str, Any], reading: Reading) -> Self:
        """Rebuild the rule from the fields of a description; all sizes go through ``reading``."""

    def predict(self, units: Floats) -> Cells:
        """The class code, 0 or 1, of each row: exactly one, for a device answers once for one payment."""
        scores = self.scores(units)
        if scores.shape != (len(units),):
            raise InvalidParameter("a rule for two classes must give one score to each record")
        return (scores > 0).astype(np.int64)

    def reversed(self) -> Rule:
        """The rule that gives every person the other class, also those whose score is exactly zero."""
        return ReversedRule(self)

    @staticmethod
    def from_dict(description: Any, reading: Reading | None = None) -> Rule:
        """Rebuild a rule from :meth:`to_dict`, trusting nothing that is in the description.

        Rules of one question share a :meth:`reading`, so that its bounds are for all of them together.

        >>> Rule.from_dict({"rule": "pickle", "bytes": "gASV"})
        Traceback (most recent call last):
        ...
        noisewright.errors.InvalidParameter: unknown rule 'pickle'; known: ...
        """
        return (reading or Rule.reading()).rule(description)

    @staticmethod
    def reading() -> Reading:
        """What counts, and bounds, all that descriptions ask of a device."""
        return Reading(Rule.registry)


@dataclass(frozen=True, eq=False)
class ReversedRule(Rule):
    """Any rule turned round: whom it puts into class 1 goes to class 0, and the other way.

    This is what makes a rule that is wrong more often than right useful (Qin and Bai 2026, eq. 9).

    >>> from noisewright.learn.rules import ConstantRule
    >>> ReversedRule(ConstantRule(1)).predict(np.zeros((2, 3))).tolist()
    [0, 0]
    """

    rule: Rule
    kind: ClassVar[str] = "reversed"
    keys: ClassVar[tuple[str, ...]] = ("of",)

    def __post_init__(self) -> None:
        refuse_many_classes("a reversed rule", [self.rule])

    def scores(self, units: Floats) -> Floats:
        # A score of zero means class 0, and so would its negative: zero becomes the least positive score.
        straight = self.rule.scores(units)
        return np.asarray(np.where(straight == 0, BARELY_POSITIVE, -straight))

    def reversed(self) -> Rule:
        return self.rule

    def to_dict(self) -> dict[str, Any]:
        return {"rule": self.kind, "of": self.rule.to_dict()}

    @classmethod
    def _read(cls, fields: Mapping[str, Any], reading: Reading) -> Self:
        return cls(reading.rule(fields["of"]))


def refuse_many_classes(what: str, rules: Iterable[Any]) -> None:
    """Refuse parts that are no rules, or rules for several classes, whose scores would be read as people."""
    for rule in rules:
        if not isinstance(rule, Rule):
            raise InvalidParameter(
                f"{what} is made of rules, not of {type(rule).__name__}; wrap a model in a ModelRule"
            )
        if rule.class_count != 2:
            raise InvalidParameter(f"{what} is made of rules for two classes, not for {rule.class_count}")


def unit_rows(units: Floats, width: int) -> Floats:
    """The units as rows of so many columns, or a refusal that says what the rule expects."""
    rows = np.asarray(units, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise InvalidParameter(
            f"the rule scores rows of {width} unit columns, got an array of shape {rows.shape}; "
            "encode the data with the schema that the rule was learned with"
        )
    return rows
