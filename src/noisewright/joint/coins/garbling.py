"""Garbled comparisons: one party evaluates the other's secret circuit and sees only random labels.

**The circuit** compares a sum that nobody may know with three thresholds. The first party holds u, the second
v, and R = u + v mod M with M = 2^width. The first party knows everything but v, so it turns the question
about R into questions about v alone. R < t means that v lies in the arc from −u to t − u, hence

    [R < t]  =  [v < t − u mod M]  ⊕  [v < −u mod M]  ⊕  [(−u mod M) + t ≥ M],

also for t = 0 and t = M. The last term is known to the first party. Three thresholds need four comparisons
of v with a secret constant c, and such a comparison is a chain of one AND a bit, from the lowest bit up:

    less := c_i ? ¬(v_i ∧ ¬less) : (¬v_i ∧ less)      =      ((v_i ⊕ ¬c_i) ∧ (less ⊕ c_i)) ⊕ c_i.

The bits of c appear only as inversions of wires, which a garbler does for free and without a trace.

**Garbling.** Half gates (Zahur, Rosulek and Evans 2015) with free XOR: two ciphertexts an AND gate, four
hashes to garble it and two to evaluate it. The garbler's secret constants enter as inversions of a gate's
wires, that is as the choice which of a wire's two labels means 0.

**Why the evaluator learns nothing of the constants.** At every gate it holds one label of each input wire and
follows steps that depend on colours only. A gate's two ciphertexts are

    row_garbler   = H(A) ⊕ H(A ⊕ offset) ⊕ (colour of B)·offset,
    row_evaluator = H(B) ⊕ H(B ⊕ offset) ⊕ A,

with A, B the labels that mean 0 *after* the inversions. In each, one of the two hashes is of a label that
the evaluator does not hold: it differs from the one it holds by the secret offset, under a number used
once. By correlation robustness that hash is a fresh random pad, so both rows are uniform whatever the
inversions are, and so is the output label (as seen with its rows). A simulator therefore draws active
labels and rows uniformly, knowing neither the constants nor the law, and sends the decoding bit that makes
the known T₂ come out. Nothing else reaches the evaluator; the colour of its T₁ label is T₁ plus a bit that
only the garbler knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.joint.coins.labels import LABEL_BYTES, WORD, GateHash, Labels, colour_masks, colours, where
from noisewright.joint.coins.law import Bits, CoinLaw, Words

COMPARISONS: Final = 4
"""v against −u, and against each of the three thresholds moved by −u."""

FIRST_FLAG: Final = (0, 2)
"""The comparisons whose sum (and a constant) is T₁ = [R < t₂]."""

SECOND_FLAG: Final = (0, 1, 2, 3)
"""Those whose sum is T₂ = [R < t₁] ⊕ [R < t₂] ⊕ [R < t₃]; [v < −u] occurs three times, which is once."""

LABEL_BITS: Final = 8 * LABEL_BYTES


# -- the circuit -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparisons:
    """The first party's circuit: secret constants, and a bit to add to each flag.

    ``constants[coin, comparison, i]`` is bit i of the number that the second party's word is compared with.
    """

    constants: Bits
    first_constant: Bits
    second_constant: Bits


def compile_comparisons(law: CoinLaw, shares: Words) -> Comparisons:
    """Return the comparisons for many coins, one share of the first party each.

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
    """Return whether start + threshold ≥ 2^width, read off the sum that was taken modulo 2^width."""
    if threshold == 1 << width:
        return np.ones(start.shape, dtype=np.bool_)
    return end < start


def word_bits(words: Words, width: int) -> Bits:
    """Return the bits of words, lowest first, along a new last axis.

    >>> word_bits(np.array([6], dtype=np.uint64), 4).astype(int).tolist()
    [[0, 1, 1, 0]]
    """
    places = np.arange(width, dtype=np.uint64)
    return ((words[..., None] >> places) & np.uint64(1)).astype(np.bool_)


def plain_flags(comparisons: Comparisons, inputs: Bits) -> tuple[Bits, Bits]:
    """Return both flags in the clear, as the garbled circuit must; ``inputs[coin, i]`` are the bits of v."""
    less = np.zeros(comparisons.constants.shape[:2], dtype=np.bool_)
    for i in range(inputs.shape[1]):
        constant = comparisons.constants[:, :, i]
        less = ((inputs[:, None, i] ^ ~constant) & (less ^ constant)) ^ constant
    first = np.logical_xor.reduce(less[:, FIRST_FLAG], axis=1) ^ comparisons.first_constant
    second = np.logical_xor.reduce(less[:, SECOND_FLAG], axis=1) ^ comparisons.second_constant
    return first, second


# -- garbling and evaluating it --------------------------------------------------------------------------


class Lanes:
    """Labels side by side in one whole number, 128 bits each, the first one lowest.

    A step of the chain of gates works on four labels a coin. For so few, each call of NumPy costs far more
    than its work; Python's whole numbers do the same sums of any length at once, in a twentieth of a
    microsecond. (From some forty coins on arrays would be a little faster again.)

    >>> lanes = Lanes(2, GateHash(b"session"))
    >>> (number,) = lanes.read(np.array([[[3, 0], [4, 0]]], dtype=np.uint64))
    >>> number == 3 + (4 << 128), lanes.masks(number) == (1 << 128) - 1
    (True, True)
    """

    def __init__(self, count: int, gate_hash: GateHash) -> None:
        self._bytes = count * LABEL_BYTES
        self._count, self._gate_hash = count, gate_hash
        self._lowest = self.repeat(np.array([1, 0], dtype=np.uint64))

    def repeat(self, label: Labels) -> int:
        """Return the same label in every lane."""
        return int.from_bytes(label.astype(WORD, copy=False).tobytes() * self._count, "little")

    def read(self, labels: Labels) -> list[int]:
        """Return one number for each entry of the first axis."""
        return [int.from_bytes(row.tobytes(), "little") for row in labels.astype(WORD, copy=False)]

    def write(self, numbers: Sequence[int], shape: tuple[int, ...]) -> Labels:
        """Return the labels of several numbers, as an array of this shape."""
        data = b"".join(number.to_bytes(self._bytes, "little") for number in numbers)
        return np.frombuffer(data, dtype=WORD).reshape((*shape, -1)).astype(np.uint64, copy=False)

    def masks(self, number: int) -> int:
        """Return ones in the lanes whose label has colour 1, zeros elsewhere: no branch is needed."""
        coloured = number & self._lowest
        return (coloured << LABEL_BITS) - coloured

    def hash(self, number: int, gate_numbers: int) -> int:
        """Hash every lane under its number, given in the same lane."""
        return self._gate_hash.lanes(number, gate_numbers, self._bytes)


@dataclass(frozen=True)
class Garbled:
    """A garbled batch of coins: rows for the evaluator, and the colour that means 0 for each flag.

    ``rows[i, half, coin, comparison]`` are labels for bit i. The evaluator may see ``second_colours`` only.
    """

    rows: Labels
    first_colours: Bits
    second_colours: Bits


def rows_shape(width: int, coins: int) -> tuple[int, int, int, int]:
    """Return the shape of the ciphertexts of a batch of coins."""
    return width, 2, coins, COMPARISONS


def garble(
    comparisons: Comparisons, zeros: Labels, offset: Labels, gate_hash: GateHash, first_coin: int = 0
) -> Garbled:
    """Garble a batch of coins; ``zeros[coin, i]`` means 0 on bit i of the evaluator's word."""
    coins, width = zeros.shape[:2]
    left_numbers, right_numbers = gate_numbers(width, coins, first_coin)
    flips = where(np.moveaxis(comparisons.constants, 2, 0), offset)
    left = _by_bit(zeros) ^ flips ^ offset
    # Input wires are known at once, so their hashes are one call; only the chain must go bit by bit.
    left_hash, left_sum = _hash_both(left, offset, gate_hash, left_numbers)
    lanes = Lanes(coins * COMPARISONS, gate_hash)
    steps = zip(*map(lanes.read, (flips, left, left_hash, left_sum, right_numbers)), strict=True)
    rows, less = _chain(steps, lanes.repeat(offset), lanes)
    ends = lanes.write([less], (coins, COMPARISONS))
    return _garbled_batch(lanes.write(rows, rows_shape(width, coins)), ends, comparisons)


def _chain(steps: Iterable[tuple[int, ...]], offset: int, lanes: Lanes) -> tuple[list[int], int]:
    """Return both rows of the gates of every bit, and the labels that mean 0 at the ends of the chains."""
    rows, less = [], 0  # a public label that means 0
    for flip, left, left_hash, left_sum, number in steps:
        right = less ^ flip
        right_hash, right_mask = lanes.hash(right, number), lanes.masks(right)
        right_sum = right_hash ^ lanes.hash(right ^ offset, number)
        garbler, evaluator = left_sum ^ (right_mask & offset), right_sum ^ left
        left_half = left_hash ^ (lanes.masks(left) & garbler)
        less = left_half ^ right_hash ^ (right_mask & right_sum) ^ flip
        rows += [garbler, evaluator]
    return rows, less


def _garbled_batch(rows: Labels, less: Labels, comparisons: Comparisons) -> Garbled:
    """Return the garbled batch, given the labels that mean 0 at the ends of the chains."""
    first, second = _flag_labels(less)
    first_colours = colours(first) ^ comparisons.first_constant
    return Garbled(rows, first_colours, colours(second) ^ comparisons.second_constant)


def _hash_both(labels: Labels, offset: Labels, gate_hash: GateHash, numbers: Labels) -> tuple[Labels, Labels]:
    """Return the hashes of labels, and their sums with the hashes of the wires' other labels."""
    one, other = gate_hash(np.stack([labels, labels ^ offset]), numbers)
    return one, one ^ other


def evaluate(rows: Labels, active: Labels, gate_hash: GateHash, first_coin: int = 0) -> tuple[Labels, Labels]:
    """Return the labels of both flags; ``active[coin, i]`` is the evaluator's label for bit i of its word."""
    coins, width = active.shape[:2]
    left_numbers, right_numbers = gate_numbers(width, coins, first_coin)
    left = np.broadcast_to(_by_bit(active), (width, coins, COMPARISONS, 2))
    left_half = gate_hash(left, left_numbers) ^ (colour_masks(left) & rows[:, 0])
    lanes = Lanes(coins * COMPARISONS, gate_hash)
    less = 0
    for half, row, number in zip(
        *map(lanes.read, (left_half, rows[:, 1] ^ left, right_numbers)), strict=True
    ):
        less = half ^ lanes.hash(less, number) ^ (lanes.masks(less) & row)
    return _flag_labels(lanes.write([less], (coins, COMPARISONS)))


def _by_bit(inputs: Labels) -> Labels:
    """Return labels ``[coin, i]`` as ``[i, coin, comparison]``: every comparison reads the same word."""
    return inputs.transpose(1, 0, 2)[:, :, None]


def gate_numbers(width: int, coins: int, first_coin: int) -> tuple[Labels, Labels]:
    """Return numbers ``[i, coin, comparison]`` unique to a half gate of a session: left and right inputs.

    They are written like labels, in the low word.

    >>> left, right = gate_numbers(width=2, coins=1, first_coin=0)
    >>> left[..., 0].tolist(), right[..., 0].tolist()
    ([[[0, 2, 4, 6]], [[8, 10, 12, 14]]], [[[1, 3, 5, 7]], [[9, 11, 13, 15]]])
    """
    per_coin = 2 * width * COMPARISONS
    coin = np.arange(first_coin, first_coin + coins, dtype=np.uint64)[None, :, None] * np.uint64(per_coin)
    gate = np.arange(0, per_coin, 2, dtype=np.uint64).reshape(width, 1, COMPARISONS)
    left = np.zeros((width, coins, COMPARISONS, 2), dtype=np.uint64)
    left[..., 0] = coin + gate
    return left, left + np.array([1, 0], dtype=np.uint64)


def _flag_labels(less: Labels) -> tuple[Labels, Labels]:
    """Return the sums of the four comparisons' labels; XOR is free."""
    first, second = (np.bitwise_xor.reduce(less[:, chosen], axis=1) for chosen in (FIRST_FLAG, SECOND_FLAG))
    return first, second
