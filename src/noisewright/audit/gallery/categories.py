"""Categories: randomized response and unary encoding, right and wrong."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.gallery.mechanism import FiniteLaw, FiniteMechanism


@dataclass(frozen=True)
class RandomizedResponse(FiniteMechanism):
    """A label that is sometimes replaced by one drawn from all labels.

    >>> right = RandomizedResponse(6, right_replacement(6, 1.0))
    >>> wrong = RandomizedResponse(6, published_replacement(6, 1.0))
    >>> round(right.epsilon(0, 1), 10), round(wrong.epsilon(0, 1), 2)
    (1.0, 3.72)
    """

    labels: int
    replaced: float

    def __call__(self, data: int, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        drawn = generator.integers(self.labels, size=count)
        return np.where(generator.random(count) < self.replaced, drawn, data)

    def law(self, data: int) -> FiniteLaw:
        shares = np.full(self.labels, self.replaced / self.labels)
        shares[data] += 1 - self.replaced
        return FiniteLaw(np.arange(self.labels)[:, None], shares)


def right_replacement(labels: int, epsilon: float) -> float:
    """How often k-RR has to replace a label: the other k − 1 share k − 1 parts in k − 1 + e^ε."""
    return labels / (labels - 1 + math.exp(epsilon))


def published_replacement(labels: int, epsilon: float) -> float:
    """The probability of *one* other label taken for that of a replacement, as in published code."""
    return 1 / (labels - 1 + math.exp(epsilon))


@dataclass(frozen=True)
class UnaryEncoding(FiniteMechanism):
    """A label as a row of bits, one of them set, of which the first ``randomized`` are randomized.

    With ½ for the bit that is set and 1/(e^ε + 1) for the others it keeps ε (OUE, Wang et al. 2017), provided
    that *all* bits are randomized.

    >>> round(UnaryEncoding(3, 1.0, randomized=3).epsilon(0, 2), 9)
    1.0
    >>> UnaryEncoding(3, 1.0, randomized=2).epsilon(0, 2)
    inf
    """

    labels: int
    budget: float
    randomized: int

    def __call__(self, data: int, count: int, generator: np.random.Generator) -> NDArray[np.int8]:
        return (generator.random((count, self.labels)) < self._rates(data)).astype(np.int8)

    def _rates(self, data: int) -> NDArray[np.float64]:
        """How often each bit is reported as 1."""
        bits = np.arange(self.labels) == data
        noisy = np.where(bits, 0.5, 1 / (math.exp(self.budget) + 1))
        return np.where(np.arange(self.labels) < self.randomized, noisy, bits)

    def law(self, data: int) -> FiniteLaw:
        rows, rates = np.array(list(itertools.product((0, 1), repeat=self.labels))), self._rates(data)
        return FiniteLaw(rows, np.where(rows == 1, rates, 1 - rates).prod(axis=1))
