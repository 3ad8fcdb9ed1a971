"""Intervals for means of bounded numbers: one number per trial, or one per record and trial.

Trials are independent; the records within a trial are not, because they share the world and the noise. So
either one number per trial is averaged (:func:`bounded_mean`), or each record is treated separately with a
part of the failure probability (:class:`Moments`, :func:`hit_rates`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from noisewright.domains import Floats
from noisewright.estimate import Estimate
from noisewright.statistics.bounded_means import bernstein_reach, betting_limit
from noisewright.statistics.intervals import exact_chance

BETTING = "mean over trials, with a betting interval (Waudby-Smith and Ramdas 2023)"
BERNSTEIN = "mean over trials, with an empirical Bernstein interval (Maurer and Pontil 2009)"
EXACT = "share of trials, with an exact binomial interval (Clopper and Pearson 1934)"
INDEPENDENT = "trials are independent draws of a world and of noise"


def bounded_mean(terms: Floats, failure: float, low: float = 0.0, high: float = 1.0) -> Estimate:
    """Estimate the mean of independent bounded terms of any law; the interval fails with ``failure`` at most.

    >>> estimate = bounded_mean(np.random.default_rng(1).uniform(0.4, 0.6, 500), failure=0.01)
    >>> bool(estimate.low < 0.5 < estimate.high), bool(estimate.high - estimate.low < 0.04)
    (True, True)
    """
    units = np.clip((terms - low) / (high - low), 0.0, 1.0)[:, None]
    most, least = float(betting_limit(units, failure / 2)[0]), float(betting_limit(1 - units, failure / 2)[0])
    return Estimate(
        float(terms.mean()), float(terms.std(ddof=1) / math.sqrt(len(terms))),
        low + (high - low) * (1 - least), low + (high - low) * most,
        level=1 - failure, count=len(terms), method=BETTING, assumption=INDEPENDENT,
    )  # fmt: skip


def rescale(estimate: Estimate, factor: float, offset: float) -> Estimate:
    """Return the estimate of factor·x + offset from that of x, for a factor above 0."""
    value, low, high = (factor * end + offset for end in (estimate.value, estimate.low, estimate.high))
    return replace(estimate, value=value, stderr=factor * estimate.stderr, low=low, high=high)


def hit_rates(hits: Floats, trials: int, failure: float) -> Estimate:
    """Estimate the share of hits of each record, with exact intervals that hold for all records together.

    >>> hit_rates(np.array([50.0, 60.0]), trials=100, failure=0.05).low.round(3).tolist()
    [0.385, 0.483]
    """
    low, high = exact_chance(hits, trials, failure / len(hits))
    value = hits / trials
    return Estimate(
        value, np.sqrt(value * (1 - value) / trials), low, high,
        level=1 - failure, count=trials, method=EXACT, assumption=INDEPENDENT,
    )  # fmt: skip


@dataclass
class Moments:
    """Running sums over trials of numbers between 0 and 1, one for each record: memory for one trial only.

    >>> moments = Moments.of(2)
    >>> moments.add(np.array([[0.5, 0.7], [0.5, 0.9]]))
    >>> moments.mean().tolist(), moments.trials
    ([0.5, 0.8], 2)
    """

    total: Floats
    squares: Floats
    trials: int = 0

    @classmethod
    def of(cls, records: int) -> Moments:
        """Return the sums before any trial."""
        return cls(np.zeros(records), np.zeros(records))

    def add(self, values: Floats) -> None:
        """Add trials, (trials, records)."""
        self.total += values.sum(axis=0)
        self.squares += np.einsum("tn,tn->n", values, values)
        self.trials += len(values)

    def __iadd__(self, other: Moments) -> Moments:
        """Add all trials of another."""
        self.total += other.total
        self.squares += other.squares
        self.trials += other.trials
        return self

    def mean(self) -> Floats:
        """Return the mean of each record."""
        return self.total / self.trials

    def variance(self) -> Floats:
        """Return the sample variance of each record."""
        return np.maximum(self.squares - self.total * self.mean(), 0.0) / (self.trials - 1)

    def reach(self, failure: float, trials: int | None = None) -> Floats:
        """Return how far each mean may lie on *one* side of the truth, for all records together.

        By Bernstein's inequality at failure/records; for the trials so far, or for ``trials`` others of the
        same variance.
        """
        beyond = bernstein_reach(self.variance(), trials or self.trials, failure / len(self.total))
        return np.asarray(beyond * (1 + 1e-6) + 1e-12)  # the sums err by far less than the factor

    def estimate(self, failure: float) -> Estimate:
        """Estimate all means, with intervals that hold together except with probability ``failure``."""
        mean, reach = self.mean(), self.reach(failure / 2)
        return Estimate(
            mean, np.sqrt(self.variance() / self.trials),
            np.maximum(mean - reach, 0.0), np.minimum(mean + reach, 1.0),
            level=1 - failure, count=self.trials, method=BERNSTEIN, assumption=INDEPENDENT,
        )  # fmt: skip
