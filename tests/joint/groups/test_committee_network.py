"""The sorting network: sorts everything, and gives uniform pairs when its keys are."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from noisewright.errors import InvalidParameter
from noisewright.joint.groups.sorting_network import apply_layer, comparisons, layers, sort_plain
from noisewright.randomness import SeededSource

LEVEL = 1e-9
ROUNDS = 30_000
MATCHINGS = 15


def sort_columns(keys):
    """Sort many lists at once: one list a column, by the layers of the network."""
    keys = keys.copy()
    for layer in layers(len(keys)):
        low, high = keys[layer.low], keys[layer.high]
        keys[layer.low], keys[layer.high] = np.minimum(low, high), np.maximum(low, high)
    return keys


@pytest.mark.parametrize("rows", range(2, 17))
def test_zeros_and_ones_are_sorted_in_every_arrangement(rows):
    """The 0–1 principle: a network that sorts all lists of zeros and ones sorts all lists."""
    every = (np.arange(1 << rows)[None, :] >> np.arange(rows)[:, None]) & 1
    ordered = sort_columns(every)
    assert (np.diff(ordered, axis=0) >= 0).all()
    assert np.array_equal(ordered.sum(axis=0), every.sum(axis=0))


@pytest.mark.parametrize("rows", [5, 8, 16])
def test_a_network_that_lacks_a_layer_does_not_sort(rows):
    every = (np.arange(1 << rows)[None, :] >> np.arange(rows)[:, None]) & 1
    for layer in list(layers(rows))[:-1]:
        low, high = every[layer.low], every[layer.high]
        every[layer.low], every[layer.high] = np.minimum(low, high), np.maximum(low, high)
    assert (np.diff(every, axis=0) < 0).any()


@pytest.mark.parametrize("rows", [2, 3, 7, 100, 1000])
def test_the_steps_for_secret_rows_sort_plain_ones_and_carry_what_belongs_to_them(rows):
    keys = SeededSource(rows).words(rows).astype(object)
    table = np.stack([keys, 7 * keys + 1, np.arange(rows).astype(object)], axis=1)
    assert sort_plain(table).tolist() == table[np.argsort(keys)].tolist()


@pytest.mark.parametrize("rows", [2, 9, 100])
def test_rows_meet_once_in_a_layer_and_the_first_wins(rows):
    for layer in layers(rows):
        touched = np.concatenate((layer.low, layer.high, layer.idle))
        assert np.array_equal(np.sort(touched), np.arange(rows))
        assert (layer.low < layer.high).all()


def test_which_rows_are_compared_depends_on_their_number_alone():
    asked: list[list[list[int]]] = [[], []]
    for number, seen in enumerate(asked):
        rows = SeededSource(number).words(20).astype(object).reshape(20, 1)
        for layer in layers(20):
            seen.append(layer.low.tolist())
            rows = apply_layer(rows, layer, lambda left, right: (left < right).astype(object))
    assert asked[0] == asked[1]


def test_the_number_of_comparisons_is_batchers():
    power = 10
    assert comparisons(1 << power) == (power * power - power + 4) * (1 << (power - 2)) - 1


def test_one_row_cannot_be_sorted():
    with pytest.raises(InvalidParameter, match="rows to sort"):
        list(layers(1))


def matchings(keys) -> list[int]:
    """How often each matching of six users occurs; users travel in the last three bits of their keys."""
    ordered = sort_columns((keys << 3 | np.arange(6)).T) & 7
    pairs = np.sort(ordered.T.reshape(len(keys), 3, 2), axis=2)
    codes = np.sort(pairs @ np.array([6, 1]), axis=1)
    counts = np.unique(codes, axis=0, return_counts=True)[1].tolist()
    return [*counts, *[0] * (MATCHINGS - len(counts))]


def test_pairs_of_neighbours_are_uniform_and_biased_keys_are_caught():
    keys = (SeededSource(3).words(6 * ROUNDS) >> np.uint64(4)).astype(np.int64).reshape(ROUNDS, 6)
    biased = keys // np.array([1, 1, 1, 1, 2, 2])  # two users whose keys lack the upper half
    quantile = chi2.isf(LEVEL, MATCHINGS - 1)
    expected = ROUNDS / MATCHINGS
    fair, unfair = (
        sum((count - expected) ** 2 / expected for count in matchings(table)) for table in (keys, biased)
    )
    assert fair < quantile < unfair
