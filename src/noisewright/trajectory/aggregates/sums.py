"""From the two functions of a bracket to an interval for the number of locations inside.

Given where everybody was, only the reports are random. The sum of the upper function over the reports is
then, on average, at least the number of locations inside. For independent reports it varies by

    Σ Var[upper | x] = Σ E[upper² | x] − Σ E[upper | x]²  ≤  Σ E[upper² | x] − (Σ E[upper | x])²/n

(Cauchy and Schwarz), which the reports show: it is n times their sample variance. So the interval from the
lower sum less its standard errors to the upper sum plus its own holds the true number at least as often as it
says, for any population, by the central limit theorem. If each report refers to the one before, sums are
martingales and the same theorem holds with Σ upper² in place of the right side.

Where the two functions are one and unbiased, E[v | x] = 1 inside and 0 outside, as for unions of cells that
went through a frequency oracle, the variance itself has an unbiased estimate, Σ v·(v − 1), because
Σ E[v | x]² is the number inside and so is Σ E[v | x].

Only the noise is random in all this. It does not matter if the locations of one person are alike, or if a
route stays in one place: the noise of each location was drawn on its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate.shares import share_intervals
from noisewright.statistics.intervals import CONFIDENCE, standard_errors
from noisewright.trajectory.aggregates.brackets import Bracket
from noisewright.trajectory.aggregates.regions import Span

FEWEST = 30
"""Reports below which the central limit theorem promises nothing, so that no interval is given."""

INFORMATIVE = 0.1
"""Share of the total that an interval may be wide for an estimate to be printed, however small it is."""

AT_ONCE = 1 << 20
"""Weights held in memory at a time."""

DUST = 1e-6
"""An interval end this close to 0 or to the total is moved there: locations are whole numbers."""

SILENT = 0.9
"""An interval wider than this share of the total says nothing."""

ASSUMPTION = (
    "about the collected locations themselves, wherever they are: only the noise is random, and every "
    "location was randomized on its own by this mechanism"
)


Spans = tuple[tuple[Span, ...], tuple[Span, ...]]


@dataclass(frozen=True)
class Unbiased:
    """The noise of functions whose expectation is the indicator itself.

    ``jump`` is how much a sum moves when one more report supports it. ``variance`` is the variance of a share
    estimated from a number of reports, for any true share. Without it, the variance is estimated from the
    reports, and is at least ``inside`` for each location inside, since few reports may show no noise.
    """

    jump: float = 0.0
    variance: Callable[[Floats, int], Floats] | None = None
    inside: float = 0.0

    def product(self) -> Unbiased:
        """Return the noise of the product of two such functions, of two reports drawn independently."""
        return Unbiased(self.jump**2, inside=(1 + self.inside) ** 2 - 1)


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over all reports of the two functions of each region, and their variances."""

    upper: Floats
    lower: Floats
    middle: Floats
    upper_variance: Floats
    lower_variance: Floats
    count: int
    unbiased: Unbiased | None = None

    @classmethod
    def of(
        cls, brackets: Iterable[Bracket], *, chained: bool = False, unbiased: Unbiased | None = None
    ) -> Sums:
        """Add up brackets of blocks of reports.

        ``chained`` says that reports refer to each other. ``unbiased`` says that the upper and the lower
        function are one, whose expectation is the indicator itself, and describes its noise.
        """
        totals, count = np.zeros(1), 0
        for bracket in brackets:
            values = (bracket.upper, bracket.lower, bracket.middle, bracket.upper**2, bracket.lower**2)
            totals = totals + np.array([part.sum(axis=-1) for part in values])
            count += bracket.upper.shape[-1]
        if count < FEWEST:
            raise InvalidParameter(f"an aggregate needs at least {FEWEST} reports, got {count}; collect more")
        known = totals[:2] if unbiased is not None else 0.0 if chained else totals[:2] ** 2 / count
        sums, squares = totals[:3], totals[3:] - known
        return cls(sums[0], sums[1], sums[2], squares[0], squares[1], count, unbiased)

    def interval(self, level: float, comparisons: int = 1) -> tuple[Floats, Floats]:
        """Return the least and the largest number inside; several comparisons hold together."""
        missed = (1 - CONFIDENCE.check(level)) / comparisons
        if self.unbiased is not None:
            noise = np.maximum(self.upper_variance, 0.0) / self.count**2
            possible = (np.abs(self.upper) > DUST) | (np.abs(self.upper_variance) > DUST)  # by some report
            inside, jump = possible * self.unbiased.inside, possible * self.unbiased.jump
            known = self.unbiased.variance or (
                lambda shares, count: np.maximum(noise, shares * inside / count)
            )
            ends = share_intervals(
                self.upper / self.count, lambda shares: known(shares, self.count), 1 - missed, self.count,
                jump=jump / self.count,
            )  # fmt: skip
            return self._whole(ends[0] * self.count), self._whole(ends[1] * self.count)
        reach = standard_errors(1 - missed, self.count)
        low = self.lower - reach * np.sqrt(np.maximum(self.lower_variance, 0.0))
        high = self.upper + reach * np.sqrt(np.maximum(self.upper_variance, 0.0))
        low, high = np.minimum(low, high), np.maximum(low, high)
        return np.clip(low, 0.0, self.count), np.clip(high, 0.0, self.count)

    def _whole(self, ends: Floats) -> Floats:
        """Return interval ends, with 0 or the total where only rounding lies between."""
        return np.where(ends < DUST, 0.0, np.where(ends > self.count - DUST, float(self.count), ends))


@dataclass(frozen=True, eq=False)
class Weigher(ABC):
    """The weight of every report for every region: what aggregates need from a mechanism.

    Regions are spans of the first coordinate times spans of the second.
    """

    spans: Spans = field(kw_only=True)

    @property
    def regions(self) -> int:
        """The number of regions."""
        return len(self.spans[0]) * len(self.spans[1])

    @property
    def width(self) -> int:
        """The count of numbers held for each report while it is weighed."""
        return self.regions

    @property
    def chained(self) -> bool:
        """Whether reports refer to the ones before them."""
        return False

    @property
    def unbiased(self) -> Unbiased | None:
        """The noise of the functions if those of each bracket are one and unbiased; None otherwise."""
        return None

    @abstractmethod
    def weigh(self, rows: Cells) -> Bracket:
        """Return the bracket of every region (rows) at some of the reports (columns)."""

    def sums(self, count: int) -> Sums:
        """Add up the brackets of all reports, in blocks that fit into memory."""
        step = max(AT_ONCE // self.width, 1)
        blocks = (np.arange(at, min(at + step, count)) for at in range(0, count, step))
        return Sums.of(map(self.weigh, blocks), chained=self.chained, unbiased=self.unbiased)


def informative_estimates(estimates: Floats, low: Floats, high: Floats, total: float) -> Floats:
    """Move estimates into their intervals; NaN where an interval is too wide for one to mean anything.

    An estimate from a channel that blurs edges is drawn toward an even spread, and by how much is not known.
    It is given if its interval is no wider than the estimate, or than a tenth of the total, and does not
    span nearly all possible numbers.

    >>> low, high = np.array([30.0, 0.0, 0.0]), np.array([70.0, 10.0, 40.0])
    >>> informative_estimates(np.array([50.0, 8.0, 5.0]), low, high, 100.0)
    array([50.,  8., nan])
    """
    inside = np.clip(estimates, low, high)
    wide = (high - low > np.maximum(inside, INFORMATIVE * total)) | (high - low >= SILENT * total)
    return np.where(wide, np.nan, inside)


def plain_numbers(values: Floats) -> Any:
    """Return nested lists of numbers, with None in place of NaN."""
    return (
        [plain_numbers(row) for row in values] if values.ndim else None if np.isnan(values) else float(values)
    )
