"""The question of one bit about a feature: whether its upper part and a group of labels go together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.questions.base import MOST_CLASSES, Question
from noisewright.learn.questions.channels import choice_channel
from noisewright.learn.rules.axes import Axis
from noisewright.mechanisms import KRR
from noisewright.parameters import whole
from noisewright.randomness import Source

OUTCOMES = 2


@dataclass(frozen=True)
class MatchQuestion(Question):
    """Whether the record is in both of two sets or in neither: one bit, by randomized response.

    One set is some cells of one feature's axis (``upper``), the other some of the labels (``group``). Answer
    1 says that both hold or neither does. It says nothing of where people stand or which label is common,
    and so keeps all of ε for how the two hang together: at a small ε such an answer is worth up to four of a
    :class:`~noisewright.learn.questions.cells.CellQuestion` with one cut. With an empty group it says only
    whether the record is in the lower part.

    Args:
        epsilon: What one answer costs.
        axis: The feature, cut into cells.
        upper: Cells of the axis, in rising order; not all of them.
        group: Labels, in rising order; none asks about the feature alone.
        classes: How many labels there are.

    >>> question = MatchQuestion(20.0, Axis(0, 1, cells=4), upper=(2, 3), group=(1,))
    >>> question.answers(np.array([[-0.9], [0.9], [0.9]]), np.array([0, 0, 1])).tolist()
    [1, 0, 1]
    """

    axis: Axis
    upper: tuple[int, ...]
    group: tuple[int, ...]
    classes: int = 2
    kind: ClassVar[str] = "match"

    def _prepare(self) -> None:
        object.__setattr__(self, "classes", whole("classes", self.classes, 2, MOST_CLASSES))
        for name, most in (("upper", self.axis.cells), ("group", self.classes)):
            places = tuple(getattr(self, name))
            object.__setattr__(self, name, places)
            for place in places:
                whole(f"a number in {name}", place, 0, most - 1)
            if list(places) != sorted(set(places)):
                raise InvalidParameter(f"{name} of a match question has rising numbers")
        if not 0 < len(self.upper) < self.axis.cells:
            raise InvalidParameter("upper of a match question has some of the cells, but not all")

    @property
    def channel(self) -> KRR:
        """What randomizes the bit."""
        return choice_channel(OUTCOMES, self.epsilon)

    def law(self) -> Floats:
        """How likely each answer is, a row each, for every label and cell, a column each (label first)."""
        above = np.isin(np.arange(self.axis.cells), self.upper)
        within = np.isin(np.arange(self.classes), self.group)
        match = (within[:, None] == above).ravel()
        return np.where(np.arange(OUTCOMES)[:, None] == match, self.channel.hit, self.channel.miss)

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> Cells:
        # No record may fail where others answer: a label beyond the question's classes is in no group.
        match = np.isin(self.axis.places(units), self.upper) == np.isin(labels, self.group)
        return self.channel.perturb_cells(match.astype(np.int64), source)

    def admit(self, answer: Any) -> NDArray[np.int64]:
        if type(answer) is not int or not 0 <= answer < OUTCOMES:
            raise InvalidParameter("an answer to a match question is 0 or 1")
        return np.array(answer, dtype=np.int64)

    def to_dict(self) -> dict[str, Any]:
        return {
            "question": self.kind, "epsilon": self.epsilon, "axis": self.axis.to_dict(),
            "upper": list(self.upper), "group": list(self.group), "classes": self.classes,
        }  # fmt: skip

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        if not isinstance(fields["upper"], list) or not isinstance(fields["group"], list):
            raise InvalidParameter("upper and group of a match question are lists")
        upper, group = tuple(fields["upper"]), tuple(fields["group"])
        return cls(fields["epsilon"], Axis.from_dict(fields["axis"]), upper, group, fields["classes"])
