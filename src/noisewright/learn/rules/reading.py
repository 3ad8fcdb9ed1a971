"""Reading the description of a rule that a stranger sent: bounded in size, depth and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from noisewright.learn.functional.basis import Basis
    from noisewright.learn.rules.base import Rule

MOST_NUMBERS: Final = 1_000_000
MOST_RULES: Final = 10_000
MOST_DEPTH: Final = 8

MOST_STEPS: Final = 1_500_000
"""Steps that a device may have to take to build all rules of a question and score one record with them.

A step is about a microsecond on a desktop. They are counted from the description, each part before it is
built: a number is one step, a rule and an axis are as many as below. Rules of a million weights do fit.
"""

RULE_STEPS: Final = 32
AXIS_STEPS: Final = 32

MOST_BASES: Final = 32
"""Different bases of curves: a device remembers the integrals of as many, which take it milliseconds each."""

LARGEST: Final = 1e30
"""In absolute value, of any number in a rule.

Units lie in [-1, 1], so a score of a million terms inside eight rules of ten thousand stays below 1e308:
no description makes a device compute with infinities.
"""


class Reading:
    """One pass over one description, which counts what it has met and stops before it is too much."""

    def __init__(self, registry: Mapping[str, type[Rule]]) -> None:
        self._registry = registry
        self._numbers = self._rules = self._depth = self._steps = 0
        self._bases: set[Basis] = set()

    def rule(self, description: Any) -> Rule:
        """The rule that a description stands for, or a refusal."""
        kind = self._kind(description)
        self._rules, self._depth = self._rules + 1, self._depth + 1
        if self._rules > MOST_RULES:
            raise InvalidParameter(f"a description may hold at most {MOST_RULES:,} rules; send fewer")
        if self._depth > MOST_DEPTH:
            raise InvalidParameter(f"rules may be nested at most {MOST_DEPTH} deep; flatten the description")
        self.work(RULE_STEPS)
        rule = kind._read(description, self)
        self._depth -= 1
        return rule

    def _kind(self, description: Any) -> type[Rule]:
        if not isinstance(description, Mapping):
            raise InvalidParameter("a rule is described by a mapping with the key 'rule'")
        name = description.get("rule")
        if not isinstance(name, str) or name not in self._registry:
            raise InvalidParameter(f"unknown rule {_short(name)}; known: {', '.join(sorted(self._registry))}")
        kind = self._registry[name]
        if set(description) != {"rule", *kind.keys}:
            wanted = ", ".join(("rule", *kind.keys))
            raise InvalidParameter(f"the description of a {name} rule has exactly the keys {wanted}")
        return kind

    def work(self, steps: int) -> None:
        """Count steps of a device that are about to become necessary; refuse what would keep it too busy."""
        self._steps += steps
        if self._steps > MOST_STEPS:
            raise InvalidParameter(
                f"a question may keep a device busy for at most {MOST_STEPS:,} steps; send fewer rules, "
                "or smaller ones"
            )

    def basis(self, basis: Basis) -> None:
        """Count a basis of functions, whose integrals are computed once however many rules share it."""
        self._bases.add(basis)
        if len(self._bases) > MOST_BASES:
            raise InvalidParameter(
                f"a question may use at most {MOST_BASES} different bases; let its rules share them"
            )

    def items(self, what: str, value: Any) -> Sequence[Any]:
        """A list, as JSON has it."""
        if not isinstance(value, (list, tuple)):
            raise InvalidParameter(f"{what} must be a list")
        return value

    def numbers(self, what: str, value: Any) -> Floats:
        """A list of numbers as an array; the total over the description is bounded."""
        items = self.items(what, value)
        self._numbers += len(items)
        if self._numbers > MOST_NUMBERS:
            raise InvalidParameter(f"a rule may hold at most {MOST_NUMBERS:,} numbers; send a smaller one")
        self.work(len(items))
        if not {type(item) for item in items} <= {int, float}:  # neither text nor booleans
            raise InvalidParameter(f"{what} must be numbers")
        return bounded(what, items)

    def number(self, what: str, value: Any) -> float:
        """A single number."""
        return float(self.numbers(what, [value])[0])


def bounded(what: str, values: Any) -> Floats:
    """A frozen row of numbers that a rule can hold: finite, and at most 1e30 in size.

    >>> bounded("weights", [1, 2.5]).tolist()
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


def _short(name: object) -> str:
    """A stranger's word for an error message, cut where a stranger would make it endless."""
    return repr(name)[:40] if isinstance(name, str) else "of no name"
