"""A random forest whose trees have the same shape in every world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole
from noisewright.release.algorithms.base import (
    Facts,
    Labels,
    Limit,
    between,
    check_widths,
    name_columns,
    positive,
    read_limits,
    set_fields,
)
from noisewright.release.algorithms.classifier import Classifier, known_classes, known_codes
from noisewright.release.algorithms.trees import Growth, ReleasedForest, grow, route
from noisewright.release.basics.pool import blocks


@dataclass(frozen=True)
class Forest(Classifier):
    """A vote of complete decision trees, regularized so that they hardly depend on single records.

    The vector holds, for each tree, its thresholds (as shares of the way from ``low`` to ``high``) and the
    class shares of its leaves. Leaves depend on data as much as thresholds do, so both get noise. After the
    noise, thresholds are clipped to the range, a leaf votes for its largest share, and the class with most
    votes wins. The defaults favour stability: a finer grid and less weight fit better and need more noise.

    Args:
        features: For each tree, the column of each of its levels; None draws ``depth`` columns for each of
            ``trees``.
        trees: Number of trees, from 1 to 1000.
        depth: Number of levels of a tree, from 1 to 10.
        feature_seed: Public seed from which the columns of the levels are drawn.
        neighbour_weight: Weight of the neighbouring splits in the cost of a split, from 0 to 1; see
            :mod:`~noisewright.release.algorithms.trees`.
        step: Distance of two splits on the grid, from 10⁻⁴ to ½ of the range; it must divide 1.
        sparsity: Penalty on the position of a split in its cost, from 0 to 10⁶.
        fewest: Number of rows below which a node does not split: its threshold is ``low``.
        smoothing: Number of rows, spread evenly over all classes, that are added to each leaf; above 0.
        low: Public lower limit of the columns, a number or one for each.
        high: Public upper limit of the columns, a number or one for each.

    >>> rows = np.array([[0.1], [0.2], [0.7], [0.9]]); labels = np.array(["a", "a", "b", "b"])
    >>> forest = Forest(features=((0,),), step=0.25, smoothing=0.5); facts = forest.facts(rows, labels)
    >>> vector = forest.fit(rows, labels, seed=0, facts=facts)
    >>> dict(zip(forest.coordinates(facts), vector.tolist()))
    {'tree 1 split 1 on x0': 0.5, 'tree 1 leaf 1 share of a': 0.9, 'tree 1 leaf 1 share of b': 0.1,
     'tree 1 leaf 2 share of a': 0.1, 'tree 1 leaf 2 share of b': 0.9}
    """

    features: FeatureLists | None = None
    trees: int = 3
    depth: int = 3
    feature_seed: int = 0
    neighbour_weight: float = 0.5
    step: float = 0.05
    sparsity: float = 0.1
    fewest: int = 2
    smoothing: float = 5.0
    low: Limit = 0.0
    high: Limit = 1.0

    title: ClassVar[str] = "a random forest"

    def __post_init__(self) -> None:
        whole("trees", self.trees, 1, 1000)
        whole("depth", self.depth, 1, 10)
        whole("feature_seed", self.feature_seed, 0, 2**31 - 1)
        whole("fewest", self.fewest, 1, 2**31 - 1)
        between("neighbour_weight", self.neighbour_weight, 0, 1)
        between("step", self.step, 1e-4, 0.5)
        between("sparsity", self.sparsity, 0, 1e6)
        positive("smoothing", self.smoothing)
        if abs(1 / self.step - round(1 / self.step)) > 1e-6:
            raise InvalidParameter(f"must divide 1, such as 0.01 or 0.05, got {self.step:g}", field="step")
        low, high = read_limits(self.low, self.high)
        set_fields(self, features=read_lists(self.features), low=low, high=high)

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        check_widths(rows.shape[1], low=self.low, high=self.high)
        facts = super().facts(rows, labels, names)
        self.lists(facts)
        return facts

    def lists(self, facts: Facts) -> FeatureLists:
        """Return the ordered features of each tree: public, and the same in every world."""
        if self.features is None:
            return draw_lists(self.trees, self.depth, facts.features, self.feature_seed)
        if max(map(max, self.features)) >= facts.features:
            raise InvalidParameter(f"must number columns from 0 to {facts.features - 1}", field="features")
        return self.features

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        growth = Growth(
            round(1 / self.step), self.neighbour_weight, self.sparsity, self.fewest, self.smoothing
        )
        cells, codes = growth.cells(self._units(rows)), known_codes(labels, facts)
        classes = len(known_classes(facts))
        return np.concatenate([grow(cells, tree, codes, classes, growth) for tree in self.lists(facts)])

    def model(self, vector: Floats, facts: Facts) -> Any:
        """Return a :class:`ReleasedForest` that predicts."""
        trees = list(self._trees(vector[None], facts))
        forest = ReleasedForest(
            features=self.lists(facts),
            thresholds=[thresholds[0] for _, thresholds, _ in trees],
            shares=[shares[0] for _, _, shares in trees],
            low=self.low,
            high=self.high,
            classes=known_classes(facts),
            columns=facts.features,
        )
        return name_columns(forest, facts)

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        columns, labels = facts.columns(), known_classes(facts).tolist()
        names = []
        for tree, features in enumerate(self.lists(facts), start=1):
            splits = [columns[feature] for level, feature in enumerate(features) for _ in range(2**level)]
            names += [f"tree {tree} split {node} on {name}" for node, name in enumerate(splits, start=1)]
            leaves = range(1, 2 ** len(features) + 1)
            names += [f"tree {tree} leaf {leaf} share of {label}" for leaf in leaves for label in labels]
        return tuple(names)

    def scores(self, vectors: Floats, rows: Floats, facts: Facts) -> Floats:
        """Return the votes of the trees."""
        everyone = np.arange(len(known_classes(facts)))
        reached = self._leaf_shares(vectors, rows, facts)
        votes = [shares.argmax(axis=2)[..., None] == everyone for shares in reached]
        return np.asarray(np.sum(votes, axis=0, dtype=np.float64))

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return the share of the true class in the leaves a row falls into, or the largest without labels.

        Shares reveal more than votes do.
        """
        codes = None if labels is None else known_codes(labels, facts)
        parts = []
        for part in blocks(len(vectors), rows.size * len(known_classes(facts))):
            shares = np.mean(list(self._leaf_shares(vectors[part], rows, facts)), axis=0)
            parts.append(shares.max(axis=2) if codes is None else shares[:, np.arange(len(rows)), codes])
        return np.concatenate(parts)

    def _leaf_shares(self, vectors: Floats, rows: Floats, facts: Facts) -> Iterator[Floats]:
        """Yield for each tree the class shares of each row's leaf, (vectors, rows, classes)."""
        units = self._units(rows)
        for features, thresholds, shares in self._trees(vectors, facts):
            leaves = route(thresholds, features, units)
            yield np.take_along_axis(shares, leaves[:, :, None], axis=1)

    def _trees(self, vectors: Floats, facts: Facts) -> Iterator[tuple[tuple[int, ...], Floats, Floats]]:
        """Yield for each tree its features, valid thresholds and leaf shares, for many vectors."""
        classes, start = len(known_classes(facts)), 0
        for features in self.lists(facts):
            leaves = 2 ** len(features)
            split_end, end = start + leaves - 1, start + leaves - 1 + leaves * classes
            shares = vectors[:, split_end:end].reshape(-1, leaves, classes)
            yield features, vectors[:, start:split_end].clip(0, 1), shares
            start = end

    def _units(self, rows: Floats) -> Floats:
        low, high = np.asarray(self.low), np.asarray(self.high)
        return np.asarray((rows - low) / (high - low))


FeatureLists = tuple[tuple[int, ...], ...]


def draw_lists(trees: int, depth: int, features: int, seed: int) -> FeatureLists:
    """Draw ordered features for each tree by public chance; a feature repeats only after all the others.

    >>> draw_lists(trees=2, depth=3, features=4, seed=0)
    ((2, 0, 1), (3, 2, 1))
    """
    generator = np.random.default_rng(seed)
    rounds = -(-depth // features)
    orders = [np.concatenate([generator.permutation(features) for _ in range(rounds)]) for _ in range(trees)]
    return tuple(tuple(order[:depth].tolist()) for order in orders)


def read_lists(lists: Any) -> FeatureLists | None:
    """Return lists of column numbers as tuples, or reject them."""
    if lists is None:
        return None
    try:
        read = tuple(tuple(whole("a feature", column, 0, 2**20) for column in tree) for tree in lists)
    except TypeError:
        read = ()
    if not read or not all(1 <= len(tree) <= 10 for tree in read):
        raise InvalidParameter("must be one list of 1 to 10 column numbers for each tree", field="features")
    return read
