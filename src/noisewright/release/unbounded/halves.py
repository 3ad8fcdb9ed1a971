"""Halves of the pool drawn independently: public ones for the simulation, one hidden for the release.

In this mode the secret is any half of the pool, all alike, and not one of a public list. A half of an odd
number of records has one record more or one less, by a fair coin: every record is then in the hidden half
with probability one half, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewright.parameters import whole
from noisewright.randomness import Stream, Words
from noisewright.release.halves import Halves
from noisewright.release.worlds import LEAST_RECORDS, MOST_RECORDS, SEEDS

MOST_HALVES = 1 << 20
SEED_BITS = SEEDS.bit_length() - 1


@dataclass(frozen=True)
class IndependentHalves(Halves):
    """``count`` independent halves of ``records`` records with a public ``seed``, read as worlds are.

    >>> halves = IndependentHalves(records=6, count=100, seed=1)
    >>> halves.member.shape, sorted(set(halves.member.sum(axis=1).tolist()))
    ((100, 6), [3])
    """

    records: int
    count: int
    seed: int = 0

    def __post_init__(self) -> None:
        whole("the number of records in the pool", self.records, LEAST_RECORDS, MOST_RECORDS)
        whole("the number of halves", self.count, 1, MOST_HALVES)
        whole("the public seed of the halves", self.seed, 0, (1 << 128) - 1)

    @cached_property
    def member(self) -> NDArray[np.bool_]:
        """Which record is in which half, (halves, records)."""
        generator = np.random.default_rng([self.seed, 0])
        coins = generator.integers(2, size=self.count)
        member = np.zeros((self.count, self.records), dtype=bool)
        for half, coin in zip(member, coins.tolist(), strict=True):
            half[generator.permutation(self.records)[: _size(self.records, coin)]] = True
        member.setflags(write=False)
        return member

    @cached_property
    def seeds(self) -> NDArray[np.int64]:
        """The public seed of the algorithm on each half."""
        return np.random.default_rng([self.seed, 1]).integers(SEEDS, size=self.count)


@dataclass(frozen=True, eq=False)
class HiddenHalf:
    """The secret: which records are used, and the seed of the algorithm. Never shown."""

    member: NDArray[np.bool_]
    seed: int

    def __repr__(self) -> str:
        return "HiddenHalf(…)"


def hidden_half(records: int, stream: Stream) -> HiddenHalf:
    """The half that is used, exactly uniform among all halves, with an independent uniform seed.

    Every record gets a random word, and the half with the smaller words is used. Independent words that all
    differ are in every order with the same probability; if two are equal, all are drawn anew.
    """
    coin, seed = (int(word) for word in stream.draw(2))
    words = _distinct(records, stream)
    member = np.zeros(records, dtype=bool)
    member[np.argsort(words)[: _size(records, coin & 1)]] = True
    return HiddenHalf(member, seed >> (64 - SEED_BITS))


def _distinct(count: int, stream: Stream) -> Words:
    words = stream.draw(count)
    while np.unique(words).size < count:
        words = stream.draw(count)
    return words


def _size(records: int, coin: int) -> int:
    return records // 2 + (records % 2) * coin
