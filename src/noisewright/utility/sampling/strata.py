"""One or two sensitive features: one stratified set of queries for all channels of a family.

Where the map of the record (``surrogate.py``) is sure, the strata are the boxes of its coarse grid; elsewhere
they are its own small boxes. In a box of v cells, n cells are drawn uniformly; a cell z at which the answer
differs from the map adds

    ± p(z)·v/n,        p(z) = the channel's probability of the cell z,

to the failure probability of each channel. These terms are independent, and none is larger than v/n times the
channel's highest cell in the box. The queries are spread in proportion to v times the highest cell
of *any* channel, so every term of every channel is below (the integral of all channels' envelope)/(number of
queries); unsure boxes get several times more, because only there many answers differ from the map.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.statistics.roots import bisect
from noisewright.utility.core.channels import Lattice
from noisewright.utility.sampling.families import AxisLaws, SortedCells
from noisewright.utility.sampling.grid import cell_edges
from noisewright.utility.sampling.queries import Ask
from noisewright.utility.sampling.surrogate import Surrogate
from noisewright.utility.sampling.tally import Tally

_MOST_BOOST = 32.0
_BOOSTED_SHARE = 0.1
"""Largest factor on the queries of unsure boxes, and about the largest part of all queries that they get."""


@dataclass(frozen=True, eq=False)
class Strata:
    """The strata of a record for the channels of a family; ``coarse`` are edges of the map's first grid."""

    surrogate: Surrogate
    coarse: Sequence[Floats]
    lattice: Lattice
    laws: Sequence[AxisLaws]

    def __len__(self) -> int:
        return self._base.size

    @property
    def envelope(self) -> float:
        """The integral of all channels' envelope: a bound on all terms, for a total of one query."""
        return float(self._envelope @ self._volumes[: self._coarse_boxes])

    def sample(self, ask: Ask, queries: int, random: np.random.Generator) -> Tally:
        """Return the failure probability of all channels from about ``queries`` queries."""
        counts = self._counts(queries)
        which = np.repeat(np.arange(counts.size), counts)
        steps = (random.random((which.size, len(self.laws))) * self._sizes[which]).astype(np.int64)
        cells = self._ends[0][which] + steps
        mapped, unsure = self.surrogate.at(cells, self._fine)
        own = ~unsure | (which >= self._coarse_boxes)  # the unsure parts of coarse boxes are separate strata
        off = np.where(own, ask.at(self.lattice, cells).astype(np.float64) - mapped, 0.0)
        weight = self._volumes / np.maximum(counts, 1)
        telling = np.flatnonzero(off)
        factors, points = (off * weight[which])[telling], SortedCells.of(cells[telling])
        terms = [factors * points.masses(self.laws, place) for place in range(len(self.laws[0].laws))]
        below = [law.below(at) for law, at in zip(self.laws, self._fine, strict=True)]
        failing = self.surrogate.expectation(below) + [one.sum() for one in terms]
        squares = np.array([one @ one for one in terms])
        return Tally(failing, squares, self._largest(weight), which.size)

    def _counts(self, queries: int) -> Cells:
        """Return how many cells each stratum gets: the largest common rate that the queries allow."""
        share = self._envelope[self._base] * self._volumes
        unsure, sure = share[self._coarse_boxes :].sum(), share[: self._coarse_boxes].sum()
        if unsure > 0:
            share[self._coarse_boxes :] *= np.clip(_BOOSTED_SHARE * sure / unsure, 1.0, _MOST_BOOST)
        share /= share.sum()
        rate, _ = bisect(lambda rate: np.ceil(rate * share).sum() <= queries, 0.0, float(queries), steps=40)
        return np.asarray(np.maximum(np.ceil(rate * share), share > 0).astype(np.int64))

    def _largest(self, weight: Floats) -> Floats:
        """Return for each channel a bound on all its terms."""
        reach = weight[: self._coarse_boxes].copy()
        np.maximum.at(reach, self._base[self._coarse_boxes :], weight[self._coarse_boxes :])
        box = reach.reshape([axis.size - 1 for axis in self.coarse])
        return np.array([(heights * box).max() for heights in self._heights()])

    @cached_property
    def _envelope(self) -> Floats:
        """The highest cell of any channel in each coarse box."""
        best = np.zeros([axis.size - 1 for axis in self.coarse])
        for heights in self._heights():
            np.maximum(best, heights, out=best)
        return best.reshape(-1)

    def _heights(self) -> Iterator[Floats]:
        """Yield for each channel its highest cell in each coarse box."""
        for rows in zip(*self._highest, strict=True):
            yield reduce(np.multiply.outer, rows)

    @cached_property
    def _highest(self) -> list[Floats]:
        edges = [cell_edges(self.lattice, at) for at in self.coarse]
        return [law.highest(at) for law, at in zip(self.laws, edges, strict=True)]

    # -- the boxes: those of the coarse grid, then the unsure ones -------------------------------------

    @cached_property
    def _fine(self) -> list[Cells]:
        return self.surrogate.edges_on(self.lattice)

    @cached_property
    def _coarse_boxes(self) -> int:
        return int(np.prod([axis.size - 1 for axis in self.coarse]))

    @cached_property
    def _base(self) -> Cells:
        """The coarse box of each stratum."""
        return np.concatenate([np.arange(self._coarse_boxes), self.surrogate.base[self.surrogate.unsure]])

    @cached_property
    def _ends(self) -> tuple[Cells, Cells]:
        """The first cell of each stratum along every axis, and the first after it."""
        shape = [axis.size - 1 for axis in self.coarse]
        places = np.stack(np.unravel_index(np.arange(self._coarse_boxes), shape), axis=1)
        pieces = self.surrogate.pieces
        first = np.concatenate([places * pieces, self.surrogate.first[self.surrogate.unsure]])
        last = np.concatenate([(places + 1) * pieces, self.surrogate.last[self.surrogate.unsure]])
        return self._in_cells(first), self._in_cells(last)

    def _in_cells(self, places: Cells) -> Cells:
        """Return places on the fine grid as cells."""
        return np.stack([at[places[:, axis]] for axis, at in enumerate(self._fine)], axis=1)

    @cached_property
    def _sizes(self) -> Cells:
        return self._ends[1] - self._ends[0]

    @cached_property
    def _volumes(self) -> Floats:
        return np.asarray(self._sizes.prod(axis=1, dtype=np.float64))
