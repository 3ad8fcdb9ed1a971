"""Trees of the regularized forest: grown over a public grid of split values, and after the noise.

A tree has an ordered list of features; every node of a level splits on the level's feature. For the rows of
a node, a split at v sends x < v to the left, and

    H_v = |left| H(left) + |right| H(right)                  (H: entropy in nats)

is the entropy left in the labels. The node takes the v that minimizes

    [(1 − a) H_v + a (H_{v−p} + H_{v+p})] / n + s v           (Sridhar et al. 2024, § 5.4)

over the grid v = 0, p, 2p, …, 1, with a the neighbours' weight, s the sparsity and n the rows of the *world*.
The paper leaves out the division. With it, s means the same for few rows and for many, and in a node of few
rows any v > 0 still costs too much. Beyond the ends of the grid there is no split: H is that of the whole
node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import validate_data

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter

TIE = 1e-9
"""Splits whose costs differ by less than this are ties; the lowest of them is taken."""


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
        """Return the number of split values at or below each: a row goes left at split i iff its cell is ≤ i.

        >>> growth = Growth(steps=4, neighbour_weight=0, sparsity=0, fewest=2, smoothing=1)
        >>> growth.cells(np.array([0, 0.3, 1]))
        array([1, 2, 5])
        """
        return np.searchsorted(self.grid, units, side="right")


def grow(cells: Cells, features: tuple[int, ...], codes: Cells, classes: int, growth: Growth) -> Floats:
    """Return [thresholds level by level, leaf shares leaf by leaf] of one tree.

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
    """Return the index of the best split of each node, from counts of (nodes, cells, classes)."""
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
    """Return |S| H(S) = |S| ln |S| − Σ c ln c of counts along the last axis."""
    sizes = counts.sum(axis=-1)
    return np.asarray(xlogy(sizes, sizes) - xlogy(counts, counts).sum(axis=-1))


def _leaf_shares(nodes: Cells, codes: Cells, depth: int, classes: int, growth: Growth) -> Floats:
    """Return the share of each class in each leaf, after smoothing."""
    counts = _table(_count(nodes, codes, classes), 1, 2**depth, classes)[0]
    sizes = counts.sum(axis=1, keepdims=True)
    return np.asarray((counts + growth.smoothing / classes) / (sizes + growth.smoothing))


def _count(places: Cells, codes: Cells, classes: int) -> Cells:
    return np.bincount(places * classes + codes)


def _table(counts: Cells, nodes: int, cells: int, classes: int) -> Floats:
    """Return counts in a table of fixed shape: ``bincount`` stops at the largest place that occurs."""
    table = np.zeros(nodes * cells * classes)
    table[: len(counts)] = counts
    return table.reshape(nodes, cells, classes)


class ReleasedForest(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """A fitted forest of complete trees with scikit-learn's interface.

    ``features[i]`` lists the feature of each level of tree i, ``thresholds[i]`` its splits level by level (as
    shares of the way from ``low`` to ``high``; a row below goes left) and ``shares[i]`` the class shares of
    its leaves. It is made from a released vector and is never fitted again.

    >>> forest = ReleasedForest(
    ...     features=((0,),), thresholds=[np.array([0.5])], shares=[np.array([[0.9, 0.1], [0.2, 0.8]])],
    ...     low=0.0, high=10.0, classes=np.array(["no", "yes"]), columns=1)
    >>> forest.predict([[4.0], [6.0]]).tolist()
    ['no', 'yes']
    """

    def __init__(
        self,
        features: tuple[tuple[int, ...], ...],
        thresholds: list[Floats],
        shares: list[Floats],
        low: Any,
        high: Any,
        classes: NDArray[Any],
        columns: int,
    ) -> None:
        self.features = features
        self.thresholds = thresholds
        self.shares = shares
        self.low = low
        self.high = high
        self.classes = classes
        self.columns = columns
        self.classes_ = classes
        self.n_features_in_ = columns

    def fit(self, X: ArrayLike, y: Any = None) -> NoReturn:  # noqa: N803  (scikit-learn's name)
        """Raise an error: a release is fixed, and fitting again would publish data without noise."""
        raise InvalidParameter("a released forest is not fitted again; release another")

    def predict_proba(self, X: ArrayLike) -> Floats:  # noqa: N803
        """Return the share of the trees that vote for each class."""
        rows = validate_data(self, X, reset=False, dtype=np.float64)
        units = (rows - np.asarray(self.low)) / (np.asarray(self.high) - np.asarray(self.low))
        votes = np.zeros((len(rows), len(self.classes_)))
        for features, thresholds, shares in zip(self.features, self.thresholds, self.shares, strict=True):
            leaves = route(thresholds[None], features, units)[0]
            votes[np.arange(len(rows)), shares.argmax(axis=1)[leaves]] += 1
        return votes / len(self.features)

    def predict(self, X: ArrayLike) -> NDArray[Any]:  # noqa: N803
        """Return the class that most trees vote for; in a tie, the first in order."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

    def __sklearn_is_fitted__(self) -> bool:
        return True


def route(thresholds: Floats, features: tuple[int, ...], units: Floats) -> Cells:
    """Return the leaf of each row in each of many trees that differ in their thresholds only, (trees, rows).

    >>> route(np.array([[0.5, 0.2, 0.7]]), (0, 1), np.array([[0.4, 0.1], [0.4, 0.3], [0.6, 0.9]])).tolist()
    [[0, 1, 3]]
    """
    nodes = np.zeros((len(thresholds), len(units)), dtype=np.int64)
    for level, feature in enumerate(features):
        split = np.take_along_axis(thresholds, nodes + 2**level - 1, axis=1)
        nodes = 2 * nodes + (units[:, feature] >= split)
    return nodes
