"""The order of clusters: cluster 2 of one world should be cluster 2 of every other.

An optimal matching (the Hungarian method) pairs clusters with the clusters of a public reference, or with
public classes. Sorting by a coordinate or by size would not do: two clusters that nearly tie swap places from
world to world, and the noise has to cover the jump.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from noisewright.domains import Cells, Floats


def order_like(centroids: Floats, reference: Floats) -> Cells:
    """Which centroid takes each place, so that all together lie closest to a reference.

    The order π minimizes Σᵢ ‖centroids[π(i)] − reference[i]‖².

    >>> order_like(np.array([[9.0], [0.0], [5.0]]), reference=np.array([[0.0], [4.0], [8.0]])).tolist()
    [1, 2, 0]
    """
    _, order = linear_sum_assignment(cdist(reference, centroids, "sqeuclidean"))
    return np.asarray(order, dtype=np.int64)


def in_reference_order(centroids: Floats, reference: Floats) -> Floats:
    """The centroids themselves, each at the place of the reference it is matched with.

    >>> in_reference_order(np.array([[9.0], [0.0]]), reference=np.array([[1.0], [7.0]])).tolist()
    [[0.0], [9.0]]
    """
    return centroids[order_like(centroids, reference)]


def order_by_class(members: Cells, classes: Cells, clusters: int, kinds: int) -> Cells:
    """Which cluster takes the place of each class, so that most records lie in the cluster of their class.

    ``members`` and ``classes`` give each record's cluster and class code. Clusters beyond the number of
    classes follow in their old order; there must be at least as many clusters as classes.

    >>> order_by_class(np.array([2, 2, 0, 1, 1]), np.array([0, 0, 0, 1, 1]), clusters=3, kinds=2).tolist()
    [2, 1, 0]
    """
    counts = np.bincount(classes * clusters + members, minlength=kinds * clusters).reshape(kinds, clusters)
    _, first = linear_sum_assignment(counts, maximize=True)
    rest = np.setdiff1d(np.arange(clusters), first)
    return np.concatenate([first, rest]).astype(np.int64)
