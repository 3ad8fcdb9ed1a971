"""K-Means: the centroids of clusters, in an order that all worlds share.

**Lloyd's iteration** here is small and repeatable to the last bit. scikit-learn's own adds the sums of its
threads in the order they happen to finish, and spends a millisecond on preparations; a thousand small worlds
can afford neither. The stopping rule is scikit-learn's, so that both end at the same centroids.

**Order.** Cluster 2 of one world should be cluster 2 of every other world. An optimal matching (the Hungarian
method) pairs clusters with the clusters of a public reference, or with public classes. Sorting by a
coordinate or by size would fail: two clusters that nearly tie swap places from world to world, and the noise
has to cover the jump.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from sklearn import config_context
from sklearn.cluster import KMeans, kmeans_plusplus

from noisewright.domains import Cells, Floats
from noisewright.errors import BadRelease, InvalidParameter
from noisewright.parameters import one_of, shown, whole
from noisewright.release.algorithms.base import (
    Algorithm,
    Facts,
    Labels,
    Limit,
    check_widths,
    name_columns,
    read_limits,
    set_fields,
)
from noisewright.release.algorithms.classifier import class_codes

STARTS = ("reference", "own")
POOL_SEED = 0
"""The public seed of the reference clustering."""


@dataclass(frozen=True)
class Clusters(Algorithm):
    """K-Means: the vector holds the centroids, cluster after cluster.

    The pool's own centroids, the best of ``restarts`` runs, are the reference that orders the clusters of
    every world. Labels are not needed; given 2 to ``count`` classes, cluster i is the one that matches class
    i best, so that ``predict`` answers with class codes.

    Args:
        count: Number of clusters, from 1 to 4096.
        restarts: Number of k-means++ starts, from 1 to 1000, of which the best is taken.
        start: Where Lloyd's iteration starts in a world: "reference", at the pool's centroids, which is
            stable and fast, or "own", with k-means++ from the world's public seed.
        bounds: Public limits (low, high) to which noised centroids are clipped, at no cost; None for none.

    >>> rows = np.array([[0.0], [0.2], [1.0], [0.8], [0.1], [0.9]])
    >>> clusters = Clusters(2); facts = clusters.facts(rows, labels=np.array(list("bbaaba")))
    >>> vector = clusters.fit(rows, None, seed=0, facts=facts)
    >>> dict(zip(clusters.coordinates(facts), vector.round(3).tolist()))
    {'cluster 0, x0': 0.9, 'cluster 1, x0': 0.1}
    >>> clusters.model(vector, facts).predict([[0.3], [0.7]]).tolist()
    [1, 0]
    """

    count: int
    restarts: int = 10
    start: str = "reference"
    bounds: tuple[Limit, Limit] | None = None

    title: ClassVar[str] = "a K-Means clustering"

    def __post_init__(self) -> None:
        whole("count", self.count, 1, 4096)
        whole("restarts", self.restarts, 1, 1000)
        one_of("start", self.start, STARTS)
        if self.bounds is not None:
            if not isinstance(self.bounds, tuple | list) or len(self.bounds) != 2:
                raise InvalidParameter(
                    f"must be a pair (low, high), got {shown(self.bounds)}", field="bounds"
                )
            set_fields(self, bounds=read_limits(*self.bounds))

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        for limit in self.bounds or ():
            check_widths(rows.shape[1], bounds=limit)
        facts = super().facts(rows, labels, names)
        check_distinct(rows, self.count)
        reference = best_clustering(rows, self.count, self.restarts, POOL_SEED)
        classes = () if labels is None else tuple(np.unique(labels).tolist())
        if labels is None or not 2 <= len(classes) <= self.count:
            return replace(facts, reference=reference)
        facts = replace(facts, classes=classes)
        sides, codes = nearest(rows, reference), class_codes(labels, facts)
        return replace(facts, reference=reference[order_by_class(sides, codes, self.count, len(classes))])

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        check_distinct(rows, self.count)
        reference = self.reference(facts)
        if self.start == "reference":
            centroids = lloyd(rows, reference)
        else:
            centroids = best_clustering(rows, self.count, self.restarts, seed)
        return in_reference_order(centroids, reference).ravel()

    def model(self, vector: Floats, facts: Facts) -> Any:
        """Return a fitted scikit-learn ``KMeans``."""
        return name_columns(ReleasedKMeans.of(self._centroids(vector[None], facts)[0]), facts)

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        return tuple(f"cluster {place}, {name}" for place in range(self.count) for name in facts.columns())

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return 1 − the distance to the nearest centroid, as a share of the largest such distance."""
        # Sridhar et al. 2024, section 8.1
        distances = np.sqrt(
            [squared_misses(rows, centroids) for centroids in self._centroids(vectors, facts)]
        )
        largest = distances.max(axis=1, keepdims=True)
        return np.asarray(1 - distances / np.where(largest > 0, largest, 1.0))

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return the share of rows in the cluster of their class; without labels, minus the mean inertia."""
        all_centroids = self._centroids(vectors, facts)
        if labels is None or facts.classes is None:
            return np.array([-squared_misses(rows, centroids).mean() for centroids in all_centroids])
        codes = class_codes(labels, facts)
        return np.array([(nearest(rows, centroids) == codes).mean() for centroids in all_centroids])

    def _centroids(self, vectors: Floats, facts: Facts) -> Floats:
        """Return centroids inside their bounds, (vectors, clusters, features)."""
        centroids = vectors.reshape(len(vectors), self.count, facts.features)
        return centroids if self.bounds is None else np.clip(centroids, *self.bounds)


def check_distinct(rows: Floats, count: int) -> None:
    """Reject rows that cannot be cut into ``count`` clusters."""
    # A few rows nearly always suffice, and comparing all of them costs a sort.
    if all(len(np.unique(some, axis=0)) < count for some in (rows[: 8 * count], rows)):
        raise BadRelease(f"the data has fewer than {count} different rows; ask for fewer clusters")


MOST_ITERATIONS = 300
TOLERANCE = 1e-4
"""Squared movement of all centroids, in mean variances of a column, that counts as converged."""


def best_clustering(rows: Floats, count: int, restarts: int, seed: int) -> Floats:
    """Return the centroids of least inertia among ``restarts`` runs, each from its own k-means++ start.

    >>> rows = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> sorted(best_clustering(rows, count=2, restarts=3, seed=0).ravel().tolist())
    [0.5, 10.5]
    """
    # The legacy generator is what KMeans(random_state=seed) draws from: the same starts, the same answer.
    generator = np.random.RandomState(seed)
    with config_context(assume_finite=True, skip_parameter_validation=True):
        starts = [kmeans_plusplus(rows, count, random_state=generator)[0] for _ in range(restarts)]
    return min((lloyd(rows, start) for start in starts), key=lambda centroids: inertia(rows, centroids))


def lloyd(rows: Floats, start: Floats) -> Floats:
    """Return the centroids after each has moved to the mean of its rows until no row changes sides.

    >>> lloyd(np.array([[0.0], [1.0], [10.0], [11.0]]), start=np.array([[0.0], [1.0]])).ravel().tolist()
    [0.5, 10.5]
    """
    middle = rows.mean(axis=0)  # distances are more exact for rows closer to zero
    rows, centroids = rows - middle, start - middle
    standing = TOLERANCE * float(rows.var(axis=0).mean())
    before = np.full(len(rows), -1)
    for _ in range(MOST_ITERATIONS):
        sides = nearest(rows, centroids)
        moved = means_of(rows, sides, centroids)
        shift, centroids = float(((moved - centroids) ** 2).sum()), moved
        if shift <= standing or np.array_equal(sides, before):
            break
        before = sides
    return np.asarray(centroids + middle)


def nearest(rows: Floats, centroids: Floats) -> Cells:
    """Return the place of the centroid closest to each row.

    >>> nearest(np.array([[0.0], [4.0]]), np.array([[1.0], [2.0]])).tolist()
    [0, 1]
    """
    # ‖x − c‖² without ‖x‖², which is the same for every c.
    excess = (centroids**2).sum(axis=1) - rows @ (2 * centroids.T)
    return np.asarray(excess.argmin(axis=1))


def squared_misses(rows: Floats, centroids: Floats, sides: Cells | None = None) -> Floats:
    """Return the squared distance of each row to the centroid of its side, or to the nearest."""
    sides = nearest(rows, centroids) if sides is None else sides
    return np.asarray(((rows - centroids[sides]) ** 2).sum(axis=1))


def inertia(rows: Floats, centroids: Floats) -> float:
    """Return the objective of K-Means: the sum of squared distances to the nearest centroid.

    >>> inertia(np.array([[0.0], [4.0]]), np.array([[1.0], [2.0]]))
    5.0
    """
    return float(squared_misses(rows, centroids).sum())


def means_of(rows: Floats, sides: Cells, centroids: Floats) -> Floats:
    """Return the mean of each cluster; a cluster without rows takes the row farthest from its centroid."""
    count = len(centroids)
    sizes = np.bincount(sides, minlength=count)
    if not sizes.all():
        sides = fill_empty(sides, squared_misses(rows, centroids, sides), sizes)
        sizes = np.bincount(sides, minlength=count)
    chosen = (np.arange(count)[:, None] == sides).astype(np.float64)
    return np.asarray(chosen @ rows / np.maximum(sizes, 1)[:, None])


def fill_empty(sides: Cells, misses: Floats, sizes: Cells) -> Cells:
    """Give each empty cluster one of the rows farthest from their centroids.

    >>> fill_empty(np.array([0, 0, 0]), np.array([1.0, 9.0, 0.0]), sizes=np.array([3, 0])).tolist()
    [0, 1, 0]
    """
    empty = np.flatnonzero(sizes == 0)
    farthest = np.argsort(-misses, kind="stable")[: len(empty)]
    changed = sides.copy()
    changed[farthest] = empty
    return changed


def order_like(centroids: Floats, reference: Floats) -> Cells:
    """Return the permutation of centroids that brings them closest to a reference.

    The order π minimizes Σᵢ ‖centroids[π(i)] − reference[i]‖².

    >>> order_like(np.array([[9.0], [0.0], [5.0]]), reference=np.array([[0.0], [4.0], [8.0]])).tolist()
    [1, 2, 0]
    """
    _, order = linear_sum_assignment(cdist(reference, centroids, "sqeuclidean"))
    return np.asarray(order, dtype=np.int64)


def in_reference_order(centroids: Floats, reference: Floats) -> Floats:
    """Return the centroids themselves, each at the place of the reference it is matched with.

    >>> in_reference_order(np.array([[9.0], [0.0]]), reference=np.array([[1.0], [7.0]])).tolist()
    [[0.0], [9.0]]
    """
    return centroids[order_like(centroids, reference)]


def order_by_class(members: Cells, classes: Cells, clusters: int, kinds: int) -> Cells:
    """Return which cluster stands for each class, so that most records lie in the cluster of their class.

    ``members`` and ``classes`` give each record's cluster and class code. Clusters beyond the number of
    classes follow in their old order; there must be at least as many clusters as classes.

    >>> order_by_class(np.array([2, 2, 0, 1, 1]), np.array([0, 0, 0, 1, 1]), clusters=3, kinds=2).tolist()
    [2, 1, 0]
    """
    counts = np.bincount(classes * clusters + members, minlength=kinds * clusters).reshape(kinds, clusters)
    _, first = linear_sum_assignment(counts, maximize=True)
    rest = np.setdiff1d(np.arange(clusters), first)
    return np.concatenate([first, rest]).astype(np.int64)


class ReleasedKMeans(KMeans):  # type: ignore[misc]  # scikit-learn is untyped
    """A KMeans that holds only centroids: no labels, inertia or iterations of the rows it was fitted on."""

    @classmethod
    def of(cls, centroids: Floats) -> ReleasedKMeans:
        """Return the model with these centroids.

        >>> ReleasedKMeans.of(np.array([[0.0], [9.0]])).predict(np.array([[1.0], [7.0]], dtype=np.float32))
        array([0, 1], dtype=int32)
        """
        model = cls(n_clusters=len(centroids))
        model.cluster_centers_ = np.array(centroids, dtype=np.float64, order="C")
        model.n_features_in_ = centroids.shape[1]
        model._n_features_out = len(centroids)
        model._n_threads = 1
        return model

    def _check_test_data(self, X: Any) -> Any:  # noqa: N803  (scikit-learn's name)
        # The compiled distances refuse single-precision rows beside double-precision centroids.
        return super()._check_test_data(X).astype(np.float64, copy=False)
