"""K-Means: the centroids of clusters, in an order that all worlds share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.parameters import shown, whole
from noisewright.release.algorithms.base import Algorithm, Facts, Labels
from noisewright.release.algorithms.classifier import class_codes
from noisewright.release.algorithms.lloyd import best_clustering, lloyd, nearest, squared_misses
from noisewright.release.algorithms.naming import named_columns
from noisewright.release.algorithms.ranges import Limit, check_width, read_limits
from noisewright.release.algorithms.released_kmeans import ReleasedKMeans
from noisewright.release.canonical import in_reference_order, order_by_class

STARTS = ("reference", "own")
POOL_SEED = 0
"""The public seed of the reference clustering."""


@dataclass(frozen=True)
class Clusters(Algorithm):
    """K-Means: the vector holds the centroids, cluster after cluster.

    The pool's own centroids, the best of ``restarts`` runs, are the reference that orders the clusters of
    every world. With ``start="reference"`` Lloyd's iteration starts there as well, which is stable and fast;
    with ``"own"`` each world has ``restarts`` k-means++ starts from its public seed. Labels are not needed;
    given 2 to ``count`` classes, cluster i is the one that matches class i best, so that ``predict`` answers
    with class codes. ``bounds=(low, high)`` are public: noised centroids are moved into them, at no cost.

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
        if self.start not in STARTS:
            raise InvalidParameter(f"start must be one of {', '.join(STARTS)}, got {shown(self.start)}")
        if self.bounds is not None:
            object.__setattr__(self, "bounds", _read_bounds(self.bounds))

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        for limit in self.bounds or ():
            check_width("bounds", limit, rows.shape[1])
        facts = super().facts(rows, labels, names)
        refuse_few(rows, self.count)
        reference = best_clustering(rows, self.count, self.restarts, POOL_SEED)
        classes = () if labels is None else tuple(np.unique(labels).tolist())
        if labels is None or not 2 <= len(classes) <= self.count:
            return replace(facts, reference=reference)
        facts = replace(facts, classes=classes)
        sides, codes = nearest(rows, reference), class_codes(labels, facts)
        return replace(facts, reference=reference[order_by_class(sides, codes, self.count, len(classes))])

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        refuse_few(rows, self.count)
        if facts.reference is None:
            raise InvalidParameter("K-Means needs the facts of its own pool; take them from its facts()")
        if self.start == "reference":
            centroids = lloyd(rows, facts.reference)
        else:
            centroids = best_clustering(rows, self.count, self.restarts, seed)
        return in_reference_order(centroids, facts.reference).ravel()

    def model(self, vector: Floats, facts: Facts) -> Any:
        """A fitted scikit-learn ``KMeans``."""
        return named_columns(ReleasedKMeans.of(self._centroids(vector[None], facts)[0]), facts)

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        return tuple(f"cluster {place}, {name}" for place in range(self.count) for name in facts.columns())

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """1 − the distance to the nearest centroid, as a share of the largest such distance."""
        # Sridhar et al. 2024, section 8.1
        distances = np.sqrt([_misses(rows, centroids) for centroids in self._centroids(vectors, facts)])
        largest = distances.max(axis=1, keepdims=True)
        return np.asarray(1 - distances / np.where(largest > 0, largest, 1.0))

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """The share of rows in the cluster of their class; without labels, minus the inertia of a row."""
        all_centroids = self._centroids(vectors, facts)
        if labels is None or facts.classes is None:
            return np.array([-_misses(rows, centroids).mean() for centroids in all_centroids])
        codes = class_codes(labels, facts)
        return np.array([(nearest(rows, centroids) == codes).mean() for centroids in all_centroids])

    def _centroids(self, vectors: Floats, facts: Facts) -> Floats:
        """Centroids inside their bounds, (vectors, clusters, features)."""
        centroids = vectors.reshape(len(vectors), self.count, facts.features)
        return centroids if self.bounds is None else np.clip(centroids, *self.bounds)


def refuse_few(rows: Floats, count: int) -> None:
    """Refuse rows that cannot be cut into so many clusters."""
    # A few rows nearly always suffice to see it, and looking at all of them costs a sort.
    if all(len(np.unique(some, axis=0)) < count for some in (rows[: 8 * count], rows)):
        raise OutOfDomain(f"the rows hold fewer than {count} different ones; ask for fewer clusters")


def _read_bounds(bounds: Any) -> tuple[Limit, Limit]:
    if not isinstance(bounds, tuple | list) or len(bounds) != 2:
        raise InvalidParameter(f"bounds must be a pair (low, high), got {shown(bounds)}")
    return read_limits(*bounds)


def _misses(rows: Floats, centroids: Floats) -> Floats:
    return squared_misses(rows, centroids, nearest(rows, centroids))
