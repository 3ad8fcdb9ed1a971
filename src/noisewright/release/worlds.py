"""Worlds: the public halves of the pool, one of which is used. Which one is the secret.

Worlds come in complementary pairs, so every record is in exactly half of them and a blind guess about one
record is right half the time, exactly. Each world has a public seed, so that the chance inside an algorithm
counts as part of the world. The list is public; its only secret is one index.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewright.errors import InvalidParameter
from noisewright.parameters import whole
from noisewright.release.halves import Halves

LEAST_RECORDS = 4
MOST_RECORDS = 10_000_000
MOST_WORLDS = 1 << 16
MOST_COMPARED = 2048
"""Pairs of worlds that are compared for a bound on blind guesses; with more of them it is coarser."""

SEEDS = 1 << 31


@dataclass(frozen=True)
class Worlds(Halves):
    """``count`` halves of ``records`` records, drawn in complementary pairs with a public ``seed``.

    With an odd number of records one world of a pair has a record more than the other.

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
        whole("the number of records in the pool", self.records, LEAST_RECORDS, MOST_RECORDS)
        whole("the number of worlds", self.count, 2, MOST_WORLDS)
        whole("the public seed of the worlds", self.seed, 0, (1 << 128) - 1)
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

    @cached_property
    def seeds(self) -> NDArray[np.int64]:
        """The public seed of each world's algorithm."""
        return np.random.default_rng([self.seed, 1]).integers(SEEDS, size=self.count)

    def prior_upper(self, correct: int) -> float:
        """A bound on how often a blind guess of half the records names at least ``correct`` of the members.

        The list of worlds is public and finite, so a guess may follow it: one world in ``count`` can be named
        outright, however large the pool. Write a guess and the worlds as vectors g, w of ±1. Naming
        ``correct`` members of a half means g·w ≥ t = 4·correct − records (two less for odd pools); no two
        worlds of a pair both reach t > 0, and Σ (g·w)² ≤ records·λ, λ the largest eigenvalue of Σ w wᵀ. So at
        most a share records·λ/(2·count·t²) of the worlds is reached, and never more than half.
        Where two worlds reached by one guess would have to be closer than any two are, only one can be.

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
        """How many worlds one guess can reach, by the largest eigenvalue of Σ w wᵀ; infinite if too many."""
        if min(self.count // 2, self.records) > MOST_COMPARED:
            return math.inf
        return self.records * self._largest / (2 * reach * reach)

    def _by_packing(self, reach: int) -> float:
        """How many worlds one guess can reach, by how near two worlds come to each other."""
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
        few = (
            signs.T @ signs if self.records < len(signs) else signs @ signs.T
        )  # the same spectrum, but for zeros
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
