"""The mean and the variance of the true values, from reports alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from noisewright.domains import Circle, Floats, Integers, Interval
from noisewright.errors import InvalidParameter
from noisewright.estimate.channel import channel_of, two_valued
from noisewright.estimate.directions import mean_direction
from noisewright.estimate.distributions import distribution
from noisewright.estimate.em import SMOOTHED, fit_smoothly
from noisewright.estimate.functional import Functional, Inverse, Square, Value, average
from noisewright.estimate.groups import NumberGroup
from noisewright.estimate.partition import equal_bins
from noisewright.estimate.result import LEVEL, SAMPLE, Estimate
from noisewright.estimate.sandwich import Bracket, bracket, method_of
from noisewright.estimate.tally import Tally
from noisewright.mechanisms import Mechanism
from noisewright.statistics.intervals import standard_errors, within

RESCALED: Final = "the mean report, rescaled by the known law of the mechanism, with a normal interval"
LESS_NOISE: Final = "the variance of the reports less that of the noise, with a normal interval"
"""How intervals were made, for people to read."""

OPEN = 0.2
"""In standard errors: if the averages of two functions differ by more, the reports leave the value open."""

LOOKS = 65
STRAIGHT = 1e-5
"""Of the domain: a mean report this near to a straight line in the true value lies on it."""


def mean(reports: Any, mechanism: Mechanism | None = None, *, level: float = LEVEL) -> Estimate:
    """Estimate the mean of the true values; on a circle their mean direction.

    Where the expected report is a straight line in the true value (PM, SW, Laplace, Duchi and others) the
    mean report is rescaled. That is unbiased for every distribution, except that the result is kept within
    the domain. Otherwise the known law is inverted. The mean of two whole numbers is estimated as the share
    of the larger one, with the same interval as in :func:`distribution`.

    Args:
        reports: Reports of ``mechanism``, or a :class:`Tally` of reports, or several tallies.
        mechanism: The mechanism that made the reports; a tally knows its own.
        level: How often the interval holds the truth.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import PM
    >>> from noisewright.randomness import SeededSource
    >>> mechanism = PM(Interval(0, 1), epsilon=1.0)
    >>> truth = np.random.default_rng(1).beta(2, 5, 100_000)
    >>> found = mean(mechanism.perturb(truth, SeededSource(1)), mechanism)
    >>> bool(found.low < truth.mean() < found.high), round(found.stderr, 3)
    (True, 0.003)
    """
    tally = _numbers(Tally.of(reports, mechanism), "mean")
    if isinstance(tally.domain, Circle):
        return mean_direction(tally, level)
    if two_valued(tally.domain):
        return _share_of_larger(tally, level)
    lines = [straight_line(group.mechanism) for group in tally.groups]
    if all(line is not None for line in lines):
        return _rescaled(tally, [line for line in lines if line is not None], level)
    found = bracket(tally, [Value()], standard_errors(level, tally.count))
    return _moment(tally, found, level, Value(), tally.domain.ends)


def variance(reports: Any, mechanism: Mechanism | None = None, *, level: float = LEVEL) -> Estimate:
    """Estimate the variance of the true values (of the people, not of the reports).

    Args:
        reports: Reports of ``mechanism``, or a :class:`Tally` of reports, or several tallies.
        mechanism: The mechanism that made the reports; a tally knows its own.
        level: How often the interval holds the truth.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import PM
    >>> from noisewright.randomness import SeededSource
    >>> mechanism = PM(Interval(0, 1), epsilon=2.0)
    >>> truth = np.random.default_rng(1).beta(2, 5, 100_000)
    >>> found = variance(mechanism.perturb(truth, SeededSource(1)), mechanism)
    >>> bool(found.low < truth.var() < found.high)
    True
    """
    tally = _numbers(Tally.of(reports, mechanism), "variance")
    if isinstance(tally.domain, Circle):
        raise InvalidParameter("on a circle ask for the mean and the distribution; a variance needs a line")
    centre = mean(tally, level=level)
    if two_valued(tally.domain):
        return _of_two(centre, tally.domain.first)
    middle, most = centre.value, float(np.ptp(tally.domain.places(2)) ** 2 / 4)
    squares = Square(middle)
    found = bracket(tally, [squares], standard_errors(level, tally.count))
    curves = [parabola(group.mechanism) for group in tally.groups]
    if _open_ended(found) and all(curve is not None for curve in curves):
        around = _less_noise(tally, [curve for curve in curves if curve is not None], middle, level, most)
    else:
        around = _moment(tally, found, level, squares, (0.0, most))
    # squares around a middle are too large by its squared distance from the mean
    off = max(middle - centre.low, centre.high - middle) ** 2
    return replace(around, low=max(around.low - off, 0.0))


@lru_cache(maxsize=64)
def straight_line(mechanism: Mechanism) -> tuple[float, float] | None:
    """Return slope and height at 0 of the expected report, a line in the true value; None if it is curved."""
    domain = mechanism.domain
    if not isinstance(domain, Interval):
        return None
    places = domain.places(LOOKS)
    means = np.asarray(mechanism.law(places).mean())
    slope = (means[-1] - means[0]) / (places[-1] - places[0])
    height = means[0] - slope * places[0]
    step = (
        0.0 if isinstance(domain, Integers) else abs(slope) * domain.pitch / 2
    )  # one report for a whole cell
    straight = np.abs(means - height - slope * places).max() + step <= STRAIGHT * domain.length
    return (float(slope), float(height)) if straight and abs(slope) > 1e-9 else None


@lru_cache(maxsize=64)
def parabola(mechanism: Mechanism) -> tuple[float, float, float] | None:
    """Return the coefficients, x⁰ to x², of the expected squared report; None if it is not a parabola."""
    if straight_line(mechanism) is None:
        return None
    domain = mechanism.domain
    places = domain.places(LOOKS)
    law = mechanism.law(places)
    if places.size < 4:  # any three points lie on a parabola
        return None
    squares = np.asarray(law.variance()) + np.asarray(law.mean()) ** 2
    second, first, none = np.polyfit(places, squares, 2)
    misses = np.abs(np.polyval([second, first, none], places) - squares).max()
    scale = domain.length**2 + np.abs(squares).max()
    return (
        (float(none), float(first), float(second)) if misses <= STRAIGHT * scale and second > 1e-6 else None
    )


def _share_of_larger(tally: Tally, level: float) -> Estimate:
    """The mean of two whole numbers: the smaller one, and the share of people with the larger."""
    shares, first = distribution(tally, bins=2, level=level), tally.domain.first
    value, low, high = (first + float(part[1]) for part in (shares.value, shares.low, shares.high))
    return Estimate(
        value, float(shares.stderr[1]), low, high,
        level=level, count=tally.count, method=shares.method, assumption=shares.assumption,
    )  # fmt: skip


def _of_two(centre: Estimate, first: int) -> Estimate:
    """The variance p(1 − p) of two whole numbers, from their mean first + p; largest where p is a half."""
    share, low, high = (number - first for number in (centre.value, centre.low, centre.high))
    ends = low * (1 - low), high * (1 - high)
    return replace(
        centre,
        value=share * (1 - share),
        stderr=abs(1 - 2 * share) * centre.stderr,
        low=min(ends),
        high=0.25 if low <= 0.5 <= high else max(ends),
    )


def _less_noise(
    tally: Tally, curves: list[tuple[float, float, float]], middle: float, level: float, most: float
) -> Estimate:
    """The variance of the reports less that of the noise: the mean of G with E[G | x] = (x − mean)²."""
    pairs = zip(tally.of_kind(NumberGroup), curves, strict=True)
    value, stderr = _pooled([_one_variance(group, curve, middle) for group, curve in pairs])
    reach = standard_errors(level, tally.count) * stderr
    low, high = np.clip([value - reach, value + reach], 0.0, most)
    return Estimate(
        float(np.clip(value, 0.0, most)),
        stderr,
        float(low),
        float(max(high, min(reach, most))),
        level=level,
        count=tally.count,
        method=LESS_NOISE,
        assumption=SAMPLE,
    )


def _one_variance(group: NumberGroup, curve: tuple[float, float, float], middle: float) -> Part:
    line = straight_line(group.mechanism)
    assert line is not None
    truth = (group.places - line[1]) / line[0]
    squares = (group.places**2 - curve[0] - curve[1] * truth) / curve[2]
    return _part(group, squares - 2 * middle * truth + middle**2)


def _rescaled(tally: Tally, lines: list[tuple[float, float]], level: float) -> Estimate:
    """The mean of each group's rescaled reports, weighted by worth and kept within the domain.

    Noise may carry the mean of the reports, or an end of its interval, out of the domain. No true mean lies
    there, so cutting both at the domain's end makes no interval miss the truth.
    """
    value, stderr = _pooled(
        [_one_mean(*pair) for pair in zip(tally.of_kind(NumberGroup), lines, strict=True)]
    )
    reach = standard_errors(level, tally.count) * stderr
    low, high = within(value - reach, value + reach, tally.domain.ends)
    return Estimate(
        min(max(value, low), high),
        stderr,
        low,
        high,
        level=level,
        count=tally.count,
        method=RESCALED,
        assumption=SAMPLE,
    )


def _one_mean(group: NumberGroup, line: tuple[float, float]) -> Part:
    slope, height = line
    counted = _part(group, (group.places - height) / slope)
    return replace(counted, value=(group.mean - height) / slope)  # the exact sum, not that of the parts


@dataclass(frozen=True)
class Part:
    """The estimate from one mechanism's reports: a value, its variance, and the worth of the reports.

    The worth is known before any report is seen: a weight that is learned from few reports would favour those
    that happen to be alike.
    """

    value: float
    variance: float
    worth: float


def _part(group: NumberGroup, function: Floats) -> Part:
    """The average of a function of the reports, of one mechanism."""
    domain = group.mechanism.domain
    likely = channel_of(group.mechanism, np.array([domain.low, domain.high])).matrix()[0]
    seen = group.counts.astype(np.float64)
    found = average(Inverse([function[None, :]], np.zeros(1), np.zeros(1)), [seen], [likely])
    noise = float(likely @ function**2 - (likely @ function) ** 2)
    return Part(float(found.value[0]), float(found.stderr[0]) ** 2, group.count / noise)


def _pooled(parts: Sequence[Part]) -> tuple[float, float]:
    """The values together, weighted by worth, with the standard error that the reports show."""
    weights = np.array([part.worth for part in parts]) / sum(part.worth for part in parts)
    value = float(weights @ np.array([part.value for part in parts]))
    return value, math.sqrt(float(weights**2 @ np.array([part.variance for part in parts])))


def _open_ended(found: Bracket) -> bool:
    """Whether the reports leave the value open, however many there are."""
    return bool(found.high[0] - found.low[0] > OPEN * max(found.low_stderr[0], found.high_stderr[0]))


def _moment(
    tally: Tally, found: Bracket, level: float, functional: Functional, most: tuple[float, float]
) -> Estimate:
    """An estimate from two functions of the reports; where they leave the value open, a fit gives it.

    If the fitted value lies outside the interval, it is moved to the nearest value between the two averages,
    and not to the edge of the interval; if that lies outside as well, to the middle.
    """
    reach = standard_errors(level, tally.count)
    ends = found.interval(reach)
    low, high = within(float(ends[0][0]), float(ends[1][0]), most)
    value, stderr = float(found.middle[0]), float(max(found.low_stderr[0], found.high_stderr[0]))
    if _open_ended(found):
        fitted = fit_smoothly(tally, 128).shares
        inner = found.interval(0.0)
        likeliest = within(float(inner[0][0]), float(inner[1][0]), most)
        value = float(fitted @ functional.average(equal_bins(tally.domain, 128)))
        if not low < value < high:
            value = min(max(value, likeliest[0]), likeliest[1])
        if not low < value < high:
            value = (low + high) / 2
        stderr = (high - low) / (2 * reach)
    return Estimate(
        min(max(value, low), high),
        stderr,
        low,
        high,
        level=level,
        count=tally.count,
        method=method_of(tally, value=SMOOTHED if _open_ended(found) else ""),
        assumption=SAMPLE,
    )


def _numbers(tally: Tally, what: str) -> Tally:
    if not isinstance(tally.domain, Interval | Circle):
        raise InvalidParameter(f"labels have no {what}; ask for their frequencies")
    return tally
