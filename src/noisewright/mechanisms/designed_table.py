"""Laws for labels that are designed rather than named: an integer law for every label, given as a table."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Categories, Cells, FiniteDomain, Floats, MetricSpace
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.finite import FiniteMechanism
from noisewright.mechanisms.basics.tables import Table, prove_table
from noisewright.mechanisms.certificate import Certificate
from noisewright.mechanisms.integer_rows import (
    MOST_ENTRIES,
    IntegerRows,
    digest,
    full_matrix,
    read_outputs,
    read_rows,
    table_of,
)
from noisewright.randomness import Stream


@dataclass(frozen=True, repr=False)
class DesignedTable(FiniteMechanism):
    """A law for labels with one row of integers for each of them.

    Attributes:
        outputs: Places in the list of reports.
        weights: Label i is reported as the k-th output for ``weights[i][k]`` of 2⁵² words.
        report_labels: The list of reports; by default the domain's own labels.
        certificate: What the law achieves and what no law can, or None.

    >>> most, least = 3 << 50, 1 << 50
    >>> response = DesignedTable(Categories(["no", "yes"]), 1.2, (0, 1), ((most, least), (least, most)))
    >>> response.worst_error("zero-one")
    0.25
    """

    outputs: tuple[int, ...]
    weights: IntegerRows
    report_labels: tuple[Hashable, ...] | None = None
    certificate: Certificate | None = None
    title: ClassVar[str] = "Designed table"
    summary: ClassVar[str] = "a table of integers made for one task by noisewright.design.optimal_law"
    domains: ClassVar[tuple[type[FiniteDomain], ...]] = (Categories, MetricSpace)
    designed: ClassVar[bool] = True

    def _prepare(self) -> None:
        set_field = object.__setattr__
        if self.report_labels is not None:
            set_field(self, "report_labels", Categories(self.report_labels).labels)
        set_field(self, "outputs", read_outputs(self.outputs, self.reports.lattice))
        set_field(self, "weights", read_rows(self.weights, len(self.outputs)))
        set_field(self, "certificate", Certificate.read(self.certificate))
        if len(self.weights) * self.reports.lattice > MOST_ENTRIES:
            raise InvalidParameter(f"a law has at most {MOST_ENTRIES} pairs of a label and a report")
        if len(self.weights) != self.domain.lattice:
            raise InvalidParameter(
                f"a law for {self.domain.lattice} labels needs as many rows, got {len(self.weights)}"
            )

    def __repr__(self) -> str:
        size = f"{len(self.weights)} labels × {len(self.outputs)} outputs"
        return f"<{type(self).__name__} epsilon={self.epsilon}, {size}, {digest(self.weights)}>"

    def to_dict(self) -> dict[str, Any]:
        certificate = None if self.certificate is None else self.certificate.to_dict()
        return {**super().to_dict(), "certificate": certificate}

    @cached_property
    def reports(self) -> FiniteDomain:
        return self.domain if self.report_labels is None else Categories(self.report_labels)

    @cached_property
    def table(self) -> Table:
        """The integers that are sampled."""
        return table_of(self.weights)

    @property
    def matrix(self) -> Floats:
        """The probability of every report for every label."""
        return full_matrix(self.table, self.outputs, self.reports.lattice)

    def _prove(self) -> float:
        return prove_table(self.table, self.epsilon)

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        counts = [0] * self.reports.lattice
        for output, weight in zip(self.outputs, self.weights[cell], strict=True):
            counts[output] = weight
        return counts, sum(counts)

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        return np.array(self.outputs)[self.table.draw_rows(cells, stream.draw(cells.size))]

    def _probabilities(self, cells: Cells) -> Floats:
        return self.matrix[cells]
