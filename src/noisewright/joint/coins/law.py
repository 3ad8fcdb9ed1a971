"""The joint law of two truth flags, as integers over a power of two.

Joint randomized response lets two users tell the truth or lie *together*: a pair of flags (T₁, T₂) takes
its four values with given probabilities. Here these are four whole numbers that sum to 2^width, so that one
uniform word of that width, compared with three thresholds, draws the pair exactly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from noisewright.errors import InvalidParameter
from noisewright.parameters import whole

Words = NDArray[np.uint64]
Bits = NDArray[np.bool_]

WIDTH: Final = 64
"""Bits of the shared random word; tests take fewer in order to try every word there is."""


@dataclass(frozen=True)
class CoinLaw:
    """The joint law of two truth flags, as weights out of 2^width draws.

    For a uniform word R below 2^width and thresholds t₁ = both, t₂ = t₁ + first_only, t₃ = t₂ + second_only:
    T₁ = [R < t₂] and T₂ = [R < t₁] ⊕ [R < t₂] ⊕ [R < t₃]. A weight of zero is an event that never happens.

    Attributes:
        both: Draws in which both tell the truth.
        first_only: Draws in which only the first does.
        second_only: Draws in which only the second does.
        neither: Draws in which neither does; the four weights sum to 2^width.
        width: Bits of the shared word, from 1 to 64; fewer are for tests that try every word.

    >>> law = CoinLaw(both=10, first_only=3, second_only=3, neither=0, width=4)
    >>> law.thresholds, law.truth_weight(first=True)
    ((10, 13, 16), 13)
    >>> [flag.tolist() for flag in law.flags(np.array([9, 10, 13], dtype=np.uint64))]
    [[True, True, False], [True, False, True]]
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    width: int = WIDTH

    def __post_init__(self) -> None:
        whole("the width of a coin's word", self.width, 1, WIDTH)
        for name in ("both", "first_only", "second_only", "neither"):
            whole(f"the weight {name!r} of a coin", getattr(self, name), 0, 1 << self.width)
        if sum(self.weights) != 1 << self.width:
            raise InvalidParameter(
                f"the weights of a coin must sum to 2^{self.width}, got {sum(self.weights)}; scale them first"
            )

    @classmethod
    def of(cls, weights: CoinLaw | Sequence[int]) -> CoinLaw:
        """Return a law from its four weights, in the order both, first only, second only, neither."""
        if isinstance(weights, CoinLaw):
            return weights
        if len(weights) != 4:
            raise InvalidParameter(
                f"a coin has four weights, got {len(weights)}; give both, first, second, none"
            )
        return cls(*weights)

    @property
    def weights(self) -> tuple[int, int, int, int]:
        """The four weights, in the order both, first only, second only, neither."""
        return self.both, self.first_only, self.second_only, self.neither

    @property
    def thresholds(self) -> tuple[int, int, int]:
        """Where the uniform word changes from one pair of flags to the next."""
        second = self.both + self.first_only
        return self.both, second, second + self.second_only

    def truth_weight(self, *, first: bool) -> int:
        """Return how often one side tells the truth in 2^width draws, whatever the other does."""
        return self.both + (self.first_only if first else self.second_only)

    def flags(self, words: Words) -> tuple[Bits, Bits]:
        """Return both flags for given words: the plain formula, which the protocol computes unopened."""
        low, middle, high = (self._below(words, threshold) for threshold in self.thresholds)
        return middle, low ^ middle ^ high

    def marginal_flags(self, words: Words, *, first: bool) -> Bits:
        """Return one side's flags from words of its own: plain randomized response with the same marginal."""
        return self._below(words, self.truth_weight(first=first))

    @property
    def fingerprint(self) -> bytes:
        """A digest by which two partners notice that they hold different laws."""
        text = ",".join(str(number) for number in (self.width, *self.weights))
        return hashlib.sha256(b"noisewright coin law\0" + text.encode()).digest()

    def _below(self, words: Words, threshold: int) -> Bits:
        if threshold == 1 << WIDTH:  # does not fit into a word
            return np.ones(words.shape, dtype=np.bool_)
        return words < np.uint64(threshold)
