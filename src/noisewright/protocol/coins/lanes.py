"""Labels side by side in one whole number, for the chain of gates that must be walked bit by bit.

A step of the chain works on four labels a coin. For so few, each call of NumPy costs far more than its work;
Python's whole numbers do the same sums of any length at once, in a twentieth of a microsecond. (From some
forty coins on arrays would be a little faster again.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from noisewright.protocol.coins.labels import LABEL_BYTES, WORD, GateHash, Labels

LABEL_BITS: Final = 8 * LABEL_BYTES


class Lanes:
    """So many labels in a number, 128 bits each, the first one lowest.

    >>> lanes = Lanes(2, GateHash(b"session"))
    >>> (number,) = lanes.read(np.array([[[3, 0], [4, 0]]], dtype=np.uint64))
    >>> number == 3 + (4 << 128), lanes.masks(number) == (1 << 128) - 1
    (True, True)
    """

    def __init__(self, count: int, gate_hash: GateHash) -> None:
        self._bytes = count * LABEL_BYTES
        self._count, self._gate_hash = count, gate_hash
        self._lowest = self.repeat(np.array([1, 0], dtype=np.uint64))

    def repeat(self, label: Labels) -> int:
        """The same label in every lane."""
        return int.from_bytes(label.astype(WORD, copy=False).tobytes() * self._count, "little")

    def read(self, labels: Labels) -> list[int]:
        """One number for each entry of the first axis."""
        return [int.from_bytes(row.tobytes(), "little") for row in labels.astype(WORD, copy=False)]

    def write(self, numbers: Sequence[int], shape: tuple[int, ...]) -> Labels:
        """The labels of several numbers, as an array of this shape."""
        data = b"".join(number.to_bytes(self._bytes, "little") for number in numbers)
        return np.frombuffer(data, dtype=WORD).reshape((*shape, -1)).astype(np.uint64, copy=False)

    def masks(self, number: int) -> int:
        """Ones in the lanes whose label has colour 1, zeros elsewhere; they select without a branch."""
        coloured = number & self._lowest
        return (coloured << LABEL_BITS) - coloured

    def hash(self, number: int, gate_numbers: int) -> int:
        """Hash every lane under its number, given in the same lane."""
        return self._gate_hash.lanes(number, gate_numbers, self._bytes)
