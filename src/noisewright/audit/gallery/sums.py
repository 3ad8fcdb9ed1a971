"""Running totals of noisy numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.audit.gallery.mechanism import Numbers, ShownMechanism
from noisewright.audit.gallery.noise import LaplaceNoise
from noisewright.domains import Floats


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
