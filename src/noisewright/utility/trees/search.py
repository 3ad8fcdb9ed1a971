"""The boxes where a record's answer is stable: branch and bound over the sensitive space.

A block of the space is decided at once if the bounds of its leaves agree. A small grid is labelled cell by
cell, and its labels are merged into few boxes: equal cells of a row form a run, equal runs of neighbouring
rows a box. Everything else is cut in two, the block with the largest weight first. With one or two sensitive
features the whole space is usually one small grid.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from math import prod

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.mechanisms.basics.compiled import compiled
from noisewright.utility.trees.ensemble import Indices
from noisewright.utility.trees.grid import Block, Contest, Labels, label_cells, narrow
from noisewright.utility.trees.restriction import KERNELS
from noisewright.utility.trees.scores import STABLE, UNDECIDED


@dataclass(frozen=True, eq=False)
class LabelledBoxes:
    """Disjoint boxes between edges, each with the verdict that holds on all of it."""

    low: Indices
    high: Indices
    label: Labels

    def __len__(self) -> int:
        return self.label.size

    @classmethod
    def join(cls, parts: list[LabelledBoxes], axes: int) -> LabelledBoxes:
        """Return all boxes of several parts; there may be none."""
        nothing = np.empty((0, axes), dtype=np.int32)
        return cls(
            np.concatenate([nothing, *(part.low for part in parts)]),
            np.concatenate([nothing, *(part.high for part in parts)]),
            np.concatenate([np.empty(0, dtype=np.int8), *(part.label for part in parts)]),
        )


def merge_cells(labels: Labels, lines: list[Indices]) -> LabelledBoxes:
    """Return the boxes of cells that are not unstable, given the edges of the cells on every axis."""
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
    """Return first column, one past the last, and label of each run that is not 0."""
    ends = np.concatenate([[0], np.flatnonzero(np.diff(row)) + 1, [row.size]])
    pairs = zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    return [(first, last, int(row[first])) for first, last in pairs if row[first] > 0]


@dataclass(frozen=True)
class Effort:
    """Limits on the work for one record.

    The space that is left when the boxes are used up is undecided: the interval gets wider, never wrong.

    Args:
        boxes: Total number of boxes.
        cells: Cells of a grid that is labelled at once, with three sensitive features or more.
        flat_cells: The same with one or two features, where the whole space is faster than its parts.
    """

    boxes: int = 4_000_000
    cells: int = 1 << 17
    flat_cells: int = 1 << 20

    def at_once(self, axes: int) -> int:
        """Return how many cells of a grid are labelled at once."""
        return self.flat_cells if axes <= 2 else self.cells


@dataclass(frozen=True, eq=False)
class _Open:
    """A block that is still to be processed, with the members and fixed total of its parent."""

    low: Indices
    high: Indices
    members: Indices
    fixed: Cells


def label_space(contest: Contest, weights: Sequence[Floats], effort: Effort) -> LabelledBoxes:
    """Return the stable and the undecided boxes of a record.

    Args:
        contest: The question about the record.
        weights: For every axis, the mass below each edge, from 0 to 1; heavy blocks come first.
        effort: Limits on the work.
    """
    axes, last = len(weights), np.array([rise.size - 1 for rise in weights], dtype=np.int32)
    everything = np.arange(len(contest.leaves), dtype=np.int32)
    queue: list[tuple[float, int, _Open]] = []
    number = count()
    found: list[LabelledBoxes] = []
    used = 0

    def push(low: Indices, high: Indices, members: Indices, fixed: Cells) -> None:
        weight = prod(float(rise[high[a]] - rise[low[a]]) for a, rise in enumerate(weights))
        heapq.heappush(queue, (-weight, next(number), _Open(low, high, members, fixed)))

    push(np.zeros(axes, dtype=np.int32), last, everything, contest.head_start)
    while queue and used < effort.boxes:
        here = heapq.heappop(queue)[-1]
        block = narrow(contest, here.members, here.fixed, here.low, here.high)
        parts, pieces = _settle(contest, block, effort.at_once(axes))
        found += parts
        used += 1 + sum(map(len, parts))
        for low, high in pieces:
            push(low, high, block.members, block.fixed)
    found += [_whole(left.low, left.high, UNDECIDED) for *_, left in queue]
    return LabelledBoxes.join(found, axes)


def _settle(
    contest: Contest, block: Block, most_cells: int
) -> tuple[list[LabelledBoxes], list[tuple[Indices, Indices]]]:
    """Return the decided boxes of a block, and the parts that are still to be processed."""
    verdict = block.verdict(contest.scores)
    if verdict != UNDECIDED:
        return [_whole(block.low, block.high, verdict)] if verdict == STABLE else [], []
    lines = block.lines(contest)
    if prod(line.size - 1 for line in lines) <= most_cells:
        return [merge_cells(label_cells(contest, block, lines), lines)], []
    return [], _halves(block, lines)


def _halves(block: Block, lines: list[Indices]) -> list[tuple[Indices, Indices]]:
    """Return a block cut at the middle line of the axis with the most lines."""
    axis = int(np.argmax([line.size for line in lines]))
    middle = lines[axis][lines[axis].size // 2]
    high, low = block.high.copy(), block.low.copy()
    high[axis] = low[axis] = middle
    return [(block.low, high), (low, block.high)]


def _whole(low: Indices, high: Indices, label: int) -> LabelledBoxes:
    return LabelledBoxes(low[None], high[None], np.array([label], dtype=np.int8))
