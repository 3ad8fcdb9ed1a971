"""Trees as flat arrays: what an exact prediction needs to know of a tree, a forest or boosted trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.utility.exact.tree_columns import Columns

Indices = NDArray[np.int32]

LEAF = -1
"""The feature of a node that asks nothing."""


@dataclass(frozen=True, eq=False)
class Tree:
    """One tree: at node n, a value of ``feature[n]`` up to ``threshold[n]`` goes left; a leaf has scores."""

    feature: Indices
    threshold: Floats
    left: Indices
    right: Indices
    scores: Floats  # (nodes, classes)


@dataclass(frozen=True, eq=False)
class TreeEnsemble:
    """Trees whose scores add up, class by class; the answer is the class with the largest sum.

    All nodes stand in one list; ``roots`` are where trees begin. ``base`` is what is added before any tree,
    sums are divided by ``divisor``, and of tied classes the one that comes first in ``preference`` wins.
    ``ordered`` says that the library always adds in the order of the trees, so that its rounding is known.
    """

    classes: tuple[Any, ...]
    features: int
    feature: Indices
    threshold: Floats
    left: Indices
    right: Indices
    scores: Floats
    roots: Indices
    base: Floats
    preference: Cells
    divisor: float
    ordered: bool
    columns: Columns

    @cached_property
    def leaves(self) -> int:
        """How many leaves all trees have."""
        return int((self.feature == LEAF).sum())

    def through(self, columns: Columns) -> TreeEnsemble:
        """The same trees behind other steps."""
        return replace(self, columns=columns)

    def answers(self, rows: Floats) -> Cells:
        """The class of each row as an index into ``classes``, by sums in the order of the trees."""
        values = self.columns.prepared(np.asarray(rows, dtype=np.float64))
        total = np.tile(self.base, (len(values), 1))
        for root in self.roots:
            total += self.scores[self._reached(int(root), values)]
        return self.best(total)

    def best(self, totals: Floats) -> Cells:
        """The class with the largest sum, for sums of shape (rows, classes)."""
        return np.asarray(self.preference[np.argmax((totals / self.divisor)[:, self.preference], axis=1)])

    def _reached(self, root: int, values: Floats) -> Indices:
        """The leaf of one tree that each row ends in."""
        at = np.full(len(values), root, dtype=np.int32)
        while (inner := np.flatnonzero(self.feature[at] != LEAF)).size:
            node = at[inner]
            left = values[inner, self.feature[node]] <= self.threshold[node]
            at[inner] = np.where(left, self.left[node], self.right[node])
        return at


def join_trees(
    trees: Sequence[Tree],
    classes: Sequence[Any],
    features: int,
    columns: Columns,
    *,
    base: Floats | None = None,
    preference: Sequence[int] | None = None,
    divisor: float = 1.0,
    ordered: bool = True,
) -> TreeEnsemble:
    """One ensemble of several trees; ties go to the first class unless a preference is given."""
    roots = np.cumsum([0, *(tree.feature.size for tree in trees)])[:-1].astype(np.int32)

    def joined(name: str, shift: bool = False) -> NDArray[Any]:
        parts = [getattr(tree, name) for tree in trees]
        return np.concatenate([p + r for p, r in zip(parts, roots, strict=True)] if shift else parts)

    return TreeEnsemble(
        classes=tuple(np.asarray(classes).tolist()),
        features=features,
        feature=joined("feature").astype(np.int32),
        threshold=joined("threshold").astype(np.float64),
        left=joined("left", shift=True).astype(np.int32),
        right=joined("right", shift=True).astype(np.int32),
        scores=np.ascontiguousarray(joined("scores"), dtype=np.float64),
        roots=roots,
        base=np.zeros(len(classes)) if base is None else np.asarray(base, dtype=np.float64),
        preference=np.arange(len(classes)) if preference is None else np.asarray(preference, dtype=np.int64),
        divisor=divisor,
        ordered=ordered,
        columns=columns,
    )
