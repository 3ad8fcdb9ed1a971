"""Hadamard response: short reports that a fast transform decodes (Acharya, Sun and Zhang 2019).

Places of a code are arranged in B blocks of b, both powers of two. Label x belongs to block x mod B and to
row 1 + ⌊x/B⌋ of the Hadamard matrix of order b: it prefers the places z of its block where the entry
(−1)^|row ∧ z| is +1, which are half of the block. A person reports

    with probability β any of the K = B·b places, otherwise one of the b/2 that the true label prefers.

All these choices have powers of two of equally likely outcomes, so only the coin β is rounded: it is the
smallest integer over 2⁶² with 1 + (1 − β)·K/(β·b/2) ≤ e^ε.

*Decoding.* A report in the block of label v counts +1 for v if v prefers it and −1 if not; a report in
another block counts 0. Two rows of the matrix agree in exactly half of the places, so the people with other
labels add 0 on average, those with label v add 1 − β, and sums for all labels come from one fast
Walsh–Hadamard transform of the counts of places. Counts here are therefore *signed*: ``hit`` and ``miss`` are
the means of what a report adds, 1 − β and 0, not probabilities.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells, Floats, Places
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.exact import Worst, exp_lower
from noisewright.mechanisms.basics.finite import label_list
from noisewright.mechanisms.categorical.coins import WHOLE, coins
from noisewright.mechanisms.categorical.oracle import CodedOracle, Counts, SupportLaw
from noisewright.randomness import Stream


@dataclass(frozen=True)
class HadamardResponse(CodedOracle):
    """One place of a code with about as many places as labels: short reports, decoded in one transform.

    The number of blocks is the power of two with the least variance, about e^ε/2.

    >>> from noisewright import Categories
    >>> mechanism = HadamardResponse(Categories(range(100)), epsilon=1.0)
    >>> mechanism.blocks, mechanism.block_size, mechanism.report_bits
    (1, 128, 7.0)
    """

    votes: ClassVar[bool] = True
    title: ClassVar[str] = "Hadamard response"
    summary: ClassVar[str] = "a place of a code, a few bits; counts are decoded by one fast transform"

    # -- the code ----------------------------------------------------------------------------------

    @cached_property
    def blocks(self) -> int:
        """B, the number of blocks."""
        labels = len(self.domain)
        sizes = [1 << bit for bit in range((labels - 1).bit_length() + 1)]
        return min(sizes, key=lambda blocks: ideal_spread(blocks, labels, self.epsilon))

    @property
    def block_size(self) -> int:
        """b, the places of a block: the least power of two above the labels of a block."""
        return block_size(self.blocks, len(self.domain))

    @cached_property
    def reports(self) -> Places:
        return Places(self.blocks * self.block_size)

    def _block_of(self, cells: Cells) -> Cells:
        return cells & (self.blocks - 1)

    def _row_of(self, cells: Cells) -> Cells:
        return cells // self.blocks + 1

    # -- its promise -------------------------------------------------------------------------------

    @cached_property
    def free_chance(self) -> int:
        """β, the chance of a report from anywhere, over 2⁶², rounded up."""
        ratio = Fraction(2 * self.blocks)  # places for each preferred one
        return math.ceil(WHOLE * ratio / (exp_lower(self.epsilon) - 1 + ratio))

    def _prove(self) -> float:
        worst = Worst()
        worst.meet(self.free_chance + (WHOLE - self.free_chance) * 2 * self.blocks, self.free_chance)
        return worst.prove(self.epsilon)

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        """Return the law over all places, out of 2⁶²·K outcomes."""
        places = np.arange(self.reports.size)
        liked = self._votes(places, np.array([cell]))[0] > 0
        counts = [self.free_chance + (WHOLE - self.free_chance) * 2 * self.blocks * int(yes) for yes in liked]
        return counts, WHOLE * self.reports.size

    # -- drawing -----------------------------------------------------------------------------------

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        free = coins(self.free_chance, cells.size, stream).astype(bool)
        anywhere = (stream.draw(cells.size) & np.uint64(self.reports.size - 1)).astype(np.int64)
        return np.where(free, anywhere, self._preferred(cells, anywhere))

    def _preferred(self, cells: Cells, anywhere: Cells) -> Cells:
        """Return a uniform place among those that the label prefers.

        Flipping the lowest bit of its row pairs each place that a label dislikes with one that it prefers.
        """
        row, place = self._row_of(cells), anywhere & (self.block_size - 1)
        disliked = np.bitwise_count(row & place) & 1
        return np.asarray(self._block_of(cells) * self.block_size + (place ^ ((row & -row) * disliked)))

    # -- counting ----------------------------------------------------------------------------------

    @property
    def hit(self) -> float:
        """The mean of what a report adds to the count of its person's label."""
        return (WHOLE - self.free_chance) / WHOLE

    @property
    def miss(self) -> float:
        """The mean of what a report adds to the count of any other label: 0."""
        return 0.0

    def supports(self, reports: ArrayLike) -> Counts:
        """Return, for each label, the reports that it prefers minus those of its block that it does not."""
        counts = np.bincount(self.reports.checked(reports), minlength=self.reports.size)
        decoded = walsh_hadamard(counts.reshape(self.blocks, self.block_size))
        labels = np.arange(len(self.domain))
        return np.asarray(decoded[self._block_of(labels), self._row_of(labels)])

    def support_table(self, reports: ArrayLike) -> Counts:
        return self._votes(self.reports.checked(reports), np.arange(len(self.domain)))

    def likelihoods(self, reports: ArrayLike) -> Floats:
        votes = self.support_table(reports)
        likely = 1 + (WHOLE - self.free_chance) * 2 * self.blocks / self.free_chance
        return np.where(votes > 0, likely, 1.0)

    def _votes(self, places: NDArray[Any], cells: Cells) -> Cells:
        """Return what each place (columns) adds to each label (rows): 1, −1, or 0 in another block."""
        block, place = np.divmod(places, self.block_size)
        same = block[None, :] == self._block_of(cells)[:, None]
        odd = np.bitwise_count(self._row_of(cells)[:, None] & place[None, :]) & 1
        return np.where(same, 1 - 2 * odd.astype(np.int64), 0)

    def law(self, values: Any) -> Any:
        """Return the law of the reports of given labels, as probabilities of places each label prefers."""
        truth, labels = self.domain.snap(label_list(values)), np.arange(len(self.domain))
        own = truth[:, None] == labels[None, :]
        same = self._block_of(truth)[:, None] == self._block_of(labels)[None, :]
        chances = self._free / (2 * self.blocks) + self.hit * (own + (same & ~own) / 2)
        return SupportLaw(truth, self.domain, chances)

    @property
    def _free(self) -> float:
        return self.free_chance / WHOLE

    def share_variance(self, shares: ArrayLike, count: int) -> Floats:
        """Return the variance of estimated shares, given those of all labels, as blocks share votes."""
        given = np.asarray(shares, dtype=np.float64)
        if given.shape != (len(self.domain),):
            raise InvalidParameter(
                f"give the shares of all {len(self.domain)} labels, got shape {given.shape}"
            )
        block = self._block_of(np.arange(given.size))
        together = np.bincount(block, weights=given, minlength=self.blocks)[block]
        # A vote is 1 or −1 with the chance of a report in the label's block, and its mean is hit·share.
        voting = self._free / self.blocks + self.hit * np.clip(together, 0.0, 1.0)
        return np.asarray((voting / self.hit**2 - np.clip(given, 0.0, 1.0) ** 2) / count)

    def worst_error(self, loss: Any = "squared") -> float:
        """Return the largest variance of one report's estimate of a share, over all shares."""
        self._only_squared(loss)
        if self.blocks < len(self.domain):
            share, together = 0.0, 1.0  # a label that nobody has, while everybody votes in its block
        else:
            share = together = min(1.0, 1 / (2 * self.hit))
        return (self._free / self.blocks + self.hit * together) / self.hit**2 - share**2


def block_size(blocks: int, labels: int) -> int:
    """Return the places of a block: a power of two above its labels, since the first row is all ones.

    >>> block_size(1, 7), block_size(1, 8), block_size(4, 100)
    (8, 16, 32)
    """
    return 1 << (-(-labels // blocks)).bit_length()


def ideal_spread(blocks: int, labels: int, epsilon: float) -> float:
    """Return the variance of one report's estimate of equally frequent shares, for a number of blocks."""
    hit = math.expm1(epsilon) / (math.expm1(epsilon) + 2 * blocks)
    return ((1 - hit) / blocks + hit / min(blocks, labels)) / hit**2 - 1 / labels**2


def walsh_hadamard(counts: Counts) -> Counts:
    """Multiply each row by the Hadamard matrix of its length, a power of two, in length·log(length) steps.

    >>> walsh_hadamard(np.array([[1, 0, 0, 2]])).tolist()
    [[3, -1, -1, 3]]
    """
    rows, length = counts.shape
    step = 1
    while step < length:
        pairs = counts.reshape(rows, length // (2 * step), 2, step)
        left, right = pairs[:, :, 0], pairs[:, :, 1]
        counts = np.stack([left + right, left - right], axis=2).reshape(rows, length)
        step *= 2
    return counts
