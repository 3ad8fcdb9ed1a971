"""The window channel: one sampler, one law and one proof for a whole family of mechanisms.

    With probability β report a uniformly random cell of the whole report domain; otherwise report a
    uniformly random cell of a window of fixed width, placed by the true value.

One 64-bit word makes one report: 24 bits are the coin, 40 bits the position. With ``threshold`` of the
2²⁴ coin values meaning "anywhere", N report cells and a window of w cells, the number of words that lead
an input to a cell is

    threshold · A(cell)                              outside the window, and
    threshold · A(cell) + (2²⁴ − threshold) · I      inside it,

where A(cell) ∈ {⌊2⁴⁰/N⌋, ⌈2⁴⁰/N⌉} is the same for every input and I ∈ {⌊2⁴⁰/w⌋, ⌈2⁴⁰/w⌉}. Hence for any
two inputs and any report the ratio of probabilities is at most

    1 + (2²⁴ − threshold) · ⌈2⁴⁰/w⌉ / (threshold · ⌊2⁴⁰/N⌋),

wherever the windows lie. That is the whole proof; ``threshold`` is the smallest integer for which this
rational number is at most e^ε. OGPM, PM, SW and their kin differ only in w, in the report domain, and in
where the window goes (``piecewise.py``). One of n cells is chosen with a position of some bits as
``(position · n) >> bits``, so that each cell gets ⌊2^bits/n⌋ or ⌈2^bits/n⌉ of the positions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.mechanisms.basics.exact import Worst, exp_lower

COIN_BITS = 24
POSITION_BITS = 40
"""Bits of a position, above the bits of a word that serve as its coin."""
LARGEST = 1 << 24
"""A product of a position and a number of cells must fit into one 64-bit word."""


def shares(bits: int, cells: int) -> list[int]:
    """Count the positions, out of 2^bits, that lead to each cell.

    >>> shares(3, 3)
    [3, 3, 2]
    """
    edges = [-(-(place << bits) // cells) for place in range(cells + 1)]
    return [right - left for left, right in pairwise(edges)]


def least_and_most(bits: int, cells: int) -> tuple[int, int]:
    """Return the least and the most positions that lead to one cell.

    >>> least_and_most(3, 3)
    (2, 3)
    """
    return (1 << bits) // cells, -(-(1 << bits) // cells)


@dataclass(frozen=True)
class Window:
    """A calibrated window channel between input cells and report cells.

    The window of input cell c begins at ⌊slope·c + offset⌋, held inside the domain or, with
    ``circular``, taken modulo the number of cells.
    """

    cells: int
    width: int
    threshold: int
    slope: float
    offset: float
    circular: bool = False
    coin_bits: int = COIN_BITS
    position_bits: int = POSITION_BITS

    def __post_init__(self) -> None:
        if not 1 <= self.width < self.cells <= min(LARGEST, 1 << self.position_bits):
            raise InvalidParameter(
                f"a window needs 1 ≤ width < cells ≤ {LARGEST}, got {self.width} of {self.cells} cells"
            )

    @classmethod
    def calibrate(cls, epsilon: float, *, cells: int, width: int, **placement: Any) -> Self:
        """Return the window channel of a given width that spends at most ε, and as nearly as possible."""
        draft = cls(cells=cells, width=width, threshold=1, **placement)
        excess = (exp_lower(epsilon) - 1) * draft._anywhere_least
        inside = draft._inside_most
        threshold = math.ceil(Fraction(inside << draft.coin_bits) / (excess + inside))
        return cls(cells=cells, width=width, threshold=threshold, **placement)

    @property
    def anywhere(self) -> float:
        """β, the probability that a report ignores the true value."""
        return self.threshold / (1 << self.coin_bits)

    @property
    def _anywhere_least(self) -> int:
        return least_and_most(self.position_bits, self.cells)[0]

    @property
    def _inside_most(self) -> int:
        return least_and_most(self.position_bits, self.width)[1]

    @property
    def ratio(self) -> Fraction:
        """The largest ratio of two inputs' probabilities for one report (an upper bound)."""
        likely = ((1 << self.coin_bits) - self.threshold) * self._inside_most
        return 1 + Fraction(likely, self.threshold * self._anywhere_least)

    def prove(self, epsilon: float) -> float:
        """Check the claim ε in rational arithmetic, and return the ε that the integers spend."""
        if not 1 <= self.threshold <= 1 << self.coin_bits:
            raise GuaranteeBroken(
                f"threshold {self.threshold} is not a share of {1 << self.coin_bits} coin values"
            )
        worst = Worst()
        worst.meet(self.ratio.numerator, self.ratio.denominator)
        return worst.prove(epsilon)

    # -- the sampler (``kernels.py`` is its fused twin) --------------------------------------------

    @property
    def furthest(self) -> int:
        """The largest place a window can begin at, before wrapping."""
        return 2 * self.cells - 1 if self.circular else self.cells - self.width

    @property
    def shift(self) -> float:
        """The offset that is added to slope·c: a circle's is lifted by one turn so that it stays positive."""
        return self.offset + self.cells if self.circular else self.offset

    def begin(self, inputs: Cells) -> Cells:
        """Return the first cell of the window of each input cell."""
        left = (inputs * self.slope + self.shift).astype(np.int64)
        left = np.minimum(np.maximum(left, 0), self.furthest)
        return np.asarray(np.where(left >= self.cells, left - self.cells, left))

    def draw(self, inputs: Cells, words: NDArray[np.uint64]) -> Cells:
        """Draw one report cell for each input cell and random word."""
        coin = words & np.uint64((1 << self.coin_bits) - 1)
        position = words >> np.uint64(self.coin_bits)
        bits = np.uint64(self.position_bits)
        inside = self.begin(inputs) + ((position * np.uint64(self.width)) >> bits).astype(np.int64)
        inside = np.where(inside >= self.cells, inside - self.cells, inside)
        anywhere = ((position * np.uint64(self.cells)) >> bits).astype(np.int64)
        return np.where(coin < np.uint64(self.threshold), anywhere, inside)

    # -- its law -----------------------------------------------------------------------------------

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        """Return, for one input cell, the words that lead to each report cell, and all words."""
        counts = [self.threshold * share for share in shares(self.position_bits, self.cells)]
        begin = int(self.begin(np.array([cell]))[0])
        sure = (1 << self.coin_bits) - self.threshold
        for step, share in enumerate(shares(self.position_bits, self.width)):
            counts[(begin + step) % self.cells] += sure * share
        return counts, 1 << (self.coin_bits + self.position_bits)

    def runs(self, inputs: Cells) -> tuple[Floats, Floats, Floats]:
        """Return start, count and mass of the two runs of the law: the whole domain, and the window."""
        begin = self.begin(inputs).astype(np.float64)
        start = np.stack([np.zeros_like(begin), begin], axis=-1)
        count = np.array([self.cells, self.width], dtype=np.float64)
        return start, count, np.array([self.anywhere, 1 - self.anywhere])
