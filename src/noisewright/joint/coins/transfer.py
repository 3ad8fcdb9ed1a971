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

Libsodium does the arithmetic of the group. A point or a scalar is 32 bytes; points that arrive from elsewhere
go through :func:`check_point` or :func:`times` first.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from itertools import accumulate, repeat
from typing import Any, Final, SupportsInt

from noisewright.errors import MissingExtra, ProtocolError
from noisewright.randomness import Stream

POINT_BYTES: Final = 32
IDENTITY: Final = bytes(POINT_BYTES)
NOT_A_POINT: Final = "the partner sent something that is not a point of the group; start the pair anew"


@lru_cache(maxsize=1)
def _sodium() -> Any:
    """Return the binding of libsodium, loaded when the first point is needed."""
    try:
        import rbcl  # noqa: PLC0415  # a tenth of a second that a plain import of the package must not pay
    except ImportError as error:
        raise MissingExtra.of("the two-party coin needs rbcl", "joint") from error
    if os.name == "posix":  # its loader leaves a copy of the library behind, which is not needed once mapped
        with suppress(AttributeError, OSError):
            os.unlink(sys.modules["rbcl._sodium"].lib_path)
    return rbcl


def random_scalar(stream: Stream) -> bytes:
    """Return a uniform scalar, reduced from twice as many bits as it has."""
    return bytes(_sodium().crypto_core_ristretto255_scalar_reduce(stream.draw(8).tobytes()))


def base_times(scalar: bytes) -> bytes:
    """Return the group's generator times a scalar."""
    return bytes(_sodium().crypto_scalarmult_ristretto255_base(scalar))


def times(scalar: bytes, point: bytes) -> bytes:
    """Return a point times a scalar; refuse bad points as :func:`check_point` does, at no extra cost."""
    try:
        return bytes(_sodium().crypto_scalarmult_ristretto255(scalar, point))
    except RuntimeError:  # libsodium decodes the point, and checks whether the product is the identity
        raise ProtocolError(NOT_A_POINT) from None


def add(left: bytes, right: bytes) -> bytes:
    """Return the sum of two checked points."""
    return bytes(_sodium().crypto_core_ristretto255_add(left, right))


def subtract(left: bytes, right: bytes) -> bytes:
    """Return the difference of two checked points."""
    return bytes(_sodium().crypto_core_ristretto255_sub(left, right))


def check_point(data: bytes) -> bytes:
    """Return a received point; refuse bytes that are no point, and the identity, which would fix every key.

    >>> check_point(bytes(32))
    Traceback (most recent call last):
    ...
    noisewright.errors.ProtocolError: the partner sent something that is not a point of the group; ...
    """
    if (
        len(data) == POINT_BYTES
        and data != IDENTITY
        and _sodium().crypto_core_ristretto255_is_valid_point(data)
    ):
        return data
    raise ProtocolError(NOT_A_POINT)


def split_points(data: bytes, count: int) -> list[bytes]:
    """Split a message into the expected number of points; :func:`times` checks each of them."""
    if len(data) != count * POINT_BYTES:
        raise ProtocolError("a message of the partner has a wrong length; both sides need the same version")
    return [data[i : i + POINT_BYTES] for i in range(0, len(data), POINT_BYTES)]


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
        """Return the keys of every transfer, from the receiver's answer."""
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
        answer = (plain, moved)[choice > 0]  # both are computed, so that timing reveals nothing
        return answer, _key(self._session, number, self._point, answer, times(scalar, self._point))


def _key(session: bytes, number: int, point: bytes, answer: bytes, shared: bytes) -> bytes:
    context = (
        b"noisewright transfer\0" + session + number.to_bytes(8, "little")
    )  # fixed lengths: no ambiguity
    return hashlib.sha256(context + point + answer + shared).digest()
