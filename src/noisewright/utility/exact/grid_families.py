"""The channels of a curve sorted by the form of their cumulative, as arrays that compiled loops can read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.utility.channels import Channel, Lattice
from noisewright.utility.shapes import NoiseShape, TableShape, WindowShape


@dataclass(frozen=True, eq=False)
class Family:
    """Channels of one form: the loop that serves them, and its arguments before and after the record's own.

    ``place`` is what a record adds for every channel, (channels, records, axes): where its window begins, how
    far its noise is shifted, where its row of the table starts.
    """

    loop: str
    columns: Cells
    lattice: Cells
    before: tuple[NDArray[Any], ...]
    place: Cells
    after: tuple[NDArray[Any], ...]


@dataclass(frozen=True, eq=False)
class Families:
    """All channels that have a loop, and the columns of those that have none."""

    families: tuple[Family, ...]
    others: list[int]

    @classmethod
    def of(cls, channels: Sequence[Channel], lattices: Sequence[Lattice], units: Floats) -> Families:
        """Sort channels, and find what the records of given true values add."""
        makers: list[tuple[type, Callable[..., Family]]] = [
            (WindowShape, _windows),
            (TableShape, _tables),
            (NoiseShape, _noises),
        ]
        number = {lattice: at for at, lattice in enumerate(lattices)}
        families, others = [], set(range(len(channels)))
        for kind, make in makers:
            columns = [at for at, channel in enumerate(channels) if isinstance(channel.shape, kind)]
            if columns:
                chosen = [channels[at] for at in columns]
                lattice = np.array([number[channel.lattice] for channel in chosen])
                families.append(make(chosen, np.array(columns), lattice, units))
                others -= set(columns)
        return cls(tuple(families), sorted(others))

    def fill(self, loops: ModuleType, values: Floats, counts: Cells, record: int, axis: int) -> list[int]:
        """Put the cumulatives of one record into ``values``; returns the columns that are still empty."""
        for one in self.families:
            place = np.ascontiguousarray(one.place[:, record, axis])
            getattr(loops, one.loop)(values, one.columns, counts, one.lattice, *one.before, place, *one.after)
        return self.others


def _windows(channels: list[Channel], columns: Cells, lattice: Cells, units: Floats) -> Family:
    windows = [channel.shape.window for channel in channels]  # type: ignore[attr-defined]
    place = [w.begin(c.inputs(units)) for w, c in zip(windows, channels, strict=True)]
    width = np.array([w.width for w in windows])
    anywhere = np.array([w.anywhere / w.cells for w in windows])
    inside = np.array([(1 - w.anywhere) / w.width for w in windows])
    return Family("fill_windows", columns, lattice, (), np.array(place), (width, anywhere, inside))


def _tables(channels: list[Channel], columns: Cells, lattice: Cells, units: Floats) -> Family:
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
    return Family("fill_tables", columns, lattice, (rises,), np.array(place), ())


def _noises(channels: list[Channel], columns: Cells, lattice: Cells, units: Floats) -> Family:
    shapes: list[NoiseShape] = [channel.shape for channel in channels]  # type: ignore[misc]
    place = [channel.inputs(units) + shape.margin for channel, shape in zip(channels, shapes, strict=True)]
    cells = np.array([shape.cells for shape in shapes])
    offsets = np.concatenate([shape.offsets for shape in shapes])
    cumulative = np.concatenate([shape.cumulative for shape in shapes])
    starts = np.cumsum([0, *(shape.offsets.size for shape in shapes)])
    return Family("fill_noises", columns, lattice, (cells,), np.array(place), (offsets, cumulative, starts))
