"""What a client can be asked: a public question whose randomized answer is all that leaves the device."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.parameters import EPSILON
from noisewright.randomness import Source

MOST_CLASSES: Final = 100
"""Classes of a question whose answer pairs the label with something else: their number multiplies."""


@dataclass(frozen=True)
class Question(ABC):
    """A channel from a record (unit columns and a label) to an answer; its fields are public.

    Whatever the question is, its answer is ε-LDP in the *whole* record: the features and the label together.
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
        self._prepare()

    def _prepare(self) -> None:  # noqa: B027  (many questions have nothing more to check)
        """Check the other fields, and build what draws the answers."""

    @property
    def guarantee(self) -> PureLDP:
        """What one answer costs."""
        return PureLDP(self.epsilon)

    @abstractmethod
    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> NDArray[Any]:
        """One randomized answer for each record."""

    @abstractmethod
    def admit(self, answer: Any) -> NDArray[Any]:
        """One client's answer as it came over the wire, as a row of :meth:`answers`; or a refusal."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The question in plain JSON values."""

    @classmethod
    @abstractmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Question:
        """The question that :meth:`to_dict` described."""

    @staticmethod
    def from_dict(description: Mapping[str, Any]) -> Question:
        """A question as it came over the wire; it proves its guarantee again."""
        kind = description.get("question") if isinstance(description, Mapping) else None
        if not isinstance(kind, str) or kind not in Question.registry:
            raise InvalidParameter(f"unknown question; known: {', '.join(sorted(Question.registry))}")
        try:
            return Question.registry[kind]._from_fields(description)
        except (KeyError, TypeError) as broken:
            raise InvalidParameter(f"the description of a {kind} question is broken: {broken}") from broken
