"""Labels of a grid as few boxes: equal cells of a row are a run, equal runs of neighbouring rows a box."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.mechanisms.compiled import compiled
from noisewright.utility.exact.collapse import KERNELS
from noisewright.utility.exact.ensembles import Indices
from noisewright.utility.exact.grid_blocks import Labels


@dataclass(frozen=True, eq=False)
class LabelledBoxes:
    """Disjoint boxes between edges, each with the verdict that holds on all of it."""

    low: Indices
    high: Indices
    label: Labels

    def __len__(self) -> int:
        return self.label.size

    @classmethod
    def joined(cls, parts: list[LabelledBoxes], axes: int) -> LabelledBoxes:
        """All boxes of several parts; there may be none."""
        nothing = np.empty((0, axes), dtype=np.int32)
        return cls(
            np.concatenate([nothing, *(part.low for part in parts)]),
            np.concatenate([nothing, *(part.high for part in parts)]),
            np.concatenate([np.empty(0, dtype=np.int8), *(part.label for part in parts)]),
        )


def merged(labels: Labels, lines: list[Indices]) -> LabelledBoxes:
    """The boxes of the cells that are not unstable, given the edges between the cells of every axis."""
    *outer, rows, columns = (1, 1, *labels.shape)
    slabs = labels.reshape(-1, rows, columns)
    loops = compiled(KERNELS)
    found = loops.runs(slabs) if loops is not None else _plain_runs(slabs)
    first = [*np.unravel_index(found[:, 0], tuple(outer)), found[:, 1], found[:, 3]][-labels.ndim :]
    last = [*(at + 1 for at in first[:-2]), found[:, 2], found[:, 4]][-labels.ndim :]
    low, high = (
        np.stack([line[at] for line, at in zip(lines, ends, strict=True)], axis=1) for ends in (first, last)
    )
    return LabelledBoxes(low, high, found[:, 5].astype(np.int8))


def _plain_runs(labels: Labels) -> Indices:
    found = []
    for slab, rows in enumerate(labels):
        held: dict[tuple[int, int, int], int] = {}
        for at in range(len(rows) + 1):
            new = _runs_of_row(rows[at]) if at < len(rows) else []
            gone = [run for run in held if run not in set(new)]
            found += [(slab, held[run], at, *run) for run in gone]
            held = {run: held.get(run, at) for run in new}
    return np.array(found, dtype=np.int32).reshape(-1, 6)


def _runs_of_row(row: Labels) -> list[tuple[int, int, int]]:
    """First column, one past the last, and label of each run that is not 0."""
    ends = np.concatenate([[0], np.flatnonzero(np.diff(row)) + 1, [row.size]])
    pairs = zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    return [(first, last, int(row[first])) for first, last in pairs if row[first] > 0]
