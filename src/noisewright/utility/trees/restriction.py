"""Trees seen from the sensitive space: with a record's other features fixed, each is a few boxes.

Thresholds of a sensitive feature are *edges* of its axis, numbered from 0 (−∞) to the last (∞); a box lies
between two edges on every axis. A record's other values decide the direction at all other nodes.

Small forests with leaves like 1/3 and 2/3 do tie, and the library's rounding then decides. Where its
order of addition is known, :class:`TieBreaker` walks down the trees for one point of a cell and repeats the
sum to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.mechanisms.basics.compiled import compiled
from noisewright.utility.core.records import Sensitive
from noisewright.utility.trees.ensemble import LEAF, Indices, TreeEnsemble

KERNELS = "noisewright.utility.trees.kernels"


@dataclass(frozen=True, eq=False)
class Leaves:
    """The leaves that a record can reach: boxes between edges, tree by tree."""

    low: Indices  # (leaves, axes)
    high: Indices
    node: Indices
    tree: Indices

    def __len__(self) -> int:
        return self.node.size


@dataclass(frozen=True, eq=False)
class CutTrees:
    """An ensemble with the axis and the edge that each node cuts; −1 for other features."""

    ensemble: TreeEnsemble
    edges: tuple[Floats, ...]
    axis: Indices
    cut: Indices

    @classmethod
    def of(cls, ensemble: TreeEnsemble, sensitive: Sequence[Sensitive]) -> CutTrees:
        """Find the edges of every sensitive feature, in its own units."""
        axis, cut = np.full_like(ensemble.feature, -1), np.zeros_like(ensemble.feature)
        edges = []
        for at, one in enumerate(sensitive):
            mine = np.flatnonzero(ensemble.feature == one.column)
            reach = ensemble.columns.reach(ensemble.threshold[mine], one.column)
            known = np.unique(np.concatenate([[-np.inf], reach, [np.inf]]))
            axis[mine], cut[mine] = at, np.searchsorted(known, reach)
            edges.append(known)
        return cls(ensemble, tuple(edges), axis, cut)

    @property
    def last(self) -> Indices:
        """The last edge of every axis."""
        return np.array([known.size - 1 for known in self.edges], dtype=np.int32)

    def leaves(self, prepared: Floats) -> Leaves:
        """Return the leaves that a record can reach, given its row as the trees see it."""
        loops = compiled(KERNELS)
        if loops is None:
            return self._plain_leaves(prepared)
        trees = self.ensemble
        nodes = trees.feature, trees.threshold, trees.left, trees.right, trees.roots
        return Leaves(*loops.collapse(*nodes, self.axis, self.cut, self.last, prepared, trees.leaves))

    def _plain_leaves(self, prepared: Floats) -> Leaves:
        """Return the same without compiled loops."""
        whole = (np.zeros(len(self.edges), dtype=np.int32), self.last)
        found = [
            (*box, node, tree)
            for tree, root in enumerate(self.ensemble.roots)
            for box, node in self._walk(int(root), whole, prepared)
        ]
        return Leaves(*(np.array(column, dtype=np.int32) for column in zip(*found, strict=True)))

    def _walk(
        self, root: int, whole: tuple[Indices, Indices], prepared: Floats
    ) -> list[tuple[tuple[Indices, Indices], int]]:
        trees, found, stack = self.ensemble, [], [(root, whole)]
        while stack:
            node, (low, high) = stack.pop()
            axis, cut, left, right = self.axis[node], self.cut[node], trees.left[node], trees.right[node]
            if trees.feature[node] == LEAF:
                found.append(((low, high), node))
            elif axis < 0:
                goes_left = prepared[trees.feature[node]] <= trees.threshold[node]
                stack.append((int(left if goes_left else right), (low, high)))
            else:
                if cut < high[axis]:
                    stack.append((int(right), (_with_edge(low, axis, max(cut, low[axis])), high)))
                if cut > low[axis]:
                    stack.append((int(left), (low, _with_edge(high, axis, min(cut, high[axis])))))
        return found


def _with_edge(corner: Indices, axis: int, edge: int) -> Indices:
    other = corner.copy()
    other[axis] = edge
    return other


@dataclass(frozen=True, eq=False)
class TieBreaker:
    """The answers of an ensemble in single cells, for a record's row as the trees see it."""

    trees: CutTrees
    prepared: Floats

    @cached_property
    def goes_left(self) -> NDArray[np.bool_]:
        """The record's direction at every node of another feature."""
        ensemble = self.trees.ensemble
        return np.asarray(self.prepared[np.maximum(ensemble.feature, 0)] <= ensemble.threshold)

    def answers(self, cells: Indices) -> Cells:
        """Return the class of each cell, given by the edges at its upper ends: (cells, axes)."""
        loops, ensemble = compiled(KERNELS), self.trees.ensemble
        sums = np.tile(ensemble.base, (len(cells), 1))
        if loops is None:
            self._plain_sums(cells, sums)
        else:
            nodes = ensemble.feature, ensemble.left, ensemble.right, self.trees.axis, self.trees.cut
            loops.sums_in_order(cells, self.goes_left, *nodes, ensemble.roots, ensemble.scores, sums)
        return ensemble.best(sums)

    def _plain_sums(self, cells: Indices, sums: Floats) -> None:
        ensemble, axis, cut = self.trees.ensemble, self.trees.axis, self.trees.cut
        for root in ensemble.roots:
            at = np.full(len(cells), root, dtype=np.int32)
            while (inner := np.flatnonzero(ensemble.feature[at] != LEAF)).size:
                node = at[inner]
                by_cut = cells[inner, np.maximum(axis[node], 0)] <= cut[node]
                left = np.where(axis[node] < 0, self.goes_left[node], by_cut)
                at[inner] = np.where(left, ensemble.left[node], ensemble.right[node])
            sums += ensemble.scores[at]
