"""Worlds: the possible inputs of a release, each a random half of the pool.

A *world* is a half of the records and a public seed, so that the randomness inside an algorithm is part of
the world. In a bounded release (:class:`Worlds`), the list of worlds is public and its only secret is one
index. Its worlds come in complementary pairs, so every record is in exactly half of them, and a blind guess
about one record is right half the time, exactly. In an unbounded release the secret world may be any half of
the pool, and :class:`IndependentWorlds` are public worlds drawn in the same way.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewright.errors import InvalidParameter
from noisewright.parameters import whole
from noisewright.randomness import Stream, uniform_below

LEAST_RECORDS = 4
MOST_RECORDS = 10_000_000
MOST_WORLDS = 1 << 16
MOST_INDEPENDENT = 1 << 20
MOST_COMPARED = 2048
"""Largest number of pairs of worlds compared for a bound on blind guesses; beyond it the bound is coarser."""

SEEDS = 1 << 31
"""Public seeds of an algorithm in a world lie below this."""


class WorldList(ABC):
    """``count`` public worlds of a pool of ``records`` records, in which an algorithm runs."""

    records: int
    count: int
    seed: int

    def _check(self, least: int, most: int) -> None:
        """Reject a number of worlds outside ``least`` to ``most``, and impossible records or seeds."""
        whole("the number of records in the pool", self.records, LEAST_RECORDS, MOST_RECORDS)
        whole("the number of worlds", self.count, least, most)
        whole("the public seed of the worlds", self.seed, 0, (1 << 128) - 1)

    @property
    @abstractmethod
    def member(self) -> NDArray[np.bool_]:
        """Which record is in which world, (worlds, records)."""

    @cached_property
    def seeds(self) -> NDArray[np.int64]:
        """The public seed of the algorithm in each world, (worlds,)."""
        return np.random.default_rng([self.seed, 1]).integers(SEEDS, size=self.count)

    def rows(self, world: int) -> NDArray[np.int64]:
        """Return the indices of one world's records, in the order of the pool."""
        return np.flatnonzero(self.member[world])


@dataclass(frozen=True)
class Worlds(WorldList):
    """The public list of worlds of a bounded release, drawn in complementary pairs.

    With an odd number of records one world of a pair has a record more than the other.

    Args:
        records: Number of records in the pool, at least 4.
        count: Number of worlds, even, at most 65,536.
        seed: Public seed from which the worlds are drawn; it hides nothing.

    >>> worlds = Worlds(records=6, count=4, seed=1)
    >>> worlds.member.sum(axis=0).tolist()
    [2, 2, 2, 2, 2, 2]
    >>> bool((worlds.member[0] != worlds.member[1]).all())
    True
    """

    records: int
    count: int = 1024
    seed: int = 0

    def __post_init__(self) -> None:
        self._check(2, MOST_WORLDS)
        if self.count % 2:
            raise InvalidParameter(
                f"the number of worlds must be even, got {self.count}: worlds come in complementary pairs, "
                f"so that every record is in exactly half of them"
            )

    @cached_property
    def member(self) -> NDArray[np.bool_]:
        """Which record is in which world, (worlds, records); rows 2k and 2k + 1 are complements."""
        generator = np.random.default_rng([self.seed, 0])
        order = np.arange(self.records)
        member = np.zeros((self.count, self.records), dtype=bool)
        for pair in range(0, self.count, 2):
            member[pair, generator.permutation(order)[: self.records // 2]] = True
        member[1::2] = ~member[::2]
        member.setflags(write=False)
        return member

    def prior_upper(self, correct: int) -> float:
        """Return a bound on how often a blind guess of half the records names ``correct`` members or more.

        The list of worlds is public and finite, so a guess may follow it: it can name one world in ``count``
        outright, however large the pool. Write a guess and the worlds as vectors g, w of ±1. Naming
        ``correct`` members means g·w ≥ t = 4·correct − records (two less for odd pools). How many worlds one
        guess can reach is bounded by how they spread and by how close two of them come. It is never more than
        half of them (``docs/theory/release.md``, section 28).

        Args:
            correct: Number of members that the guess names, from 0 to half the records.

        >>> Worlds(records=1000, count=64).prior_upper(500)
        0.015625
        """
        correct = whole("correct", correct, 0, (self.records + 1) // 2)
        reach = 4 * correct - self.records - 2 * (self.records % 2)
        if reach <= 0:
            return 1.0
        reached = min(self._by_spread(reach), self._by_packing(reach), self.count / 2)
        return max(1, math.floor(reached * (1 + 1e-9))) / self.count

    def _by_spread(self, reach: int) -> float:
        """Return how many worlds one guess can reach, by the largest eigenvalue of Σ w wᵀ; ∞ if too many."""
        if min(self.count // 2, self.records) > MOST_COMPARED:
            return math.inf
        return self.records * self._largest / (2 * reach * reach)

    def _by_packing(self, reach: int) -> float:
        """Return how many worlds one guess can reach, by how near two worlds come to each other."""
        if self.count // 2 > MOST_COMPARED or reach * reach <= self.records * (self._closest + 1):
            return math.inf
        return (self.records - self._closest) / (reach * reach / self.records - self._closest)

    @property
    def _signs(self) -> NDArray[np.float32]:
        """One world of each pair as ±1; the other one is its negative."""
        return np.where(self.member[::2], np.float32(1), np.float32(-1))

    @cached_property
    def _largest(self) -> float:
        """The largest eigenvalue of Σ w wᵀ over all worlds; both worlds of a pair give the same matrix."""
        signs = self._signs
        # both products have the same spectrum, but for zeros
        few = signs.T @ signs if self.records < len(signs) else signs @ signs.T
        return 2 * float(np.linalg.eigvalsh(few.astype(np.float64))[-1]) * (1 + 1e-6)

    @cached_property
    def _closest(self) -> int:
        """The largest agreement g·w between two worlds that are neither the same nor complements."""
        if self.count == 2:
            return -self.records
        signs = self._signs
        alike = np.abs(signs @ signs.T)
        np.fill_diagonal(alike, 0)
        return int(np.rint(alike.max()))


@dataclass(frozen=True)
class IndependentWorlds(WorldList):
    """Public worlds that are drawn independently, each like the secret world of an unbounded release.

    In an odd pool, a fair coin decides whether a world has one record more or one less than its complement.
    Every record is then in it with probability exactly one half.

    Args:
        records: Number of records in the pool, at least 4.
        count: Number of worlds, at most 2²⁰.
        seed: Public seed from which the worlds are drawn; it hides nothing.

    >>> worlds = IndependentWorlds(records=6, count=100, seed=1)
    >>> worlds.member.shape, sorted(set(worlds.member.sum(axis=1).tolist()))
    ((100, 6), [3])
    """

    records: int
    count: int
    seed: int = 0

    def __post_init__(self) -> None:
        self._check(1, MOST_INDEPENDENT)

    @cached_property
    def member(self) -> NDArray[np.bool_]:
        """Which record is in which world, (worlds, records)."""
        generator = np.random.default_rng([self.seed, 0])
        coins = generator.integers(2, size=self.count)
        member = np.zeros((self.count, self.records), dtype=bool)
        for world, coin in zip(member, coins.tolist(), strict=True):
            world[generator.permutation(self.records)[: world_size(self.records, coin)]] = True
        member.setflags(write=False)
        return member


def world_size(records: int, coin: int) -> int:
    """Return the number of records in a world; in an odd pool, the coin decides about the last one."""
    return records // 2 + (records % 2) * coin


def worlds_for(worlds: int | Worlds, records: int, seed: int) -> Worlds:
    """Return new worlds of a pool, or the given ones if they fit it."""
    if not isinstance(worlds, Worlds):
        return Worlds(records, worlds, seed)
    if worlds.records != records:
        raise InvalidParameter(
            f"these worlds are halves of {worlds.records} records, but X has {records}; make them for X"
        )
    return worlds


def draw_world(worlds: Worlds, stream: Stream) -> int:
    """Draw the secret of a bounded release: the index of one world, all equally likely."""
    return int(uniform_below(worlds.count, 1, stream)[0])
