"""Noise added to numbers, and the ways in which its size goes wrong: Laplace, Gaussian, running totals."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from noisewright.audit.basics.claim import Claim
from noisewright.audit.truth import classical_sigma, gaussian
from noisewright.domains import Floats
from noisewright.published.gallery.exhibit import Exhibit, Numbers, Published, ShownMechanism, pattern
from noisewright.statistics import bisect


@dataclass(frozen=True)
class LaplaceNoise(ShownMechanism):
    """Every number with Laplace noise, ``copies`` times over.

    Densities fall by e^(−|x|/scale), so the whole output spends copies·Σ|difference|/scale, and no less.

    >>> noise = LaplaceNoise(scale=10.0)
    >>> noise([0.0, 5.0], 3, np.random.default_rng(0)).shape, noise.epsilon([0.0, 5.0], [1.0, 5.0])
    ((3, 2), 0.1)
    """

    scale: float
    copies: int = 1

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> Floats:
        numbers = np.tile(np.asarray(data, dtype=np.float64), self.copies)
        return np.asarray(numbers + self.scale * generator.laplace(size=(count, numbers.size)))

    def epsilon(self, left: Numbers, right: Numbers, delta: float = 0.0) -> float | None:
        if delta:
            return None
        return self.copies * float(np.abs(np.subtract(left, right)).sum()) / self.scale


@dataclass(frozen=True)
class LaplaceSum(ShownMechanism):
    """The sum of a column with Laplace noise.

    >>> LaplaceSum(scale=1.0).epsilon([5.0, 3.0], [0.0, 3.0])
    5.0
    """

    scale: float

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> Floats:
        return LaplaceNoise(self.scale)([math.fsum(data)], count, generator)

    def epsilon(self, left: Numbers, right: Numbers, delta: float = 0.0) -> float | None:
        return LaplaceNoise(self.scale).epsilon([math.fsum(left)], [math.fsum(right)], delta)


@dataclass(frozen=True)
class GaussianNoise(ShownMechanism):
    """Every number with normal noise of one deviation.

    >>> noise = GaussianNoise(deviation=4.8448)  # the textbook's for (1, 10⁻⁵)
    >>> noise([0.0], 4, np.random.default_rng(0)).shape, round(noise.epsilon([0.0], [1.0], 1e-5), 3)
    ((4, 1), 0.751)
    """

    deviation: float

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> Floats:
        numbers = np.asarray(data, dtype=np.float64)
        return np.asarray(numbers + self.deviation * generator.standard_normal(size=(count, numbers.size)))

    def epsilon(self, left: Numbers, right: Numbers, delta: float = 0.0) -> float:
        distance = float(np.linalg.norm(np.subtract(left, right)))
        if distance == 0:
            return 0.0
        return gaussian_epsilon(self.deviation, distance, delta) if delta else math.inf


def gaussian_epsilon(deviation: float, distance: float, delta: float) -> float:
    """Return the ε that normal noise keeps with δ, from its exact spectrum.

    >>> round(gaussian_epsilon(1.0, 1.0, 0.1269), 2)
    1.0
    """

    def excess(epsilon: float) -> float:
        return float(gaussian(deviation, epsilon, distance)) - delta

    high = 1.0
    while excess(high) > 0:
        high *= 2
    least, _ = bisect(lambda epsilon: excess(float(epsilon)) <= 0, high, 0.0 if high == 1 else high / 2)
    return float(least)


@dataclass(frozen=True)
class PrefixSums(ShownMechanism):
    """All prefix sums of a list whose every entry got Laplace noise (Wang et al. 2019).

    Differences of neighbouring sums give the noisy entries back, so it spends what they spend.

    >>> sums = PrefixSums(scale=10.0)
    >>> sums([1.0, 1.0], 5, np.random.default_rng(0)).shape, sums.epsilon([1.0, 1.0], [0.0, 0.0])
    ((5, 2), 0.2)
    """

    scale: float

    def __call__(self, data: Numbers, count: int, generator: np.random.Generator) -> Floats:
        return np.cumsum(LaplaceNoise(self.scale)(data, count, generator), axis=1)

    def epsilon(self, left: Numbers, right: Numbers, delta: float = 0.0) -> float | None:
        return LaplaceNoise(self.scale).epsilon(left, right, delta)


# -- exhibits ------------------------------------------------------------------------------------------


BUDGET = 0.1
"""The ε of the published experiments."""

UNIT = ((0.0,), (1.0,))

TEXTBOOK = "Dwork et al. 2006"
CLASSIC = Claim(1.0, 1e-5)

CLASSIC_NOISE = GaussianNoise(classical_sigma(CLASSIC.epsilon, CLASSIC.delta))

SMALL_NOISE = GaussianNoise(math.sqrt(CLASSIC_NOISE.deviation))

NUMBERS = (
    Exhibit(
        name="laplace",
        title="Laplace noise",
        source=TEXTBOOK,
        mechanism=LaplaceNoise(1 / BUDGET),
        pairs=(UNIT,),
        claim=Claim(BUDGET),
        true_epsilon=BUDGET,
        note="noise of scale 1/ε for a number of sensitivity 1 spends exactly ε.",
        published=Published(logistic=0.096804, network=0.097634),
    ),
    Exhibit(
        name="laplace-half",
        title="Laplace noise of half the scale",
        source=TEXTBOOK,
        mechanism=LaplaceNoise(1 / (2 * BUDGET)),
        pairs=(UNIT,),
        claim=Claim(BUDGET),
        true_epsilon=2 * BUDGET,
        note="the scale is half of 1/ε.",
    ),
    Exhibit(
        name="laplace-sum",
        title="a noisy sum of values up to 5",
        source=TEXTBOOK,
        mechanism=LaplaceSum(1.0),
        pairs=(((5.0, 3.0, 1.0), (0.0, 3.0, 1.0)),),
        claim=Claim(1.0),
        true_epsilon=5.0,
        note="the sensitivity of the sum, the largest value, was forgotten: the noise is that of a count.",
    ),
    Exhibit(
        name="laplace-parallel",
        title="twenty noisy copies of a number",
        source="Bichsel et al. 2021",
        mechanism=LaplaceNoise(20 / BUDGET, copies=20),
        pairs=(UNIT,),
        claim=Claim(BUDGET),
        true_epsilon=BUDGET,
        note="twenty times ε/20.",
        published=Published(logistic=0.034953, network=0.029869),
    ),
    Exhibit(
        name="gaussian",
        title="Gaussian noise",
        source="Dwork & Roth 2014",
        mechanism=CLASSIC_NOISE,
        pairs=(UNIT,),
        claim=CLASSIC,
        true_epsilon=CLASSIC_NOISE.epsilon(*UNIT, CLASSIC.delta),
        note="the textbook's deviation √(2·ln(1.25/δ))/ε is larger than it has to be.",
    ),
    Exhibit(
        name="gaussian-variance",
        title="Gaussian noise with σ for a variance",
        source="Dwork & Roth 2014",
        mechanism=SMALL_NOISE,
        pairs=(UNIT,),
        claim=CLASSIC,
        true_epsilon=SMALL_NOISE.epsilon(*UNIT, CLASSIC.delta),
        note="the deviation was handed to a function that takes a variance.",
    ),
    Exhibit(
        name="noisy-histogram-1",
        title="noisy histogram",
        source="Ding et al. 2018, algorithm 9",
        mechanism=LaplaceNoise(1 / BUDGET),
        pairs=(pattern("one below", 5),),
        claim=Claim(BUDGET),
        true_epsilon=BUDGET,
        note="a person is in one bin, so noise of scale 1/ε on each bin is enough.",
        published=Published(logistic=0.097794, network=0.097699),
    ),
    Exhibit(
        name="noisy-histogram-2",
        title="noisy histogram with scale ε for 1/ε",
        source="Ding et al. 2018, algorithm 10",
        mechanism=LaplaceNoise(BUDGET),
        pairs=(pattern("one below", 5),),
        claim=Claim(BUDGET),
        true_epsilon=1 / BUDGET,
        note="the scale of the noise was taken for its inverse.",
        published=Published(logistic=4.602022, network=4.601470),
    ),
    Exhibit(
        name="prefix-sum",
        title="prefix sums",
        source="Wang et al. 2019",
        mechanism=PrefixSums(1 / BUDGET),
        pairs=(pattern("all below", 10),),
        claim=Claim(10 * BUDGET),
        true_epsilon=10 * BUDGET,
        note="ten entries that may all move by 1 spend ten times ε.",
        published=Published(logistic=0.504012, network=0.577433),
    ),
    Exhibit(
        name="prefix-sum-one",
        title="prefix sums for one entry a person",
        source="Wang et al. 2019",
        mechanism=PrefixSums(1 / BUDGET),
        pairs=(pattern("all below", 10),),
        claim=Claim(BUDGET),
        true_epsilon=10 * BUDGET,
        note="the noise is that of a person with one entry, and here a person has ten.",
    ),
)
