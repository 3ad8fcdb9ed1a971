"""The question of a few features and the label: fewer reports, each with more of ε."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.questions.base import Question
from noisewright.learn.questions.split import MOST_WIDTH, SplitQuestion
from noisewright.parameters import whole
from noisewright.randomness import Source


@dataclass(frozen=True)
class SampledQuestion(Question):
    """Some of the unit columns and the label, the whole ε shared among these reports alone.

    Who is asked for which columns is decided publicly and says nothing about anybody (:func:`cyclic`). For a
    small ε noise falls like 1/ε², so that few columns a client beat all of them with a sliver of ε each. An
    answer is a row of reports in the order of ``columns``, the label's code last.

    >>> import numpy as np
    >>> question = SampledQuestion(2.0, columns=(0, 5), width=8, mechanism="PM", label_share=0.5)
    >>> question.reported.column_epsilon, question.answers(np.zeros((3, 8)), np.zeros(3, dtype=int)).shape
    (0.5, (3, 3))
    """

    columns: tuple[int, ...]
    width: int
    mechanism: str = "Hybrid"
    label_share: float | None = None
    classes: int = 2
    kind: ClassVar[str] = "sampled"

    def _prepare(self) -> None:
        object.__setattr__(self, "width", whole("width", self.width, 1, MOST_WIDTH))
        object.__setattr__(self, "columns", read_columns(self.columns, self.width))
        _ = self.reported

    @property
    def reported(self) -> SplitQuestion:
        """The same question to a record that has no other columns."""
        return SplitQuestion(self.epsilon, len(self.columns), self.mechanism, self.label_share, self.classes)

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> Floats:
        if units.shape[1] != self.width:
            raise InvalidParameter(
                f"the question is about records of {self.width} unit columns, not {units.shape[1]}"
            )
        return self.reported.answers(units[:, self.columns], labels, source)

    def admit(self, answer: Any) -> Floats:
        return self.reported.admit(answer)

    def to_dict(self) -> dict[str, Any]:
        described = {**self.reported.to_dict(), "question": self.kind}
        return {**described, "columns": list(self.columns), "width": self.width}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        names = ("epsilon", "columns", "width", "mechanism", "label_share", "classes")
        return cls(**{name: fields[name] for name in names})


def read_columns(columns: Any, width: int) -> tuple[int, ...]:
    """Different unit columns of a record, or a refusal."""
    listed = tuple(columns) if isinstance(columns, tuple | list) else ()
    if not 1 <= len(listed) <= width or len(set(listed)) < len(listed):
        raise InvalidParameter(f"columns must be a list of 1 to {width} different numbers of columns")
    return tuple(whole("a column", column, 0, width - 1) for column in listed)


def cyclic(width: int, columns: int) -> list[tuple[int, ...]]:
    """Groups of so many columns in which every column stands equally often: one group for each start.

    >>> cyclic(4, 2), cyclic(3, 3)
    ([(0, 1), (1, 2), (2, 3), (3, 0)], [(0, 1, 2)])
    """
    size = whole("columns (that each client reports)", columns, 1, width)
    starts = range(1 if size == width else width)
    return [tuple((start + step) % width for step in range(size)) for start in starts]
