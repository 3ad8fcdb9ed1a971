"""How many records a clustering names right, when its clusters are named after the noise.

A release of K-Means holds centroids and no names. As in the published experiments a reader names them by the
classes of the pool. This is a measure for evaluation: the names are no part of the release.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.release.data import Parted
from noisewright.domains import Cells, Floats
from noisewright.release.algorithms.base import Facts
from noisewright.release.algorithms.classifier import class_codes
from noisewright.release.algorithms.clusters import Clusters

FEW = 4
"""Up to so many clusters all ways to name them are tried for all releases at once."""


def matched_accuracy(clusters: Clusters, facts: Facts, vectors: Floats, parted: Parted) -> Floats:
    """The share of test records in the cluster that best matches their class in the pool, for each vector."""
    codes = class_codes(parted.pool.labels, facts), class_codes(parted.test.labels, facts)
    parts = np.array_split(vectors, max(1, len(vectors) * len(parted.pool.rows) // 1_000_000))
    found = []
    for part in parts:
        centroids = part.reshape(len(part), clusters.count, facts.features)
        if clusters.bounds is not None:
            centroids = centroids.clip(*clusters.bounds)
        tables = [
            crossed(sides(table.rows, centroids), code, clusters.count)
            for table, code in zip((parted.pool, parted.test), codes, strict=True)
        ]
        found.append(named_right(*tables))
    return np.concatenate(found)


def sides(rows: Floats, centroids: Floats) -> Cells:
    """The place of the nearest centroid, (vectors, rows)."""
    excess = (centroids**2).sum(axis=2)[:, None] - 2 * (rows @ centroids.transpose(0, 2, 1))
    return np.asarray(excess.argmin(axis=2))


def crossed(places: Cells, codes: Cells, count: int) -> Floats:
    """Which share of the records lies in each cluster and class, (vectors, clusters, classes)."""
    in_class = (codes[:, None] == np.arange(count)).astype(np.float64)
    in_cluster = (places[:, None] == np.arange(count)[:, None]).astype(np.float64)
    return np.asarray(in_cluster @ in_class / len(codes))


def named_right(pool: Floats, test: Floats) -> Floats:
    """The share of the test that is right under the names that are right most often in the pool."""
    count = pool.shape[1]
    if count <= FEW:
        ways = np.array(list(permutations(range(count))))
        within, beyond = (table[:, np.arange(count), ways].sum(axis=2) for table in (pool, test))
        return np.asarray(np.take_along_axis(beyond, within.argmax(axis=1)[:, None], axis=1)[:, 0])
    return np.array([two[linear_sum_assignment(-one)].sum() for one, two in zip(pool, test, strict=True)])
