"""Rules, which the server sends to devices: a score for each person, a class by its sign, and plain JSON.

A description of a rule may come from a stranger, so :class:`RuleReader` bounds its size, depth and numbers
before anything is built from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import shown

MOST_NUMBERS: Final = 1_000_000
MOST_RULES: Final = 10_000
MOST_DEPTH: Final = 8

MOST_STEPS: Final = 1_500_000
"""Steps that a device may have to take to build all rules of a question and score one record with them.

A step is about a microsecond on a desktop. Steps are counted from the description, each part before it is
built: a number is one step, a rule and an axis are as many as below. Rules of a million weights do fit.
"""

RULE_STEPS: Final = 32
AXIS_STEPS: Final = 32

MOST_BASES: Final = 32
"""Different bases of curves: a device caches the integrals of this many, which take milliseconds each."""

LARGEST: Final = 1e30
"""The largest absolute value of any number in a rule.

Units lie in [-1, 1], so a score of a million terms inside eight rules of ten thousand stays below 1e308:
no description makes a device compute with infinities.
"""


class RuleReader:
    """One pass over one description, which counts its parts and stops before they are too many."""

    def __init__(self, registry: Mapping[str, type[Rule]]) -> None:
        self._registry = registry
        self._numbers = self._rules = self._depth = self._steps = 0
        self._bases: set[Hashable] = set()

    def rule(self, description: Any) -> Rule:
        """Return the rule that a description stands for, or refuse it."""
        if not isinstance(description, Mapping):
            raise InvalidParameter("a rule is described by a mapping with the key 'rule'")
        name = description.get("rule")
        if not isinstance(name, str) or name not in self._registry:
            raise InvalidParameter(f"unknown rule {shown(name)}; known: {', '.join(sorted(self._registry))}")
        kind = self._registry[name]
        if set(description) != {"rule", *kind.keys}:
            wanted = ", ".join(("rule", *kind.keys))
            raise InvalidParameter(f"the description of a {name} rule has exactly the keys {wanted}")
        self._rules, self._depth = self._rules + 1, self._depth + 1
        if self._rules > MOST_RULES:
            raise InvalidParameter(f"a description may hold at most {MOST_RULES:,} rules; send fewer")
        if self._depth > MOST_DEPTH:
            raise InvalidParameter(f"rules may be nested at most {MOST_DEPTH} deep; flatten the description")
        self.work(RULE_STEPS)
        rule = kind._read(description, self)
        self._depth -= 1
        return rule

    def work(self, steps: int) -> None:
        """Count steps that a device is about to need; refuse a question that would keep it too busy."""
        self._steps += steps
        if self._steps > MOST_STEPS:
            raise InvalidParameter(
                f"a question may keep a device busy for at most {MOST_STEPS:,} steps; send fewer rules, "
                "or smaller ones"
            )

    def basis(self, basis: Hashable) -> None:
        """Count a basis of functions, whose integrals are computed once, however many rules share it."""
        self._bases.add(basis)
        if len(self._bases) > MOST_BASES:
            raise InvalidParameter(
                f"a question may use at most {MOST_BASES} different bases; let its rules share them"
            )

    def items(self, what: str, value: Any) -> Sequence[Any]:
        """Return a list, as JSON has it."""
        if not isinstance(value, (list, tuple)):
            raise InvalidParameter(f"{what} must be a list")
        return value

    def numbers(self, what: str, value: Any) -> Floats:
        """Return a list of numbers as an array; the total over the description is bounded."""
        items = self.items(what, value)
        self._numbers += len(items)
        if self._numbers > MOST_NUMBERS:
            raise InvalidParameter(f"a rule may hold at most {MOST_NUMBERS:,} numbers; send a smaller one")
        self.work(len(items))
        if not {type(item) for item in items} <= {int, float}:  # neither text nor booleans
            raise InvalidParameter(f"{what} must be numbers")
        return bounded_row(what, items)

    def number(self, what: str, value: Any) -> float:
        """Return a single number."""
        return float(self.numbers(what, [value])[0])

    def field(self, what: str, name: str, value: Any) -> Any:
        """Return a field of a description, by its name; only numbers and rules are read here."""
        match name:
            case "weights" | "offsets" | "prior" | "evidence":
                return self.numbers(what, value)
            case "intercept":
                return self.number(what, value)
            case "rules":
                return [self.rule(described) for described in self.items(what, value)]
        return value


def bounded_row(what: str, values: Any) -> Floats:
    """Return a frozen row of numbers that a rule can hold: finite, and at most 1e30 in size.

    >>> bounded_row("weights", [1, 2.5]).tolist()
    [1.0, 2.5]
    """
    try:
        row = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidParameter(f"{what} must be a row of numbers") from None
    if row.ndim != 1 or row.size > MOST_NUMBERS:
        raise InvalidParameter(f"{what} must be one row of at most {MOST_NUMBERS:,} numbers")
    if not (np.abs(row) <= LARGEST).all():  # so that NaN fails, too
        raise InvalidParameter(
            f"{what} must be finite and at most {LARGEST:g} in size; scale them down, the classes stay"
        )
    row.flags.writeable = False
    return row


BARELY_POSITIVE = float(np.finfo(np.float64).tiny)
"""A score that stands for zero where zero shall mean class 1; added to a real score it changes nothing."""


class Rule(ABC):
    """A binary classifier that can be sent: the server sends it, a device scores its own person with it.

    A score above zero means class 1, any other score class 0. A person's score depends on that person's
    numbers and the rule alone, never on who else is scored in the same call, so that a device and a
    simulation of it find the same class.

    A kind of rule joins the registry by naming its ``kind`` and its ``keys``, the fields of its description,
    which may come from a stranger (:meth:`RuleReader.field`).
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
        """The number of classes that the rule tells apart; with more than two, each has scores of its own."""
        return 2

    @property
    def constant(self) -> int | None:
        """The class that the rule gives to everybody, if it is known to give only one."""
        return None

    @abstractmethod
    def scores(self, units: Floats) -> Floats:
        """Return one score for each person.

        Args:
            units: An array of people by unit columns in [−1, 1].
        """

    def to_dict(self) -> dict[str, Any]:
        """Describe the rule in plain JSON values, with its kind under the key "rule"."""
        return {"rule": self.kind, **{key: _plain(getattr(self, key)) for key in self.keys}}

    @classmethod
    def _read(cls, fields: Mapping[str, Any], reader: RuleReader) -> Self:
        """Rebuild the rule from the fields of a description; all sizes go through ``reader``."""
        parts = {key: reader.field(f"the {key} of the {cls.kind} rule", key, fields[key]) for key in cls.keys}
        return cls(**parts)

    def predict(self, units: Floats) -> Cells:
        """Return the class code, 0 or 1, of each row: exactly one, as a device pays for one answer."""
        scores = self.scores(units)
        if scores.shape != (len(units),):
            raise InvalidParameter("a rule for two classes must give one score to each record")
        return (scores > 0).astype(np.int64)

    def reversed(self) -> Rule:
        """Return the rule that gives every person the other class, also those whose score is exactly zero."""
        return ReversedRule(self)

    @staticmethod
    def from_dict(description: Any, reader: RuleReader | None = None) -> Rule:
        """Rebuild a rule from :meth:`to_dict`, trusting nothing that is in the description.

        Args:
            description: The output of :meth:`to_dict`, maybe a stranger's.
            reader: A :meth:`reader` shared by all rules of one question, which its bounds are for together.

        >>> Rule.from_dict({"rule": "pickle", "bytes": "gASV"})
        Traceback (most recent call last):
        ...
        noisewright.errors.InvalidParameter: unknown rule 'pickle'; known: ...
        """
        return (reader or Rule.reader()).rule(description)

    @staticmethod
    def reader() -> RuleReader:
        """Return a reader, which counts and bounds everything that descriptions ask of a device."""
        return RuleReader(Rule.registry)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.ravel().tolist()
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


@dataclass(frozen=True, eq=False)
class ReversedRule(Rule):
    """Any rule reversed: people it puts into class 1 go to class 0, and the other way round.

    This is what makes a rule that is wrong more often than right useful (Qin and Bai 2026, eq. 9).

    Attributes:
        rule: The rule that is reversed.

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
    def _read(cls, fields: Mapping[str, Any], reader: RuleReader) -> Self:
        return cls(reader.rule(fields["of"]))


def refuse_many_classes(what: str, rules: Iterable[Any]) -> None:
    """Refuse parts that are not rules, or rules for several classes, whose scores would be read as people."""
    for rule in rules:
        if not isinstance(rule, Rule):
            raise InvalidParameter(
                f"{what} is made of rules, not of {type(rule).__name__}; wrap a model in a ModelRule"
            )
        if rule.class_count != 2:
            raise InvalidParameter(f"{what} is made of rules for two classes, not for {rule.class_count}")


def unit_rows(units: Floats, width: int) -> Floats:
    """Return the units as rows of ``width`` columns, or refuse with what the rule expects."""
    rows = np.asarray(units, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise InvalidParameter(
            f"the rule scores rows of {width} unit columns, got an array of shape {rows.shape}; "
            "encode the data with the schema that the rule was learned with"
        )
    return rows
