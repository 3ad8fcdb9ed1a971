"""Hash functions on labels that a 64-bit seed names, exactly independent for every two labels.

A seed is two 32-bit words (a, b). The hash of label x is the upper ``bits`` bits of a·x + b modulo 2³²,
scaled down to one of ``size`` values:

    value = (((a·x + b) mod 2³²) >> (32 − bits)) · size >> bits.

*Why the hashes of two labels are independent.* Two labels differ by 2^s·odd, so given the first word W = a·x
+ b the second is W + 2^s·(uniform): all its bits from the s-th on are uniform and independent of W. Labels of
u bits differ in s < u, so the upper 33 − u bits of the two words are exactly independent (Dietzfelbinger
1996). Only the scaling is uneven: a value gets ⌊2^bits/size⌋ or ⌈2^bits/size⌉ of the hashes, and every
formula here counts with those numbers.

Which labels hashed reports support is counted by a compiled loop or by its NumPy twin. Every report is
compared with every label, so this is the one slow step of a hashed collection.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells
from noisewright.mechanisms.basics.compiled import compiled
from noisewright.mechanisms.basics.window import shares
from noisewright.randomness import Words

WORD_BITS = 32

HalfWords = NDArray[np.uint32]

WORTH_COMPILING = 1 << 22
"""Below this many pairs of a report and a label, the second that numba takes to load is not worth it; a batch
of a large file has more."""

AT_A_TIME = 1 << 17
"""Pairs that the NumPy twin handles together: they stay in the cache."""


def hash_bits(labels: int) -> int:
    """Return the number of bits of a hash that are independent for every two of ``labels`` labels.

    >>> hash_bits(2), hash_bits(100), hash_bits(1 << 20)
    (32, 26, 13)
    """
    return WORD_BITS + 1 - (labels - 1).bit_length()


@dataclass(frozen=True)
class HashFamily:
    """All 2⁶⁴ hash functions from ``labels`` labels to ``size`` values.

    >>> family = HashFamily(labels=100, size=4)
    >>> family.values(np.array([7, 8], dtype=np.uint64), np.array([42, 42]))
    array([0, 0])
    """

    labels: int
    size: int

    @cached_property
    def bits(self) -> int:
        """Independent bits of a hash before it is scaled down."""
        return hash_bits(self.labels)

    @cached_property
    def shares(self) -> list[int]:
        """How many of the 2^bits hashes lead to each value."""
        return shares(self.bits, self.size)

    @cached_property
    def collision(self) -> Fraction:
        """The probability that two labels have the same value, exactly: their values are independent."""
        return Fraction(sum(share**2 for share in self.shares), 1 << (2 * self.bits))

    def values(self, seeds: Words, labels: Cells) -> Cells:
        """Return the hash of each label under the function of its seed."""
        factor, term = halves(seeds)
        words = factor * labels.astype(np.uint32) + term
        upper = (words >> np.uint32(WORD_BITS - self.bits)).astype(np.int64)
        return np.asarray((upper * self.size) >> self.bits)

    @cached_property
    def _edges(self) -> tuple[HalfWords, HalfWords]:
        """For each value, the least 32-bit word that leads to it, and how many words do."""
        widths = np.array(self.shares, dtype=np.uint64) << np.uint64(WORD_BITS - self.bits)
        least = np.cumsum(widths) - widths
        return least.astype(np.uint32), widths.astype(np.uint32)

    def arcs(self, seeds: Words, values: NDArray[Any]) -> tuple[HalfWords, HalfWords, HalfWords]:
        """Return (factor, start, width) of each report, which identify the labels with its value.

        The words that lead to a value are consecutive, so label x has it if and only if
        (factor·x + start) mod 2³² < width: one multiplication and one comparison.
        """
        factor, term = halves(seeds)
        least, widths = self._edges
        return factor, term - least[values], widths[values]


def halves(seeds: Words) -> tuple[HalfWords, HalfWords]:
    """Return the factor and the term that a seed stands for."""
    return (seeds >> np.uint64(WORD_BITS)).astype(np.uint32), seeds.astype(np.uint32)


def loops() -> ModuleType | None:
    """Return the compiled loops, if there are any."""
    return compiled("noisewright.mechanisms.categorical.loops")


def arc_supports(arcs: tuple[HalfWords, HalfWords, HalfWords], labels: int) -> NDArray[np.int64]:
    """Count, for each label x, the reports with (factor·x + start) mod 2³² < width.

    >>> one = tuple(np.array([number], dtype=np.uint32) for number in (3, 2**32 - 4, 3))
    >>> arc_supports(one, labels=4).tolist()
    [0, 0, 1, 0]
    """
    compiled = loops() if arcs[0].size * labels >= WORTH_COMPILING else None
    if compiled is None:
        return numpy_supports(arcs, labels)
    counts = np.zeros(labels, dtype=np.uint32)
    compiled.arc_supports(*arcs, counts)
    return counts.astype(np.int64)


def numpy_supports(arcs: tuple[HalfWords, HalfWords, HalfWords], labels: int) -> NDArray[np.int64]:
    """Count the same as the compiled loop, with NumPy."""
    places = np.arange(labels, dtype=np.uint32)
    counts = np.zeros(labels, dtype=np.int64)
    step = max(1, AT_A_TIME // labels)
    for at in range(0, arcs[0].size, step):
        factor, start, width = (part[at : at + step, None] for part in arcs)
        counts += np.count_nonzero(factor * places + start < width, axis=0)
    return counts
