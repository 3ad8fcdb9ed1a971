"""A rough map of where a record's answer fails, from a few queries; it reduces the variance of the others.

No bound depends on the map being right. It is a function g with values 0 and 1 that is constant on
boxes, so a channel's expectation of it is a closed-form sum, and only the difference between the model and
the map has to be sampled:

    P(fail) = E g + E[fail − g].

Where the map is right the difference is 0 and has no variance. One query in each box of a coarse grid starts
it; boxes next to a box with another answer are cut in two along every axis and asked again, while queries
last. Boxes that are next to another answer in the end are marked as unsure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.core.channels import Lattice
from noisewright.utility.sampling.grid import cell_edges, subdivide
from noisewright.utility.sampling.queries import Flags

AskValues = Callable[[Floats], Flags]
"""Function that returns which values, in unit coordinates, lead to another answer."""

Ends = tuple[Cells, Cells]
"""The first and the last edge of boxes on the finest grid, one row per box."""

_MOST_FINE = 1 << 22
"""Largest number of boxes of the finest grid, all of which are in memory."""

_MOST_HALVINGS = 6


@dataclass(frozen=True, eq=False)
class Surrogate:
    """Disjoint boxes that fill the sensitive space, and the value of the map on each.

    ``edges`` are those of the finest grid, one array per axis; a box reaches from ``first`` to ``last`` among
    them, one row per box. ``base`` is the index of the coarse box around it. ``fine_fails`` and
    ``fine_unsure`` say the same for each box of the finest grid, of which ``pieces`` make one part of an axis
    of the coarse grid.
    """

    edges: tuple[Floats, ...]
    first: Cells
    last: Cells
    base: Cells
    fails: Flags
    unsure: Flags
    fine_fails: Flags
    fine_unsure: Flags
    pieces: int

    @property
    def border(self) -> Ends:
        """The first and last edges of the unsure boxes."""
        return self.first[self.unsure], self.last[self.unsure]

    @property
    def doubted_boxes(self) -> Ends:
        """The first and last edges of the coarse boxes that had a neighbour with another answer."""
        counts = np.bincount(self.base)  # such a box was cut, or is unsure
        counts[self.base[self.unsure]] += 1
        shape = [(edges.size - 1) // self.pieces for edges in self.edges]
        places = np.stack(np.unravel_index(np.flatnonzero(counts > 1), shape), axis=1)
        return places * self.pieces, (places + 1) * self.pieces

    def edges_on(self, lattice: Lattice) -> list[Cells]:
        """Return the edges of the finest grid as numbers of cells of a lattice."""
        return [cell_edges(lattice, at) for at in self.edges]

    def at(self, cells: Cells, edges: Sequence[Cells]) -> tuple[Flags, Flags]:
        """Return whether cells fail and whether they are unsure; ``edges`` are the fine ones in cells."""
        places = tuple(np.searchsorted(at, cells[:, axis], side="right") - 1 for axis, at in enumerate(edges))
        return self.fine_fails[places], self.fine_unsure[places]

    def expectation(self, below: Sequence[Floats]) -> Floats:
        """Return E g for channels; ``below`` has P(report below each fine edge) by channel, for each axis."""
        first, last = self.first[self.fails], self.last[self.fails]
        total = np.empty(len(below[0]))
        for row in range(total.size):
            mass = np.ones(len(first))
            for axis, table in enumerate(below):
                mass = mass * (table[row][last[:, axis]] - table[row][first[:, axis]])
            total[row] = mass.sum()
        return total


def draw_map(ask: AskValues, edges: Sequence[Floats], queries: int, random: np.random.Generator) -> Surrogate:
    """Return the map of a record from at most ``queries`` queries, and at least one for each coarse box."""
    shape = tuple(axis.size - 1 for axis in edges)
    labels = np.zeros(shape, dtype=np.bool_)
    active, left = np.ones(shape, dtype=np.bool_), queries
    layers: list[tuple[Flags, Flags, Flags]] = []
    while True:
        finer = [subdivide(axis, 1 << len(layers)) for axis in edges]
        labels[active] = _ask_boxes(ask, finer, np.argwhere(active), random)
        left -= int(active.sum())
        mixed = active & _beside_another(labels)
        children = int(mixed.sum()) << len(edges)
        enough = len(layers) == _MOST_HALVINGS or labels.size << len(edges) > _MOST_FINE
        if enough or not 0 < children <= left:
            layers.append((active, labels, mixed))
            return _join_layers(finer, layers)
        layers.append((active & ~mixed, labels, mixed))
        labels, active = _halve(labels), _halve(mixed)


def _ask_boxes(ask: AskValues, edges: Sequence[Floats], places: Cells, random: np.random.Generator) -> Flags:
    """Ask at one random point of each box."""
    points = np.empty(places.shape)
    for axis, at in enumerate(edges):
        low, high = at[places[:, axis]], at[places[:, axis] + 1]
        points[:, axis] = low + (high - low) * random.random(len(places))
    return ask(points)


def _beside_another(labels: Flags) -> Flags:
    """Return boxes that touch, at least in a corner, a box with another answer."""
    some, every = labels, labels
    for axis in range(labels.ndim):
        some, every = _spread(some, axis, np.logical_or), _spread(every, axis, np.logical_and)
    return np.asarray(some != every)


def _spread(labels: Flags, axis: int, join: np.ufunc) -> Flags:
    """Return each flag joined with its two neighbours along an axis."""
    lines = np.moveaxis(labels, axis, 0)
    joined = lines.copy()
    join(joined[1:], lines[:-1], out=joined[1:])
    join(joined[:-1], lines[1:], out=joined[:-1])
    return np.moveaxis(joined, 0, axis)


def _halve(flags: Flags) -> Flags:
    for axis in range(flags.ndim):
        flags = np.repeat(flags, 2, axis=axis)
    return flags


def _join_layers(edges: Sequence[Floats], layers: Sequence[tuple[Flags, Flags, Flags]]) -> Surrogate:
    """Return the map whose boxes are the kept ones of each layer, from coarse to fine."""
    finest, shape = len(layers) - 1, layers[0][0].shape
    parts: list[tuple[Cells, Cells, Cells, Flags, Flags]] = []
    for level, (kept, labels, mixed) in enumerate(layers):
        places = np.argwhere(kept)
        base = np.ravel_multi_index(tuple((places >> level).T), shape)
        parts.append(
            (places << (finest - level), (places + 1) << (finest - level), base, labels[kept], mixed[kept])
        )
    first, last, base, fails, unsure = (np.concatenate(column) for column in zip(*parts, strict=True))
    _, labels, mixed = layers[-1]
    return Surrogate(tuple(edges), first, last, base, fails, unsure, labels, mixed, 1 << finest)
