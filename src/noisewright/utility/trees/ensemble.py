"""Trees as flat arrays, for exact predictions of trees, forests and boosted trees.

A tree asks whether a prepared value is at most a threshold. Every step before that (scalers in the library's
own arithmetic, and single precision) is a rounded but increasing function of the value. So the values that go
left are still a half-line, whose end is one exact double. Bisection over doubles finds it, whatever the
rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.utility.models.scalers import OPERATIONS

Condition = Callable[[Floats], NDArray[np.bool_]]

_TOP = int(np.array(np.finfo(np.float64).max).view(np.int64))
"""The largest double, counted in doubles from 0."""


@dataclass(frozen=True, eq=False)
class Columns:
    """The steps of every column before the trees, and whether the result is rounded to single precision.

    >>> Columns((("divide", np.array([3.0])),), single=False).prepare(np.array([[1.0]]))
    array([[0.33333333]])
    """

    steps: tuple[tuple[str, Floats], ...] = ()
    single: bool = True

    def prepare(self, values: Floats, column: int | slice = slice(None)) -> Floats:
        """Return whole rows, or values of one column, as the trees see them."""
        for name, numbers in self.steps:
            values = OPERATIONS[name](values, numbers[column])
        return values.astype(np.float32).astype(np.float64) if self.single else values

    def reach(self, thresholds: Floats, column: int) -> Floats:
        """Return the largest value of a column that still goes left at each threshold.

        It is −∞ where no value goes left, and the largest double where all do.

        >>> Columns((("multiply", np.array([2.0])),), single=False).reach(np.array([30.0]), 0)
        array([15.])
        """

        def goes_left(values: Floats) -> NDArray[np.bool_]:
            return np.asarray(self.prepare(values, column) <= thresholds)

        with np.errstate(over="ignore", invalid="ignore"):
            return _last_true(goes_left, thresholds.size)


def _last_true(holds: Condition, size: int) -> Floats:
    """Return the largest double at which each of several decreasing conditions holds, or −∞."""
    low, high = np.full(size, -_TOP - 1, dtype=np.int64), np.full(size, _TOP + 1, dtype=np.int64)
    while (high > low + 1).any():
        middle = (low >> 1) + (high >> 1) + (low & high & 1)  # their sum might overflow
        true = holds(_double(middle))
        low, high = np.where(true, middle, low), np.where(true, high, np.maximum(middle, low + 1))
    return _double(low)


def _double(count: Cells) -> Floats:
    """Return the double that is ``count`` doubles above 0; one past the largest is infinite."""
    size = np.abs(count).view(np.float64)
    return np.asarray(np.where(count < 0, -size, size))


Indices = NDArray[np.int32]

LEAF = -1
"""The feature of a leaf, which has no condition."""


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

    Args:
        classes: The labels, in the model's order.
        features: Columns of a row.
        feature: The column that each node compares; −1 at a leaf. The nodes of all trees are in one list.
        threshold: The largest prepared value that goes left at each node.
        left: The node to the left of each.
        right: The node to the right of each.
        scores: Scores that each leaf adds, one column per class.
        roots: First node of each tree.
        base: Scores that are added before any tree.
        preference: Classes in the order in which they win ties.
        divisor: Number by which sums are divided.
        ordered: Whether the library always adds in the order of the trees, so that its rounding is known.
        columns: The steps before the trees.
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
        """The number of leaves of all trees."""
        return int((self.feature == LEAF).sum())

    def answers(self, rows: Floats) -> Cells:
        """Return the class of each row as an index into ``classes``, by sums in the order of the trees."""
        values = self.columns.prepare(np.asarray(rows, dtype=np.float64))
        total = np.tile(self.base, (len(values), 1))
        for root in self.roots:
            total += self.scores[self._leaf_reached(int(root), values)]
        return self.best(total)

    def best(self, totals: Floats) -> Cells:
        """Return the class with the largest sum, for sums of shape (rows, classes)."""
        return np.asarray(self.preference[np.argmax((totals / self.divisor)[:, self.preference], axis=1)])

    def _leaf_reached(self, root: int, values: Floats) -> Indices:
        """Return the leaf of one tree that each row ends in."""
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
    """Return one ensemble of several trees; ties go to the first class unless a preference is given."""
    roots = np.cumsum([0, *(tree.feature.size for tree in trees)])[:-1].astype(np.int32)

    def join(name: str, shift: bool = False) -> NDArray[Any]:
        parts = [getattr(tree, name) for tree in trees]
        return np.concatenate([p + r for p, r in zip(parts, roots, strict=True)] if shift else parts)

    return TreeEnsemble(
        classes=tuple(np.asarray(classes).tolist()),
        features=features,
        feature=join("feature").astype(np.int32),
        threshold=join("threshold").astype(np.float64),
        left=join("left", shift=True).astype(np.int32),
        right=join("right", shift=True).astype(np.int32),
        scores=np.ascontiguousarray(join("scores"), dtype=np.float64),
        roots=roots,
        base=np.zeros(len(classes)) if base is None else np.asarray(base, dtype=np.float64),
        preference=np.arange(len(classes)) if preference is None else np.asarray(preference, dtype=np.int64),
        divisor=divisor,
        ordered=ordered,
        columns=columns,
    )
