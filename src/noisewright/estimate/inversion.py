"""Intervals that hold whatever the truth is, for any average of a known function over the people.

A mean, the share of a bin, a point of the cumulative distribution: each is a number ψ(x) averaged over
people. ``unbiased.py`` finds a function G of the report with E[G | x] = ψ(x) on average over each bin; the
average of G over the reports is then unbiased and the central limit theorem gives its interval. Two
things can spoil that, and both go into the interval:

1. Where a mechanism has the same law for many values, ψ is known there only up to its least and largest
   value; the interval reaches from the one to the other (``partition.py``).
2. G is unbiased if the people of a bin are spread evenly over it. What it is off by under the smoothed fit
   on finer bins widens the interval, and bins are halved until that is small beside the standard error.

The smoothed fit also gives the weights of G. A poor fit there costs width, not coverage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.estimate.em import Evidence
from noisewright.estimate.partition import Functional, Partition, equal_bins, partition
from noisewright.estimate.smoothing import SmoothFit, fit_smoothly
from noisewright.estimate.tally import Tally
from noisewright.estimate.unbiased import Answers, average, invert, weights_of

FINE_BINS = 256
"""Bins of the smoothed fit against which an inversion on coarser bins is checked."""

COARSER = 4
"""Parts of the reports joined into one: a thousand are enough for any window, and four times as fast."""

STRENGTH = 2.8e-3
MANY = 20_000
"""How strongly that fit is smoothed if there are many reports. It sets weights and finds bias, so nothing is
gained by choosing; but from few reports it would follow their accidents, and is chosen with care."""

SMALL_BIAS = 0.1
"""In standard errors: a bias that changes the coverage of a 95 % interval by less than 0.2 %."""


@dataclass(frozen=True, eq=False)
class Bounds:
    """For several functionals: an unbiased value with its standard error, and two ends with theirs.

    The ends differ from the value only where the reports cannot tell values apart, or for bias; ``beyond``
    says which functionals are out of reach of any unbiased function of the reports.
    """

    answers: Answers
    value: Floats
    stderr: Floats
    low: Floats
    low_stderr: Floats
    high: Floats
    high_stderr: Floats
    bias: Floats
    zoned: bool
    beyond: NDArray[np.bool_]
    bins: int

    def width(self) -> float:
        """The total width of intervals of two standard errors to either side."""
        low, high = self.interval(2.0)
        return float((high - low).sum())

    def interval(self, quantile: float) -> tuple[Floats, Floats]:
        """The ends, so many standard errors out."""
        low, high = self.low - quantile * self.low_stderr, self.high + quantile * self.high_stderr
        return np.minimum(low, high), np.maximum(low, high)  # reports no fit can explain may cross them


@dataclass(frozen=True, eq=False)
class Inversion:
    """The reports of a tally, ready to be asked about averages over the people behind them."""

    tally: Tally

    @cached_property
    def fit(self) -> SmoothFit:
        """The smoothed distribution on fine bins."""
        many = self.tally.count >= MANY
        return fit_smoothly(self.tally, FINE_BINS, strength=STRENGTH if many else None)

    def bounds(self, functionals: Sequence[Functional], bins: int) -> Bounds:
        """Bounds with ``bins`` bins, or with twice or four times as many if the bias demands it.

        Where finer bins are out of reach of unbiased functions, the narrowest answer is the best: all of
        them include their bias.
        """
        tried = []
        while True:
            found = self.solve(functionals, bins)
            tried.append(found)
            if found.beyond.any() and len(tried) > 1:
                return min(tried, key=Bounds.width)
            if 2 * bins > FINE_BINS or (found.bias <= SMALL_BIAS * found.stderr).all():
                return found
            bins *= 2

    def solve(self, functionals: Sequence[Functional], bins: int) -> Bounds:
        """Bounds with just so many bins."""
        edges = equal_bins(self.tally.domain, bins)
        cut = partition(self.tally.domain, edges, [group.mechanism for group in self.tally.groups])
        channels = Evidence.of(self.tally, cut.edges, COARSER).channels
        laws = [_zone_laws(channel.matrix(), cut) for channel in channels]
        ends = [cut.extremes(functional) for functional in functionals]
        low, high = np.array([least for least, _ in ends]), np.array([most for _, most in ends])
        wanted = np.array([functional(self._fine_edges) for functional in functionals])
        middle = self._ask(laws, (low + high) / 2)
        if cut.zones == cut.size:  # every bin has its own law: one question instead of three
            same = self._bias(middle, wanted)
            return _bounds((middle, middle, middle), (same, same), bins, zoned=False)
        least, most = self._ask(laws, low), self._ask(laws, high)
        off = (self._bias(least, wanted), self._bias(most, wanted))
        return _bounds((middle, least, most), off, bins, zoned=True)

    def _ask(self, laws: list[Floats], targets: Floats) -> Answers:
        inverse = invert(laws, [weights_of(share) for share in self._expected], self._fine.counts, targets)
        return average(inverse, self._fine.counts, self._expected)

    def _bias(self, answers: Answers, wanted: Floats) -> Floats:
        """What the functions of the report are off by, on average over the smoothed fit."""
        total, expected = self.tally.count, np.zeros_like(wanted)
        for group, channel, function in zip(
            self.tally.groups, self._fine.channels, answers.inverse.functions, strict=True
        ):
            expected += group.count / total * (function @ channel.matrix().T)
        return np.asarray((expected - wanted) @ self.fit.shares)

    @cached_property
    def _fine_edges(self) -> Floats:
        return equal_bins(self.tally.domain, FINE_BINS)

    @cached_property
    def _fine(self) -> Evidence:
        return Evidence.of(self.tally, self._fine_edges, COARSER)

    @cached_property
    def _expected(self) -> list[Floats]:
        """The shares of reports that the smoothed fit expects."""
        return [np.maximum(channel.forward(self.fit.shares), 0.0) for channel in self._fine.channels]


@lru_cache(maxsize=8)
def inversion_of(tally: Tally) -> Inversion:
    """The inversion of a tally, made once for all that is asked about it."""
    return Inversion(tally)


def _bounds(
    answers: tuple[Answers, Answers, Answers], off: tuple[Floats, Floats], bins: int, *, zoned: bool
) -> Bounds:
    middle, least, most = answers
    too_high = np.maximum(off[0] - least.inverse.over, 0.0)
    too_low = np.maximum(most.inverse.under - off[1], 0.0)
    return Bounds(
        answers=middle,
        value=middle.value - (middle.inverse.over + middle.inverse.under) / 2,
        stderr=middle.stderr,
        low=least.value - least.inverse.over - _felt(too_high, least.stderr),
        low_stderr=least.stderr,
        high=most.value - most.inverse.under + _felt(too_low, most.stderr),
        high_stderr=most.stderr,
        bias=np.maximum(too_high, too_low),
        zoned=zoned,
        beyond=(most.inverse.over - most.inverse.under > 0) | (least.inverse.over - least.inverse.under > 0),
        bins=bins,
    )


def _felt(bias: Floats, stderr: Floats) -> Floats:
    """The bias that an interval must make room for; a small one does not change how often it holds."""
    return np.where(bias > SMALL_BIAS * stderr, bias, 0.0)


def _zone_laws(laws: Floats, cut: Partition) -> Floats:
    """The law of each zone: all its bins have the same, so any one will do."""
    return laws[np.flatnonzero(np.diff(cut.zone, prepend=-1))]
