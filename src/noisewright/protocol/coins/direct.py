"""Labels by oblivious transfer alone: the way for a coin or two.

Two bits of the evaluator's word go into one transfer with four keys, which costs little more than one with
two. A key of 256 bits is two labels. The first of the four keys, k₀, becomes the labels that mean 0; a
message mᵢ = kᵢ ⊕ k₀ ⊕ (bits of i)·offset moves each other key to the labels of its bits. Whoever has kᵢ
reads those labels from mᵢ, and nothing from the rest, which unknown keys hide.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from noisewright.protocol.coins.circuit import word_bits
from noisewright.protocol.coins.labels import Labels, pack_labels, unpack_labels, where
from noisewright.protocol.coins.law import Bits

ALTERNATIVES: Final = 4
BITS: Final = 2
"""Bits of the word in one transfer."""


def transfers(bits: int) -> int:
    """How many transfers carry so many bits."""
    return -(-bits // BITS)


def choices_of(bits: Bits) -> NDArray[np.uint8]:
    """The choices that stand for bits, two by two.

    >>> choices_of(np.array([True, False, True, True, False])).tolist()
    [1, 3, 0]
    """
    padded = np.zeros(transfers(bits.size) * BITS, dtype=np.uint8)
    padded[: bits.size] = bits
    return padded[0::2] + 2 * padded[1::2]


def correlate(keys: list[tuple[bytes, ...]], offset: Labels) -> tuple[Labels, bytes]:
    """The sender's labels for 0 of all bits, and the message that moves the other keys."""
    labels = unpack_labels(b"".join(key for group in keys for key in group), (len(keys), ALTERNATIVES, BITS))
    meant = where(word_bits(np.arange(1, ALTERNATIVES, dtype=np.uint64), BITS), offset)
    return labels[:, 0].reshape(-1, 2), pack_labels(labels[:, 1:] ^ labels[:, :1] ^ meant)


def chosen_labels(keys: list[bytes], choices: NDArray[np.uint8], message: bytes) -> Labels:
    """The receiver's labels: its keys, moved by the part of the message that its choices name."""
    moves = unpack_labels(message, (len(keys), ALTERNATIVES - 1, BITS))
    moves = np.concatenate([np.zeros_like(moves[:, :1]), moves], axis=1)
    chosen = moves[np.arange(len(keys)), choices]
    return (unpack_labels(b"".join(keys), (len(keys), BITS)) ^ chosen).reshape(-1, 2)
