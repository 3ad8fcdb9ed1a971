"""Histograms: the share of the records in each cell of a public range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.parameters import whole
from noisewright.release.algorithms.base import (
    Algorithm,
    Facts,
    Labels,
    Limit,
    check_widths,
    read_limit,
    read_limits,
    set_fields,
)
from noisewright.release.algorithms.statistics import Statistic
from noisewright.report.plots import new_axes
from noisewright.statistics.simplex import norm_sub

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Histogram(Algorithm):
    """The shares of the records in the cells of every column; the vector has column after column.

    Cells are public. A cell includes its lower edge, the last cell both edges. After the noise the shares of
    a column are projected onto the probability simplex.

    Args:
        bins: Number of cells of equal width, from 1 to 65,536; not used with ``edges``.
        low: Lower end of the range, a number or one for each column; None with ``edges``.
        high: Upper end of the range, a number or one for each column; None with ``edges``.
        edges: Ends of the cells, ascending, that all columns share; None takes ``bins`` equal cells.
        clip: Whether values outside are counted in the outer cells; otherwise they are rejected.

    >>> rows = np.array([[0.1], [0.2], [0.7], [1.0]])
    >>> histogram = Histogram(bins=2, low=0, high=1); facts = histogram.facts(rows, None)
    >>> histogram.fit(rows, None, seed=0, facts=facts).tolist()
    [0.5, 0.5]
    >>> histogram.model(np.array([1.1, -0.2]), facts).value.tolist()
    [[1.0, 0.0]]
    """

    bins: int = 10
    low: Limit | None = None
    high: Limit | None = None
    edges: tuple[float, ...] | None = None
    clip: bool = False

    title: ClassVar[str] = "a histogram of every column"

    def __post_init__(self) -> None:
        if self.edges is not None:
            edges = _read_edges(self.edges, self.low, self.high)
            set_fields(self, edges=edges, bins=len(edges) - 1)
        elif self.low is None or self.high is None:
            raise InvalidParameter("a histogram needs a public range; give low and high, or edges")
        else:
            low, high = read_limits(self.low, self.high)
            set_fields(self, low=low, high=high)
        whole("bins", self.bins, 1, 2**16)

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        check_widths(rows.shape[1], low=self.low, high=self.high)
        facts = super().facts(rows, None, names)
        self._cells(rows, facts)
        return facts

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        return self._shares(rows, facts).ravel()

    def model(self, vector: Floats, facts: Facts) -> Shares:
        """Return shares that sum to 1 in each column, with their edges."""
        value = self._simplex_shares(vector[None], facts)[0]
        return Shares(value, self.coordinates(facts), facts.columns(), self._edges(facts))

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        columns = zip(facts.columns(), self._edges(facts), strict=True)
        return tuple(
            f"{name} from {start:g} to {end:g}" for name, edges in columns for start, end in pairwise(edges)
        )

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return minus the total variation distance to the shares of the rows, averaged over the columns."""
        gaps = np.abs(self._simplex_shares(vectors, facts) - self._shares(rows, facts))
        return np.asarray(-gaps.sum(axis=2).mean(axis=1) / 2)

    def _simplex_shares(self, vectors: Floats, facts: Facts) -> Floats:
        return norm_sub(vectors.reshape(len(vectors), facts.features, self.bins))

    def _shares(self, rows: Floats, facts: Facts) -> Floats:
        counts = [np.bincount(cells, minlength=self.bins) for cells in self._cells(rows, facts)]
        return np.stack(counts) / len(rows)

    def _cells(self, rows: Floats, facts: Facts) -> list[Cells]:
        """Return the cell of every record, column by column."""
        cells = []
        for edges, column, name in zip(self._edges(facts), rows.T, facts.columns(), strict=True):
            if not self.clip and not ((edges[0] <= column) & (column <= edges[-1])).all():
                raise OutOfDomain(f"column {name} has values outside its range; widen it or pass clip=True")
            places = np.searchsorted(edges, column, side="right") - 1
            cells.append(places.clip(0, self.bins - 1))
        return cells

    def _edges(self, facts: Facts) -> Floats:
        """Return the edges of every column, (features, bins + 1)."""
        if self.edges is not None:
            return np.tile(self.edges, (facts.features, 1))
        low, high = (np.broadcast_to(np.asarray(limit), facts.features) for limit in (self.low, self.high))
        return np.linspace(low, high, self.bins + 1, axis=1)


def _read_edges(edges: Any, low: Any, high: Any) -> tuple[float, ...]:
    read = read_limit("edges", edges)
    if low is not None or high is not None:
        raise InvalidParameter("edges already give the range; leave out low and high")
    if isinstance(read, float) or len(read) < 2 or not np.all(np.diff(read) > 0):
        raise InvalidParameter("must be two or more numbers, each above the one before", field="edges")
    return read


@dataclass(frozen=True, eq=False)
class Shares(Statistic):
    """A released histogram: noised shares of every cell, (columns, cells), which sum to 1 in each column.

    Attributes:
        columns: Names of the columns.
        edges: Ends of the cells of each column, (columns, cells + 1).

    >>> import numpy as np
    >>> value, edges = np.array([[0.4, 0.6]]), np.array([[0.0, 50.0, 99.0]])
    >>> Shares(value, names=("young", "old"), columns=("age",), edges=edges).to_dict()
    {'value': [[0.4, 0.6]], 'names': ['young', 'old'], 'columns': ['age'], 'edges': [[0.0, 50.0, 99.0]]}
    """

    columns: tuple[str, ...]
    edges: Floats

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "columns": list(self.columns), "edges": self.edges.tolist()}

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the shares as steps, one line per column; return the axes."""
        axes = axes if axes is not None else new_axes()
        for name, values, edges in zip(self.columns, self.value, self.edges, strict=True):
            axes.stairs(values, edges, label=name, linewidth=1.8)
        axes.set(xlabel=self.columns[0] if len(self.columns) == 1 else "value", ylabel="share of records")
        axes.set_ylim(0, None)
        if len(self.columns) > 1:
            axes.legend()
        return axes
