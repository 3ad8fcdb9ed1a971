"""Delivering labels for the evaluator's secret bits: directly for a coin or two, by extension for many.

Either way the garbler ends with the label for 0 of every bit, the evaluator with the label of the bit it
has, and the garbler does not know which that is. The choice between the two ways is a matter of cost only.

**Directly**, by oblivious transfer alone: the way for a coin or two. Two bits of the evaluator's word go into
one transfer with four keys, which costs little more than one with two. A key of 256 bits is two labels. The
first of the four keys, k₀, becomes the labels that mean 0; a message mᵢ = kᵢ ⊕ k₀ ⊕ (bits of i)·offset moves
each other key to the labels of its bits. Whoever has kᵢ reads those labels from mᵢ, and nothing from the
rest, which unknown keys hide.

**By extension**: many transfers for the price of 128, so that further coins of a session are cheap. Ishai,
Kilian, Nissim and Petrank (2003), in the correlated form of Asharov et al. (2013). The roles of 128
base transfers are reversed: the later sender chooses keys by the bits of its secret offset s. Both stretch
keys to columns; the receiver, who has both columns t⁰ⱼ, t¹ⱼ of each pair, sends uⱼ = t⁰ⱼ ⊕ t¹ⱼ ⊕ choices.
The sender forms qⱼ = t^{sⱼ}ⱼ ⊕ sⱼ·uⱼ. Read by rows, the sender holds qᵢ and the receiver tᵢ = qᵢ ⊕
choiceᵢ·s: labels for 0 and the chosen labels of a garbled circuit whose offset is s, without one more
message.

u shows the sender nothing: in each column one of the two summands is a stretched key it does not have. t
shows the receiver nothing of s. Secure against partners who follow the protocol.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from noisewright.errors import ProtocolError
from noisewright.joint.coins.garbling import word_bits
from noisewright.joint.coins.labels import WORD, Labels, pack_labels, unpack_labels, where
from noisewright.joint.coins.law import Bits, Words
from noisewright.joint.coins.messages import Kind, Messages
from noisewright.joint.coins.transfer import KeyReceiver, KeySender
from noisewright.randomness import NONCE_BYTES, Stream

ALTERNATIVES: Final = 4
BITS: Final = 2
"""Alternatives, and bits of the word, in one direct transfer."""

COLUMNS: Final = 128
"""Base transfers of the extension: one for each bit of a label."""

BATCH: Final = 128
"""Coins that share a message: a mebibyte of garbled rows, enough to hide the cost of a call."""

EXTEND_FROM: Final = 4
"""Number of coins from which 128 base transfers and their extension cost less than 32 larger ones a coin."""


# -- directly --------------------------------------------------------------------------------------------


def transfers(bits: int) -> int:
    """Return the number of transfers that carry ``bits`` bits."""
    return -(-bits // BITS)


def choices_of(bits: Bits) -> NDArray[np.uint8]:
    """Return the choices that encode bits, two bits each.

    >>> choices_of(np.array([True, False, True, True, False])).tolist()
    [1, 3, 0]
    """
    padded = np.zeros(transfers(bits.size) * BITS, dtype=np.uint8)
    padded[: bits.size] = bits
    return padded[0::2] + 2 * padded[1::2]


def correlate(keys: list[tuple[bytes, ...]], offset: Labels) -> tuple[Labels, bytes]:
    """Return the sender's labels for 0 of all bits, and the message that moves the other keys."""
    labels = unpack_labels(b"".join(key for group in keys for key in group), (len(keys), ALTERNATIVES, BITS))
    meant = where(word_bits(np.arange(1, ALTERNATIVES, dtype=np.uint64), BITS), offset)
    return labels[:, 0].reshape(-1, 2), pack_labels(labels[:, 1:] ^ labels[:, :1] ^ meant)


def chosen_labels(keys: list[bytes], choices: NDArray[np.uint8], message: bytes) -> Labels:
    """Return the receiver's labels: its keys, moved by the part of the message that its choices name."""
    moves = unpack_labels(message, (len(keys), ALTERNATIVES - 1, BITS))
    moves = np.concatenate([np.zeros_like(moves[:, :1]), moves], axis=1)
    chosen = moves[np.arange(len(keys)), choices]
    return (unpack_labels(b"".join(keys), (len(keys), BITS)) ^ chosen).reshape(-1, 2)


# -- by extension ----------------------------------------------------------------------------------------


def offset_bits(offset: Labels) -> Bits:
    """Return the later sender's choices in the base transfers: the bits of its offset, column by column."""
    return word_bits(offset, 64).reshape(COLUMNS)


class ExtensionReceiver:
    """The side with choices; ``keys`` are both keys of the base transfers, in which it was the sender."""

    def __init__(self, keys: list[tuple[bytes, ...]]) -> None:
        self._firsts = [_column(first) for first, _ in keys]
        self._seconds = [_column(second) for _, second in keys]

    def extend(self, choices: Bits) -> tuple[Labels, bytes]:
        """Return one label for each choice, and the message for the sender."""
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
        """Return the label for 0 of each transfer."""
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
    """Return the transposed bit matrix: row i of 128 bits as one label."""
    octets: NDArray[np.uint8] = columns.astype(WORD, copy=False).view(np.uint8)
    bits = np.unpackbits(octets, axis=1, bitorder="little", count=count)
    packed = np.packbits(np.ascontiguousarray(bits.T), axis=1, bitorder="little")
    return packed.view(WORD).astype(np.uint64, copy=False)


# -- the two sides of a session --------------------------------------------------------------------------


def batches(count: int) -> Iterator[slice]:
    """Return the coins of a session, cut into those of one message."""
    return (slice(start, min(start + BATCH, count)) for start in range(0, count, BATCH))


def send_labels(messages: Messages, offset: Labels, count: int, width: int, stream: Stream) -> Labels:
    """Return the garbler's side: labels for 0, ``[coin, bit]``."""
    send = _send_directly if count < EXTEND_FROM else _send_by_extension
    return send(messages, offset, count, width, stream).reshape(count, width, -1)


def receive_labels(messages: Messages, choices: Bits, stream: Stream) -> Labels:
    """Return the evaluator's side: the labels of its bits, ``[coin, bit]``."""
    receive = _receive_directly if len(choices) < EXTEND_FROM else _receive_by_extension
    return receive(messages, choices, stream).reshape(*choices.shape, -1)


def _send_directly(messages: Messages, offset: Labels, count: int, width: int, stream: Stream) -> Labels:
    sender = KeySender(messages.session, stream, ALTERNATIVES)
    messages.send(Kind.POINT, sender.point)
    keys = sender.keys(messages.receive(Kind.ANSWERS), transfers(count * width))
    zeros, correction = correlate(keys, offset)
    messages.send(Kind.CORRECTION, correction)
    return zeros[: count * width]


def _receive_directly(messages: Messages, choices: Bits, stream: Stream) -> Labels:
    digits = choices_of(choices.reshape(-1))
    receiver = KeyReceiver(messages.session, messages.receive(Kind.POINT), digits, stream, ALTERNATIVES)
    messages.send(Kind.ANSWERS, receiver.points)
    return chosen_labels(receiver.keys, digits, messages.receive(Kind.CORRECTION))[: choices.size]


def _send_by_extension(messages: Messages, offset: Labels, count: int, width: int, stream: Stream) -> Labels:
    receiver = KeyReceiver(messages.session, messages.receive(Kind.POINT), offset_bits(offset), stream)
    messages.send(Kind.ANSWERS, receiver.points)
    extension = ExtensionSender(receiver.keys, offset)
    sizes = [width * (batch.stop - batch.start) for batch in batches(count)]
    return np.concatenate([extension.extend(messages.receive(Kind.CORRECTION), size) for size in sizes])


def _receive_by_extension(messages: Messages, choices: Bits, stream: Stream) -> Labels:
    sender = KeySender(messages.session, stream)
    messages.send(Kind.POINT, sender.point)
    extension = ExtensionReceiver(sender.keys(messages.receive(Kind.ANSWERS), COLUMNS))
    labels = []
    for batch in batches(len(choices)):
        part, correction = extension.extend(choices[batch].reshape(-1))
        messages.send(Kind.CORRECTION, correction)
        labels.append(part)
    return np.concatenate(labels)
