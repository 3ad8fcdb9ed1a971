"""What a bracket is worth before any report is seen: its moments if the truth is spread evenly.

Brackets come at several prices of slack. The one that is used is chosen by the width to be expected of its
interval, which depends on public things only: the channel, the regions and the number of reports. Nothing is
chosen by looking at the reports, so the choice cannot spoil the coverage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from noisewright.domains import Floats

PRICES = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
"""Prices of slack that are tried: from few reports noise is dear, from many slack."""

TWO_SIGMA = 2.0

HOPELESS = 1e-6
"""Of intervals that all reach from 0 to 1, the least noisy is preferred by so much."""

Choice = TypeVar("Choice")


@dataclass(frozen=True, eq=False)
class Moments:
    """Means and mean products of the upper and the lower function of each region."""

    upper: Floats
    lower: Floats
    upper_squared: Floats
    lower_squared: Floats
    both: Floats

    def times(self, other: Moments) -> Moments:
        """The moments of a product of brackets of independent reports, by its formula (``brackets.py``)."""
        return Moments(*_multiplied(self, other, np.multiply.outer))

    def repeated(self, times: int) -> Moments:
        """The moments of a product of so many independent copies, region by region."""
        product = self
        for _ in range(times - 1):
            product = Moments(*(np.asarray(part) for part in _multiplied(product, self, np.multiply)))
        return product

    def width(self, reports: int) -> float:
        """The width to be expected of intervals from so many reports, as shares, over all regions."""
        above = TWO_SIGMA * np.sqrt(self.upper_squared / reports)
        below = TWO_SIGMA * np.sqrt(np.maximum(self.lower_squared, 0.0) / reports)
        ends = np.clip(self.upper + above, 0.0, 1.0) - np.clip(self.lower - below, 0.0, 1.0)
        return float((ends + HOPELESS * (above + below)).sum())


def _multiplied(mine: Moments, theirs: Moments, times: Callable[[Floats, Floats], Floats]) -> list[Floats]:
    upper, squared = times(mine.upper, theirs.upper), times(mine.upper_squared, theirs.upper_squared)
    left, right = times(mine.upper_squared, theirs.both), times(mine.both, theirs.upper_squared)
    ends = times(mine.upper_squared, theirs.lower_squared) + times(mine.lower_squared, theirs.upper_squared)
    lower = times(mine.upper, theirs.lower) + times(mine.lower, theirs.upper) - upper
    lower_squared = ends + squared + 2 * times(mine.both, theirs.both) - 2 * left - 2 * right
    return [upper, lower, squared, lower_squared, left + right - squared]


def narrowest(choices: Iterable[Choice], moments: Callable[[Choice], Moments], reports: int) -> Choice:
    """The choice with the least expected width."""
    return min(choices, key=lambda choice: moments(choice).width(reports))
