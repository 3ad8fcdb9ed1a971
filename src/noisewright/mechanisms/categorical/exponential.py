"""The exponential mechanism on labels: near labels are reported more often than distant ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from noisewright.domains import Categories, Cells, FiniteDomain, Floats, MetricSpace
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.finite import FiniteMechanism
from noisewright.mechanisms.basics.tables import (
    MOST_POINTS,
    Table,
    exponential_law,
    prove_table,
    proved_table,
)
from noisewright.randomness import Stream


@dataclass(frozen=True)
class LabelExponential(FiniteMechanism):
    """A report that is likely to be near the truth, for labels with distances.

    Label x is reported as y with a probability proportional to e^(−ε·distance(x, y)/(2·largest distance)), as
    in the textbook (McSherry and Talwar 2007). That is calibrated for any scores; on most lists of labels the
    integers spend less than ε, as ``epsilon_upper`` shows: half of it where all labels are equally far apart.

    >>> from noisewright.domains import MetricSpace
    >>> stops = MetricSpace("ABC", [[0, 1, 3], [1, 0, 2], [3, 2, 0]])
    >>> [round(p, 3) for p in LabelExponential(stops, 2.0).law(["A"]).probabilities[0].tolist()]
    [0.48, 0.344, 0.176]
    """

    title: ClassVar[str] = "Exponential mechanism for labels"
    summary: ClassVar[str] = "labels near the true one are likelier; for labels with distances"
    domains: ClassVar[tuple[type[FiniteDomain], ...]] = (Categories, MetricSpace)

    def _prepare(self) -> None:
        if len(self.domain) > MOST_POINTS:
            raise InvalidParameter(
                f"LabelExponential is for at most {MOST_POINTS} labels, got {len(self.domain)}; "
                "its table has the square of them"
            )

    @cached_property
    def table(self) -> Table:
        """The integers that are sampled, one row a label."""
        return proved_table(lambda budget: exponential_law(self.domain.distances, budget / 2), self.epsilon)

    @property
    def reports(self) -> FiniteDomain:
        return self.domain.as_labels()

    def _prove(self) -> float:
        return prove_table(self.table, self.epsilon)

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        return self.table.weights[cell].tolist(), 1 << self.table.bits

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        return self.table.draw_rows(cells, stream.draw(cells.size))

    def _probabilities(self, cells: Cells) -> Floats:
        return self.table.masses[cells]
