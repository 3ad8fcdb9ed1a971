"""The prime-order group ristretto255, as far as oblivious transfer needs it; libsodium does the arithmetic.

A point or a scalar is 32 bytes. Points that arrive from elsewhere go through :func:`check_point` or
:func:`times` first.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from noisewright.errors import MissingExtra, ProtocolError
from noisewright.randomness import Stream

POINT_BYTES: Final = 32
IDENTITY: Final = bytes(POINT_BYTES)
NOT_A_POINT: Final = "the partner sent something that is not a point of the group; start the pair anew"


@lru_cache(maxsize=1)
def _sodium() -> Any:
    """The binding of libsodium, loaded when the first point is needed."""
    try:
        import rbcl  # noqa: PLC0415  # a tenth of a second that a plain import of the package must not pay
    except ImportError as error:
        raise MissingExtra.of("the two-party coin needs rbcl", "joint") from error
    if os.name == "posix":  # its loader leaves a copy of the library behind, which is not needed once mapped
        with suppress(AttributeError, OSError):
            os.unlink(sys.modules["rbcl._sodium"].lib_path)
    return rbcl


def random_scalar(stream: Stream) -> bytes:
    """A uniform scalar, reduced from twice as many bits as it has."""
    return bytes(_sodium().crypto_core_ristretto255_scalar_reduce(stream.draw(8).tobytes()))


def base_times(scalar: bytes) -> bytes:
    """The group's generator, multiplied."""
    return bytes(_sodium().crypto_scalarmult_ristretto255_base(scalar))


def times(scalar: bytes, point: bytes) -> bytes:
    """A point, multiplied; refused like :func:`check_point` does, at no further cost."""
    try:
        return bytes(_sodium().crypto_scalarmult_ristretto255(scalar, point))
    except RuntimeError:  # libsodium has to decode the point, and looks whether the product is the identity
        raise ProtocolError(NOT_A_POINT) from None


def add(left: bytes, right: bytes) -> bytes:
    """The sum of two checked points."""
    return bytes(_sodium().crypto_core_ristretto255_add(left, right))


def subtract(left: bytes, right: bytes) -> bytes:
    """The difference of two checked points."""
    return bytes(_sodium().crypto_core_ristretto255_sub(left, right))


def check_point(data: bytes) -> bytes:
    """A point from elsewhere, refused unless it is one and is not the identity, which would fix every key.

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
    """What must be several points, as many as expected; :func:`times` checks each of them."""
    if len(data) != count * POINT_BYTES:
        raise ProtocolError("a message of the partner has a wrong length; both sides need the same version")
    return [data[i : i + POINT_BYTES] for i in range(0, len(data), POINT_BYTES)]
