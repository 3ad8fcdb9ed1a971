"""Coins side by side: every outcome of short ones accounted for, few words used, bits packed and counted."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.mechanisms.categorical.coins import (
    COIN_BITS,
    WHOLE,
    coin_words,
    coins,
    column_sums,
    from_flags,
    set_bit,
    to_flags,
    to_packed,
)
from noisewright.randomness import SeededSource


class Scripted:
    """A stream that hands out given words, and counts them."""

    def __init__(self, rounds):
        self.rounds, self.drawn = iter(rounds), 0

    def draw(self, count):
        self.drawn += count
        return np.full(count, next(self.rounds), dtype=np.uint64)


class Counting:
    """A seeded stream that counts its words."""

    def __init__(self, seed):
        self.stream, self.drawn = SeededSource(seed).stream(), 0

    def draw(self, count):
        self.drawn += count
        return self.stream.draw(count)


@pytest.mark.parametrize("chance", range(64))
def test_every_outcome_of_a_coin_of_six_bits_is_accounted_for(chance):
    """Lane i is told the six binary digits of i: of all 64 outcomes exactly ``chance`` show 1."""
    digits = [sum(((lane >> digit) & 1) << lane for lane in range(64)) for digit in range(6)]
    shown = coin_words(chance, 3, Scripted(digits), bits=6)
    assert np.bitwise_count(shown).tolist() == [chance] * 3


def test_a_coin_is_settled_by_the_first_digit_that_differs():
    chance = 0b101 << (COIN_BITS - 3)
    assert coin_words(chance, 1, Scripted([0] + [0] * 9))[0] == 2**64 - 1  # smaller in the first digit
    ever = 2**64 - 1
    assert coin_words(chance, 1, Scripted([ever, 0] + [0] * 9))[0] == 0  # larger in the second
    assert coin_words(chance, 1, Scripted([ever, ever, 0] + [0] * 9))[0] == ever
    assert coin_words(chance, 1, Scripted([ever] * 9))[0] == 0  # equal so far, and nothing is below zero


def test_a_single_coin_shows_one_for_exactly_its_chance_of_words():
    chance = WHOLE // 3
    upper = 0b11 << COIN_BITS  # bits that a coin does not look at
    for word, shown in (
        (0, 1),
        (chance - 1, 1),
        (chance, 0),
        (WHOLE - 1, 0),
        (upper, 1),
        (upper + chance, 0),
    ):
        assert coins(chance, 1, Scripted([word])).tolist() == [shown]


def test_lazy_coins_use_an_eighth_of_the_words_that_single_coins_use():
    chance, count = WHOLE // 3, 10_000
    lazy = Counting(1)
    coin_words(chance, count, lazy)
    assert lazy.drawn < 9 * count


@pytest.mark.parametrize("chance", [1 << 50, WHOLE // 3, WHOLE // 2, WHOLE - WHOLE // 10**5])
def test_coins_show_one_as_often_as_they_should(chance):
    """False alarms below 10⁻⁹ (6.2 standard errors of a binomial count, and one count of slack)."""
    count = 1 << 15
    share, lanes = chance / WHOLE, 64 * count
    allowed = 6.2 * np.sqrt(lanes * share * (1 - share)) + 1 + 30 * (lanes * min(share, 1 - share) < 100)
    ones = int(np.bitwise_count(coin_words(chance, count, SeededSource(5).stream())).sum())
    assert abs(ones - lanes * share) < allowed
    single = int(coins(chance, lanes // 8, SeededSource(6).stream()).sum())
    assert abs(single - lanes / 8 * share) < allowed


def test_lanes_are_independent_of_each_other():
    """Of 2²¹ coins of chance 1/3, neighbours and lanes one word apart agree as often as independent coins."""
    words = coin_words(WHOLE // 3, 1 << 15, SeededSource(8).stream())
    flags = to_flags(words.view(np.uint8).reshape(-1, 8), 64).astype(np.int64)
    for left, right in ((flags[:, 1:], flags[:, :-1]), (flags[1:], flags[:-1])):
        both = (left & right).sum()
        error = np.sqrt(left.size * (1 / 9) * (8 / 9) * 1.5)  # pairs overlap; their covariance is below half
        assert abs(both - left.size / 9) < 6.2 * error


@pytest.mark.parametrize("size", [2, 7, 8, 63, 64, 65, 200])
@pytest.mark.parametrize("rows", [1, 2, 127, 128, 129, 1000])
def test_columns_are_counted_like_unpacked_bits(size, rows):
    flags = np.random.default_rng(size).random((rows, size)) < 0.8
    packed = from_flags(flags)
    np.testing.assert_array_equal(to_flags(packed, size), flags)
    np.testing.assert_array_equal(column_sums(packed, size), flags.sum(axis=0))


def test_more_ones_than_a_counter_holds_are_counted():
    assert (column_sums(np.full((70_000, 1), 255, dtype=np.uint8), 8) == 70_000).all()
    assert column_sums(np.zeros((0, 2), dtype=np.uint8), 10).tolist() == [0] * 10


@pytest.mark.parametrize("bit", [0, 1])
def test_one_bit_is_overwritten_and_the_spare_ones_are_cleared(bit):
    words = np.full((3, 2), ~np.uint64(0) if not bit else np.uint64(0))
    set_bit(words, np.array([0, 63, 64]), np.full(3, bit, dtype=np.uint64))
    flags = to_flags(to_packed(words, 65), 65)
    expected = np.full((3, 65), 1 - bit)
    expected[[0, 1, 2], [0, 63, 64]] = bit
    np.testing.assert_array_equal(flags, expected)
    assert to_packed(np.full((1, 2), ~np.uint64(0)), 65).tolist() == [[255] * 8 + [1]]
