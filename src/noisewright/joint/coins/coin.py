"""The correlated coin between two parties: each ends with its own truth flag, and neither with the other's.

R = u + v mod 2⁶⁴ decides both flags (``law.py``). The first party draws u, the second v; R is never opened.
The first garbles the comparison of R with the thresholds, the second evaluates it:

    second → first   answers of the oblivious transfer for the bits of v (or its extension, for many coins)
    first → second   garbled rows, and the bits that decode T₂
    second → first   the colours of its T₁ labels, which only the first can decode
    first → second   done

Security model: :data:`SECURITY_MODEL`. No true value is ever an input; only flags come out.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from noisewright.joint.coins.delivery import batches, receive_labels, send_labels
from noisewright.joint.coins.garbling import compile_comparisons, evaluate, garble, rows_shape, word_bits
from noisewright.joint.coins.labels import (
    GateHash,
    Labels,
    colours,
    pack_bits,
    pack_labels,
    random_offset,
    unpack_bits,
    unpack_labels,
)
from noisewright.joint.coins.law import Bits, CoinLaw, Words
from noisewright.joint.coins.messages import Kind, Messages, Role
from noisewright.parameters import whole
from noisewright.randomness import SecureSource, Source, Stream

SECURITY_MODEL: Final = (
    "honest but curious: each partner learns its own flag only, if both follow the protocol; "
    "a partner who deviates from it can bias the coin"
)

MAX_COINS: Final = 4096
"""Coins of one session, as many as a unary encoding has categories; more take several sessions."""


def draw_coins(
    messages: Messages, role: Role, law: CoinLaw, count: int = 1, source: Source | None = None
) -> Bits:
    """Return this party's truth flags, drawn together with a partner who calls it in the other role.

    Args:
        messages: The way to the partner, for example a ``SecureChannel``.
        role: This party's role in the pair; the grouping assigns it.
        law: The joint law of the two flags; both must hold the same.
        count: Number of coins, from 1 to :data:`MAX_COINS`.
        source: Randomness of this party; by default a :class:`~noisewright.randomness.SecureSource`.

    Raises:
        ProtocolError: The partner vanishes or misbehaves. The flags of a session that was not finished must
            not be used, and none are returned.
    """
    whole("the number of coins", count, 1, MAX_COINS)
    stream = (source or SecureSource()).stream()
    words = stream.draw(count) >> np.uint64(64 - law.width)
    if role is Role.FIRST:
        return _garbler(messages, law, words, stream)
    return _evaluator(messages, law, words, stream)


def _garbler(messages: Messages, law: CoinLaw, words: Words, stream: Stream) -> Bits:
    offset, gate_hash = random_offset(stream), GateHash(messages.session)
    zeros = send_labels(messages, offset, words.size, law.width, stream)
    first_colours = []
    for batch in batches(words.size):
        comparisons = compile_comparisons(law, words[batch])
        garbled = garble(comparisons, zeros[batch], offset, gate_hash, batch.start)
        messages.send(Kind.ROWS, pack_labels(garbled.rows) + pack_bits(garbled.second_colours))
        first_colours.append(garbled.first_colours)
    answer = unpack_bits(messages.receive(Kind.COLOURS), words.size)
    messages.send(Kind.DONE, b"")
    return answer ^ np.concatenate(first_colours)


def _evaluator(messages: Messages, law: CoinLaw, words: Words, stream: Stream) -> Bits:
    gate_hash = GateHash(messages.session)
    active = receive_labels(messages, word_bits(words, law.width), stream)
    first_colours, flags = [], []
    for batch in batches(words.size):
        labels = active[batch]
        rows, decode = _split_rows(messages.receive(Kind.ROWS), law.width, len(labels))
        first, second = evaluate(rows, labels, gate_hash, batch.start)
        first_colours.append(colours(first))
        flags.append(colours(second) ^ decode)
    messages.send(Kind.COLOURS, pack_bits(np.concatenate(first_colours)))
    messages.receive(Kind.DONE)
    return np.concatenate(flags)


def _split_rows(payload: bytes, width: int, coins: int) -> tuple[Labels, Bits]:
    cut = len(payload) - -(-coins // 8)
    return unpack_labels(payload[:cut], rows_shape(width, coins)), unpack_bits(payload[cut:], coins)
