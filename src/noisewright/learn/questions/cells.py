"""The question of one feature: in which part of its axis, together with the label, in one breath."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.questions.base import MOST_CLASSES, ChoiceQuestion
from noisewright.learn.rules.additive import Axis
from noisewright.parameters import whole

MOST_PAIRS = 4096


@dataclass(frozen=True)
class CellQuestion(ChoiceQuestion):
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
    def cells(self) -> int:
        return self.bins * self.classes

    pairs = cells

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

    def place(self, units: Floats, labels: Cells) -> Cells:
        # No record may fail where others answer, so a label beyond the question's classes is the last one.
        known = np.minimum(labels, self.classes - 1)
        return self.bins_of(self.axis.places(units)) * self.classes + known

    @classmethod
    def _from_fields(cls, described: Mapping[str, Any]) -> Self:
        return super()._from_fields({**described, "axis": Axis.from_dict(described["axis"])})
