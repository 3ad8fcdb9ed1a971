"""Clusters in the order of a reference: the best order, whatever order they come in."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.domains import Floats
from noisewright.release.algorithms.clusters import in_reference_order, order_by_class, order_like

SEEDS = st.integers(0, 2**32 - 1)


def cost(centroids: Floats, reference: Floats) -> float:
    return float(((centroids - reference) ** 2).sum())


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_no_other_order_is_closer_to_the_reference(seed: int) -> None:
    centroids, reference = np.random.default_rng(seed).normal(size=(2, 4, 3))
    costs = [cost(centroids[list(order)], reference) for order in permutations(range(4))]
    assert cost(in_reference_order(centroids, reference), reference) == pytest.approx(min(costs), rel=1e-12)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_the_order_that_centroids_come_in_does_not_matter(seed: int) -> None:
    generator = np.random.default_rng(seed)
    centroids, reference = generator.normal(size=(2, 5, 2))
    shuffled = generator.permutation(centroids)
    assert np.array_equal(in_reference_order(centroids, reference), in_reference_order(shuffled, reference))


def test_small_differences_far_from_zero_are_seen() -> None:
    reference = 1e9 + np.array([[0.0], [1.0], [2.0]])
    assert order_like(reference[[2, 0, 1]], reference).tolist() == [1, 2, 0]


def test_sorting_by_a_coordinate_would_jump_where_matching_does_not() -> None:
    reference = np.array([[0.50, 0.0], [0.51, 9.0]])
    moved = np.array([[0.52, 0.0], [0.49, 9.0]])
    assert order_like(moved, reference).tolist() == [0, 1]
    assert np.argsort(moved[:, 0]).tolist() == [1, 0]


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(2, 4))
def test_no_other_order_puts_more_records_into_the_cluster_of_their_class(seed: int, kinds: int) -> None:
    generator = np.random.default_rng(seed)
    members, classes = generator.integers(4, size=40), generator.integers(kinds, size=40)
    order = order_by_class(members, classes, clusters=4, kinds=kinds)
    assert sorted(order) == [0, 1, 2, 3]

    def right(order: Sequence[int]) -> int:
        return int((np.asarray(order)[classes] == members).sum())

    assert right(order) == max(right(other) for other in permutations(range(4)))


def test_clusters_beyond_the_classes_follow_in_their_order() -> None:
    members, classes = np.array([3, 3, 1, 1]), np.array([0, 0, 1, 1])
    assert order_by_class(members, classes, clusters=5, kinds=2).tolist() == [3, 1, 0, 2, 4]
