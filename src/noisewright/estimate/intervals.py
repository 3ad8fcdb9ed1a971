"""Quantiles of standard errors, and where an interval meets the range of what it is about."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import Parameter

CONFIDENCE = Parameter(
    name="the level of an interval",
    meaning="how often it holds the truth",
    above=0,
    at_most=0.999999,
    usual=(0.9, 0.95, 0.99),
)


def standard_errors(level: float, count: int) -> float:
    """How many standard errors an interval reaches to either side: Student's quantile.

    >>> round(standard_errors(0.95, 100_000), 3)
    1.96
    """
    from scipy.special import stdtrit  # noqa: PLC0415  (scipy is slow to load)

    chance = CONFIDENCE.check(level)
    if count < 2:
        raise InvalidParameter("an interval needs at least two reports")
    return float(stdtrit(count - 1, 0.5 + chance / 2))


def share_interval(
    low: Floats, low_stderr: Floats, high: Floats, high_stderr: Floats, reach: float
) -> tuple[Floats, Floats]:
    """Intervals of shares, kept within 0 and 1 without ever shrinking to nothing.

    An unbiased share may be so far below 0 that its whole interval is; the interval then reaches from 0 as
    many standard errors up as it is wide to either side, and likewise at 1. Where nothing is known (NaN) it
    reaches from 0 to 1.

    >>> [end.tolist() for end in share_interval(*map(np.array, ([-0.5], [0.1], [-0.5], [0.1])), reach=2.0)]
    [[0.0], [0.2]]
    """
    least, most = low - reach * low_stderr, high + reach * high_stderr
    most = np.where(most <= 0, reach * high_stderr, most)
    least = np.where(least >= 1, 1 - reach * low_stderr, least)
    return (
        np.where(np.isnan(least), 0.0, np.clip(least, 0.0, 1.0)),
        np.where(np.isnan(most), 1.0, np.clip(most, 0.0, 1.0)),
    )


def into_box(shares: Floats, low: Floats, high: Floats) -> Floats:
    """The shares nearest to given ones that lie between low and high and sum to one.

    All shares are moved by one amount, and those that meet an end stay there. If no such shares exist,
    the ends are too narrow for a distribution and the given shares are returned.

    >>> into_box(np.array([0.5, 0.5]), np.array([0.6, 0.0]), np.array([1.0, 1.0])).round(9).tolist()
    [0.6, 0.4]
    """
    if low.sum() > 1 or high.sum() < 1:
        return shares
    left, right = -1.0, 1.0
    for _ in range(60):
        shift = (left + right) / 2
        left, right = (shift, right) if np.clip(shares + shift, low, high).sum() < 1 else (left, shift)
    return np.clip(shares + right, low, high)
