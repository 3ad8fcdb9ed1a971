"""The question of one feature: in which part of its axis, together with the label, in one breath."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.questions.base import MOST_CLASSES, Question, choice_channel
from noisewright.learn.rules.additive import Axis
from noisewright.mechanisms import KRR
from noisewright.parameters import whole
from noisewright.randomness import Source

MOST_PAIRS = 4096


@dataclass(frozen=True)
class CellQuestion(Question):
    """Which bin of one feature and which label: one of bins · classes pairs, by k-ary randomized response.

    A pair is numbered bin·classes + label. The whole ε goes into the one thing a classifier needs, how
    feature and label hang together; which feature a client is asked about is public and chosen by the server.

    Attributes:
        epsilon: What an answer costs.
        axis: The feature.
        cuts: The cells of the axis at which a new bin begins.
        classes: Number of classes.

    >>> question = CellQuestion(20.0, Axis(0, 1, cells=4), cuts=(2,))
    >>> question.answers(np.array([[-0.9], [0.9]]), np.array([1, 0])).tolist()
    [1, 2]
    """

    axis: Axis
    cuts: tuple[int, ...]
    classes: int = 2
    kind: ClassVar[str] = "cells"

    def _prepare(self) -> None:
        object.__setattr__(self, "classes", whole("classes", self.classes, 2, MOST_CLASSES))
        object.__setattr__(self, "cuts", tuple(self.cuts))
        if len(self.cuts) >= self.axis.cells:
            raise InvalidParameter(
                f"an axis of {self.axis.cells} cells has no place for {len(self.cuts)} cuts"
            )
        for cut in self.cuts:
            whole("a cut", cut, 1, self.axis.cells - 1)
        if not self.cuts or any(left >= right for left, right in pairwise(self.cuts)):
            raise InvalidParameter("a cell question needs one cut or more, in rising order")
        if self.pairs > MOST_PAIRS:
            raise InvalidParameter(f"a cell question has at most {MOST_PAIRS} pairs, got {self.pairs}")

    @property
    def bins(self) -> int:
        """How many parts the axis is cut into."""
        return len(self.cuts) + 1

    @property
    def pairs(self) -> int:
        """How many answers there are."""
        return self.bins * self.classes

    @property
    def channel(self) -> KRR:
        """What randomizes the pair."""
        return choice_channel(self.pairs, self.epsilon)

    def bins_of(self, cells: Cells) -> Cells:
        """The bin of each cell of the axis."""
        return np.searchsorted(self.cuts, cells, side="right")

    def law(self) -> Floats:
        """How likely each answer is, a row each, for every label and cell, a column each (label first)."""
        cells = np.arange(self.axis.cells)
        matrix = np.full((self.pairs, self.classes * self.axis.cells), self.channel.miss)
        for label in range(self.classes):
            matrix[self.bins_of(cells) * self.classes + label, label * self.axis.cells + cells] = (
                self.channel.hit
            )
        return matrix

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> Cells:
        # No record may fail where others answer, so a label beyond the question's classes is the last one.
        known = np.minimum(labels, self.classes - 1)
        pairs = self.bins_of(self.axis.places(units)) * self.classes + known
        return self.channel.perturb_cells(pairs, source)

    def admit(self, answer: Any) -> NDArray[np.int64]:
        if type(answer) is not int or not 0 <= answer < self.pairs:
            raise InvalidParameter(
                f"an answer to a cell question is a whole number from 0 to {self.pairs - 1}"
            )
        return np.array(answer, dtype=np.int64)

    def to_dict(self) -> dict[str, Any]:
        return {
            "question": self.kind, "epsilon": self.epsilon, "axis": self.axis.to_dict(),
            "cuts": list(self.cuts), "classes": self.classes,
        }  # fmt: skip

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        if not isinstance(fields["cuts"], list):
            raise InvalidParameter("the cuts of a cell question are a list")
        return cls(
            fields["epsilon"], Axis.from_dict(fields["axis"]), tuple(fields["cuts"]), fields["classes"]
        )
