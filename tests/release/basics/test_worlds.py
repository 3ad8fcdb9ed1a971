"""Worlds: every record in exactly half of them, and bounds on blind guesses that follow the public list."""

from itertools import combinations

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.release.basics.budgets import generalized_prior
from noisewright.release.basics.worlds import Worlds


@pytest.mark.parametrize("records", [4, 7, 100])
def test_every_record_is_in_exactly_half_of_the_worlds(records: int) -> None:
    worlds = Worlds(records, count=64, seed=3)
    assert (worlds.member.sum(axis=0) == 32).all()
    assert (worlds.member[::2] ^ worlds.member[1::2]).all()
    sizes = worlds.member.sum(axis=1)
    assert sizes.min() == records // 2
    assert sizes.max() == (records + 1) // 2


def test_halves_are_uniform_and_seeds_differ() -> None:
    """All 20 halves of six records come up: chance of missing one below 20·0.95^2000 < 1e-40."""
    worlds = Worlds(6, count=4000, seed=1)
    _, counts = np.unique(worlds.member, axis=0, return_counts=True)
    assert counts.size == 20
    # complementary pairs double the variance; 6.5 standard deviations: 20·2e-10
    assert np.abs(counts - 200).max() < 6.5 * np.sqrt(2 * 200)
    assert np.unique(worlds.seeds).size > 3990


def test_the_seed_is_all_that_matters() -> None:
    assert (Worlds(50, 32, 5).member == Worlds(50, 32, 5).member).all()
    assert (Worlds(50, 32, 5).member != Worlds(50, 32, 6).member).any()


@pytest.mark.parametrize(("records", "count"), [(8, 6), (8, 40), (9, 16), (10, 30)])
def test_no_guess_beats_the_bound_on_naming_many(records: int, count: int) -> None:
    """All guesses of half the records, tried one by one."""
    worlds = Worlds(records, count, seed=2)
    half = (records + 1) // 2
    guesses = np.zeros((0, records), dtype=bool)
    for size in {records // 2, half}:
        chosen = np.zeros((len(list(combinations(range(records), size))), records), dtype=bool)
        for row, members in enumerate(combinations(range(records), size)):
            chosen[row, list(members)] = True
        guesses = np.concatenate([guesses, chosen])
    overlaps = guesses.astype(int) @ worlds.member.T.astype(int)
    for correct in range(half + 1):
        assert (overlaps >= correct).mean(axis=1).max() <= worlds.prior_upper(correct)


def test_a_public_list_of_worlds_is_easier_to_guess_than_all_halves() -> None:
    worlds = Worlds(100, 1024)
    assert worlds.prior_upper(50) == 1 / 1024
    assert worlds.prior_upper(50) > 1e20 * generalized_prior(100, 50)
    bounds = [worlds.prior_upper(correct) for correct in range(51)]
    assert bounds == sorted(bounds, reverse=True)


def test_very_many_worlds_have_a_bound_at_once() -> None:
    """Comparing all pairs of 65,536 worlds would take gigabytes; the records are few, so a small matrix does."""
    many = Worlds(20, 1 << 16, seed=1)
    overlaps = many.member[:200].astype(int) @ many.member.T.astype(int)
    for correct in (8, 9, 10):
        assert (overlaps >= correct).mean(axis=1).max() <= many.prior_upper(correct) <= 0.5
    assert Worlds(5000, 1 << 13).prior_upper(5000 // 2) == 0.5  # neither is few: coarse, and quick


@pytest.mark.parametrize(
    ("records", "count", "words"),
    [(3, 4, "from 4 to"), (10, 5, "must be even"), (10, 0, "from 2 to"), (10.5, 4, "whole number")],
)
def test_refusals(records, count, words: str) -> None:
    with pytest.raises(InvalidParameter, match=words):
        Worlds(records, count)
