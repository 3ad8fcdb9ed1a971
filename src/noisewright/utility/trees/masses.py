"""The probability of boxes between edges, for every channel of a curve and many records.

Edges are shared by all records, so the report cells at or below each edge are counted once for every lattice.
A record then needs the cumulative of each channel at the edges that its boxes use. Channels are sorted by the
form of their cumulative, as arrays that compiled loops can read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats, Interval
from noisewright.mechanisms.basics.compiled import compiled
from noisewright.utility.core.channels import Channel, Lattice
from noisewright.utility.core.curve import Curve
from noisewright.utility.core.shapes import NoiseShape, TableShape, WindowShape
from noisewright.utility.trees.ensemble import Indices


@dataclass(frozen=True, eq=False)
class Form:
    """Channels of one form: their loop, and its arguments.

    ``place`` is the argument of each record for every channel, (channels, records, axes): the start of its
    window, the shift of its noise, or the start of its row of the table. ``others`` are the same for all
    records.
    """

    loop: str
    columns: Cells
    lattice: Cells
    place: Cells
    others: tuple[NDArray[Any], ...]


@dataclass(frozen=True, eq=False)
class Forms:
    """All channels with a loop, and the columns of those without one."""

    forms: tuple[Form, ...]
    others: list[int]

    @classmethod
    def of(cls, channels: Sequence[Channel], lattices: Sequence[Lattice], units: Floats) -> Forms:
        """Sort channels by form, and compute the arguments of records with given true values."""
        makers: list[tuple[type, Callable[..., Form]]] = [
            (WindowShape, _windows),
            (TableShape, _tables),
            (NoiseShape, _noises),
        ]
        number = {lattice: at for at, lattice in enumerate(lattices)}
        forms, others = [], set(range(len(channels)))
        for kind, make in makers:
            columns = [at for at, channel in enumerate(channels) if isinstance(channel.shape, kind)]
            if columns:
                chosen = [channels[at] for at in columns]
                lattice = np.array([number[channel.lattice] for channel in chosen])
                forms.append(make(chosen, np.array(columns), lattice, units))
                others -= set(columns)
        return cls(tuple(forms), sorted(others))

    def fill(self, loops: ModuleType, values: Floats, counts: Cells, record: int, axis: int) -> list[int]:
        """Put the cumulatives of one record into ``values``; return the columns that are still empty."""
        for one in self.forms:
            place = np.ascontiguousarray(one.place[:, record, axis])
            getattr(loops, one.loop)(values, one.columns, counts, one.lattice, place, *one.others)
        return self.others


def _windows(channels: list[Channel], columns: Cells, lattice: Cells, units: Floats) -> Form:
    windows = [channel.shape.window for channel in channels]  # type: ignore[attr-defined]
    place = [w.begin(c.inputs(units)) for w, c in zip(windows, channels, strict=True)]
    width = np.array([w.width for w in windows])
    anywhere = np.array([w.anywhere / w.cells for w in windows])
    inside = np.array([(1 - w.anywhere) / w.width for w in windows])
    return Form("fill_windows", columns, lattice, np.array(place), (width, anywhere, inside))


def _tables(channels: list[Channel], columns: Cells, lattice: Cells, units: Floats) -> Form:
    shapes: list[TableShape] = [channel.shape for channel in channels]  # type: ignore[misc]
    rows = [shape.rows(channel.inputs(units)) for channel, shape in zip(channels, shapes, strict=True)]
    used = [np.unique(one, return_inverse=True) for one in rows]
    blocks = [shape.rises(one) for shape, (one, _) in zip(shapes, used, strict=True)]
    first = np.cumsum([0, *(block.size for block in blocks)])
    place = [
        start + which * (shape.points + 1)
        for start, (_, which), shape in zip(first, used, shapes, strict=False)
    ]
    rises = np.concatenate([block.reshape(-1) for block in blocks])
    return Form("fill_tables", columns, lattice, np.array(place), (rises,))


def _noises(channels: list[Channel], columns: Cells, lattice: Cells, units: Floats) -> Form:
    shapes: list[NoiseShape] = [channel.shape for channel in channels]  # type: ignore[misc]
    place = [channel.inputs(units) + shape.margin for channel, shape in zip(channels, shapes, strict=True)]
    cells = np.array([shape.cells for shape in shapes])
    offsets = np.concatenate([shape.offsets for shape in shapes])
    cumulative = np.concatenate([shape.cumulative for shape in shapes])
    starts = np.cumsum([0, *(shape.offsets.size for shape in shapes)])
    return Form("fill_noises", columns, lattice, np.array(place), (cells, offsets, cumulative, starts))


KERNELS = "noisewright.utility.trees.box_kernels"

_AT_ONCE = 1 << 22
"""Number of box-by-channel pairs that the plain form has in memory."""

_CHOSEN = 12
"""Number of channels whose average represents a whole curve."""


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
        """For every axis, the number of report cells at or below each edge: (lattices, edges)."""
        return [
            np.stack([lattice.count_values(known, domain) for lattice in self._lattices])
            for known, domain in zip(self.edges, self.domains, strict=True)
        ]

    @cached_property
    def _forms(self) -> Forms:
        return Forms.of(self._channels, self._lattices, self.units)

    def at(self, record: int, axis: int, used: Cells) -> Floats:
        """Return P(report ≤ edge) of one record on one axis: (used edges, channels)."""
        counts = np.ascontiguousarray(self._counts[axis][:, used])
        loops = compiled(KERNELS)
        if loops is None:
            return self._plain(record, axis, counts, range(len(self._channels)))
        values = np.empty((used.size, len(self._channels)))
        others = self._forms.fill(loops, values, counts, record, axis)
        values[:, others] = self._plain(record, axis, counts, others)
        return values

    def weights(self, record: int) -> list[Floats]:
        """Return the mass below the edges of each axis, averaged over a few channels of the curve."""
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
        """Return the probability of each kind of boxes, as (kinds, mechanisms, ε)."""
        if not len(low):
            return np.zeros((kinds, *self.curve.shape))
        rows_low, rows_high = np.empty(low.shape, np.int64), np.empty(high.shape, np.int64)
        parts, start = [], 0
        for axis, known in enumerate(self.edges):
            used, first, last = _used_edges(low[:, axis], high[:, axis], known.size)
            rows_low[:, axis], rows_high[:, axis] = start + first, start + last
            parts.append(self.at(record, axis, used))
            start += used.size
        sums = np.zeros((kinds, len(self._channels)))
        loops = compiled(KERNELS)
        add = loops.box_sums if loops is not None else _plain_sums
        add(rows_low, rows_high, kind.astype(np.int64), np.concatenate(parts), sums)
        return np.asarray(sums.reshape(kinds, *self.curve.shape))


def _used_edges(low: Indices, high: Indices, edges: int) -> tuple[Cells, Cells, Cells]:
    """Return the edges that boxes use, and the boxes in indices of these edges."""
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
