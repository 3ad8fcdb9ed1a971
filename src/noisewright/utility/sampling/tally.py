"""What queries tell about the failure probability of each channel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self, TypeVar

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.sampling.asking import Flags
from noisewright.utility.sampling.bounds import clopper_pearson, deviation, widened


@dataclass(frozen=True, eq=False)
class Tally:
    """Unbiased estimates, one a channel, with what ``bounds.deviation`` needs to bound them.

    ``squares`` sums the squares of the terms of each estimate, and ``largest`` bounds each term; both are 0
    for what is exact.
    """

    failing: Floats
    squares: Floats
    largest: Floats
    queries: int

    def utility(self, alpha: float) -> tuple[Floats, Floats, Floats]:
        """Low end, estimate and high end of the utility of each channel."""
        reach = deviation(self.squares, self.largest, alpha)
        low, high = widened(1 - self.failing - reach, 1 - self.failing + reach)
        return low, np.clip(1 - self.failing, low, high), high

    def scaled(self, times: float) -> Self:
        """What so many times the queries would tell if they went on as these did."""
        squares, largest = self.squares / times, self.largest / times
        return replace(self, squares=squares, largest=largest, queries=round(self.queries * times))


@dataclass(frozen=True, eq=False)
class PlainSample(Tally):
    """Plain samples: ``failing`` is the share that failed, and its interval is the exact binomial one."""

    def utility(self, alpha: float) -> tuple[Floats, Floats, Floats]:
        draws = np.round(1 / self.largest).astype(np.int64)
        low, high = clopper_pearson(np.round((1 - self.failing) * draws).astype(np.int64), draws, alpha)
        return low, 1 - self.failing, high


def plain_sample(fails: Flags) -> PlainSample:
    """What plain samples tell, one row of answers a channel.

    For averages over records, each answer is compared with the share of the answers before it (half a failure
    in one try is thought to come first), so that the squares add up to little more than the variance.
    """
    draws = fails.shape[1]
    before: Cells = np.cumsum(fails, axis=1) - fails
    squares = ((fails - (before + 0.5) / (np.arange(draws) + 1)) ** 2).sum(axis=1) / draws**2
    return PlainSample(fails.mean(axis=1), squares, np.full(len(fails), 1 / draws), fails.size)


def exactly(failing: Floats, queries: int) -> Tally:
    """A tally with nothing random in it."""
    return Tally(failing, np.zeros_like(failing), np.zeros_like(failing), queries)


T = TypeVar("T", bound=Tally)


def merged(left: T, right: T) -> T:
    """Two independent tallies of the same kind for the same channels, each counted by its queries."""
    share = left.queries / (left.queries + right.queries)
    return type(left)(
        share * left.failing + (1 - share) * right.failing,
        share**2 * left.squares + (1 - share) ** 2 * right.squares,
        np.maximum(share * left.largest, (1 - share) * right.largest),
        left.queries + right.queries,
    )
