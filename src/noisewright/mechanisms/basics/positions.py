"""Choosing one of n cells with a position of some bits: ``(position · n) >> bits``.

Each cell gets ⌊2^bits/n⌋ or ⌈2^bits/n⌉ of the positions. Every proof counts with these numbers.
"""

from __future__ import annotations

from itertools import pairwise

POSITION_BITS = 40
"""Bits of a position, above the bits of a word that serve as its coin."""


def shares(bits: int, cells: int) -> list[int]:
    """How many of the 2^bits positions lead to each cell.

    >>> shares(3, 3)
    [3, 3, 2]
    """
    edges = [-(-(place << bits) // cells) for place in range(cells + 1)]
    return [right - left for left, right in pairwise(edges)]


def least_and_most(bits: int, cells: int) -> tuple[int, int]:
    """The least and the most positions that lead to one cell.

    >>> least_and_most(3, 3)
    (2, 3)
    """
    return (1 << bits) // cells, -(-(1 << bits) // cells)
