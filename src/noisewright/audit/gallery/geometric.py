"""Counts with geometric noise, truncated to what a count can be."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.gallery.mechanism import FiniteLaw, FiniteMechanism


@dataclass(frozen=True)
class TruncatedGeometric(FiniteMechanism):
    """A count from 0 to ``rows`` with two-sided geometric noise; what falls outside goes to the nearer end.

    Probabilities fall by the factor 2^bits/(2^bits + 1) a step, so that they are fractions with small
    denominators (Balcer & Vadhan 2018), and ε = ln(1 + 2^(−bits)).

    >>> noisy = TruncatedGeometric(rows=5, bits=3)
    >>> noisy(0, 4, np.random.default_rng(0)).shape, round(noisy.epsilon(2, 1), 4)
    ((4,), 0.1178)
    """

    rows: int
    bits: int

    @property
    def decay(self) -> float:
        """The factor by which probabilities fall a step."""
        return float(2**self.bits / (2**self.bits + 1))

    def __call__(self, data: int, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        steps = generator.geometric(1 - self.decay, size=(2, count))
        return np.asarray(np.clip(data + steps[0] - steps[1], 0, self.rows))

    def law(self, data: int) -> FiniteLaw:
        counts = np.arange(self.rows + 1)
        shares = self.decay ** np.abs(counts - data) / (1 + self.decay)
        shares[1:-1] *= 1 - self.decay
        return FiniteLaw(counts[:, None], shares)


def bits_for(epsilon: float, base: float = 2.0) -> int:
    """⌈log₂(2/ε)⌉, which keeps ε with room to spare; with the natural logarithm it does not.

    >>> bits_for(0.1), bits_for(0.1, base=math.e)
    (5, 3)
    """
    return math.ceil(math.log(2 / epsilon, base))
