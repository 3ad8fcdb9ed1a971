"""RAPPOR: a Bloom filter of the value, randomized once for all time and once more for every report."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.gallery.mechanism import ShownMechanism


@dataclass(frozen=True)
class Rappor(ShownMechanism):
    """One report about a value (Erlingsson, Pihur & Korolova 2014).

    A bit of the filter is replaced by a fair coin with probability ``forgotten``, then reported as 1 with
    probability ``one`` if it is set and ``zero`` if not. ``one=1, zero=0`` leaves the second step out, which
    is the one-time form.

    >>> rappor = Rappor(forgotten=0.75, zero=0.45, one=0.55)
    >>> sorted(rappor.filter_of(5)), round(rappor.most, 4)
    ([2, 5, 6, 11], 0.4001)
    """

    forgotten: float
    zero: float = 0.0
    one: float = 1.0
    bits: int = 20
    hashes: int = 4

    def filter_of(self, value: int) -> frozenset[int]:
        """The bits of the filter that a value sets; hashes may meet."""
        texts = (f"{seed}:{value}".encode() for seed in range(self.hashes))
        return frozenset(int(hashlib.sha256(text).hexdigest(), 16) % self.bits for text in texts)

    @property
    def rates(self) -> tuple[float, float]:
        """How often a bit is reported as 1, if it is not set and if it is."""
        coin = self.forgotten / 2
        if_set, if_not = 1 - coin, coin
        return (
            if_not * self.one + (1 - if_not) * self.zero,
            if_set * self.one + (1 - if_set) * self.zero,
        )

    def __call__(self, data: int, count: int, generator: np.random.Generator) -> NDArray[np.int8]:
        bits = np.isin(np.arange(self.bits), list(self.filter_of(data)))
        forgotten = generator.random((count, self.bits)) < self.forgotten
        kept = np.where(forgotten, generator.random((count, self.bits)) < 0.5, bits)
        return (generator.random((count, self.bits)) < np.where(kept, self.one, self.zero)).astype(np.int8)

    def epsilon(self, left: int, right: int, delta: float = 0.0) -> float | None:
        if delta:
            return None
        first, second = self.filter_of(left), self.filter_of(right)
        return max(self._spent(first - second, second - first), self._spent(second - first, first - second))

    def _spent(self, own: frozenset[int], others: frozenset[int]) -> float:
        """The report that speaks most for a filter has all bits that only it sets, and no others."""
        low, high = self.rates
        return len(own) * math.log(high / low) + len(others) * math.log((1 - low) / (1 - high))

    @property
    def most(self) -> float:
        """The ε of two values whose filters have no bit in common (Erlingsson et al. 2014, thms 1 and 2)."""
        low, high = self.rates
        return self.hashes * math.log(high * (1 - low) / (low * (1 - high)))
