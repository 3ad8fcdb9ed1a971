"""Questions about a record: every feature and the label, or a few features with more of ε each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.guarantees.base import round_down
from noisewright.learn.questions.base import Question, choice_channel, read_numbers, unit_channel
from noisewright.mechanisms import KRR, NumericMechanism
from noisewright.parameters import is_number, whole
from noisewright.randomness import Source

MOST_WIDTH = 10_000


@dataclass(frozen=True)
class SplitQuestion(Question):
    """All unit columns through one mechanism each, and the label by randomized response (eq. 13 and 14).

    Each share of ε is rounded down, so that together they cost at most ε in exact fractions. An answer is a
    row of reports, the label's code last.

    Attributes:
        epsilon: The cost of an answer.
        width: Number of unit columns of a record.
        mechanism: The channel of a column: a name of the catalogue, or "designed" (:func:`unit_channel`).
        label_share: The label's part of ε, between 0 and 1; None is as much as a column has, ε/(width + 1).
        classes: Number of classes.

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
            raise InvalidParameter(f"must lie between 0 and 1, got {share!r}", field="label_share")
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
        """The channel that randomizes a column."""
        return unit_channel(self.mechanism, self.column_epsilon)

    @property
    def label_channel(self) -> KRR:
        """The channel that randomizes the label."""
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


@dataclass(frozen=True)
class SampledQuestion(Question):
    """Some of the unit columns and the label, the whole ε shared among these reports alone.

    Which client is asked for which columns is decided in public and reveals nothing (:func:`cyclic`).
    For a small ε noise falls like 1/ε², so few columns a client beat all of them with a sliver of ε each. An
    answer is a row of reports in the order of ``columns``, the label's code last.

    Attributes:
        epsilon: The cost of an answer.
        columns: The unit columns that are reported.
        width: Number of unit columns of a record.
        mechanism: The channel of a column: a name of the catalogue, or "designed".
        label_share: The label's part of ε, between 0 and 1; None is as much as a column has.
        classes: Number of classes.

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
        """The same question for a record that has no other columns."""
        return SplitQuestion(self.epsilon, len(self.columns), self.mechanism, self.label_share, self.classes)

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> Floats:
        if units.shape[1] != self.width:
            raise InvalidParameter(
                f"the question is about records of {self.width} unit columns, not {units.shape[1]}"
            )
        return self.reported.answers(units[:, self.columns], labels, source)

    def admit(self, answer: Any) -> Floats:
        return self.reported.admit(answer)


def read_columns(columns: Any, width: int) -> tuple[int, ...]:
    """Return different unit columns of a record, or refuse."""
    listed = tuple(columns) if isinstance(columns, tuple | list) else ()
    if not 1 <= len(listed) <= width or len(set(listed)) < len(listed):
        raise InvalidParameter(
            f"must be a list of 1 to {width} different numbers of columns", field="columns"
        )
    return tuple(whole("a column", column, 0, width - 1) for column in listed)


def cyclic(width: int, columns: int) -> list[tuple[int, ...]]:
    """Return groups of ``columns`` columns that use every column equally often: one group for each start.

    >>> cyclic(4, 2), cyclic(3, 3)
    ([(0, 1), (1, 2), (2, 3), (3, 0)], [(0, 1, 2)])
    """
    size = whole("columns (that each client reports)", columns, 1, width)
    starts = range(1 if size == width else width)
    return [tuple((start + step) % width for step in range(size)) for start in starts]
