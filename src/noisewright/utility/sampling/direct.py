"""Queries drawn from each channel separately: for images, and wherever shared queries are worse.

With more than twenty features the laws of two channels hardly overlap, and a query drawn from one says
nothing about the other. So every channel gets its own sample and the exact binomial interval. All channels
use the same random numbers: curves over ε are smooth, and a union of intervals needs no independence.

With one to three features there is also a map of the record (``surrogate.py``). Then the channels' samples
also form one weighted sum over the answers that differ from the map, as in ``mixture.py`` with every channel
a representative. Of each channel n_r draws are plain; where the map shows failures and its border is
thin, k_r more come from the part of the channel's law p_r on that border, of mass u_r. A draw z weighs

    p(z) / Σ_r (n_r + k_r·[z on the border]/u_r)·p_r(z)        for channel p.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.utility.core.channels import Channel
from noisewright.utility.sampling.families import AxisLaws, Family, SortedCells, draw_cells
from noisewright.utility.sampling.mixture import every_channel
from noisewright.utility.sampling.queries import Ask, Flags
from noisewright.utility.sampling.surrogate import Surrogate
from noisewright.utility.sampling.tally import MappedSample, PlainSample, plain_sample

_NUMBERS_AT_ONCE = 1 << 23
"""Number of random numbers in memory at a time."""

_MANY = 100
_THIN = 0.25
_BORDER_SHARE = 8
"""A channel with many failures and little mass on the map's border uses 1/8 of its draws there."""

_DOUBTED = 0.2
"""If more of a channel than this lies in boxes next to another answer, the map counts as blind."""


def sample_directly(
    ask: Ask, channels: Sequence[Channel], units: Floats, queries: int, random: np.random.Generator
) -> PlainSample:
    """Return the failure probability of each channel from equal shares of ``queries``."""
    each = queries // len(channels)
    if each < 1:
        raise InvalidParameter(
            f"{queries} queries for a record are too few for {len(channels)} pairs of a mechanism"
            " and an epsilon that are sampled one by one; allow more queries, or name fewer of them"
        )
    laws = [[channel.law(float(unit)) for unit in units] for channel in channels]
    step = max(1, _NUMBERS_AT_ONCE // units.size)
    blocks = []
    for at in range(0, each, step):
        uniforms, fails = random.random((min(step, each - at), units.size)), []
        for one in laws:
            cells = np.stack([law.draw(uniforms[:, axis]) for axis, law in enumerate(one)], axis=1)
            fails.append(ask.at(one[0].lattice, cells))
        blocks.append(np.stack(fails))
    return plain_sample(np.concatenate(blocks, axis=1))


@dataclass(frozen=True, eq=False)
class MappedDraws:
    """The channels of a family for one record, with a map."""

    family: Family
    laws: Sequence[AxisLaws]
    chart: Surrogate

    @property
    def blind(self) -> bool:
        """Whether too many neighbours on the first grid disagree, so that the map is likely to be wrong."""
        return bool((self._masses(*self.chart.doubted_boxes).sum(axis=1) > _DOUBTED).any())

    def sample(self, ask: Ask, queries: int, random: np.random.Generator) -> MappedSample:
        """Return the failure probability of each channel from equal shares of about ``queries`` queries."""
        plain, border = self._counts(queries)
        rows = np.repeat(np.arange(plain.size), plain)
        uniforms = random.random((rows.size, len(self.laws)))
        cells = np.concatenate(
            [draw_cells(self.laws, range(plain.size), plain, uniforms), self._on_border(border, random)]
        )
        fails = ask.at(self.family.lattice, cells)
        mapped, unsure = self.chart.at(cells, self._edges)
        telling = np.flatnonzero(fails != mapped)
        found = np.where(fails[telling], 1.0, -1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            more = np.where(border > 0, border / self._border_mass, 0.0)
        total, squares = self._sums(cells[telling], unsure[telling], found, plain, more)
        failed = np.bincount(rows[fails[: rows.size]], minlength=plain.size)
        largest = self._bound / (plain.size * plain.min())
        return MappedSample(self._known + total, squares, largest, len(cells), failed, plain)

    def _counts(self, queries: int) -> tuple[Cells, Cells]:
        """Return how many plain draws each channel gets, and how many on the border of the map.

        A channel uses draws for the border only if many fail, so that a binomial interval loses little, and
        if the border is thin enough for them to help.
        """
        each = np.full(len(self.family), queries // len(self.family))
        many = each * np.minimum(self._known, 1 - self._known) >= _MANY
        thin = (self._border_mass > 0) & (self._border_mass < _THIN)
        border = np.where(many & thin, each // _BORDER_SHARE, 0)
        return each - border, border

    def _on_border(self, counts: Cells, random: np.random.Generator) -> Cells:
        """Draw from each law restricted to the border: a box by its mass, then a cell of it on each axis."""
        first, last = self.chart.border
        uniforms = random.random((int(counts.sum()), len(self.laws)))
        low, high = np.zeros_like(uniforms), np.zeros_like(uniforms)
        ends = np.zeros((2, *uniforms.shape), dtype=np.int64)
        for row, begin, count in zip(range(counts.size), np.cumsum(counts) - counts, counts, strict=True):
            if not count:
                continue
            mine, masses = slice(begin, begin + count), self._border[row]
            box = random.choice(masses.size, count, p=masses / masses.sum())
            for axis, below in enumerate(self._below):
                low[mine, axis], high[mine, axis] = below[row][first[box, axis]], below[row][last[box, axis]]
                ends[0][mine, axis], ends[1][mine, axis] = (
                    self._edges[axis][end[box, axis]] for end in (first, last)
                )
        cells = draw_cells(self.laws, range(counts.size), counts, low + uniforms * (high - low))
        return np.clip(cells, ends[0], ends[1] - 1)

    def _sums(
        self, cells: Cells, unsure: Flags, found: Floats, plain: Cells, more: Floats
    ) -> tuple[Floats, Floats]:
        """Return for each channel the sum of weight·found and of its squares."""
        points = SortedCells.of(cells)
        density = np.zeros(len(cells))
        for row, (count, extra) in enumerate(zip(plain, more, strict=True)):
            density += (count + extra * unsure) * points.masses(self.laws, row)
        terms = (points.masses(self.laws, row) / density * found for row in range(plain.size))
        pairs = [(float(one.sum()), float(one @ one)) for one in terms]
        return np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])

    @cached_property
    def _bound(self) -> Floats:
        """For each channel, a bound on its weights times the number of draws, with equal draws."""
        return every_channel(self.family, self.laws).bound

    @cached_property
    def _edges(self) -> list[Cells]:
        return self.chart.edges_on(self.family.lattice)

    @cached_property
    def _below(self) -> list[Floats]:
        return [law.below(at) for law, at in zip(self.laws, self._edges, strict=True)]

    @cached_property
    def _known(self) -> Floats:
        """The expectation of the map under each channel."""
        return self.chart.expectation(self._below)

    def _masses(self, first: Cells, last: Cells) -> Floats:
        """Return the mass of boxes on the map's finest grid, one row per channel."""
        sides = [below[:, last[:, axis]] - below[:, first[:, axis]] for axis, below in enumerate(self._below)]
        return np.asarray(np.maximum(np.prod(sides, axis=0), 0.0))

    @cached_property
    def _border_mass(self) -> Floats:
        return np.asarray(self._border.sum(axis=1))

    @cached_property
    def _border(self) -> Floats:
        """The mass of each unsure box, one row per channel."""
        return self._masses(*self.chart.border)
