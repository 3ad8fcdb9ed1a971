"""Lloyd's iteration for K-Means, small and repeatable to the last bit.

scikit-learn's own adds the sums of its threads in the order they happen to finish, and spends a millisecond
on preparations; a thousand small worlds want neither. The stopping rule is scikit-learn's, so that both end
at the same centroids.
"""

from __future__ import annotations

import numpy as np
from sklearn import config_context
from sklearn.cluster import kmeans_plusplus

from noisewright.domains import Cells, Floats

MOST_ITERATIONS = 300
TOLERANCE = 1e-4
"""Squared movement of all centroids, in mean variances of a column, that counts as standing still."""


def best_clustering(rows: Floats, count: int, restarts: int, seed: int) -> Floats:
    """The centroids of least inertia among some runs, each from a k-means++ start of its own.

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
    """Centroids after each has moved to the mean of its rows until no row changes sides.

    >>> lloyd(np.array([[0.0], [1.0], [10.0], [11.0]]), start=np.array([[0.0], [1.0]])).ravel().tolist()
    [0.5, 10.5]
    """
    middle = rows.mean(axis=0)  # distances are the more exact the closer the rows lie to zero
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
    """The place of the centroid closest to each row.

    >>> nearest(np.array([[0.0], [4.0]]), np.array([[1.0], [2.0]])).tolist()
    [0, 1]
    """
    # ‖x − c‖² without ‖x‖², which is the same for every c.
    excess = (centroids**2).sum(axis=1) - rows @ (2 * centroids.T)
    return np.asarray(excess.argmin(axis=1))


def squared_misses(rows: Floats, centroids: Floats, sides: Cells) -> Floats:
    """The squared distance of each row to the centroid of its side."""
    return np.asarray(((rows - centroids[sides]) ** 2).sum(axis=1))


def inertia(rows: Floats, centroids: Floats) -> float:
    """What K-Means makes small: the sum of squared distances to the nearest centroid.

    >>> inertia(np.array([[0.0], [4.0]]), np.array([[1.0], [2.0]]))
    5.0
    """
    return float(squared_misses(rows, centroids, nearest(rows, centroids)).sum())


def means_of(rows: Floats, sides: Cells, centroids: Floats) -> Floats:
    """The mean of each cluster; one that lost all its rows takes the worst placed row of the others."""
    count = len(centroids)
    sizes = np.bincount(sides, minlength=count)
    if not sizes.all():
        sides = filled(sides, squared_misses(rows, centroids, sides), sizes)
        sizes = np.bincount(sides, minlength=count)
    chosen = (np.arange(count)[:, None] == sides).astype(np.float64)
    return np.asarray(chosen @ rows / np.maximum(sizes, 1)[:, None])


def filled(sides: Cells, misses: Floats, sizes: Cells) -> Cells:
    """Sides where each empty cluster has got one of the rows farthest from their centroids.

    >>> filled(np.array([0, 0, 0]), np.array([1.0, 9.0, 0.0]), sizes=np.array([3, 0])).tolist()
    [0, 1, 0]
    """
    empty = np.flatnonzero(sizes == 0)
    farthest = np.argsort(-misses, kind="stable")[: len(empty)]
    changed = sides.copy()
    changed[farthest] = empty
    return changed
