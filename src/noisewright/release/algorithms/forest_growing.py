"""Growing one complete tree of the regularized forest, by sums over a public grid of split values.

A tree has an ordered list of features; every node of a level splits on the level's feature. For the rows of
a node, a split at v sends x < v to the left, and

    H_v = |left| H(left) + |right| H(right)                  (H: entropy in nats)

is what the labels still hold. The node takes the v that minimizes

    [(1 − a) H_v + a (H_{v−p} + H_{v+p})] / n + s v           (Sridhar et al. 2024, § 5.4)

over the grid v = 0, p, 2p, …, 1, with a the neighbours' weight, s the sparsity and n the rows of the *world*.
The paper leaves out the division; with it s means the same for few rows and for many, and a node of few rows
still finds any v > 0 too dear. Beyond the ends of the grid lies no split: H is that of the whole node.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from noisewright.domains import Cells, Floats

TIE = 1e-9
"""Splits whose costs differ by less are alike; the lowest of them is taken."""


@dataclass(frozen=True)
class Growth:
    """How a tree grows: the grid, the weights of the cost, and the rows below which a node does not split."""

    steps: int
    neighbour_weight: float
    sparsity: float
    fewest: int
    smoothing: float

    @property
    def grid(self) -> Floats:
        """The admissible split values, from 0 to 1."""
        return np.arange(self.steps + 1) / self.steps

    def cells(self, units: Floats) -> Cells:
        """The number of split values at or below each value: a row goes left at split i iff its cell is ≤ i.

        >>> growth = Growth(steps=4, neighbour_weight=0, sparsity=0, fewest=2, smoothing=1)
        >>> growth.cells(np.array([0, 0.3, 1]))
        array([1, 2, 5])
        """
        return np.searchsorted(self.grid, units, side="right")


def grow(cells: Cells, features: tuple[int, ...], codes: Cells, classes: int, growth: Growth) -> Floats:
    """[thresholds level by level, leaf shares leaf by leaf] of one tree.

    >>> growth = Growth(steps=4, neighbour_weight=0, sparsity=0, fewest=2, smoothing=0.5)
    >>> cells = growth.cells(np.array([[0.1], [0.4], [0.6], [0.9]]))
    >>> grow(cells, features=(0,), codes=np.array([0, 0, 1, 1]), classes=2, growth=growth).tolist()
    [0.5, 0.9, 0.1, 0.1, 0.9]
    """
    nodes = np.zeros(len(cells), dtype=np.int64)
    thresholds = []
    for level, feature in enumerate(features):
        column = cells[:, feature]
        counts = _count(nodes * (growth.steps + 2) + column, codes, classes)
        splits = best_splits(_table(counts, 2**level, growth.steps + 2, classes), len(cells), growth)
        thresholds.append(growth.grid[splits])
        nodes = 2 * nodes + (column > splits[nodes])
    return np.concatenate([*thresholds, _leaf_shares(nodes, codes, len(features), classes, growth).ravel()])


def best_splits(counts: Floats, records: int, growth: Growth) -> Cells:
    """The index of the best split of each node, from counts of (nodes, cells, classes)."""
    below = np.cumsum(counts, axis=1)
    whole = below[:, -1:]
    left = below[:, :-1]  # split i leaves the cells up to i on the left; the last cell is never left
    remaining = _labels_held(left) + _labels_held(whole - left)
    unsplit = _labels_held(whole)
    lower = np.concatenate([unsplit, remaining[:, :-1]], axis=1)
    upper = np.concatenate([remaining[:, 1:], unsplit], axis=1)
    weight = growth.neighbour_weight
    cost = ((1 - weight) * remaining + weight * (lower + upper)) / records + growth.sparsity * growth.grid
    splits = (cost <= cost.min(axis=1, keepdims=True) + TIE).argmax(axis=1)
    return np.where(whole.sum(axis=2)[:, 0] < growth.fewest, 0, splits)


def _labels_held(counts: Floats) -> Floats:
    """|S| H(S) = |S| ln |S| − Σ c ln c of counts along the last axis."""
    sizes = counts.sum(axis=-1)
    return np.asarray(xlogy(sizes, sizes) - xlogy(counts, counts).sum(axis=-1))


def _leaf_shares(nodes: Cells, codes: Cells, depth: int, classes: int, growth: Growth) -> Floats:
    """The share of each class in each leaf, drawn towards all alike by some rows' worth of smoothing."""
    counts = _table(_count(nodes, codes, classes), 1, 2**depth, classes)[0]
    sizes = counts.sum(axis=1, keepdims=True)
    return np.asarray((counts + growth.smoothing / classes) / (sizes + growth.smoothing))


def _count(places: Cells, codes: Cells, classes: int) -> Cells:
    return np.bincount(places * classes + codes)


def _table(counts: Cells, nodes: int, cells: int, classes: int) -> Floats:
    """Counts in a table of fixed shape: ``bincount`` stops at the largest place that occurs."""
    table = np.zeros(nodes * cells * classes)
    table[: len(counts)] = counts
    return table.reshape(nodes, cells, classes)
