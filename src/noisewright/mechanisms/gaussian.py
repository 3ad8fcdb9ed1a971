"""Gaussian mechanisms: (ε, δ)-LDP with the least variance, and the extended Gaussian as probabilistic LDP.

The noise is a histogram of the normal density with odd steps of one width, so that a shift of the input
by any number of cells moves probability between at most two neighbouring steps. That makes the check
finite: the failure probability of a shift by a·width + b cells is the mean of those of a and a + 1 steps,
weighted with width − b and b. All of them are computed, rounded outward.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.guarantees import ApproximateLDP, Guarantee, ProbabilisticLDP
from noisewright.mechanisms.additive import LineNoise
from noisewright.mechanisms.basics.exact import exp_lower
from noisewright.mechanisms.basics.tables import TABLE_BITS, closest_proved
from noisewright.mechanisms.basics.window import least_and_most
from noisewright.mechanisms.noise import MOST_STEPS, MOST_WIDTH, Noise, Steps
from noisewright.parameters import DELTA
from noisewright.text import epsilon_words

FINEST = 1 / 128
"""Width of a step in standard deviations; the steps add FINEST²/12 of the variance."""

FINEST_SHIFT = 1 / 16
"""Width of a step in lengths of the domain: steps wider than a shift would cost δ at every edge."""

OUTWARD = 2.0**-44
"""An upper bound of the rounding below: at most 2¹⁸ terms, each off by less than three units in 2⁵³ of a
mass, and all masses together are one; summed pairwise that is less than 2⁻⁴⁷."""


@dataclass(frozen=True)
class GaussianNoise(LineNoise):
    """Normal noise in steps; subclasses define its width and what counts as a failure.

    Attributes:
        delta: The share of cases in which ε may not hold, between 0 and 1.
    """

    delta: float

    def _prepare(self) -> None:
        super()._prepare()
        object.__setattr__(self, "delta", DELTA.check(self.delta))

    @property
    @abstractmethod
    def ideal_deviation(self) -> float:
        """The standard deviation of the noise on paper, in lengths of the domain."""

    @abstractmethod
    def _failure(self, here: Floats, there: Floats) -> float:
        """Return the failure probability δ of one pair of inputs, given the masses of their steps."""

    @cached_property
    def steps(self) -> Steps:
        cells, deviation = self.domain.lattice, self.ideal_deviation * (self.domain.lattice - 1)
        half = int(min(deviation * FINEST, (cells - 1) * FINEST_SHIFT, MOST_WIDTH - 1) / 2)
        furthest = math.ceil(deviation * _normal_quantile(self.delta * 2.0**-21)) + cells
        if furthest > MOST_STEPS * (2 * half + 1):
            raise InvalidParameter(
                f"epsilon = {epsilon_words(self.epsilon)} is too small for exact Gaussian noise; use a "
                "larger one"
            )
        return Steps.cut(cells, half, 2 * half + 1, furthest)

    @cached_property
    def noise(self) -> Noise:
        return closest_proved(self._noise)

    def _noise(self, retreat: float) -> Noise:
        deviation = self.ideal_deviation * (1 + retreat) * (self.domain.lattice - 1)
        edges = self.steps.half + 0.5 + self.steps.width * np.arange(self.steps.count + 1)
        beyond = np.array([_normal_tail(edge / deviation) for edge in edges])
        weights = np.maximum(np.rint((beyond[:-1] - beyond[1:]) * 2.0**TABLE_BITS), 1).astype(np.int64)
        noise = self.steps.noise(weights.tolist(), max(1, round(beyond[-1] * 2.0**TABLE_BITS)))
        self._check(noise)
        return noise

    def _check(self, noise: Noise) -> float:
        spent = self._delta_of(noise)
        if spent > self.delta:
            raise GuaranteeBroken(
                f"the noise fails in a share {spent} of reports, more than delta = {self.delta}"
            )
        return spent

    def _delta_of(self, noise: Noise) -> float:
        """Return an upper bound of δ over all pairs of inputs.

        Reports at the two ends of the range, where everything beyond is clamped, count as failures
        altogether: clamping is post-processing, which the probabilistic notion does not survive.
        """
        width, one = self.steps.width, 1 << noise.position_bits
        masses = noise.table.masses[1:-1]
        ends = float(noise.table.masses[noise.starts + noise.widths > self.steps.margin].sum()) * 2
        least, most = (share * width / one for share in least_and_most(noise.position_bits, width))
        growth = math.nextafter(float(exp_lower(self.epsilon)), 0.0) * least
        whole, part = divmod(self.domain.lattice - 1, width)
        failures = [0.0]
        for shift in range(1, whole + 2):
            there = np.concatenate([np.zeros(min(shift, masses.size)), masses[:-shift]])
            failures.append(self._failure(masses * most, there * growth))
        failures[-1] = (failures[-1] * part + failures[-2] * (width - part)) / width
        return max(failures) + ends + OUTWARD

    @cached_property
    def delta_upper(self) -> float:
        """The failure probability that the sampler's integers have, rounded up: never above ``delta``."""
        return self._delta_of(self.noise)

    def _prove(self) -> float:
        self._check(self.noise)
        return self.epsilon


@dataclass(frozen=True)
class Gaussian(GaussianNoise):
    """The Gaussian mechanism with the smallest variance that is (ε, δ)-LDP (Balle and Wang 2018).

    >>> from noisewright import Interval
    >>> mechanism = Gaussian(Interval(0, 1), epsilon=1.0, delta=1e-5)
    >>> round(mechanism.ideal_deviation, 3), mechanism.delta_upper <= 1e-5
    (3.731, True)
    """

    title: ClassVar[str] = "Gaussian"
    summary: ClassVar[str] = "(ε, δ)-LDP: unbiased, light tails"

    @property
    def guarantee(self) -> Guarantee:
        return ApproximateLDP(self.epsilon, self.delta)

    @cached_property
    def ideal_deviation(self) -> float:
        low, high = 1e-3, 1.0
        while _gaussian_delta(self.epsilon, high) > self.delta:
            high *= 2
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (
                (middle, high) if _gaussian_delta(self.epsilon, middle) > self.delta else (low, middle)
            )
        return high

    def _failure(self, here: Floats, there: Floats) -> float:
        return float(np.maximum(here - there, 0.0).sum())


@dataclass(frozen=True)
class ExtendedGaussian(GaussianNoise):
    """The Gaussian mechanism of Zheng et al. for any ε, as *probabilistic* LDP.

    The privacy loss stays within ε in all but a share δ of the reports. Its deviation
    (√(ln(2/δ) + ε) + √ln(2/δ)) / (√2·ε) comes from a tail bound, so it is wider than it needs to be.

    >>> from noisewright import Interval
    >>> ExtendedGaussian(Interval(0, 1), epsilon=2.0, delta=0.1).guarantee
    ProbabilisticLDP(epsilon=2.0, delta=0.1)
    """

    title: ClassVar[str] = "Extended Gaussian"
    summary: ClassVar[str] = "probabilistic LDP: the bound may fail in a share δ of reports"

    @property
    def guarantee(self) -> Guarantee:
        return ProbabilisticLDP(self.epsilon, self.delta)

    @property
    def ideal_deviation(self) -> float:
        tail = math.log(2 / self.delta)
        return (math.sqrt(tail + self.epsilon) + math.sqrt(tail)) / (math.sqrt(2) * self.epsilon)  # thm 4

    def _failure(self, here: Floats, there: Floats) -> float:
        return float(here[here > there].sum())


def _normal_tail(point: float) -> float:
    return math.erfc(point / math.sqrt(2)) / 2


def _normal_quantile(tail: float) -> float:
    """Return a point beyond which a standard normal variable lies with at most the given probability."""
    low, high = 0.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _normal_tail(middle) > tail else (low, middle)
    return high


def _gaussian_delta(epsilon: float, deviation: float) -> float:
    """Return δ of a normal law against itself shifted by one (Balle and Wang 2018, thm 8)."""
    half, shift = 1 / (2 * deviation), epsilon * deviation
    return _normal_tail(shift - half) - math.exp(epsilon) * _normal_tail(shift + half)
