"""Delivering labels for the evaluator's secret bits: directly for a coin or two, by extension for many.

Either way the garbler ends with the label for 0 of every bit, the evaluator with the label of the bit it
has, and the garbler does not know which that is. The choice between the two ways is a matter of cost only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from noisewright.protocol.coins.direct import ALTERNATIVES, choices_of, chosen_labels, correlate, transfers
from noisewright.protocol.coins.extension import COLUMNS, ExtensionReceiver, ExtensionSender, offset_bits
from noisewright.protocol.coins.labels import Labels
from noisewright.protocol.coins.law import Bits
from noisewright.protocol.coins.messages import Kind, Messages
from noisewright.protocol.coins.transfer import KeyReceiver, KeySender
from noisewright.randomness import Stream

BATCH: Final = 128
"""Coins that share a message: a mebibyte of garbled rows, enough to hide the cost of a call."""

EXTEND_FROM: Final = 4
"""From so many coins on, 128 base transfers and their extension are cheaper than 32 larger ones a coin."""


def batches(count: int) -> Iterator[slice]:
    """The coins of a session, cut into those of one message."""
    return (slice(start, min(start + BATCH, count)) for start in range(0, count, BATCH))


def send_labels(messages: Messages, offset: Labels, count: int, width: int, stream: Stream) -> Labels:
    """The garbler's side: labels for 0, ``[coin, bit]``."""
    send = _send_directly if count < EXTEND_FROM else _send_by_extension
    return send(messages, offset, count, width, stream).reshape(count, width, -1)


def receive_labels(messages: Messages, choices: Bits, stream: Stream) -> Labels:
    """The evaluator's side: the labels of its bits, ``[coin, bit]``."""
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
