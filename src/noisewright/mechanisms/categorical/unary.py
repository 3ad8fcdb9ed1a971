"""Unary encodings: a person reports one noisy bit for every label.

Each bit is a coin. Where the label is the person's own it shows 1 with chance p, elsewhere with chance q < p.
Two labels differ in two of the coins, so no report moves the odds between them by more than

    p·(1 − q) / (q·(1 − p)),

reached when the one bit is set and the other is not. Chances are integers over 2⁶², and building a mechanism
compares this rational number with e^ε (Erlingsson, Pihur, Korolova 2014; Wang et al. 2017).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import BitStrings, Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.exact import Worst, exp_lower
from noisewright.mechanisms.categorical.coins import (
    WHOLE,
    coin_words,
    coins,
    column_sums,
    set_bit,
    to_flags,
    to_packed,
    words_for,
)
from noisewright.mechanisms.categorical.oracle import CodedOracle, Counts
from noisewright.randomness import BLOCK, Stream

MOST_ENUMERATED = 16
"""Labels for which all 2^k reports can be listed."""


@dataclass(frozen=True)
class NoisyBits(CodedOracle):
    """A bit for every label, set with chance ``hit`` for the true one and ``miss`` for each other."""

    @cached_property
    def reports(self) -> BitStrings:
        return BitStrings(len(self.domain))

    @property
    @abstractmethod
    def _bit_outcomes(self) -> tuple[int, int, int]:
        """Outcomes of a bit's coin that set the true label's bit, that set another's, and all."""

    def supports(self, reports: ArrayLike) -> Counts:
        """Count the reports with each label's bit set."""
        return column_sums(self.reports.checked(reports), len(self.domain))

    def support_table(self, reports: ArrayLike) -> Counts:
        return to_flags(self.reports.checked(reports), len(self.domain)).T.astype(np.int64)

    def likelihoods(self, reports: ArrayLike) -> Floats:
        set_bits = to_flags(self.reports.checked(reports), len(self.domain)).T
        return np.where(set_bits, self.hit / self.miss, (1 - self.hit) / (1 - self.miss))

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        """Return the law over all 2^k reports, numbered by their bits."""
        size = len(self.domain)
        if size > MOST_ENUMERATED:
            raise InvalidParameter(
                f"only up to {MOST_ENUMERATED} labels can all reports be listed, got {size}"
            )
        own, other, whole = self._bit_outcomes
        chances = [own if place == cell else other for place in range(size)]
        counts = [
            math.prod(c if report >> place & 1 else whole - c for place, c in enumerate(chances))
            for report in range(1 << size)
        ]
        return counts, whole**size


@dataclass(frozen=True)
class UnaryEncoding(NoisyBits):
    """A noisy bit for every label: with chance ``own_chance`` set where the label is the person's own."""

    @property
    @abstractmethod
    def own_chance(self) -> int:
        """p, the chance that the bit of the true label is set, over 2⁶²."""

    @property
    @abstractmethod
    def other_chance(self) -> int:
        """q, the chance that the bit of any other label is set, over 2⁶²."""

    @property
    def hit(self) -> float:
        return self.own_chance / WHOLE

    @property
    def miss(self) -> float:
        return self.other_chance / WHOLE

    @property
    def _bit_outcomes(self) -> tuple[int, int, int]:
        return self.own_chance, self.other_chance, WHOLE

    def _prove(self) -> float:
        own, other = self.own_chance, self.other_chance
        worst = Worst()
        worst.meet(own * (WHOLE - other), other * (WHOLE - own))
        worst.meet(other * (WHOLE - own), own * (WHOLE - other))
        return worst.prove(self.epsilon)

    @property
    def _block(self) -> int:
        return max(1, BLOCK // words_for(len(self.domain)))

    def _draw_cells(self, cells: Cells, stream: Stream) -> NDArray[Any]:
        """Draw equal coins for all labels, and then replace that of the true label."""
        size = len(self.domain)
        words = coin_words(self.other_chance, cells.size * words_for(size), stream).reshape(cells.size, -1)
        set_bit(words, cells, coins(self.own_chance, cells.size, stream))
        return to_packed(words, size)


@dataclass(frozen=True)
class OUE(UnaryEncoding):
    """Optimized unary encoding: the true label's bit is a fair coin, any other is set with 1/(e^ε + 1).

    Of all unary encodings it has the least variance for rare labels, 4·e^ε/(e^ε − 1)² (Wang et al. 2017).

    >>> from noisewright import Categories
    >>> mechanism = OUE(Categories("abcdefghij"), epsilon=1.0)
    >>> round(mechanism.hit, 4), round(mechanism.miss, 4)
    (0.5, 0.2689)
    """

    title: ClassVar[str] = "Optimized unary encoding (OUE)"
    summary: ClassVar[str] = "a noisy bit for every label; the least variance for many labels, long reports"

    @property
    def own_chance(self) -> int:
        return WHOLE // 2

    @cached_property
    def other_chance(self) -> int:
        return math.ceil(WHOLE / (exp_lower(self.epsilon) + 1))


@dataclass(frozen=True)
class SUE(UnaryEncoding):
    """Symmetric unary encoding, as in basic RAPPOR: every bit is true with e^(ε/2)/(e^(ε/2) + 1).

    >>> from noisewright import Categories
    >>> mechanism = SUE(Categories("abcdefghij"), epsilon=1.0)
    >>> round(mechanism.hit, 4), round(mechanism.miss, 4)
    (0.6225, 0.3775)
    """

    title: ClassVar[str] = "Symmetric unary encoding (SUE)"
    summary: ClassVar[str] = "every label's bit is flipped alike, as in basic RAPPOR"

    @property
    def own_chance(self) -> int:
        return WHOLE - self.other_chance

    @cached_property
    def other_chance(self) -> int:
        return math.ceil(WHOLE / (exp_lower(self.epsilon / 2) + 1))
