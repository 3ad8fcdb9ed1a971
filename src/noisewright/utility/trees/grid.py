"""A block of the sensitive space: the leaves that matter in it, bounds on their sums, and its grid of cells.

Between neighbouring edges no leaf begins or ends, so the answer is constant on every cell of the grid that
the edges make. A leaf adds its margin to a box of cells: in a difference array that is two changes per axis,
and running sums along all axes give every cell its total.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.mechanisms.basics.compiled import compiled
from noisewright.utility.trees.ensemble import Indices
from noisewright.utility.trees.restriction import KERNELS, CutTrees, Leaves, TieBreaker
from noisewright.utility.trees.scores import STABLE, UNDECIDED, UNSTABLE, Scores

Labels = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Contest:
    """The question about one record: where its leaves keep the reference ahead of every rival."""

    leaves: Leaves
    margins: Cells  # (leaves, rivals), packed
    head_start: Cells
    wins_ties: NDArray[np.bool_]
    scores: Scores
    reference: int
    breaker: TieBreaker | None

    @classmethod
    def of(cls, trees: CutTrees, prepared: Floats, scores: Scores, reference: int) -> Contest:
        """Return the contest of a reference class, for a record's row as the trees see it."""
        leaves = trees.leaves(prepared)
        return cls(
            leaves,
            scores.margins(leaves.node, reference),
            scores.head_start(reference),
            scores.wins_ties(reference),
            scores,
            reference,
            TieBreaker(trees, prepared) if trees.ensemble.ordered else None,
        )


@dataclass(frozen=True, eq=False)
class Block:
    """A box between edges; ``members`` are the leaves of trees that are not constant on it.

    ``fixed`` is the sum of the other trees; no total on the block is below ``least`` or above ``most``.
    """

    low: Indices
    high: Indices
    members: Indices
    fixed: Cells
    least: Cells
    most: Cells

    def verdict(self, scores: Scores) -> int:
        """Return stable or unstable if the bounds decide; otherwise undecided."""
        if ((self.most >> scores.bits) < -scores.near).any():
            return UNSTABLE
        return STABLE if ((self.least >> scores.bits) > scores.near).all() else UNDECIDED

    def lines(self, contest: Contest) -> list[Indices]:
        """Return on every axis the edges between which nothing changes, including both ends of the block."""
        leaves, loops = contest.leaves, compiled(KERNELS)
        lines = loops.lines if loops is not None else _plain_lines
        return [
            lines(leaves.low, leaves.high, self.members, axis, self.low[axis], self.high[axis])
            for axis in range(self.low.size)
        ]


def narrow(contest: Contest, members: Indices, fixed: Cells, low: Indices, high: Indices) -> Block:
    """Return the block between two corners, inside one whose members and fixed total are known."""
    loops, leaves = compiled(KERNELS), contest.leaves
    found = loops.narrow if loops is not None else _plain_narrow
    kept, added, least, most = found(
        leaves.low, leaves.high, leaves.tree, contest.margins, members, low, high
    )
    settled = fixed + added
    return Block(low, high, kept, settled, settled + least, settled + most)


def label_cells(contest: Contest, block: Block, lines: list[Indices]) -> Labels:
    """Return the verdict of every cell of a block."""
    shape = tuple(line.size - 1 for line in lines)
    low, high = (
        _line_places(side, block.members, lines) for side in (contest.leaves.low, contest.leaves.high)
    )
    margins, loops = contest.margins[block.members], compiled(KERNELS)
    if loops is None:
        labels = _plain_labels(contest, low, high, margins, block.fixed, shape)
    else:
        rule = (contest.scores.bits, contest.scores.near, contest.wins_ties)
        label = loops.label_plane if len(shape) == 2 else loops.label_cells
        labels = label(low, high, margins, block.fixed, np.array(shape), *rule).reshape(shape)
    return _without_ties(contest, labels, lines)


def _without_ties(contest: Contest, labels: Labels, lines: list[Indices]) -> Labels:
    """Return the labels with undecided cells decided, if the library's order of addition is known."""
    if contest.breaker is None or not (labels == UNDECIDED).any():
        return labels
    where = np.nonzero(labels == UNDECIDED)
    cells = np.stack([line[at + 1] for line, at in zip(lines, where, strict=True)], axis=1)
    kept = contest.breaker.answers(cells) == contest.reference
    labels[where] = np.where(kept, STABLE, UNSTABLE)
    return labels


def _line_places(side: Indices, members: Indices, lines: list[Indices]) -> Indices:
    """Return the indices of the ends of members among the lines of all axes."""
    loops, found = compiled(KERNELS), np.empty((members.size, len(lines)), dtype=np.int32)
    for axis, line in enumerate(lines):
        if loops is not None:
            found[:, axis] = loops.places(side, members, axis, line)
        else:
            found[:, axis] = np.searchsorted(line, np.clip(side[members, axis], line[0], line[-1]))
    return found


def _plain_lines(low: Indices, high: Indices, members: Indices, axis: int, first: int, last: int) -> Indices:
    ends = np.concatenate([low[members, axis], high[members, axis], [first, last]])
    return np.unique(np.clip(ends, first, last)).astype(np.int32)


def _plain_narrow(
    low: Indices,
    high: Indices,
    tree: Indices,
    margins: Cells,
    members: Indices,
    box_low: Indices,
    box_high: Indices,
) -> tuple[Indices, Cells, Cells, Cells]:
    """Return the members that still matter, the sum of the others, and bounds on the sum of the former."""
    meets = ((low[members] < box_high) & (high[members] > box_low)).all(axis=1)
    here = members[meets]
    _, first, counts = np.unique(tree[here], return_index=True, return_counts=True)
    alone = np.repeat(counts == 1, counts)
    kept, sure = here[~alone], margins[here[alone]].sum(axis=0)
    starts = first[counts > 1] - np.cumsum(counts == 1)[counts > 1]
    if not kept.size:
        return kept, sure, np.zeros_like(sure), np.zeros_like(sure)
    lowest, highest = (extreme.reduceat(margins[kept], starts) for extreme in (np.minimum, np.maximum))
    return kept, sure, lowest.sum(axis=0), highest.sum(axis=0)


def _plain_labels(
    contest: Contest, low: Indices, high: Indices, margins: Cells, fixed: Cells, shape: tuple[int, ...]
) -> Labels:
    totals = np.zeros((*(size + 1 for size in shape), fixed.size), dtype=np.int64)
    for corner in product((0, 1), repeat=len(shape)):
        at = tuple(np.where(corner, high, low).T)
        np.add.at(totals, at, margins * (-1) ** sum(corner))
    for axis in range(len(shape)):
        np.cumsum(totals, axis=axis, out=totals)
    inside = totals[tuple(slice(size) for size in shape)] + fixed
    return contest.scores.verdict(inside, contest.wins_ties)
