"""What a collection will tell, question by question, as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noisewright.design.plan import PlannedColumn

if TYPE_CHECKING:
    from noisewright.learn.advisor import Advice


@dataclass(frozen=True)
class Question:
    """One question to people: a column, a pair of columns, a place on a map.

    Attributes:
        name: of the column, or of what is asked.
        about: what true values are, in words.
        reason: why it has this mechanism; empty if that was set by hand.
        planned: the widths to expect.
    """

    name: str
    about: str
    reason: str
    planned: PlannedColumn

    def to_dict(self) -> dict[str, Any]:
        """The question in strict JSON values."""
        return {"name": self.name, "about": self.about, "reason": self.reason, **self.planned.to_dict()}


@dataclass(frozen=True)
class Model:
    """A classifier that is to be learned from the same people, and what to expect of it.

    Attributes:
        advice: how to share out the clients, and the accuracy to expect.
        accuracy: the accuracy that was asked for, if any.
        people: how many people that takes; ``None`` if no number does, or nothing was asked.
    """

    advice: Advice
    accuracy: float | None = None
    people: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The model in strict JSON values."""
        setting = self.advice.setting
        facts: dict[str, Any] = {
            "features": setting.width,
            "epsilon": setting.epsilon,
            "best_accuracy": setting.best_accuracy,
            "expected_accuracy": self.advice.accuracy,
            "advice": self.advice.explain(),
        }
        return facts | (
            {} if self.accuracy is None else {"wanted_accuracy": self.accuracy, "people": self.people}
        )


@dataclass(frozen=True)
class Plan:
    """Everything that is to be asked of some people.

    Attributes:
        people: how many will answer.
        level: of all intervals.
        questions: the columns, pairs and maps.
        model: the classifier, if one is to be learned.
    """

    people: int
    level: float
    questions: tuple[Question, ...]
    model: Model | None = None

    def to_dict(self) -> dict[str, Any]:
        """The plan in strict JSON values."""
        facts: dict[str, Any] = {
            "people": self.people,
            "level": self.level,
            "questions": [question.to_dict() for question in self.questions],
        }
        return facts | ({} if self.model is None else {"model": self.model.to_dict()})
