"""Equal cells of a chart: the squares of a density map, the zones of a table of trips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.estimate.partition import equal_bins
from noisewright.parameters import whole
from noisewright.trajectory.aggregates.charts import Chart
from noisewright.trajectory.aggregates.spans import Span, equal_spans
from noisewright.trajectory.rounding import cell_names

MOST = 256
"""Columns or rows: no channel tells so many apart, and a map shows no more."""


@dataclass(frozen=True)
class Grid:
    """A chart cut into equal cells: columns along its first coordinate, rows along its second."""

    chart: Chart
    cells: tuple[int, int]

    def __post_init__(self) -> None:
        columns, rows = self.cells
        counts = whole("the number of columns", columns, 1, MOST), whole("the number of rows", rows, 1, MOST)
        object.__setattr__(self, "cells", counts)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the cells, column by column: A1 is the first column's top cell."""
        return cell_names(*self.cells)

    @property
    def spans(self) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        """The spans of columns and of rows."""
        (first, second), (columns, rows) = self.chart.domains, self.cells
        return equal_spans(first, columns), equal_spans(second, rows)

    @property
    def edges(self) -> tuple[Floats, Floats]:
        """The lines between columns and between rows, in coordinates of the chart."""
        (first, second), (columns, rows) = self.chart.domains, self.cells
        return equal_bins(first, columns), equal_bins(second, rows)

    def place(self, points: Floats) -> Cells:
        """The cell of each point: its column and its row."""
        coordinates = self.chart.to(points)
        columns = [
            np.clip(
                ((coordinates[..., axis] - domain.start) / domain.length * count).astype(np.int64),
                0,
                count - 1,
            )
            for axis, (domain, count) in enumerate(zip(self.chart.domains, self.cells, strict=True))
        ]
        return np.stack(columns, axis=-1)

    def counts(self, points: Floats) -> Cells:
        """How many points lie in each cell."""
        column, row = self.place(points).T
        table = np.zeros(self.cells, dtype=np.int64)
        np.add.at(table, (column, row), 1)
        return table

    def centres(self) -> Floats:
        """The middle of each cell as a point of the space (columns × rows × 2)."""
        middles = [(edges[1:] + edges[:-1]) / 2 for edges in self.edges]
        return self.chart.back(np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1))

    def outlines(self) -> Floats:
        """The four corners of each cell as points of the space (columns × rows × 4 × 2), for maps."""
        first, second = self.edges
        corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
        grids = [
            np.stack(
                np.meshgrid(first[i : first.size - 1 + i], second[j : second.size - 1 + j], indexing="ij"), -1
            )
            for i, j in corners
        ]
        return self.chart.back(np.stack(grids, axis=-2))
