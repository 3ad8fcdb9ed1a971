"""The result of queries: estimates of the failure probability of each channel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.sampling.bounds import clopper_pearson, deviation, plain_share, widen
from noisewright.utility.sampling.queries import Flags


@dataclass(frozen=True, eq=False)
class Tally:
    """Unbiased estimates, one per channel, with the moments that ``bounds.deviation`` needs.

    ``squares`` sums the squares of the terms of each estimate, and ``largest`` bounds each term; both are 0
    for exact estimates.
    """

    failing: Floats
    squares: Floats
    largest: Floats
    queries: int

    def utility(self, alpha: float) -> tuple[Floats, Floats, Floats]:
        """Return low end, estimate and high end of the utility of each channel."""
        reach = deviation(self.squares, self.largest, alpha)
        low, high = widen(1 - self.failing - reach, 1 - self.failing + reach)
        return low, np.clip(1 - self.failing, low, high), high

    def scale(self, times: float) -> Self:
        """Return the expected tally of ``times`` as many queries."""
        squares, largest = self.squares / times, self.largest / times
        return replace(self, squares=squares, largest=largest, queries=round(self.queries * times))

    def join(self, other: Self) -> Self:
        """Return the mean of this tally and an independent one of the same channels, weighted by queries."""
        share = self.queries / (self.queries + other.queries)
        return replace(
            self,
            failing=share * self.failing + (1 - share) * other.failing,
            squares=share**2 * self.squares + (1 - share) ** 2 * other.squares,
            largest=np.maximum(share * self.largest, (1 - share) * other.largest),
            queries=self.queries + other.queries,
        )


@dataclass(frozen=True, eq=False)
class PlainSample(Tally):
    """Plain samples: ``failing`` is the share that failed, and its interval is the exact binomial one."""

    def utility(self, alpha: float) -> tuple[Floats, Floats, Floats]:
        draws = np.round(1 / self.largest).astype(np.int64)
        low, high = clopper_pearson(np.round((1 - self.failing) * draws).astype(np.int64), draws, alpha)
        return low, 1 - self.failing, high


@dataclass(frozen=True, eq=False)
class MappedSample(Tally):
    """Plain samples of every channel, improved by a map and the other channels' samples where possible.

    Of the ``drawn`` reports of a channel, ``failed`` changed the answer. The fields of ``Tally`` are those of
    the sum over all reports whose answers differ from the map. Both intervals hold, each with its part of the
    error probability, so their intersection holds, too.
    """

    failed: Cells
    drawn: Cells

    def utility(self, alpha: float) -> tuple[Floats, Floats, Floats]:
        share = plain_share(alpha)
        low, _, high = super().utility((1 - share) * alpha)
        least, most = clopper_pearson(self.drawn - self.failed, self.drawn, share * alpha)
        ends = np.stack([np.maximum(low, least), np.minimum(high, most)])
        low, high = ends.min(axis=0), ends.max(axis=0)  # in order even if the two do not overlap
        return low, np.clip(1 - self.failing, low, high), high

    def scale(self, times: float) -> Self:
        failed, drawn = (np.round(counts * times).astype(np.int64) for counts in (self.failed, self.drawn))
        return replace(super().scale(times), failed=failed, drawn=drawn)

    def join(self, other: Self) -> Self:
        return replace(super().join(other), failed=self.failed + other.failed, drawn=self.drawn + other.drawn)


def plain_sample(fails: Flags) -> PlainSample:
    """Return the tally of plain samples, one row of answers per channel.

    For averages over records, each answer is compared with the share of failures before it (starting with
    half a failure in one try), so that the squares add up to little more than the variance.
    """
    draws = fails.shape[1]
    before: Cells = np.cumsum(fails, axis=1) - fails
    squares = ((fails - (before + 0.5) / (np.arange(draws) + 1)) ** 2).sum(axis=1) / draws**2
    return PlainSample(fails.mean(axis=1), squares, np.full(len(fails), 1 / draws), fails.size)


def exact_tally(failing: Floats, queries: int) -> Tally:
    """Return the tally of an exact result."""
    return Tally(failing, np.zeros_like(failing), np.zeros_like(failing), queries)
