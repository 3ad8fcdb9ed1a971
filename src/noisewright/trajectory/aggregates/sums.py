"""From the two functions of a bracket to an interval for the number of locations inside.

Given where everybody was, only the reports are random. The sum of the upper function over the reports is
then, on average, at least the number of locations inside. For independent reports it varies by

    Σ Var[upper | x] = Σ E[upper² | x] − Σ E[upper | x]²  ≤  Σ E[upper² | x] − (Σ E[upper | x])²/n

(Cauchy and Schwarz), which the reports tell: it is n times their sample variance. So the interval from the
lower sum less its standard errors to the upper sum plus its own holds the true number at least as often as it
says, for any population, by the central limit theorem. If each report refers to the one before, sums are
martingales and the same theorem holds with Σ upper² in place of the right side.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate.intervals import CONFIDENCE, standard_errors
from noisewright.trajectory.aggregates.brackets import Bracket

FEWEST = 30
"""Reports below which the central limit theorem promises nothing, so that no interval is given."""

ASSUMPTION = (
    "about the collected locations themselves, wherever they are: only the noise is random, and every "
    "location was randomized on its own by this mechanism"
)


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over all reports of the two functions of each region, and their variances."""

    upper: Floats
    lower: Floats
    middle: Floats
    upper_variance: Floats
    lower_variance: Floats
    count: int

    @classmethod
    def of(cls, brackets: Iterable[Bracket], *, chained: bool = False) -> Sums:
        """Add up brackets of blocks of reports; ``chained`` says that reports refer to each other."""
        totals, count = np.zeros(1), 0
        for bracket in brackets:
            values = (bracket.upper, bracket.lower, bracket.middle, bracket.upper**2, bracket.lower**2)
            totals = totals + np.array([part.sum(axis=-1) for part in values])
            count += bracket.upper.shape[-1]
        if count < FEWEST:
            raise InvalidParameter(f"an aggregate needs at least {FEWEST} reports, got {count}; collect more")
        sums, squares = totals[:3], totals[3:] - (0.0 if chained else totals[:2] ** 2 / count)
        return cls(sums[0], sums[1], sums[2], squares[0], squares[1], count)

    def interval(self, level: float, comparisons: int = 1) -> tuple[Floats, Floats]:
        """The least and the largest number inside; all of several comparisons hold together."""
        missed = (1 - CONFIDENCE.check(level)) / comparisons
        reach = standard_errors(1 - missed, self.count)
        low = self.lower - reach * np.sqrt(np.maximum(self.lower_variance, 0.0))
        high = self.upper + reach * np.sqrt(np.maximum(self.upper_variance, 0.0))
        low, high = np.minimum(low, high), np.maximum(low, high)
        return np.clip(low, 0.0, self.count), np.clip(high, 0.0, self.count)
