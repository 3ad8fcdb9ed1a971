"""The variance of a count when lies cancel within groups.

A report supports label v with probability ``hit`` if its person holds v, otherwise ``miss``. The
probability depends on the person's flag: E[support | truth] − E[support | lie] is some c for holders of v and
another for all others. Two people of one group therefore have Cov = ρ·p·q·c₁·c₂, and two given people share
a group with probability (s − 1)/(n − 1). So with n_v holders among n users the number I of reports that
support v has

    Var[I] = n_v·hit·(1 − hit) + (n − n_v)·miss·(1 − miss) + ρ·p·q·(s − 1)/(n − 1)·((Σc)² − Σc²),

and the estimate (I − n·miss)/(hit − miss) has this over (hit − miss)². The mean of I is the same for every
grouping, so that nothing else is to be added.

    randomized response with k labels: c = 1 for holders, −1/(k − 1) for others;
    symmetric unary encoding:          c = 1 and −1, every bit is a binary response;
    optimized unary encoding:          c = 0 and −1, as holders toss a coin of their own;
    local hashing:                     c = 1 and 0, as other labels are hit by chance, truth or lie.

For k = 2 and pairs this is Zheng 2026, thm 4. The dissertation's table for k labels calls ρ the correlation
of the flags, but there it is ρ/(k − 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats


@dataclass(frozen=True)
class SharedNoise:
    """The moments of one label's support under shared coins.

    ``covariance`` is ρ·p·q of two flags; ``own`` and ``other`` are c for holders of the label and for others.

    >>> plain = SharedNoise.of_response(truth=0.6, correlation=0.0)
    >>> joint = SharedNoise.of_response(truth=0.6, correlation=-0.5)
    >>> [round(float(noise.count_variance(762, 10_000))) for noise in (plain, joint)]
    [60000, 38448]
    """

    hit: float
    miss: float
    covariance: float
    own: float
    other: float
    group: int = 2

    @classmethod
    def of_response(cls, truth: float, correlation: float, labels: int = 2, group: int = 2) -> SharedNoise:
        """Return the noise of randomized response: truth with a probability, otherwise any other label."""
        others = labels - 1
        covariance = correlation * truth * (1 - truth)
        return cls(truth, (1 - truth) / others, covariance, 1.0, -1 / others, group)

    def count_variance(self, holders: ArrayLike, users: int) -> Floats:
        """Return the variance of the estimated number of users who hold a label, given how many do."""
        held = np.asarray(holders, dtype=np.float64)
        rest = users - held
        alone = held * self.hit * (1 - self.hit) + rest * self.miss * (1 - self.miss)
        total, squares = held * self.own + rest * self.other, held * self.own**2 + rest * self.other**2
        together = self.covariance * (self.group - 1) / (users - 1) * (total**2 - squares)
        return np.asarray((alone + together) / (self.hit - self.miss) ** 2)

    def in_the_share(self, users: int) -> tuple[float, float, float]:
        """Return the variance of the estimated number as a + b·s + c·s² in the share s of holders."""
        own, other, many = self.own, self.other, float(users)
        alone = many * self.miss * (1 - self.miss)
        more = many * self.hit * (1 - self.hit) - alone
        pull = self.covariance * (self.group - 1) / (many - 1) * many
        scale = (self.hit - self.miss) ** 2
        start = alone + pull * (many - 1) * other**2
        slope = more + pull * (2 * many * other * (own - other) - (own**2 - other**2))
        return start / scale, slope / scale, pull * many * (own - other) ** 2 / scale

    def share_variance(self, shares: ArrayLike, users: int) -> Floats:
        """Return the variance of an estimated share if the users are themselves drawn from a population.

        The grouping is then independent of the labels: each of the s − 1 others of a group adds
        ρ·p·q·E[c]² to the variance of one report.
        """
        share = np.clip(np.asarray(shares, dtype=np.float64), 0.0, 1.0)
        seen = self.miss + (self.hit - self.miss) * share
        pull = share * self.own + (1 - share) * self.other
        together = (self.group - 1) * self.covariance * pull**2
        return np.asarray((seen * (1 - seen) + together) / (self.hit - self.miss) ** 2 / users)


@dataclass(frozen=True)
class RatioRange:
    """The ratio of the variances of two noises, from the best share to the worst.

    ``least`` and ``most`` are the smallest and the largest ratio of the two variances of a count over a
    range of shares, ``least_at`` and ``most_at`` shares where they are attained, ``mean`` the average ratio
    over the range, all shares alike.

    >>> plain = SharedNoise.of_response(truth=0.6, correlation=0.0)
    >>> joint = SharedNoise.of_response(truth=0.59, correlation=-0.5)
    >>> found = RatioRange.of(joint, plain, users=10_000)
    >>> round(found.least, 3), found.least_at, round(found.most, 3), found.most_at, round(found.mean, 3)
    (0.622, 0.0, 1.244, 0.5, 1.037)
    """

    least: float
    least_at: float
    most: float
    most_at: float
    mean: float

    @classmethod
    def of(
        cls, noise: SharedNoise, other: SharedNoise, users: int, shares: tuple[float, float] = (0.0, 1.0)
    ) -> Self:
        """Compare ``noise`` with ``other`` at every share of a range, not only at some of them.

        Both variances are polynomials of degree two in the share, so that their ratio is least and largest at
        an end of the range or where the derivative's numerator f'g − fg', another such polynomial, is zero.
        """
        low, high = shares
        above, below = (each.in_the_share(users) for each in (noise, other))
        (a, b, c), (d, e, f) = above, below
        turns = _roots(b * d - a * e, 2 * (c * d - a * f), c * e - b * f)
        places = np.array([low, high, *(turn for turn in turns if low < turn < high)])
        ratios = _values(above, places) / _values(below, places)
        rounded = ratios.round(12)  # of two equal shares the first is named, whatever the last digit is
        nodes = low + (high - low) * NODES
        mean = float((_values(above, nodes) / _values(below, nodes)) @ WEIGHTS)
        least, most = float(places[rounded.argmin()]), float(places[rounded.argmax()])
        return cls(float(ratios.min()), least, float(ratios.max()), most, mean)


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)
NODES, WEIGHTS = (1 + _NODES) / 2, _WEIGHTS / 2
"""Gauss–Legendre between 0 and 1: exact for two labels, to rounding for more."""


def _values(coefficients: tuple[float, float, float], places: Floats) -> Floats:
    start, slope, bend = coefficients
    return start + places * (slope + places * bend)


def _roots(start: float, slope: float, bend: float) -> list[float]:
    """Return the zeros of start + slope·x + bend·x², without the cancellation of the school formula."""
    inside = slope * slope - 4 * bend * start
    if inside < 0:
        return []
    sum_ = -(slope + math.copysign(math.sqrt(inside), slope)) / 2
    return [top / bottom for top, bottom in ((sum_, bend), (start, sum_)) if bottom]
