"""Where a record's answer is stable, found from coarse to fine.

A block of the sensitive space is settled at once if the bounds of its leaves agree; a small grid of cells is
labelled cell by cell; everything else is cut in two, the block with the largest weight first. With one or two
sensitive features the whole space is usually one small grid.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from math import prod

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.exact.ensembles import Indices
from noisewright.utility.exact.grid_blocks import Block, Contest, label_cells, narrow
from noisewright.utility.exact.grid_runs import LabelledBoxes, merged
from noisewright.utility.exact.tree_scores import STABLE, UNDECIDED


@dataclass(frozen=True)
class Effort:
    """How much work one record may cost: boxes in all, and cells of a grid that is labelled at once.

    What is left when the boxes are used up is undecided: the interval gets wider, never wrong.
    """

    boxes: int = 4_000_000
    cells: int = 1 << 17
    flat_cells: int = 1 << 20

    def at_once(self, axes: int) -> int:
        """Cells of one grid; on one or two axes a whole space is quicker than its parts."""
        return self.flat_cells if axes <= 2 else self.cells


@dataclass(frozen=True, eq=False)
class _Open:
    """A block that nobody has looked at yet, with what its parent knows."""

    low: Indices
    high: Indices
    members: Indices
    fixed: Cells


def label_space(contest: Contest, weights: Sequence[Floats], effort: Effort) -> LabelledBoxes:
    """The stable and the undecided boxes of a record.

    ``weights`` says for every axis how much lies below each edge, from 0 to 1; blocks of large weight are
    looked at first.
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
        parts, pieces = _settled(contest, block, effort.at_once(axes))
        found += parts
        used += 1 + sum(map(len, parts))
        for low, high in pieces:
            push(low, high, block.members, block.fixed)
    found += [_whole(left.low, left.high, UNDECIDED) for *_, left in queue]
    return LabelledBoxes.joined(found, axes)


def _settled(
    contest: Contest, block: Block, most_cells: int
) -> tuple[list[LabelledBoxes], list[tuple[Indices, Indices]]]:
    """The boxes of a block as far as they are known, and the parts of it that are still to be looked at."""
    verdict = block.verdict(contest.scores)
    if verdict != UNDECIDED:
        return [_whole(block.low, block.high, verdict)] if verdict == STABLE else [], []
    lines = block.lines(contest)
    if prod(line.size - 1 for line in lines) <= most_cells:
        return [merged(label_cells(contest, block, lines), lines)], []
    return [], _halves(block, lines)


def _halves(block: Block, lines: list[Indices]) -> list[tuple[Indices, Indices]]:
    """A block cut at the middle line of the axis with the most."""
    axis = int(np.argmax([line.size for line in lines]))
    middle = lines[axis][lines[axis].size // 2]
    high, low = block.high.copy(), block.low.copy()
    high[axis] = low[axis] = middle
    return [(block.low, high), (low, block.high)]


def _whole(low: Indices, high: Indices, label: int) -> LabelledBoxes:
    return LabelledBoxes(low[None], high[None], np.array([label], dtype=np.int8))
