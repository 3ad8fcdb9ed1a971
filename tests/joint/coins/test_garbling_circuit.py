"""The circuit in the clear against the plain formula, on every pair of words there is."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from joint.statistics import chi_square_rejects, pair_counts
from noisewright.errors import InvalidParameter
from noisewright.joint.coins.garbling import compile_comparisons, plain_flags, word_bits
from noisewright.joint.coins.law import CoinLaw
from noisewright.randomness import SeededSource


def every_pair(width: int) -> tuple[np.ndarray, np.ndarray]:
    words = np.arange(1 << width, dtype=np.uint64)
    return np.repeat(words, words.size), np.tile(words, words.size)


def agree(law: CoinLaw, left: np.ndarray, right: np.ndarray) -> bool:
    circuit = plain_flags(compile_comparisons(law, left), word_bits(right, law.width))
    mask = np.uint64((1 << law.width) - 1)
    return all(
        (got == meant).all() for got, meant in zip(circuit, law.flags((left + right) & mask), strict=True)
    )


def test_all_words_and_all_thresholds_of_three_bits():
    left, right = every_pair(3)
    triples = itertools.combinations_with_replacement(range(9), 3)
    laws = [CoinLaw(low, middle - low, high - middle, 8 - high, width=3) for low, middle, high in triples]
    assert len(laws) == 165
    assert all(agree(law, left, right) for law in laws)


@pytest.mark.parametrize(
    "weights", [(40, 10, 10, 4), (0, 0, 0, 64), (64, 0, 0, 0), (0, 32, 32, 0), (1, 62, 1, 0)]
)
def test_all_words_of_six_bits(weights):
    assert agree(CoinLaw(*weights, width=6), *every_pair(6))


WHOLE = 1 << 64


@pytest.mark.parametrize(
    "weights",
    [
        (WHOLE // 2, WHOLE // 4, WHOLE // 4, 0),
        (WHOLE, 0, 0, 0),
        (0, 0, 0, WHOLE),
        (0, WHOLE, 0, 0),
        (0, 0, WHOLE, 0),
        (1, 1, 1, WHOLE - 3),
    ],
)
def test_words_of_full_width_also_at_the_edges(weights):
    edges = np.array([0, 1, 2, WHOLE // 2 - 1, WHOLE // 2, WHOLE - 2, WHOLE - 1], dtype=np.uint64)
    drawn = SeededSource(1).words(200)
    left, right = (axis.ravel() for axis in np.meshgrid(np.concatenate([edges, drawn]), edges))
    assert agree(CoinLaw(*weights), left, right)


def test_the_flags_follow_the_weights_exactly():
    """Every word of eight bits once: the counts are the weights."""
    law = CoinLaw(100, 60, 50, 46, width=8)
    first, second = law.flags(np.arange(256, dtype=np.uint64))
    assert pair_counts(first, second) == list(law.weights)
    words = np.arange(256, dtype=np.uint64)
    assert law.marginal_flags(words, first=True).sum() == 160 == law.truth_weight(first=True)
    assert law.marginal_flags(words, first=False).sum() == 150 == law.truth_weight(first=False)


def test_the_circuit_draws_the_law():
    """10⁵ coins at level 10⁻⁹; a law that is 2 % off in one weight is told apart."""
    law = CoinLaw.of([WHOLE // 100 * 45, WHOLE // 100 * 25, WHOLE // 100 * 25, WHOLE - WHOLE // 100 * 95])
    left, right = SeededSource(2).words(100_000), SeededSource(3).words(100_000)
    counts = pair_counts(*plain_flags(compile_comparisons(law, left), word_bits(right, 64)))
    assert not chi_square_rejects(counts, law.weights)
    shift = WHOLE // 50
    off = [law.both + shift, law.first_only - shift, law.second_only, law.neither]
    assert chi_square_rejects(counts, off)


@pytest.mark.parametrize(
    "weights", [(1, 2, 3), (WHOLE, 1, 0, 0), (-1, WHOLE, 1, 0), (0.5, 0, 0, 0), (True, WHOLE - 1, 0, 0)]
)
def test_weights_that_are_no_law_are_refused(weights):
    with pytest.raises(InvalidParameter):
        CoinLaw.of(weights)


def test_laws_that_differ_have_different_fingerprints():
    laws = [CoinLaw(8, 4, 4, 0, width=4), CoinLaw(4, 8, 4, 0, width=4), CoinLaw(8, 8, 8, 8, width=5)]
    assert len({law.fingerprint for law in laws}) == 3
