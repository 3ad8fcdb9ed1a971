"""Uniform elements of the committee's field from a key stream, in place of one system call for each."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Final

from noisewright.parameters import whole
from noisewright.randomness import SecureSource

BATCH_WORDS: Final = 3 * (1 << 12)


class FieldElements:
    """Answers what MPyC asks of the standard module ``secrets``, out of an AES-256 counter stream.

    >>> elements = FieldElements((1 << 130) - 5)
    >>> 0 <= elements.randbelow((1 << 130) - 5) < (1 << 130) - 5, elements.randbits(1) in (0, 1)
    (True, True)
    """

    token_bytes = staticmethod(secrets.token_bytes)

    def __init__(self, order: int) -> None:
        self.order = whole("the order of a field", order, 2, 1 << 256)
        self._stream = SecureSource().stream()
        self._elements, self._bits = self._draw_elements(), self._draw_bits()

    def randbelow(self, order: int) -> int:
        """A uniform number below ``order``; from the stream if that is the field's."""
        return next(self._elements) if order == self.order else secrets.randbelow(order)

    def randbits(self, count: int) -> int:
        """A number of so many uniform bits; from the stream if it is one bit."""
        return next(self._bits) if count == 1 else secrets.randbits(count)

    def _draw_elements(self) -> Iterator[int]:
        bits = (self.order - 1).bit_length()
        size = -(-bits // 8)
        while True:
            drawn = self._stream.draw(BATCH_WORDS).tobytes()
            for start in range(0, len(drawn) - size + 1, size):
                number = int.from_bytes(drawn[start : start + size], "little") >> (8 * size - bits)
                if number < self.order:  # a number beyond the field is dropped, not folded back
                    yield number

    def _draw_bits(self) -> Iterator[int]:
        while True:
            for byte in self._stream.draw(BATCH_WORDS).tobytes():
                yield from ((byte >> place) & 1 for place in range(8))
