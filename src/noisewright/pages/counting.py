"""Counting the random words that a report takes, by watching one being drawn."""

from __future__ import annotations

import os

import numpy as np

from noisewright.mechanisms import NumericMechanism
from noisewright.randomness import KEY_BYTES, NONCE_BYTES, SecureSource, Stream, Words


class _CountingStream(Stream):
    """A secure stream that knows how many words it gave away."""

    given = 0

    def fill(self, words: Words) -> None:
        super().fill(words)
        self.given += words.size


class _CountingSource(SecureSource):
    """A source whose only stream counts."""

    def __init__(self) -> None:
        self.counted = _CountingStream(os.urandom(KEY_BYTES), os.urandom(NONCE_BYTES), renewable=True)

    def stream(self) -> Stream:
        return self.counted


def words_per_report(mechanism: NumericMechanism) -> int:
    """How many 64-bit random words one report takes.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM, Laplace
    >>> words_per_report(OGPM(Interval(0, 1), 1.0)), words_per_report(Laplace(Interval(0, 1), 1.0))
    (1, 2)
    """
    source = _CountingSource()
    mechanism.perturb_cells(np.zeros(1, dtype=np.int64), source)
    return source.counted.given
