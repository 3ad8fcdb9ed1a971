"""The probability of boxes between edges, for every channel of a curve and many records.

Edges are shared by all records, so how many report cells lie at or below each is counted once for every
lattice. A record then needs the cumulative of each channel at the edges that its boxes use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats, Interval
from noisewright.mechanisms.compiled import compiled
from noisewright.utility.channels import Channel, Lattice
from noisewright.utility.curve import Curve
from noisewright.utility.exact.ensembles import Indices
from noisewright.utility.exact.grid_families import Families

KERNELS = "noisewright.utility.box_kernels"

_AT_ONCE = 1 << 22
"""Box-by-channel pairs that the plain form holds at a time."""

_CHOSEN = 12
"""Channels whose average stands for a whole curve."""


@dataclass(frozen=True, eq=False)
class EdgeLaws:
    """Cumulatives of a curve at the edges of every axis, for records whose true values are ``units``.

    Edges are in the units of the features, whose intervals are ``domains``.
    """

    curve: Curve
    edges: tuple[Floats, ...]
    units: Floats
    domains: tuple[Interval, ...]

    @cached_property
    def _channels(self) -> list[Channel]:
        return self.curve.flat()

    @cached_property
    def _lattices(self) -> list[Lattice]:
        return list(dict.fromkeys(channel.lattice for channel in self._channels))

    @cached_property
    def _counts(self) -> list[Cells]:
        """For every axis, report cells at or below each edge: (lattices, edges)."""
        return [
            np.stack([lattice.count_values(known, domain) for lattice in self._lattices])
            for known, domain in zip(self.edges, self.domains, strict=True)
        ]

    @cached_property
    def _families(self) -> Families:
        return Families.of(self._channels, self._lattices, self.units)

    def at(self, record: int, axis: int, used: Cells) -> Floats:
        """P(report ≤ edge) of one record on one axis: (used edges, channels)."""
        counts = np.ascontiguousarray(self._counts[axis][:, used])
        loops = compiled(KERNELS)
        if loops is None:
            return self._plain(record, axis, counts, range(len(self._channels)))
        values = np.empty((used.size, len(self._channels)))
        others = self._families.fill(loops, values, counts, record, axis)
        values[:, others] = self._plain(record, axis, counts, others)
        return values

    def weights(self, record: int) -> list[Floats]:
        """How much lies below the edges of each axis, averaged over a few channels of the curve."""
        chosen = range(0, len(self._channels), -(-len(self._channels) // _CHOSEN))
        return [
            self._plain(record, axis, self._counts[axis], chosen).mean(axis=1)
            for axis in range(len(self.edges))
        ]

    def _plain(self, record: int, axis: int, counts: Cells, columns: Sequence[int]) -> Floats:
        place = {lattice: at for at, lattice in enumerate(self._lattices)}
        values = np.empty((counts.shape[1], len(columns)))
        for at, column in enumerate(columns):
            channel = self._channels[column]
            values[:, at] = channel.below(self.units[record, axis], counts[place[channel.lattice]])
        return values

    def masses(self, record: int, low: Indices, high: Indices, kind: NDArray[np.int8], kinds: int) -> Floats:
        """The probability of each kind of boxes, as (kinds, mechanisms, ε)."""
        if not len(low):
            return np.zeros((kinds, *self.curve.shape))
        rows_low, rows_high = np.empty(low.shape, np.int64), np.empty(high.shape, np.int64)
        parts, start = [], 0
        for axis, known in enumerate(self.edges):
            used, first, last = _used(low[:, axis], high[:, axis], known.size)
            rows_low[:, axis], rows_high[:, axis] = start + first, start + last
            parts.append(self.at(record, axis, used))
            start += used.size
        sums = np.zeros((kinds, len(self._channels)))
        loops = compiled(KERNELS)
        add = loops.box_sums if loops is not None else _plain_sums
        add(rows_low, rows_high, kind.astype(np.int64), np.concatenate(parts), sums)
        return np.asarray(sums.reshape(kinds, *self.curve.shape))


def _used(low: Indices, high: Indices, edges: int) -> tuple[Cells, Cells, Cells]:
    """The edges that boxes use, and the boxes with edges counted among these."""
    loops = compiled(KERNELS)
    if loops is not None:
        used, first, last = loops.used_edges(low, high, edges)
        return used, first, last
    used, place = np.unique(np.concatenate([low, high]), return_inverse=True)
    return used.astype(np.int64), place[: low.size], place[low.size :]


def _plain_sums(low: Cells, high: Cells, kind: Cells, values: Floats, sums: Floats) -> None:
    step = max(_AT_ONCE // values.shape[1], 1)
    for start in range(0, len(low), step):
        piece = slice(start, start + step)
        share = np.prod(values[high[piece]] - values[low[piece]], axis=1)
        np.add.at(sums, kind[piece], share)
