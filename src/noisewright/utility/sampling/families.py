"""Families of channels that can share queries: those whose reports lie on the same points.

For a black box, an answer at one point proves nothing about the next. So queries are shared by channels whose
lattices have the same pitch and are shifted by whole cells: window mechanisms and noise on the domain's own
lattice, or mechanisms on a grid of few points. A channel whose lattice depends on ε (PM, SW, T-PM, T-SW) is a
separate family.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.core.channels import CellLaw, Channel, Lattice

_SAME = 1e-4
"""Part of a cell: lattices that agree to this over their whole length differ only by rounding."""


@dataclass(frozen=True, eq=False)
class Family:
    """Channels on one lattice: their indices in the curve, and the first cell of each."""

    lattice: Lattice
    members: Cells
    offsets: Cells

    def __len__(self) -> int:
        return self.members.size


def find_families(channels: Sequence[Channel]) -> list[Family]:
    """Return all channels, sorted into families.

    >>> from noisewright.utility.core.curve import make_curve
    >>> curve = make_curve(["OGPM", "Laplace", "Exponential", "PM"], [1.0, 2.0])
    >>> [family.members.tolist() for family in find_families(curve.flat())]
    [[0, 1, 2, 3], [4, 5], [6], [7]]
    """
    groups: dict[int, list[int]] = {}
    for place, channel in enumerate(channels):
        aligned = (first for first in groups if are_aligned(channels[first].lattice, channel.lattice))
        groups.setdefault(next(aligned, place), []).append(place)
    return [_family(channels, group) for group in groups.values()]


def are_aligned(left: Lattice, right: Lattice) -> bool:
    """Return whether the cells of two lattices coincide."""
    shift = (right.start - left.start) / left.pitch
    stretch = abs(right.pitch / left.pitch - 1) * max(left.cells, right.cells)
    return stretch < _SAME and abs(shift - round(shift)) < _SAME


def _family(channels: Sequence[Channel], members: list[int]) -> Family:
    lattices = [channels[member].lattice for member in members]
    first = min(lattices, key=lambda lattice: lattice.start)
    offsets = [round((lattice.start - first.start) / first.pitch) for lattice in lattices]
    cells = max(offset + lattice.cells for offset, lattice in zip(offsets, lattices, strict=True))
    return Family(Lattice(first.start, first.pitch, cells), np.array(members), np.array(offsets))


@dataclass(frozen=True, eq=False)
class AxisLaws:
    """One law per channel; outside its own cells a law is 0."""

    laws: tuple[CellLaw, ...]
    offsets: Cells

    @cached_property
    def knots(self) -> list[Cells]:
        """The cells of the family at which each law changes."""
        return [law.knots + offset for law, offset in zip(self.laws, self.offsets, strict=True)]

    @cached_property
    def heights(self) -> list[Floats]:
        """The mass of a cell before the first knot, between knots, and after the last."""
        rises = [np.diff(law.cumulative) / np.diff(law.knots) for law in self.laws]
        return [np.concatenate([[0.0], np.maximum(rise, 0.0), [0.0]]) for rise in rises]

    def below(self, edges: Cells) -> Floats:
        """Return P(report cell < edge), one row per channel."""
        return np.stack(
            [np.interp(edges, at, law.cumulative) for at, law in zip(self.knots, self.laws, strict=True)]
        )

    def sorted_masses(self, place: int, cells: Cells) -> Floats:
        """Return the probabilities of ascending cells under one channel, by a search for its few knots."""
        ends = np.searchsorted(cells, self.knots[place], side="left")
        return np.repeat(self.heights[place], np.diff(ends, prepend=0, append=cells.size))

    def highest(self, edges: Cells) -> Floats:
        """Return the largest mass of a cell between neighbouring edges, one row per channel."""
        return np.where(np.diff(edges) > 0, self._extremes(edges, np.maximum), 0.0)

    def lowest(self, edges: Cells) -> Floats:
        """Return the smallest mass of a cell between neighbouring edges, one row per channel."""
        return self._extremes(edges, np.minimum)

    def _extremes(self, edges: Cells, better: np.ufunc) -> Floats:
        rows = []
        for at, height in zip(self.knots, self.heights, strict=True):
            first = np.searchsorted(at, edges[:-1], side="right")
            last = np.searchsorted(at, np.maximum(edges[1:] - 1, edges[:-1]), side="right")
            pairs = np.stack([first, last + 1], axis=1).reshape(-1)
            rows.append(better.reduceat(np.append(height, height[-1]), pairs)[::2])
        return np.stack(rows)


def axis_laws(channels: Sequence[Channel], family: Family, units: Floats) -> list[AxisLaws]:
    """Return the laws of a record's sensitive values, one for each axis."""
    members = [channels[member] for member in family.members]
    return [AxisLaws(tuple(channel.law(float(u)) for channel in members), family.offsets) for u in units]


def draw_cells(laws: Sequence[AxisLaws], places: Iterable[int], counts: Cells, uniforms: Floats) -> Cells:
    """Return the cells that numbers from [0, 1) lead to: ``counts`` rows under each channel in turn."""
    cells = np.empty(uniforms.shape, dtype=np.int64)
    ends = np.cumsum(counts)
    for place, begin, end in zip(places, ends - counts, ends, strict=True):
        for axis, law in enumerate(laws):
            cells[begin:end, axis] = law.laws[place].draw(uniforms[begin:end, axis]) + law.offsets[place]
    return cells


@dataclass(frozen=True, eq=False)
class SortedCells:
    """Cells of several axes, one row per point, sorted along each axis, with the permutation back."""

    ordered: Cells
    ranks: Cells

    @classmethod
    def of(cls, cells: Cells) -> SortedCells:
        """Sort the cells along each axis."""
        order = np.argsort(cells, axis=0, kind="stable")
        ranks = np.argsort(order, axis=0, kind="stable")
        return cls(np.take_along_axis(cells, order, axis=0).T.copy(), ranks.T.copy())

    def masses(self, laws: Sequence[AxisLaws], place: int) -> Floats:
        """Return the probability of each point under one channel."""
        result = np.ones(self.ordered.shape[1])
        for law, cells, rank in zip(laws, self.ordered, self.ranks, strict=True):
            result *= law.sorted_masses(place, cells)[rank]
        return result
