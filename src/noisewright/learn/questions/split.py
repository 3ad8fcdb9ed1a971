"""The question of a whole record: every feature and the label, each with its share of ε."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.guarantees.rules import round_down
from noisewright.learn.questions.base import Question
from noisewright.learn.questions.channels import choice_channel, read_numbers, unit_channel
from noisewright.mechanisms import KRR, NumericMechanism
from noisewright.parameters import is_number, whole
from noisewright.randomness import Source

MOST_WIDTH = 10_000


@dataclass(frozen=True)
class SplitQuestion(Question):
    """All unit columns through one mechanism each, and the label by randomized response (eq. 13 and 14).

    The label gets ``label_share`` of ε, by default as much as a column: ε/(d + 1). Each share is rounded
    down, so that together they cost at most ε in exact fractions. ``mechanism`` is any name of the catalogue
    or "designed" (:func:`~noisewright.learn.questions.channels.unit_channel`). An answer is a row of reports,
    the label's code last.

    >>> question = SplitQuestion(2.0, width=3, mechanism="PM")
    >>> question.column_epsilon, question.answers(np.zeros((5, 3)), np.zeros(5, dtype=int)).shape
    (0.5, (5, 4))
    """

    width: int
    mechanism: str = "Laplace"
    label_share: float | None = None
    classes: int = 2
    kind: ClassVar[str] = "split"

    def _prepare(self) -> None:
        object.__setattr__(self, "width", whole("width", self.width, 1, MOST_WIDTH))
        object.__setattr__(self, "classes", whole("classes", self.classes, 2, MOST_WIDTH))
        share = self.label_share
        if share is not None and not (is_number(share) and 0 < share < 1):
            raise InvalidParameter(f"label_share must lie between 0 and 1, got {share!r}")
        unit_channel(self.mechanism, self.column_epsilon)  # each proves its guarantee, or refuses
        choice_channel(self.classes, self.label_epsilon)

    @property
    def label_epsilon(self) -> float:
        """The label's part of ε."""
        if self.label_share is None:
            return self.column_epsilon
        return round_down(Fraction(self.epsilon) * Fraction(self.label_share))

    @property
    def column_epsilon(self) -> float:
        """Each column's part of ε."""
        if self.label_share is None:
            return round_down(Fraction(self.epsilon) / (self.width + 1))
        return round_down((Fraction(self.epsilon) - Fraction(self.label_epsilon)) / self.width)

    @property
    def column_channel(self) -> NumericMechanism:
        """What randomizes a column."""
        return unit_channel(self.mechanism, self.column_epsilon)

    @property
    def label_channel(self) -> KRR:
        """What randomizes the label."""
        return choice_channel(self.classes, self.label_epsilon)

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> Floats:
        if units.shape[1] != self.width:
            raise InvalidParameter(
                f"the question is about {self.width} columns, and records have {units.shape[1]}"
            )
        reports = np.empty((len(units), self.width + 1))
        reports[:, :-1] = self.column_channel.perturb(units, source)
        reports[:, -1] = self.label_channel.perturb_cells(np.minimum(labels, self.classes - 1), source)
        return reports

    def admit(self, answer: Any) -> Floats:
        row = read_numbers(answer, self.width + 1)
        self.column_channel.reports.admit(row[:-1], name="answer")
        if row[-1] not in range(self.classes):
            raise InvalidParameter(f"the last number of an answer is a label from 0 to {self.classes - 1}")
        return row

    def to_dict(self) -> dict[str, Any]:
        return {
            "question": self.kind, "epsilon": self.epsilon, "width": self.width, "mechanism": self.mechanism,
            "label_share": self.label_share, "classes": self.classes,
        }  # fmt: skip

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        names = ("epsilon", "width", "mechanism", "label_share", "classes")
        return cls(**{name: fields[name] for name in names})
