"""Intervals for sampled failure probabilities, valid for any model.

**Sums of bounded terms.** A failure probability is estimated as (something known exactly) + Σᵢ Dᵢ with
independent terms |Dᵢ| ≤ b. They need not have the same law, and each may depend on the answers before it. For
0 ≤ λ < 1 and ψ(λ) = −ln(1 − λ) − λ,

    exp(λx − ψ(λ)x²) ≤ 1 + λx        for all x ≥ −1        (Fan, Grama and Liu 2015, (4.11)),

so with x = ±Dᵢ/b the products of exp(±λ(Dᵢ − E Dᵢ)/b − ψ(λ)Dᵢ²/b²) have an expectation of at most 1. By
Ville's inequality (1939) they also stay small along the way, so with probability 1 − α at *every* moment

    |Σ Dᵢ − Σ E Dᵢ| ≤ (ψ(λ) Σ Dᵢ²/b + b·ln(2/(α·share)))/λ        for each λ of a list whose shares sum to 1.

The second moment Σ Dᵢ² is observed, so nothing needs to be estimated. With no failing term the bound is about
b·ln(3.3/α); with many it is √(2 ln(·/α) ΣDᵢ²), like a normal interval.

**Plain samples** of one channel have the exact binomial interval of Clopper and Pearson (1934).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.statistics.intervals import exact_chance
from noisewright.utility.core.certificate import Moments

_RATES: Floats = np.concatenate([[0.97], 0.85 * 0.6 ** np.arange(12)])
"""The list of λ: the first is for (almost) no failing terms, the last for a million of them."""

_SHARES: Floats = np.concatenate([[0.6], np.full(12, 0.4 / 12)])

_GRID_LOSS = 1.07
"""Factor by which squared bounds are longer because λ comes from a list."""

PILOT_SHARE = 8
"""One in this many queries of a record is used for its map."""

_PROMISE = 1.2
"""Largest width of a plain sample with a map, relative to one with all queries and no map."""

_WEIGHTED_PROMISE = 1.25
"""The same for weighted sums, if their map or guess is useless."""

ROUNDING = 1e-10
"""Distance by which bounds are moved outward: far more than the rounding errors of the sums."""


def deviation(squares: ArrayLike, largest: ArrayLike, alpha: float) -> Floats:
    """Return how far a sum of terms may be from its expectation, on either side.

    Args:
        squares: The sum of the squared terms.
        largest: A bound on each term; 0 for an exact sum.
        alpha: Probability of a larger deviation.

    >>> deviation([0.0, 2.5e-5], [1e-4, 1e-4], 0.01).round(5).tolist()   # nothing failed; a quarter failed
    [0.0006, 0.02181]
    """
    check_alpha(alpha)
    second, most = np.broadcast_arrays(np.asarray(squares, dtype=np.float64), np.asarray(largest))
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.where(most > 0, second / most, 0.0)[..., None]
    curved = -np.log1p(-_RATES) - _RATES
    allowed = math.log(2 / alpha) - np.log(_SHARES)
    reach = ((curved * scaled + most[..., None] * allowed) / _RATES).min(axis=-1)
    return np.asarray(np.where(most > 0, reach, 0.0))


def clopper_pearson(successes: ArrayLike, draws: ArrayLike, alpha: float) -> tuple[Floats, Floats]:
    """Return the exact interval for a probability, given a plain sample.

    Args:
        successes: Hits of each sample.
        draws: Size of each sample.
        alpha: Largest probability that the interval misses.

    >>> [end.round(4).tolist() for end in clopper_pearson([0, 5, 10], 10, 0.05)]
    [[0.0, 0.1871, 0.6915], [0.3085, 0.8129, 1.0]]
    """
    check_alpha(alpha)
    hits, all_draws = np.broadcast_arrays(np.asarray(successes), np.asarray(draws))
    if (hits < 0).any() or (hits > all_draws).any():
        raise InvalidParameter("must be between 0 and the number of draws", field="successes")
    return widen(*exact_chance(hits, all_draws, alpha))


def plain_share(alpha: float) -> float:
    """Return the part of an error probability for a plain sample; the rest is for the map of the record.

    The map takes its share of the queries. If nothing fails, an interval from n plain draws is about
    ln(2/α)/n wide; otherwise fewer draws and a smaller α matter less. So the part is chosen such that
    ln(2/(part·α))/(n − the map's) is ``_PROMISE`` times ln(2/α)/n.

    >>> [round(plain_share(alpha), 2) for alpha in (0.25, 0.005, 1e-5)]
    [0.9, 0.74, 0.54]
    """
    check_alpha(alpha)
    return math.exp((1 - _PROMISE * (1 - 1 / PILOT_SHARE)) * math.log(2 / alpha))


def weighing_cost(alpha: float, *, blind: bool) -> float:
    """Return the factor by which a weighted sum must reduce variance to be as narrow as a plain sample.

    With many failures ``deviation`` reaches √(2·ln(2/(α·share))·variance) where a binomial interval reaches a
    normal quantile of α/2. Shared queries are worthwhile only if the largest weight, times this, is below the
    number of channels.

    Args:
        alpha: The error probability of an interval.
        blind: Whether there is a useless map: fail − map then varies twice as much as fail.

    >>> [round(weighing_cost(1e-5, blind=blind), 2) for blind in (False, True)]
    [1.25, 2.5]
    """
    from scipy.special import ndtri  # noqa: PLC0415  (scipy takes a moment to load)

    check_alpha(alpha)
    reach = 2 * _GRID_LOSS * (math.log(2 / alpha) - math.log(_SHARES[-1]))
    queries = _WEIGHTED_PROMISE**2 * (1 - 1 / PILOT_SHARE)
    return float(reach / ndtri(alpha / 2) ** 2 / queries * (2 if blind else 1))


def average_interval(
    moments: Moments, alpha: float, weights: ArrayLike | None = None
) -> tuple[Floats, Floats, Floats]:
    """Return low end, estimate and high end of the utility averaged over independently sampled records.

    Terms of different records are independent, so they form one sum: squares add up, and the largest bound
    counts.

    Args:
        moments: Sampled moments of each record.
        alpha: Probability that the interval of a mechanism and ε misses.
        weights: Weight of each record, from 0 up; None weights all equally.

    >>> from noisewright.utility.core.certificate import Moments
    >>> each = Moments(np.full((9, 1, 1), 0.2), np.full((9, 1, 1), 1e-4), np.full((9, 1, 1), 1e-4))
    >>> [float(end.round(3)[0, 0]) for end in average_interval(each, 0.01)]
    [0.786, 0.8, 0.814]
    """
    records = len(moments.failing)
    parts = np.full(records, 1 / records) if weights is None else _parts(weights, records)
    failing = np.tensordot(parts, moments.failing, axes=1)
    squares = np.tensordot(parts**2, moments.squares, axes=1)
    largest = (parts[:, None, None] * moments.largest).max(axis=0)
    reach = deviation(squares, largest, alpha)
    low, high = widen(1 - failing - reach, 1 - failing + reach)
    return low, np.clip(1 - failing, low, high), high


def widen(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return ends moved outward by the rounding error, and clipped to 0 and 1."""
    return np.clip(low - ROUNDING, 0.0, 1.0), np.clip(high + ROUNDING, 0.0, 1.0)


def check_alpha(alpha: float) -> None:
    """Refuse an error probability outside (0, 1)."""
    if not 0 < alpha < 1:
        raise InvalidParameter(f"must be above 0 and below 1, got {alpha!r}", field="alpha")


def _parts(weights: ArrayLike, records: int) -> Floats:
    given = np.asarray(weights, dtype=np.float64)
    if given.shape != (records,) or not (given >= 0).all() or not 0 < given.sum() < math.inf:
        raise InvalidParameter(f"must be {records} numbers from 0 up, not all of them 0", field="weights")
    return np.asarray(given / given.sum())
