"""Many oblivious transfers for the price of 128, so that further coins of a session are cheap.

Ishai, Kilian, Nissim and Petrank (2003), in the correlated form of Asharov et al. (2013). The roles of 128
base transfers are reversed: the later sender chooses keys by the bits of its secret offset s. Both stretch
keys to columns; the receiver, who has both columns t⁰ⱼ, t¹ⱼ of each pair, sends uⱼ = t⁰ⱼ ⊕ t¹ⱼ ⊕ choices.
The sender forms qⱼ = t^{sⱼ}ⱼ ⊕ sⱼ·uⱼ. Read by rows, the sender holds qᵢ and the receiver tᵢ = qᵢ ⊕
choiceᵢ·s: labels for 0 and the chosen labels of a garbled circuit whose offset is s, without one more
message.

u shows the sender nothing: in each column one of the two summands is a stretched key it does not have. t
shows the receiver nothing of s. Secure against partners who follow the protocol.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from noisewright.errors import ProtocolError
from noisewright.protocol.coins.circuit import word_bits
from noisewright.protocol.coins.labels import WORD, Labels
from noisewright.protocol.coins.law import Bits, Words
from noisewright.randomness import NONCE_BYTES, Stream

COLUMNS: Final = 128
"""Base transfers: one for each bit of a label."""


def offset_bits(offset: Labels) -> Bits:
    """The choices of the later sender in the base transfers: the bits of its offset, column by column."""
    return word_bits(offset, 64).reshape(COLUMNS)


class ExtensionReceiver:
    """The side with choices; ``keys`` are both keys of the base transfers, in which it was the sender."""

    def __init__(self, keys: list[tuple[bytes, ...]]) -> None:
        self._firsts = [_column(first) for first, _ in keys]
        self._seconds = [_column(second) for _, second in keys]

    def extend(self, choices: Bits) -> tuple[Labels, bytes]:
        """One label for each choice, and the message for the sender."""
        packed = _pack_columns(choices)
        firsts, seconds = (_draw(columns, packed.size) for columns in (self._firsts, self._seconds))
        message = (firsts ^ seconds ^ packed).astype(WORD, copy=False).tobytes()
        return _rows(firsts, choices.size), message


class ExtensionSender:
    """The side with the offset, whose bits chose these ``keys`` in the base transfers."""

    def __init__(self, keys: list[bytes], offset: Labels) -> None:
        self._columns = [_column(key) for key in keys]
        self._masks = (np.uint64(0) - offset_bits(offset).astype(np.uint64))[:, None]

    def extend(self, message: bytes, count: int) -> Labels:
        """The label for 0 of each transfer."""
        words = -(-count // 64)
        if len(message) != COLUMNS * words * WORD.itemsize:
            raise ProtocolError(
                "a message of the partner has a wrong length; both sides need the same version"
            )
        correction = np.frombuffer(message, dtype=WORD).reshape(COLUMNS, words)
        return _rows(_draw(self._columns, words) ^ (correction & self._masks), count)


def _column(key: bytes) -> Stream:
    return Stream(key, bytes(NONCE_BYTES), renewable=False)


def _draw(columns: list[Stream], words: int) -> Words:
    drawn = np.empty((COLUMNS, words), dtype=np.uint64)
    for column, row in zip(columns, drawn, strict=True):
        column.fill(row)
    return drawn


def _pack_columns(choices: Bits) -> Words:
    padded = np.zeros(-(-choices.size // 64) * 8, dtype=np.uint8)
    packed = np.packbits(choices, bitorder="little")
    padded[: packed.size] = packed
    return padded.view(WORD).astype(np.uint64, copy=False)


def _rows(columns: Words, count: int) -> Labels:
    """The transposed bit matrix: row i of 128 bits as one label."""
    octets: NDArray[np.uint8] = columns.astype(WORD, copy=False).view(np.uint8)
    bits = np.unpackbits(octets, axis=1, bitorder="little", count=count)
    packed = np.packbits(np.ascontiguousarray(bits.T), axis=1, bitorder="little")
    return packed.view(WORD).astype(np.uint64, copy=False)
