"""Reports of one noisy bit for every label, however their coins are tossed."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import BitStrings, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.categorical.coins import column_sums, to_flags
from noisewright.mechanisms.categorical.oracle import CodedOracle, Counts

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
        """Of how many outcomes of a bit's coin: those that set the true label's bit, another's, and all."""

    def supports(self, reports: ArrayLike) -> Counts:
        """How many reports have each label's bit set."""
        return column_sums(self.reports.checked(reports), len(self.domain))

    def support_table(self, reports: ArrayLike) -> Counts:
        return to_flags(self.reports.checked(reports), len(self.domain)).T.astype(np.int64)

    def likelihoods(self, reports: ArrayLike) -> Floats:
        set_bits = to_flags(self.reports.checked(reports), len(self.domain)).T
        return np.where(set_bits, self.hit / self.miss, (1 - self.hit) / (1 - self.miss))

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        """The law over all 2^k reports, numbered as their bits read."""
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
