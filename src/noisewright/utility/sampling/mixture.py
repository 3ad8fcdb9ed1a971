"""Three to twenty sensitive features: queries drawn from a few channels serve all channels of a family.

A window channel reports each feature either anywhere or inside its window, so over s features its law is a
mixture of 2^s even spreads, and channels with similar windows overlap in all of them. So a query counts for
every channel, whichever it was drawn from: of n queries, shares v_r are drawn from representatives q_r, and a
query z has for channel p the weight

    p(z) / Σ_r n·v_r·q_r(z)        (the balance heuristic of Veach and Guibas, 1995).

The weighted sums are unbiased, their terms are independent, and ``representatives.py`` bounds the weights. At
worst every channel is a representative, and hardly worse off than if it had been sampled for itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.channels import Lattice
from noisewright.utility.sampling.asking import Ask
from noisewright.utility.sampling.axis_laws import AxisLaws, SortedCells
from noisewright.utility.sampling.grid import cell_edges
from noisewright.utility.sampling.representatives import Representatives
from noisewright.utility.sampling.surrogate import Surrogate
from noisewright.utility.sampling.tally import Tally

_AT_ONCE = 1 << 17
"""Queries that are weighed at a time."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """The channels of a family for one record, and those of them that queries are drawn from."""

    lattice: Lattice
    laws: Sequence[AxisLaws]
    representatives: Representatives

    @property
    def largest(self) -> float:
        """A bound of all weights of all channels, for one query in all."""
        return float(self.representatives.bound.max())

    def sample_guessed(self, ask: Ask, queries: int, guess: Floats, random: np.random.Generator) -> Tally:
        """The failure probability of all channels from about so many queries.

        ``guess`` is one made before for each channel: weight·(failed − guess) varies less than without it.
        """
        cells = self._draw(queries, random)
        fails = ask.at(self.lattice, cells).astype(np.float64)
        total, squares = self._sums(cells, len(cells), fails, guess)
        return Tally(guess + total, squares, self.representatives.bound / len(cells), len(cells))

    def sample_mapped(self, ask: Ask, queries: int, guess: Surrogate, random: np.random.Generator) -> Tally:
        """The same with a map of where the answer fails: only answers that differ from the map are summed."""
        edges = [cell_edges(self.lattice, at) for at in guess.edges]
        cells = self._draw(queries, random)
        off = ask.at(self.lattice, cells).astype(np.float64) - guess.at(cells, edges)[0]
        telling = np.flatnonzero(off)
        known = guess.expected([law.below(at) for law, at in zip(self.laws, edges, strict=True)])
        total, squares = self._sums(cells[telling], len(cells), off[telling], np.zeros_like(known))
        return Tally(known + total, squares, self.representatives.bound / len(cells), len(cells))

    def _draw(self, queries: int, random: np.random.Generator) -> Cells:
        """Cells to ask, one row a query.

        Query i comes from the representative at (i + random)/n of the shares laid end to end: each gets its
        share to within one query, and exactly so on average.
        """
        chosen = self.representatives
        spots = (np.arange(queries) + random.random(queries)) / queries
        rows = np.searchsorted(np.cumsum(chosen.shares)[:-1], spots, side="right")
        uniforms = random.random((queries, len(self.laws)))
        cells = np.empty(uniforms.shape, dtype=np.int64)
        for row, place in enumerate(chosen.places):
            mine = slice(*np.searchsorted(rows, [row, row + 1]))
            for axis, law in enumerate(self.laws):
                cells[mine, axis] = law.laws[place].draw(uniforms[mine, axis]) + law.offsets[place]
        return cells

    def _sums(self, cells: Cells, drawn: int, found: Floats, guess: Floats) -> tuple[Floats, Floats]:
        """For each channel, the sum of weight·(found − guess) and of its squares."""
        total, squares = np.zeros(guess.size), np.zeros(guess.size)
        for at in range(0, len(cells), _AT_ONCE):
            block = slice(at, at + _AT_ONCE)
            points = SortedCells.of(cells[block])
            density = drawn * self._density(points)
            for place, one in enumerate(guess):
                terms = points.masses(self.laws, place) / density * (found[block] - one)
                total[place] += terms.sum()
                squares[place] += terms @ terms
        return total, squares

    def _density(self, points: SortedCells) -> Floats:
        """Σ v_r q_r at cells."""
        chosen = self.representatives
        density = np.zeros(points.ordered.shape[1])
        for place, share in zip(chosen.places, chosen.shares, strict=True):
            density += share * points.masses(self.laws, int(place))
        return density
