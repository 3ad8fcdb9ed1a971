"""Hash functions that are exactly independent for every two labels, and counting their support."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from noisewright import Categories
from noisewright.domains.codes import SEEDED
from noisewright.errors import OutOfDomain
from noisewright.mechanisms import OLH
from noisewright.mechanisms.categorical import hash_family, hashing
from noisewright.mechanisms.categorical.hash_family import WORD_BITS, HashFamily, hash_bits
from noisewright.randomness import SeededSource

SMALL = 7
"""Bits of the small words whose hash functions are all listed."""


def all_seeds() -> np.ndarray:
    """Every pair of words of a few bits, placed so that arithmetic modulo 2³² is theirs modulo 2⁷."""
    words = np.arange(1 << SMALL, dtype=np.uint64) << np.uint64(WORD_BITS - SMALL)
    return ((words[:, None] << np.uint64(WORD_BITS)) | words[None, :]).reshape(-1)


def small_family(labels: int, size: int, spare: int = 0) -> HashFamily:
    """The family on words of a few bits, of which a seed of :func:`all_seeds` names one function."""
    family = HashFamily(labels, size)
    family.__dict__["bits"] = hash_bits(labels) - (WORD_BITS - SMALL) + spare
    return family


def joint_counts(family, left, right):
    seeds = all_seeds()
    first, second = (family.values(seeds, np.full(seeds.size, label)) for label in (left, right))
    return np.bincount(first * family.size + second, minlength=family.size**2).reshape(family.size, -1)


@pytest.mark.parametrize(("labels", "size"), [(2, 2), (2, 3), (5, 4), (8, 5), (13, 7), (16, 16)])
def test_the_values_of_any_two_labels_are_exactly_independent(labels, size):
    family = small_family(labels, size)
    shares = np.array(family.shares)
    expected = np.outer(shares, shares) << (2 * (SMALL - family.bits))
    for left, right in itertools.combinations(range(labels), 2):
        np.testing.assert_array_equal(joint_counts(family, left, right), expected)


def test_one_bit_more_and_they_are_not():
    family = small_family(8, 2**6, spare=1)
    counts = joint_counts(family, 0, 4)
    assert counts.min() < counts.max()


@pytest.mark.parametrize(("labels", "epsilon"), [(3, 1.0), (5, 0.5), (8, 1.6), (16, 2.5)])
def test_hit_and_miss_are_the_means_over_all_seeds(labels, epsilon):
    mechanism = OLH(Categories(range(labels)), epsilon)
    family = small_family(labels, mechanism.hash_size)
    mechanism.__dict__["family"] = family
    del mechanism.__dict__["_chances"]  # those of the real family, which were looked at when it was built
    weights = [mechanism.window.word_counts(value)[0] for value in range(family.size)]
    total = mechanism.window.word_counts(0)[1]
    seeds = all_seeds()
    for left, right in itertools.product(range(labels), repeat=2):
        counts = joint_counts(family, left, right) if left != right else np.diag(own_counts(family, left))
        outcomes = sum(
            int(counts[x, y]) * weights[x][y] for x in range(family.size) for y in range(family.size)
        )
        expected = mechanism._chances[0 if left == right else 1]
        assert Fraction(outcomes, total * seeds.size) == expected


def own_counts(family, label):
    seeds = all_seeds()
    return np.bincount(family.values(seeds, np.full(seeds.size, label)), minlength=family.size)


@pytest.mark.parametrize(("labels", "size"), [(2, 2), (100, 4), (1000, 37), (1 << 16, 5000), (1 << 20, 8192)])
def test_arcs_tell_what_the_hash_tells(labels, size):
    family = HashFamily(labels, size)
    generator = np.random.default_rng(size)
    seeds = SeededSource(size).words(300)
    values = generator.integers(0, size, 300).astype(np.uint16)
    factor, start, width = family.arcs(seeds, values)
    for label in [0, 1, labels - 1, *generator.integers(0, labels, 40).tolist()]:
        hashed = family.values(seeds, np.full(300, label))
        assert hashed.max() < size
        np.testing.assert_array_equal(factor * np.uint32(label) + start < width, hashed == values)
        own = family.arcs(seeds, hashed)
        assert (own[0] * np.uint32(label) + own[1] < own[2]).all()


@pytest.mark.parametrize("labels", [2, 100, 1023])
def test_the_compiled_loop_agrees_with_numpy(labels):
    mechanism = OLH(Categories(range(labels)), 2.0)
    reports = mechanism.perturb_cells(np.arange(3000) % labels, SeededSource(1))
    arcs = mechanism.family.arcs(reports["seed"], reports["value"])
    compiled = hash_family.loops()
    if compiled is None:
        pytest.skip("numba is not installed")
    counts = np.zeros(labels, dtype=np.uint32)
    compiled.arc_supports(*arcs, counts)
    np.testing.assert_array_equal(counts, hash_family.numpy_supports(arcs, labels))


def test_the_same_counts_with_and_without_the_compiled_loop(monkeypatch):
    mechanism = OLH(Categories(range(60)), 1.0)
    reports = mechanism.perturb_cells(np.arange(4000) % 60, SeededSource(1))
    expected = mechanism.supports(reports)
    monkeypatch.setattr(hash_family, "WORTH_COMPILING", 1)
    monkeypatch.setattr(hashing, "REPORTS_AT_A_TIME", 999)
    np.testing.assert_array_equal(mechanism.supports(reports), expected)
    monkeypatch.setattr(hash_family, "loops", lambda: None)
    np.testing.assert_array_equal(mechanism.supports(reports), expected)
    told = mechanism.likelihoods(reports)
    np.testing.assert_array_equal((told > 1).sum(axis=1), expected)


@pytest.mark.parametrize(("labels", "epsilon"), [(2, 1.0), (10, 1.0), (100, 0.1), (100, 3.0), (300, 5.0)])
def test_no_other_number_of_hash_values_has_less_variance(labels, epsilon):
    mechanism = OLH(Categories(range(labels)), epsilon)
    spreads = {}
    for size in range(2, labels + 1):
        rival = OLH(Categories(range(labels)), epsilon)
        for name in ("window", "family", "_chances"):
            rival.__dict__.pop(name, None)
        rival.__dict__["hash_size"] = size
        spreads[size] = rival.spread()
    assert mechanism.spread() == spreads[mechanism.hash_size]
    assert mechanism.spread() <= min(spreads.values()) * (1 + 1e-9)


def test_the_number_of_values_stays_within_what_two_bytes_and_the_hash_allow():
    assert OLH(Categories(range(1 << 20)), 12.0).hash_size <= 1 << 13
    assert OLH(Categories(range(1 << 17)), 20.0).hash_size <= 1 << 16
    assert OLH(Categories("ab"), 5.0).hash_size == 2


def test_reports_of_another_shape_are_refused():
    mechanism = OLH(Categories(range(60)), 1.0)
    for bad in (np.arange(3), np.array([(1, mechanism.hash_size)], dtype=SEEDED), [[1, 2]]):
        with pytest.raises(OutOfDomain):
            mechanism.supports(bad)
