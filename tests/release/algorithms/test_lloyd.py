"""Lloyd's iteration: scikit-learn's twin, to the last digits."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris

from noisewright.domains import Floats
from noisewright.release.algorithms.clusters import best_clustering, inertia, lloyd, nearest

ROWS: Floats = load_iris().data
WORLDS = [np.random.default_rng(seed).permutation(150)[:75] for seed in range(12)]


def in_order(centroids: Floats) -> Floats:
    return centroids[np.lexsort(centroids.T)]


@pytest.mark.parametrize("count", [1, 3, 7])
def test_from_the_same_start_it_ends_where_scikit_learn_ends(count: int) -> None:
    start = ROWS[:: 150 // count][:count]
    for world in WORLDS:
        own = KMeans(count, init=start, n_init=1).fit(ROWS[world])
        found = lloyd(ROWS[world], start)
        np.testing.assert_allclose(found, own.cluster_centers_, atol=1e-12)
        np.testing.assert_array_equal(nearest(ROWS, found), own.predict(ROWS))
        assert inertia(ROWS[world], found) == pytest.approx(own.inertia_, rel=1e-9)


def test_its_restarts_are_those_of_scikit_learn() -> None:
    for seed, world in enumerate(WORLDS[:6]):
        own = KMeans(3, n_init=3, random_state=seed).fit(ROWS[world])
        found = best_clustering(ROWS[world], count=3, restarts=3, seed=seed)
        np.testing.assert_allclose(in_order(found), in_order(own.cluster_centers_), atol=1e-12)


@pytest.mark.parametrize("far", [[[99.0] * 4], [[99.0] * 4, [-99.0] * 4]])
def test_a_cluster_that_nobody_is_close_to_takes_the_worst_placed_row(far: list[list[float]]) -> None:
    start = np.vstack([ROWS[[0, 60]], far])
    own = KMeans(len(start), init=start, n_init=1).fit(ROWS)
    found = lloyd(ROWS, start)
    np.testing.assert_allclose(in_order(found), in_order(own.cluster_centers_), atol=1e-12)
    assert (np.bincount(nearest(ROWS, found), minlength=len(start)) > 0).all()


def test_more_starts_are_never_worse() -> None:
    few = [inertia(ROWS, best_clustering(ROWS, 7, restarts=1, seed=seed)) for seed in range(4)]
    many = [inertia(ROWS, best_clustering(ROWS, 7, restarts=6, seed=seed)) for seed in range(4)]
    assert all(more <= one + 1e-9 for more, one in zip(many, few, strict=True))
    assert sum(many) < sum(few)


def test_columns_far_from_zero_lose_no_digits() -> None:
    moved = lloyd(ROWS + 1e7, ROWS[[0, 60, 120]] + 1e7) - 1e7
    np.testing.assert_allclose(moved, lloyd(ROWS, ROWS[[0, 60, 120]]), atol=1e-6)
