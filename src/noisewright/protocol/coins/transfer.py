"""Oblivious transfer: of several keys the receiver gets the one it chose, and the sender does not know which.

Chou and Orlandi's protocol (2015) on ristretto255. The sender publishes A = a·G; for each transfer the
receiver answers B = b·G + c·A for its choice c, which is uniform whatever c is. The sender's keys are
hashes of a·(B − i·A) for i = 0, 1, …; the receiver can compute exactly one of them, as b·A. Secure against
a partner who follows the protocol, if computational Diffie–Hellman is hard in the group and the hash is
ideal.

    >>> from noisewright.randomness import SecureSource
    >>> stream = SecureSource().stream()
    >>> sender = KeySender(b"session", stream)
    >>> receiver = KeyReceiver(b"session", sender.point, [0, 1], stream)
    >>> (first, _), (_, second) = sender.keys(receiver.points, count=2)
    >>> receiver.keys == [first, second]
    True
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import accumulate, repeat
from typing import SupportsInt

from noisewright.protocol.coins.group import (
    add,
    base_times,
    check_point,
    random_scalar,
    split_points,
    subtract,
    times,
)
from noisewright.randomness import Stream


class KeySender:
    """The side that ends with all keys of each transfer, two unless there are more ``alternatives``."""

    def __init__(self, session: bytes, stream: Stream, alternatives: int = 2) -> None:
        self._session = hashlib.sha256(session).digest()
        self._alternatives = alternatives
        self._scalar = random_scalar(stream)
        self.point = base_times(self._scalar)
        """The message for the receiver."""
        self._shift = times(self._scalar, self.point)

    def keys(self, points: bytes, count: int) -> list[tuple[bytes, ...]]:
        """The keys of every transfer, from the receiver's answer."""
        return [self._all(number, answer) for number, answer in enumerate(split_points(points, count))]

    def _all(self, number: int, answer: bytes) -> tuple[bytes, ...]:
        shared = times(self._scalar, answer)
        moved = accumulate(repeat(self._shift, self._alternatives - 1), subtract, initial=shared)
        return tuple(_key(self._session, number, self.point, answer, point) for point in moved)


class KeyReceiver:
    """The side that ends with one key for each transfer, by its choice among the ``alternatives``."""

    def __init__(
        self,
        session: bytes,
        point: bytes,
        choices: Iterable[SupportsInt],
        stream: Stream,
        alternatives: int = 2,
    ) -> None:
        self._session = hashlib.sha256(session).digest()
        self._point = check_point(point)
        self._multiples = list(accumulate(repeat(point, alternatives - 1), add))
        pairs = [
            self._one(number, int(choice), random_scalar(stream)) for number, choice in enumerate(choices)
        ]
        self.points = b"".join(answer for answer, _ in pairs)
        """The message for the sender."""
        self.keys = [key for _, key in pairs]

    def _one(self, number: int, choice: int, scalar: bytes) -> tuple[bytes, bytes]:
        plain = base_times(scalar)
        moved = add(plain, self._multiples[max(choice - 1, 0)])
        answer = (plain, moved)[choice > 0]  # both are computed, so that time tells nothing
        return answer, _key(self._session, number, self._point, answer, times(scalar, self._point))


def _key(session: bytes, number: int, point: bytes, answer: bytes, shared: bytes) -> bytes:
    context = (
        b"noisewright transfer\0" + session + number.to_bytes(8, "little")
    )  # fixed lengths: no ambiguity
    return hashlib.sha256(context + point + answer + shared).digest()
