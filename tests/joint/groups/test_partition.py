"""Groups from a seed: uniform, reproducible, and only where the numbers work out."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from scipy.stats import chi2

from noisewright.errors import InvalidParameter
from noisewright.joint.groups.partition import group_users, partners
from noisewright.randomness import SeededSource, uniform_order

MATCHINGS = 15
"""Perfect matchings of six people: 5 · 3 · 1."""
ROUNDS = 30_000
LEVEL = 1e-9


def matching(groups) -> frozenset:
    return frozenset(frozenset(pair) for pair in np.asarray(groups).tolist())


def statistic(counts: list[int], rounds: int) -> float:
    expected = rounds / MATCHINGS
    padded = counts + [0] * (MATCHINGS - len(counts))
    return sum((count - expected) ** 2 / expected for count in padded)


def counts_of(draws) -> list[int]:
    seen: dict[frozenset, int] = {}
    for groups in draws:
        found = matching(groups)
        seen[found] = seen.get(found, 0) + 1
    return list(seen.values())


def test_all_matchings_of_six_are_equally_likely():
    seeds = (hashlib.sha256(b"round %d" % number).digest() for number in range(ROUNDS))
    assert statistic(counts_of(group_users(seed, 6) for seed in seeds), ROUNDS) < chi2.isf(
        LEVEL, MATCHINGS - 1
    )


def test_words_that_tie_without_being_drawn_again_are_caught():
    """The same sort on words of two bits, whose ties fall back on the order of the users."""
    words = (SeededSource(5).words(6 * ROUNDS) & np.uint64(3)).reshape(ROUNDS, 6)
    draws = (np.argsort(row, kind="stable").reshape(3, 2) for row in words)
    assert statistic(counts_of(draws), ROUNDS) > chi2.isf(LEVEL, MATCHINGS - 1)


class Rigged:
    """A stream whose first words tie, at different places."""

    def __init__(self) -> None:
        words = ([5, 5, 1, 2], [5, 1, 2, 5], [1, 7, 7, 1], [4, 3, 2, 1])
        self.draws = [np.array(drawn, dtype=np.uint64) for drawn in words]

    def draw(self, count: int):
        return self.draws.pop(0)


def test_ties_are_drawn_again():
    assert uniform_order(4, Rigged()).tolist() == [3, 2, 1, 0]


def test_a_seed_always_gives_these_groups():
    """Users on any machine and under any release must find the same partner."""
    assert group_users(bytes(range(32)), 8).tolist() == [[6, 3], [2, 0], [7, 5], [1, 4]]


@pytest.mark.parametrize(("users", "size"), [(999, 3), (1_000_000, 2)])
def test_every_user_is_in_one_group_of_the_size_asked_for(users, size):
    groups = group_users(b"x" * 32, users, size)
    assert groups.shape == (users // size, size)
    assert np.array_equal(np.sort(groups.ravel()), np.arange(users))


def test_partners_are_mutual():
    partner = partners(group_users(b"y" * 32, 1000))
    assert np.array_equal(partner[partner], np.arange(1000))
    assert (partner != np.arange(1000)).all()


def test_an_odd_number_of_users_is_refused_with_the_remedy():
    with pytest.raises(
        InvalidParameter,
        match=r"an odd number of users in pairs: 7 users leave 1 without a partner; take 6 or 8",
    ):
        group_users(b"z" * 32, 7)


@pytest.mark.parametrize(
    ("users", "size"), [(0, 2), (1, 2), (4, 1), (4.0, 2), (True, 2), (8, 3), (1 << 29, 2)]
)
def test_numbers_that_make_no_groups_are_refused(users, size):
    with pytest.raises(InvalidParameter):
        group_users(b"z" * 32, users, size)
