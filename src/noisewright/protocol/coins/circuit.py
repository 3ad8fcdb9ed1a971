"""The circuit of the coin: comparing a sum that nobody may know with three thresholds.

The first party holds u, the second v, and R = u + v mod M with M = 2^width. The first party knows
everything but v, so it turns the question about R into questions about v alone. R < t means that v lies in
the arc from −u to t − u, hence

    [R < t]  =  [v < t − u mod M]  ⊕  [v < −u mod M]  ⊕  [(−u mod M) + t ≥ M],

also for t = 0 and t = M. The last term is known to the first party. Three thresholds need four comparisons
of v with a secret constant c, and such a comparison is a chain of one AND a bit, from the lowest bit up:

    less := c_i ? ¬(v_i ∧ ¬less) : (¬v_i ∧ less)      =      ((v_i ⊕ ¬c_i) ∧ (less ⊕ c_i)) ⊕ c_i.

The bits of c appear only as inversions of wires, which a garbler does for free and without a trace.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.protocol.coins.law import Bits, CoinLaw, Words

COMPARISONS: Final = 4
"""v against −u, and against each of the three thresholds moved by −u."""

FIRST_FLAG: Final = (0, 2)
"""The comparisons whose sum (and a constant) is T₁ = [R < t₂]."""

SECOND_FLAG: Final = (0, 1, 2, 3)
"""Those whose sum is T₂ = [R < t₁] ⊕ [R < t₂] ⊕ [R < t₃]; [v < −u] occurs three times, which is once."""


@dataclass(frozen=True)
class Comparisons:
    """What the first party compiles from its share: secret constants, and what to add to each flag.

    ``constants[coin, comparison, i]`` is bit i of the number that the second party's word is compared with.
    """

    constants: Bits
    first_constant: Bits
    second_constant: Bits


def compile_comparisons(law: CoinLaw, shares: Words) -> Comparisons:
    """The comparisons for many coins, one share of the first party each.

    >>> law, share, other = CoinLaw(5, 4, 4, 3, width=4), 6, 13
    >>> compiled = compile_comparisons(law, np.array([share], dtype=np.uint64))
    >>> first, second = plain_flags(compiled, word_bits(np.array([other], dtype=np.uint64), 4))
    >>> (first[0], second[0]) == tuple(flag[()] for flag in law.flags(np.uint64((share + other) % 16)))
    True
    """
    mask = np.uint64((1 << law.width) - 1)
    start = (np.uint64(0) - shares) & mask
    ends = [(start + np.uint64(threshold & int(mask))) & mask for threshold in law.thresholds]
    wraps = [
        _wraps(start, end, threshold, law.width) for end, threshold in zip(ends, law.thresholds, strict=True)
    ]
    numbers = np.stack([start, *ends], axis=1)
    return Comparisons(word_bits(numbers, law.width), wraps[1], wraps[0] ^ wraps[1] ^ wraps[2])


def _wraps(start: Words, end: Words, threshold: int, width: int) -> Bits:
    """Whether start + threshold ≥ 2^width, read off the sum that was taken modulo 2^width."""
    if threshold == 1 << width:
        return np.ones(start.shape, dtype=np.bool_)
    return end < start


def word_bits(words: Words, width: int) -> Bits:
    """The bits of words, lowest first, along a new last axis.

    >>> word_bits(np.array([6], dtype=np.uint64), 4).astype(int).tolist()
    [[0, 1, 1, 0]]
    """
    places = np.arange(width, dtype=np.uint64)
    return ((words[..., None] >> places) & np.uint64(1)).astype(np.bool_)


def plain_flags(comparisons: Comparisons, inputs: Bits) -> tuple[Bits, Bits]:
    """The circuit in the clear: what the garbled one must compute. ``inputs[coin, i]`` are the bits of v."""
    less = np.zeros(comparisons.constants.shape[:2], dtype=np.bool_)
    for i in range(inputs.shape[1]):
        constant = comparisons.constants[:, :, i]
        less = ((inputs[:, None, i] ^ ~constant) & (less ^ constant)) ^ constant
    first = np.logical_xor.reduce(less[:, FIRST_FLAG], axis=1) ^ comparisons.first_constant
    second = np.logical_xor.reduce(less[:, SECOND_FLAG], axis=1) ^ comparisons.second_constant
    return first, second
