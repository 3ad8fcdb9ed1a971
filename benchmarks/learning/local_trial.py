"""LocalClassifier on one random draw of people, and what many draws say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from joblib import Parallel, delayed
from scipy.special import ndtri

from benchmarks.learning.functional_trial import People
from benchmarks.learning.local_worlds import UNIT, World
from benchmarks.learning.seeds import apart
from noisewright.domains import Floats
from noisewright.learn.local import LocalClassifier
from noisewright.learn.scorecard import Scorecard

OURS, THEIRS = 2, 3
"""Purposes of seeds: nobody repeats the noise of another."""

SIGNIFICANT: Final = float(ndtri(0.99))
"""The z above which a difference is taken for more than chance: one-sided, at 1 %."""

TWO_SIDED: Final = float(ndtri(0.975))


@dataclass(frozen=True)
class Outcome:
    """One draw: errors on the same test people, whether ``accuracy_`` told the truth, and what was chosen."""

    error: float
    majority: float
    rivals: tuple[float, ...]
    covered: bool
    chosen: str


def once(world: World, epsilon: float, seed: int) -> Outcome:
    """Learn from the clients of a seed and look at its test people."""
    clients, testing = world.draw(seed)
    model = LocalClassifier(epsilon, domain=UNIT, random_state=apart(seed, OURS))
    model.fit(clients.units, clients.codes)
    error = float(np.mean(model.predict(testing.units) != testing.codes))
    theirs = [rival(clients, testing, epsilon, apart(seed, THEIRS)) for rival in world.rivals.values()]
    assert model.accuracy_ is not None
    covered = covers(model.accuracy_, 1 - error, len(testing))
    return Outcome(error, majority_error(clients, testing), tuple(theirs), covered, model.choice_.best.name)


def majority_error(clients: People, testing: People) -> float:
    """How often the more frequent class of the clients is wrong about test people."""
    return float(np.mean(testing.codes != int(2 * clients.codes.sum() > len(clients))))


def covers(card: Scorecard, accuracy: float, tested: int) -> bool:
    """Whether the interval holds an accuracy that is itself measured on so many people.

    Checking clients and test people are disjoint random samples, so the variances of both add up: each half
    of the interval grows in quadrature by the half-width that the test people alone would have.
    """
    doubt = TWO_SIDED * float(np.sqrt(accuracy * (1 - accuracy) / tested))
    below, above = (float(np.hypot(half, doubt)) for half in (card.value - card.low, card.high - card.value))
    return card.value - below <= accuracy <= card.value + above


@dataclass(frozen=True, eq=False)
class Tried:
    """All draws at one ε."""

    world: World
    epsilon: float
    outcomes: Sequence[Outcome]

    @cached_property
    def errors(self) -> Floats:
        """One row for each draw: LocalClassifier, the majority class, and the rivals."""
        return np.array([(each.error, each.majority, *each.rivals) for each in self.outcomes])

    @property
    def above_majority(self) -> tuple[float, float]:
        """How far the mean error lies above the majority's on the same people, and that as a z."""
        difference = self.errors[:, 0] - self.errors[:, 1]
        mean, error = float(difference.mean()), float(standard_error(difference))
        return mean, mean / error if error else 0.0

    @property
    def worse_than_majority(self) -> bool:
        """Whether it is significantly worse than no classifier at all."""
        return self.above_majority[1] > SIGNIFICANT

    @property
    def coverage(self) -> float:
        """The share of draws whose ``accuracy_`` held."""
        return float(np.mean([each.covered for each in self.outcomes]))

    @property
    def chosen(self) -> Counter[str]:
        """How often each candidate was taken."""
        return Counter(each.chosen for each in self.outcomes)


def standard_error(found: Floats) -> Floats:
    """The standard error of the mean of each column."""
    return np.asarray(found.std(axis=0, ddof=1) / np.sqrt(len(found)))


def tried(world: World, epsilon: float, repetitions: int, jobs: int | None = None, seed: int = 0) -> Tried:
    """All draws at one ε, through joblib and the back end that it is set to; the same for any jobs."""
    seeds = range(seed, seed + repetitions)
    return Tried(world, epsilon, Parallel(n_jobs=jobs)(delayed(once)(world, epsilon, one) for one in seeds))
