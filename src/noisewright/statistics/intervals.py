"""Student's quantile, exact intervals of a chance, and intervals kept within a range."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import Parameter

CONFIDENCE = Parameter(
    name="level",
    meaning="how often it holds the truth",
    above=0,
    at_most=0.999999,
    usual=(0.9, 0.95, 0.99),
)


def standard_errors(level: float, count: int) -> float:
    """Return how many standard errors an interval reaches to either side: Student's quantile.

    Args:
        level: How often the interval holds the truth.
        count: Number of reports, two at least.

    >>> round(standard_errors(0.95, 100_000), 3)
    1.96
    """
    from scipy.special import stdtrit  # noqa: PLC0415  (scipy is slow to load)

    chance = CONFIDENCE.check(level)
    if count < 2:
        raise InvalidParameter("an interval needs at least two reports")
    return float(stdtrit(count - 1, 0.5 + chance / 2))


def exact_chance(hits: ArrayLike, draws: ArrayLike, alpha: float) -> tuple[Floats, Floats]:
    """Return the chances of a hit that counts leave possible: Clopper and Pearson's ends.

    Args:
        hits: Numbers of hits.
        draws: Numbers of draws.
        alpha: How often an interval misses the truth at most, half of it at each end.

    >>> [end.round(4).tolist() for end in exact_chance([0, 5, 10], 10, 0.05)]
    [[0.0, 0.1871, 0.6915], [0.3085, 0.8129, 1.0]]
    """
    found, missed = np.asarray(hits), np.asarray(draws) - np.asarray(hits)
    return least_chance(found, missed, alpha / 2), most_chance(found, missed, alpha / 2)


def least_chance(found: ArrayLike, missed: ArrayLike, failure: ArrayLike) -> Floats:
    """Return the smallest chance of a hit that counts leave possible.

    Args:
        found: Numbers of hits.
        missed: Numbers of misses.
        failure: The chance, at that smallest one, of as many hits or more.

    >>> float(least_chance(5, 5, 0.025).round(4)), float(least_chance(0, 5, 0.025))
    (0.1871, 0.0)
    """
    hits, others = np.asarray(found), np.asarray(missed)
    return np.where(hits > 0, _beta_quantile(np.maximum(hits, 1), others + 1, failure), 0.0)


def most_chance(found: ArrayLike, missed: ArrayLike, failure: ArrayLike) -> Floats:
    """Return the largest chance of a hit that counts leave possible.

    Args:
        found: Numbers of hits.
        missed: Numbers of misses.
        failure: The chance, at that largest one, of as few hits or fewer.

    >>> float(most_chance(5, 5, 0.025).round(4)), float(most_chance(5, 0, 0.025))
    (0.8129, 1.0)
    """
    return 1 - least_chance(missed, found, failure)


def _beta_quantile(first: ArrayLike, second: ArrayLike, level: ArrayLike) -> Floats:
    """Where a beta distribution function reaches a level, never above it.

    SciPy's inverse fails for some arguments (a first shape of 1,000 among them), so every answer is checked
    with the function itself, and wrong ones are replaced by bisection.
    """
    from scipy.special import betainc, betaincinv  # noqa: PLC0415  (scipy is slow to load)

    a, b, wanted = np.broadcast_arrays(
        *(np.asarray(each, dtype=np.float64) for each in (first, second, level))
    )
    found = np.asarray(np.nan_to_num(betaincinv(a, b, wanted), nan=0.0))
    missed = np.abs(betainc(a, b, found) - wanted) > 1e-7 * wanted
    if missed.any():
        found = found.copy()
        found[missed] = _halved(a[missed], b[missed], wanted[missed])
    return np.asarray(found)


def _halved(a: Floats, b: Floats, wanted: Floats) -> Floats:
    from scipy.special import betainc  # noqa: PLC0415  (scipy is slow to load)

    low, high = np.zeros_like(a), np.ones_like(a)
    for _ in range(200):
        middle = (low + high) / 2
        reached = betainc(a, b, middle) > wanted
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return low


def within(low: float, high: float, ends: tuple[float, float]) -> tuple[float, float]:
    """Keep an interval within a range; one that lies outside keeps its half width at the nearest end.

    Args:
        low: Low end of the interval.
        high: High end of the interval.
        ends: The range.

    >>> within(-3.0, -1.0, (0.0, 1.0)), within(0.5, 2.0, (0.0, 1.0))
    ((0.0, 1.0), (0.5, 1.0))
    """
    half = (high - low) / 2
    if high <= ends[0]:
        low, high = ends[0], ends[0] + half
    if low >= ends[1]:
        low, high = ends[1] - half, ends[1]
    return max(low, ends[0]), min(high, ends[1])


def share_interval(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Keep intervals of shares within 0 and 1 without ever shrinking them to nothing.

    An unbiased share may be so far below 0 that its whole interval is; the interval then reaches from 0 up
    by half its width, and likewise at 1.

    Args:
        low: Low ends.
        high: High ends.

    >>> [end.round(9).tolist() for end in share_interval(np.array([-0.7, 0.1]), np.array([-0.3, 0.4]))]
    [[0.0, 0.1], [0.2, 0.4]]
    """
    half = (high - low) / 2
    least = np.where(low >= 1, 1 - half, low)
    most = np.where(high <= 0, half, high)
    return np.clip(least, 0.0, 1.0), np.clip(most, 0.0, 1.0)
