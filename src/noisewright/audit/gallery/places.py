"""Places: two published ways to report one near the true place, and what they overlook."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.gallery.mechanism import FiniteLaw, FiniteMechanism
from noisewright.domains import Floats


@dataclass(frozen=True)
class ReportedPlace(FiniteMechanism):
    """A place of a public list, by number, drawn from weights that depend on the true one."""

    places: tuple[float, ...]
    budget: float

    @abstractmethod
    def weights(self, distances: Floats) -> Floats:
        """How much each place weighs, by its distance from the true one."""

    def law(self, data: int) -> FiniteLaw:
        weights = self.weights(np.abs(np.asarray(self.places) - self.places[data]))
        return FiniteLaw(np.arange(len(self.places))[:, None], weights / weights.sum())

    def __call__(self, data: int, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        return generator.choice(len(self.places), size=count, p=self.law(data).shares)

    @property
    def worst_pair(self) -> tuple[int, int]:
        """The two places that reports tell apart best."""
        pairs = itertools.combinations(range(len(self.places)), 2)
        return max(pairs, key=lambda pair: self.epsilon(*pair))

    @property
    def worst(self) -> float:
        """The ε of the worst pair."""
        return self.epsilon(*self.worst_pair)


@dataclass(frozen=True)
class Staircase(ReportedPlace):
    """L-SRR (Wang et al. 2022): weights fall in equal steps from e^ε to 1, a step at each radius.

    Two places may differ in how many places lie near them, and with that in the sum that weights are divided
    by; the ratio of two reports then exceeds e^ε.

    >>> Staircase((0.0, 1.0, 2.0, 9.0), 1.0, radii=(1.5,)).worst > 1.2
    True
    """

    radii: tuple[float, ...]

    def weights(self, distances: Floats) -> Floats:
        steps = np.linspace(np.exp(self.budget), 1.0, len(self.radii) + 1)
        return steps[np.searchsorted(self.radii, distances, side="left")]


@dataclass(frozen=True)
class ReachablePlace(ReportedPlace):
    """NGram as it was evaluated (Zheng 2026, 6.3.2): the exponential mechanism among places within reach.

    Within reach of the *true* place, that is, so that a report rules out every place that is further away.

    >>> ReachablePlace((0.0, 1.0, 2.0), 1.0, reach=1.0).epsilon(0, 2)
    inf
    """

    reach: float

    def weights(self, distances: Floats) -> Floats:
        rate = self.budget / (2 * self.reach)
        return np.where(distances <= self.reach, np.exp(-rate * distances), 0.0)
