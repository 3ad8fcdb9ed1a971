"""Trees seen from the sensitive space: with a record's other features fixed, each is a few boxes.

Thresholds of a sensitive feature are *edges* of its axis, numbered from 0 (−∞) to the last (∞); a box lies
between two edges on every axis. A record's other values choose the way at all other nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.mechanisms.compiled import compiled
from noisewright.utility.exact.ensembles import LEAF, Indices, TreeEnsemble
from noisewright.utility.records import Sensitive

KERNELS = "noisewright.utility.exact.tree_kernels"


@dataclass(frozen=True, eq=False)
class Leaves:
    """The leaves that a record can reach: boxes between edges, those of one tree after those of another."""

    low: Indices  # (leaves, axes)
    high: Indices
    node: Indices
    tree: Indices

    def __len__(self) -> int:
        return self.node.size


@dataclass(frozen=True, eq=False)
class CutTrees:
    """An ensemble whose nodes know which axis they cut, and at which edge; −1 for other features."""

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
        """The leaves that a record can reach, given its row as the trees see it."""
        loops = compiled(KERNELS)
        if loops is None:
            return self._plain_leaves(prepared)
        trees = self.ensemble
        return Leaves(
            *loops.collapse(
                trees.feature,
                trees.threshold,
                trees.left,
                trees.right,
                trees.roots,
                self.axis,
                self.cut,
                self.last,
                prepared,
                trees.leaves,
            )
        )

    def _plain_leaves(self, prepared: Floats) -> Leaves:
        """The same without compiled loops."""
        whole = (np.zeros(len(self.edges), dtype=np.int32), self.last)
        found = [
            (*box, node, tree)
            for tree, root in enumerate(self.ensemble.roots)
            for box, node in self._walk(int(root), whole, prepared)
        ]
        low, high, node, tree = zip(*found, strict=True)
        return Leaves(
            np.array(low, dtype=np.int32),
            np.array(high, dtype=np.int32),
            np.array(node, dtype=np.int32),
            np.array(tree, dtype=np.int32),
        )

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
                    stack.append((int(right), (_moved(low, axis, max(cut, low[axis])), high)))
                if cut > low[axis]:
                    stack.append((int(left), (low, _moved(high, axis, min(cut, high[axis])))))
        return found


def _moved(corner: Indices, axis: int, edge: int) -> Indices:
    other = corner.copy()
    other[axis] = edge
    return other
