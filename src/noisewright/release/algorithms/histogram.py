"""Histograms: which share of the records lies in each cell of a public range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.estimate.simplex import norm_sub
from noisewright.parameters import whole
from noisewright.release.algorithms.base import Algorithm, Facts, Labels
from noisewright.release.algorithms.ranges import Limit, check_width, read_limit, read_limits
from noisewright.release.algorithms.shares import Shares


@dataclass(frozen=True)
class Histogram(Algorithm):
    """The shares of the records in the cells of every column; the vector has column after column.

    Cells are public: ``bins`` of equal width from ``low`` to ``high`` (numbers, or one for each column), or
    between ``edges`` that all columns share. A cell holds its lower edge, the last one both. Values outside
    are refused, or with ``clip=True`` counted in the outer cells. After the noise the shares of a column are
    moved to the nearest that are not negative and sum to 1.

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
            object.__setattr__(self, "edges", _read_edges(self.edges, self.low, self.high))
            object.__setattr__(self, "bins", len(self.edges) - 1)
        elif self.low is None or self.high is None:
            raise InvalidParameter("a histogram needs a public range; give low and high, or edges")
        else:
            for name, limit in zip(("low", "high"), read_limits(self.low, self.high), strict=True):
                object.__setattr__(self, name, limit)
        whole("bins", self.bins, 1, 2**16)

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        check_width("low", self.low, rows.shape[1])
        check_width("high", self.high, rows.shape[1])
        facts = super().facts(rows, None, names)
        self._cells(rows, facts)
        return facts

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        return self._shares(rows, facts).ravel()

    def model(self, vector: Floats, facts: Facts) -> Shares:
        """Shares that sum to 1 in each column, with their edges."""
        value = self._projected(vector[None], facts)[0]
        return Shares(value, self.coordinates(facts), facts.columns(), self._edges(facts))

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        columns = zip(facts.columns(), self._edges(facts), strict=True)
        return tuple(
            f"{name} from {start:g} to {end:g}" for name, edges in columns for start, end in pairwise(edges)
        )

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Minus the total variation distance to the shares of the rows, averaged over the columns."""
        gaps = np.abs(self._projected(vectors, facts) - self._shares(rows, facts))
        return np.asarray(-gaps.sum(axis=2).mean(axis=1) / 2)

    def _projected(self, vectors: Floats, facts: Facts) -> Floats:
        return norm_sub(vectors.reshape(len(vectors), facts.features, self.bins))

    def _shares(self, rows: Floats, facts: Facts) -> Floats:
        counts = [np.bincount(cells, minlength=self.bins) for cells in self._cells(rows, facts)]
        return np.stack(counts) / len(rows)

    def _cells(self, rows: Floats, facts: Facts) -> list[Cells]:
        """The cell of every record, column by column."""
        columns = zip(self._edges(facts), rows.T, facts.columns(), strict=True)
        return [self._cells_of(column, edges, name) for edges, column, name in columns]

    def _cells_of(self, column: Floats, edges: Floats, name: str) -> Cells:
        if not self.clip and not ((edges[0] <= column) & (column <= edges[-1])).all():
            raise OutOfDomain(f"column {name} has values outside its range; widen it or pass clip=True")
        places = np.searchsorted(edges, column, side="right") - 1
        return np.asarray(places.clip(0, self.bins - 1))

    def _edges(self, facts: Facts) -> Floats:
        """The edges of every column, (features, bins + 1)."""
        if self.edges is not None:
            return np.tile(self.edges, (facts.features, 1))
        low, high = (np.broadcast_to(np.asarray(limit), facts.features) for limit in (self.low, self.high))
        return np.linspace(low, high, self.bins + 1, axis=1)


def _read_edges(edges: Any, low: Any, high: Any) -> tuple[float, ...]:
    read = read_limit("edges", edges)
    if low is not None or high is not None:
        raise InvalidParameter("edges already say where cells begin and end; leave out low and high")
    if isinstance(read, float) or len(read) < 2 or not np.all(np.diff(read) > 0):
        raise InvalidParameter("edges must be two or more numbers, each above the one before")
    return read
