"""The code behind Hadamard response: its rows, its transform, its blocks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import hadamard

from noisewright import Categories
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.mechanisms import HadamardResponse
from noisewright.mechanisms.categorical.hadamard import block_size, walsh_hadamard
from noisewright.randomness import SeededSource


@pytest.mark.parametrize("length", [1, 2, 8, 64])
def test_the_fast_transform_multiplies_by_the_matrix(length):
    counts = np.random.default_rng(length).integers(0, 1000, (3, length))
    np.testing.assert_array_equal(walsh_hadamard(counts), counts @ hadamard(length))


@pytest.mark.parametrize("labels", [2, 3, 7, 8, 9, 100])
@pytest.mark.parametrize("epsilon", [0.5, 2.0, 4.0, 8.0])
def test_every_label_prefers_half_of_its_block_and_two_agree_in_half(labels, epsilon):
    mechanism = HadamardResponse(Categories(range(labels)), epsilon)
    votes = mechanism._votes(np.arange(mechanism.reports.size), np.arange(labels))
    assert (np.abs(votes).sum(axis=1) == mechanism.block_size).all()
    products = votes @ votes.T
    np.testing.assert_array_equal(products, mechanism.block_size * np.eye(labels))
    assert (votes.sum(axis=1) == 0).all()


def test_blocks_grow_with_epsilon():
    blocks = [HadamardResponse(Categories(range(1000)), epsilon).blocks for epsilon in (0.5, 2.0, 4.0, 6.0)]
    assert blocks == sorted(blocks)
    assert blocks[0] == 1 < blocks[-1]


@pytest.mark.parametrize(("labels", "epsilon"), [(2, 1.0), (10, 3.0), (100, 1.0), (100, 4.0), (300, 12.0)])
def test_no_other_number_of_blocks_has_much_less_variance(labels, epsilon):
    """The choice counts with even blocks; where labels do not fill them evenly, 3 % may be left."""
    mechanism = HadamardResponse(Categories(range(labels)), epsilon)
    spreads = []
    for bit in range((labels - 1).bit_length() + 1):
        rival = HadamardResponse(Categories(range(labels)), epsilon)
        for name in ("reports", "free_chance"):
            rival.__dict__.pop(name, None)
        rival.__dict__["blocks"] = 1 << bit
        spreads.append(rival.spread())
    assert mechanism.spread() <= min(spreads) * 1.03


@pytest.mark.parametrize("labels", [2, 5, 100])
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_a_report_that_is_not_free_is_a_uniform_one_that_the_label_prefers(labels, epsilon):
    """Every position of the sampler: each preferred place twice for each block, no other ever."""
    mechanism = HadamardResponse(Categories(range(labels)), epsilon)
    places = np.arange(mechanism.reports.size)
    for cell in (0, 1, labels - 1):
        drawn = mechanism._preferred(np.full(places.size, cell), places)
        counted = np.bincount(drawn, minlength=places.size)
        liked = mechanism._votes(places, np.array([cell]))[0] > 0
        np.testing.assert_array_equal(counted, 2 * mechanism.blocks * liked)


def test_a_block_has_room_for_the_row_of_ones():
    assert [block_size(1, labels) for labels in (2, 3, 4, 7, 8)] == [4, 4, 8, 8, 16]


def test_variances_need_all_shares_and_places_must_exist():
    mechanism = HadamardResponse(Categories(range(10)), 1.0)
    with pytest.raises(InvalidParameter, match="all 10 labels"):
        mechanism.share_variance([0.5], 1)
    reports = mechanism.perturb_cells(np.arange(10), SeededSource(1))
    with pytest.raises(OutOfDomain, match="outside"):
        mechanism.supports(np.append(reports, mechanism.reports.size))
