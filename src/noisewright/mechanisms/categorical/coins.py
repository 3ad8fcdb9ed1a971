"""Many biased coins from few random words, and the packed bits that they fill.

A coin that shows 1 with probability c/2⁶² is a random number below 2⁶² that turns out smaller than c. Written
in binary, the comparison ends at the first digit in which the two differ, and c's digit there decides. So 64
coins lie side by side in one word, each random word says for all 64 whether the next digit is the same, and
drawing stops when no coin is undecided: about 8.5 words for 64 coins instead of 64, without any rounding.
Coins never depend on a person, so neither does the time they take.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells
from noisewright.randomness import BLOCK, Stream, Words

Bytes = NDArray[np.uint8]

COIN_BITS = 62
"""Chances of coins are integers over 2⁶²: sums of two never leave a signed 64-bit word."""

WHOLE = 1 << COIN_BITS

LANES = 64
EVERY = np.uint64((1 << LANES) - 1)
SURE_ROUNDS = 8
"""Rounds for all words; the one in five with an undecided coin after that continues alone."""

FOLDED = 128
"""Rows of bits that are added together before counters of eight bits could overflow."""

_FIRST_OF_EACH_BYTE = np.uint64(0x0101010101010101)


def coin_words(chance: int, count: int, stream: Stream, bits: int = COIN_BITS) -> Words:
    """Draw words of 64 independent coins, each 1 with probability exactly chance/2^bits.

    >>> from noisewright.randomness import SeededSource
    >>> int(np.bitwise_count(coin_words(1 << 60, 1000, SeededSource(1).stream())).sum())   # of 64000
    16000
    """
    shown = np.zeros(count, dtype=np.uint64)
    undecided = np.full(count, EVERY)
    waiting: Cells | None = None  # the places of the words that still have undecided coins, once they are few
    for done, digit in enumerate(_digits(chance, bits), start=1):
        same = stream.draw(undecided.size)
        if digit:
            _merge(shown, waiting, undecided & ~same)
        undecided &= same
        if done >= SURE_ROUNDS:
            still = np.flatnonzero(undecided)
            waiting, undecided = still if waiting is None else waiting[still], undecided[still]
            if not undecided.size:
                break
    return shown


def _digits(chance: int, bits: int) -> Iterator[int]:
    """Return the binary digits of a chance up to its last 1, after which no random number is smaller."""
    ending = (chance & -chance).bit_length() - 1 if chance else bits
    return ((chance >> place) & 1 for place in range(bits - 1, ending - 1, -1))


def _merge(shown: Words, waiting: Cells | None, ones: Words) -> None:
    if waiting is None:
        np.bitwise_or(shown, ones, out=shown)
    else:
        shown[waiting] |= ones


def coins(chance: int, count: int, stream: Stream) -> Words:
    """Draw single coins, 0 or 1, one random word each."""
    drawn = stream.draw(count) & np.uint64(WHOLE - 1)
    return (drawn < np.uint64(chance)).astype(np.uint64)


def set_bit(words: Words, places: Cells, bits: Words) -> None:
    """Overwrite the bit at a place in each row of words, in constant time."""
    row, column = np.arange(len(words)), places >> 6
    shift = (places & 63).astype(np.uint64)
    cleared = words[row, column] & ~(np.uint64(1) << shift)
    words[row, column] = cleared | (bits << shift)


def words_for(size: int) -> int:
    """Return the number of words that hold ``size`` bits."""
    return -(-size // LANES)


def to_packed(words: Words, size: int) -> Bytes:
    """Return rows of words as the fewest bytes that hold ``size`` bits, with spare bits cleared."""
    words[:, -1] &= EVERY >> np.uint64(-size % LANES)
    rows = words.astype("<u8", copy=False).view(np.uint8)
    return np.ascontiguousarray(rows[:, : -(-size // 8)])


def from_flags(flags: ArrayLike) -> Bytes:
    """Pack rows of zeros and ones into bits.

    >>> from_flags([[1, 0, 1, 0, 0, 0, 0, 0, 0, 1]])
    array([[5, 2]], dtype=uint8)
    """
    return np.packbits(np.asarray(flags, dtype=bool), axis=1, bitorder="little")


def to_flags(packed: Bytes, size: int) -> Bytes:
    """Unpack bits into rows of zeros and ones."""
    return np.unpackbits(packed, axis=1, count=size, bitorder="little")


def column_sums(packed: Bytes, size: int) -> NDArray[np.int64]:
    """Count the rows that have each bit set.

    Eight counters of eight bits fit into a word, so up to 128 rows are added without a carry; the rows are
    folded in half again and again, which takes equally long for few labels and for many.

    >>> column_sums(np.array([[5, 2], [1, 2]], dtype=np.uint8), 10).tolist()
    [2, 0, 1, 0, 0, 0, 0, 0, 0, 2]
    """
    sums = np.zeros((8 * words_for(size), 8), dtype=np.int64)
    step = FOLDED * max(1, BLOCK // (FOLDED * words_for(size)))
    for start in range(0, len(packed), step):
        block = packed[start : start + step]
        group = min(FOLDED, 1 << (len(block) - 1).bit_length())
        words = _padded(block, -(-len(block) // group) * group, size)
        for bit in range(8):
            ones = _fold((words >> np.uint64(bit)) & _FIRST_OF_EACH_BYTE, group)
            sums[:, bit] += ones.view(np.uint8).sum(axis=0, dtype=np.int64)
    return sums.reshape(-1)[:size]


def _padded(packed: Bytes, rows: int, size: int) -> Words:
    """Return packed bits as whole words, with empty rows at the end."""
    padded = np.zeros((rows, 8 * words_for(size)), dtype=np.uint8)
    padded[: len(packed), : packed.shape[1]] = packed
    return padded.view(np.uint64)


def _fold(rows: Words, group: int) -> Words:
    """Add rows in groups of a power of two."""
    while group > 1:
        half = len(rows) // 2
        rows, group = rows[:half] + rows[half:], group // 2
    return rows
