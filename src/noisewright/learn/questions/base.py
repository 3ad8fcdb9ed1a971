"""The interface of questions: public, with a randomized answer that is all that leaves the device.

Questions are built from two channels: one for a number between −1 and 1, one for a choice among labels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, ClassVar, Final, Self, cast

import numpy as np
from numpy.typing import NDArray

from noisewright.design.optimal_law import optimal_law
from noisewright.domains import Categories, Cells, Floats, Interval
from noisewright.errors import InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.learn.rules import Rule
from noisewright.mechanisms import KRR, NumericMechanism
from noisewright.mechanisms.catalogue import build, find
from noisewright.parameters import EPSILON, as_float
from noisewright.randomness import Source

UNIT: Final = Interval(-1, 1)

DESIGNED: Final = "designed"
"""The name of the channel that is not a named mechanism but the solution of a linear program."""

KNOTS: Final = 33
"""Inputs of the program. With 65 the average error is up to 1 % less for ε ≤ 5, for four times the work; then
the grid begins to show: 8 % at ε = 8, 22 % at ε = 10. From ε = 13.5 on PM, which has no grid, is better."""


def unit_channel(mechanism: Any, epsilon: float) -> NumericMechanism:
    """Return the channel for one number between −1 and 1, by the name of a mechanism or "designed".

    The designed channel is unbiased and has the least mean squared error, averaged over [−1, 1], of all
    unbiased ε-LDP channels on its grid. It is never sent: whoever needs it solves the same small program (a
    tenth of a second) and proves the guarantee of the integers that come out. Two machines may end at
    different optima, which does no harm as every one of them is unbiased and has the same report domain.

    >>> [round(unit_channel(name, 5.0).average_error("squared"), 3) for name in ("Laplace", "PM", "designed")]
    [0.32, 0.07, 0.047]
    """
    if not isinstance(mechanism, str):
        raise InvalidParameter('must be a name like "PM", "Hybrid" or "designed"', field="mechanism")
    return _unit_channel(mechanism, epsilon)


@lru_cache(maxsize=64)
def _unit_channel(mechanism: str, epsilon: float) -> NumericMechanism:
    if mechanism.casefold() == DESIGNED:
        law = optimal_law(UNIT, epsilon, "squared", "average", unbiased=True, inputs=KNOTS)
        return cast(NumericMechanism, law)
    channel = build(find(mechanism), UNIT, epsilon)
    if not isinstance(channel.guarantee, PureLDP):
        raise InvalidParameter(f"{mechanism} is not a pure ε-LDP mechanism; take Laplace, PM or OGPM")
    return channel


@lru_cache(maxsize=256)
def choice_channel(count: int, epsilon: float) -> KRR:
    """Return the channel for one of ``count`` labels, pairs or cells: randomized response among them.

    >>> choice_channel(3, 2.0).perturb_cells(np.array([0, 2])).shape
    (2,)
    """
    return KRR(Categories(range(count)), epsilon)


def read_numbers(answer: Any, count: int) -> Floats:
    """Read ``count`` finite numbers from the wire, or refuse the answer."""
    numbers = isinstance(answer, list) and all(type(entry) in (int, float) for entry in answer)
    row = np.array([as_float(entry) for entry in answer]) if numbers else np.empty(0)
    if row.shape != (count,) or not np.isfinite(row).all():
        raise InvalidParameter(f"an answer to this question is a list of {count} numbers")
    return row


RULE_FIELDS: Final = ("rule", "rival")
"""Fields of questions that hold a rule."""


@dataclass(frozen=True)
class Question(ABC):
    """A channel from a record (unit columns and a label) to an answer; its fields are public.

    Whatever the question is, its answer is ε-LDP in the *whole* record: the features and the label together.

    Attributes:
        epsilon: The cost of an answer.
    """

    epsilon: float
    registry: ClassVar[dict[str, type[Question]]] = {}
    kind: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "kind" in cls.__dict__:
            Question.registry[cls.kind] = cls

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", EPSILON.check(self.epsilon))
        for rule in [getattr(self, name) for name in RULE_FIELDS if hasattr(self, name)]:
            if not isinstance(rule, Rule):
                raise InvalidParameter(f"a {self.kind} question needs a rule, not {type(rule).__name__}")
        self._prepare()

    def _prepare(self) -> None:  # noqa: B027  (many questions have nothing more to check)
        """Check the other fields, and build the channels that draw the answers."""

    @property
    def guarantee(self) -> PureLDP:
        """The cost of one answer."""
        return PureLDP(self.epsilon)

    @abstractmethod
    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> NDArray[Any]:
        """Return one randomized answer for each record.

        Args:
            units: Records as unit columns, one row each.
            labels: Their label codes.
            source: Random words; None is the secure source.
        """

    @abstractmethod
    def admit(self, answer: Any) -> NDArray[Any]:
        """Read one client's answer from the wire, as a row of :meth:`answers`, or refuse it.

        Args:
            answer: Plain JSON values.
        """

    def to_dict(self) -> dict[str, Any]:
        """Describe the question in plain JSON values: its kind, and each of its fields."""
        values = {each.name: _plain(getattr(self, each.name)) for each in fields(self)}
        return {"question": self.kind, **values}

    @classmethod
    def _from_fields(cls, described: Mapping[str, Any]) -> Self:
        """Build the question that :meth:`to_dict` described; its rules share the bounds of one reader."""
        values: dict[str, Any] = {each.name: described[each.name] for each in fields(cls)}
        reader = Rule.reader()
        values.update((name, Rule.from_dict(values[name], reader)) for name in RULE_FIELDS if name in values)
        return cls(**values)

    @staticmethod
    def from_dict(description: Mapping[str, Any]) -> Question:
        """Read a question from the wire; it proves its guarantee again."""
        kind = description.get("question") if isinstance(description, Mapping) else None
        if not isinstance(kind, str) or kind not in Question.registry:
            raise InvalidParameter(f"unknown question; known: {', '.join(sorted(Question.registry))}")
        try:
            return Question.registry[kind]._from_fields(description)
        except (KeyError, TypeError) as broken:
            raise InvalidParameter(f"the description of a {kind} question is broken: {broken}") from broken


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value.to_dict() if hasattr(value, "to_dict") else value
