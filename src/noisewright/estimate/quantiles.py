"""Quantiles of the true values, from reports alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats, Interval
from noisewright.errors import InvalidParameter
from noisewright.estimate import words
from noisewright.estimate.intervals import standard_errors
from noisewright.estimate.inversion import Bounds, inversion_of
from noisewright.estimate.partition import Functional, common_zones, equal_bins
from noisewright.estimate.result import LEVEL, Estimate
from noisewright.estimate.smoothing import fit_smoothly
from noisewright.estimate.tally import Tally
from noisewright.mechanisms import Mechanism

BINS = 16
FITTED_BINS = 256
TINY = 1e-18
DRAWS = 200
SEED = 20_260_102
PLACES = 256
"""Places at which the cumulative distribution is asked for, from one end of the domain to the other."""


def quantile(
    reports: Any, mechanism: Mechanism | None = None, share: ArrayLike = 0.5, *, level: float = LEVEL
) -> Estimate:
    """The value below which a given share of the people lies; the median unless another is asked for.

    The interval ends where the interval of the cumulative distribution, which is estimated without bias,
    leaves the wanted share (Woodruff). The value itself is by smoothed EM.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import SW
    >>> from noisewright.randomness import SeededSource
    >>> mechanism = SW(Interval(0, 1), epsilon=2.0)
    >>> truth = np.random.default_rng(1).beta(2, 5, 100_000)
    >>> found = quantile(mechanism.perturb(truth, SeededSource(1)), mechanism, [0.25, 0.5])
    >>> bool((found.low < np.quantile(truth, [0.25, 0.5])).all())
    True
    """
    tally = Tally.of(reports, mechanism)
    if not isinstance(tally.domain, Interval):
        raise InvalidParameter("quantiles need an order from least to most, which only an interval has")
    wanted = np.atleast_1d(np.asarray(share, dtype=np.float64))
    if not ((wanted > 0) & (wanted < 1)).all():
        raise InvalidParameter("a quantile's share must lie between 0 and 1, for example 0.5 for the median")
    reach = standard_errors(level, tally.count)
    fit = _fitted(tally)
    low, high, found = _ends(tally, fit, wanted, reach)
    values = _inverse(fit, tally.domain, wanted)
    pick = (lambda array: float(array[0])) if np.ndim(share) == 0 else np.asarray
    return Estimate(
        pick(np.clip(values, low, high)),
        pick((high - low) / (2 * reach)),
        pick(low),
        pick(high),
        level=level,
        count=tally.count,
        method=words.method(found, value="smoothed EM"),
        assumption=words.assumptions(words.EVEN),
    )


def _fitted(tally: Tally) -> Callable[[Floats], Floats]:
    """The smoothed cumulative distribution."""
    heights = np.concatenate([[0.0], np.cumsum(fit_smoothly(tally, FITTED_BINS).shares)])
    edges = equal_bins(tally.domain, FITTED_BINS)
    return lambda places: np.asarray(np.interp(places, edges, heights))


def _inverse(fit: Callable[[Floats], Floats], domain: Interval, wanted: Floats) -> Floats:
    """Where the smoothed cumulative distribution reaches given heights."""
    edges = equal_bins(domain, FITTED_BINS)
    return np.asarray(np.interp(wanted, fit(edges), edges))


def _ends(
    tally: Tally, fit: Callable[[Floats], Floats], wanted: Floats, reach: float
) -> tuple[Floats, Floats, Bounds]:
    """Where the upper end of the cumulative distribution reaches what is wanted, and where the lower does.

    Unbiased heights at neighbouring places may fall. Averaging those that do (isotonic regression) leaves a
    curve that crosses each height once; how much calmer it is than the heights is found by drawing from
    their joint law around the fit.
    """
    inversion = inversion_of(tally)
    values = _inverse(fit, tally.domain, wanted)
    places = np.linspace(tally.domain.low, tally.domain.high, PLACES + 1)
    near = np.unique(np.searchsorted(places, values)[:, None] + np.array([-4, 0, 4]))
    near = places[near[(near > 0) & (near < PLACES)]]
    bins = inversion.bounds([_below(place) for place in near], BINS).bins  # as the bias there demands
    found = inversion.solve([_below(place) for place in places[1:-1]], bins)
    calm = _calm(found.answers.covariance(), fit(places[1:-1]))
    upper = _rising(found.high, found.high_stderr) + reach * found.high_stderr * calm
    lower = _rising(found.low, found.low_stderr) - reach * found.low_stderr * calm
    low = _crossing(np.maximum.accumulate(np.concatenate([[0.0], upper, [1.0]])), places, wanted)
    falling = np.minimum.accumulate(np.concatenate([[0.0], lower, [1.0]])[::-1])[::-1]
    return *_to_zone_ends(tally, low, _crossing(falling, places, wanted)), found


def _calm(covariance: Floats, heights: Floats) -> Floats:
    """By what factor isotonic regression shrinks the standard error at each place."""
    values, vectors = np.linalg.eigh(covariance)
    stderr = np.sqrt(np.maximum(np.diag(covariance), TINY))
    noise = np.random.default_rng(SEED).standard_normal((DRAWS, stderr.size))
    drawn = heights + (noise * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    calmed = np.array([_rising(row, stderr) for row in drawn])
    return np.asarray(np.minimum(calmed.std(axis=0) / stderr, 1.0))


def _rising(heights: Floats, stderr: Floats) -> Floats:
    """The nearest heights that never fall."""
    from scipy.optimize import isotonic_regression  # noqa: PLC0415  (scipy is slow to load)

    return np.asarray(isotonic_regression(heights, weights=1 / np.maximum(stderr, 1e-12) ** 2).x)


def _crossing(curve: Floats, places: Floats, heights: Floats) -> Floats:
    """Where a curve that never falls passes given heights."""
    after = np.clip(np.searchsorted(curve, heights), 1, curve.size - 1)
    rise = np.maximum(curve[after] - curve[after - 1], 1e-12)
    part = np.clip((heights - curve[after - 1]) / rise, 0.0, 1.0)
    return np.asarray(places[after - 1] + part * (places[after] - places[after - 1]))


def _to_zone_ends(tally: Tally, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """An end among values that cannot be told apart moves to the end of those: no fit has a shape there."""
    for left, right in common_zones([group.mechanism for group in tally.groups]):
        low = np.where((low > left) & (low < right), left, low)
        high = np.where((high > left) & (high < right), right, high)
    return low, high


def _below(place: float) -> Functional:
    """The share of each bin that lies below a place."""

    def share(edges: Floats) -> Floats:
        return np.asarray(np.clip((place - edges[:-1]) / np.diff(edges), 0.0, 1.0))

    return share
