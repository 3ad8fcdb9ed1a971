"""Garbled comparisons: one party evaluates the other's secret circuit and sees only random labels.

Half gates (Zahur, Rosulek and Evans 2015) with free XOR: two ciphertexts an AND gate, four hashes to garble
it and two to evaluate it. The garbler's secret constants enter as inversions of a gate's wires, that is as
the choice which of a wire's two labels means 0.

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

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from noisewright.protocol.coins.circuit import COMPARISONS, FIRST_FLAG, SECOND_FLAG, Comparisons
from noisewright.protocol.coins.labels import GateHash, Labels, colour_masks, colours, where
from noisewright.protocol.coins.lanes import Lanes
from noisewright.protocol.coins.law import Bits


@dataclass(frozen=True)
class Garbled:
    """What garbling makes: rows for the evaluator, and for both flags the colour that means 0.

    ``rows[i, half, coin, comparison]`` are labels for bit i. The evaluator may see ``second_colours`` only.
    """

    rows: Labels
    first_colours: Bits
    second_colours: Bits


def rows_shape(width: int, coins: int) -> tuple[int, int, int, int]:
    """How many ciphertexts a batch of coins has, and along which axes."""
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
    return _garbled(lanes.write(rows, rows_shape(width, coins)), ends, comparisons)


def _chain(steps: Iterable[tuple[int, ...]], offset: int, lanes: Lanes) -> tuple[list[int], int]:
    """Both rows of the gates of every bit, and the labels that mean 0 at the ends of the chains."""
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


def _garbled(rows: Labels, less: Labels, comparisons: Comparisons) -> Garbled:
    """What garbling makes of the labels that mean 0 at the ends of the chains."""
    first, second = _flag_labels(less)
    first_colours = colours(first) ^ comparisons.first_constant
    return Garbled(rows, first_colours, colours(second) ^ comparisons.second_constant)


def _hash_both(labels: Labels, offset: Labels, gate_hash: GateHash, numbers: Labels) -> tuple[Labels, Labels]:
    """The hashes of labels, and their sums with the hashes of the wires' other labels."""
    one, other = gate_hash(np.stack([labels, labels ^ offset]), numbers)
    return one, one ^ other


def evaluate(rows: Labels, active: Labels, gate_hash: GateHash, first_coin: int = 0) -> tuple[Labels, Labels]:
    """The labels of both flags. ``active[coin, i]`` is the one label held of bit i of the own word."""
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
    """Labels ``[coin, i]`` as ``[i, coin, comparison]``: every comparison reads the same word."""
    return inputs.transpose(1, 0, 2)[:, :, None]


def gate_numbers(width: int, coins: int, first_coin: int) -> tuple[Labels, Labels]:
    """Numbers ``[i, coin, comparison]`` that no other half gate of a session has: left and right inputs.

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
    """Sums of the four comparisons' labels; XOR is free."""
    first, second = (np.bitwise_xor.reduce(less[:, chosen], axis=1) for chosen in (FIRST_FLAG, SECOND_FLAG))
    return first, second
