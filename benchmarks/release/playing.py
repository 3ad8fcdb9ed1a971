"""Playing a release through many times: run the worlds once, plan noise, draw releases, judge them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.release.clusters import matched_accuracy
from benchmarks.release.data import Parted
from noisewright.domains import Floats
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.algorithms.clusters import Clusters
from noisewright.release.basics.worlds import Worlds
from noisewright.release.execution import Task, run_worlds
from noisewright.release.noise import NoisePlan, plan_noise

BUDGETS = (1 / 64, 1 / 16, 1 / 4, 1.0, 4.0)
"""Nats of the published figures."""

BUDGET_NAMES = ("1/64", "1/16", "1/4", "1", "4")
SHAPES = ("paper", "optimal", "isotropic")
RELEASES = 2000


@dataclass(frozen=True, eq=False)
class Played:
    """An algorithm that ran in all worlds of a pool."""

    parted: Parted
    algorithm: Algorithm
    facts: Facts
    worlds: Worlds
    outputs: Floats

    @classmethod
    def of(
        cls, parted: Parted, algorithm: Algorithm, worlds: int = 1024, jobs: int | None = None, seed: int = 0
    ) -> Played:
        """Run the algorithm in so many worlds."""
        pool = parted.pool
        facts = algorithm.facts(pool.rows, pool.labels)
        halves = Worlds(len(pool.rows), worlds, seed)
        outputs = run_worlds(Task(algorithm, facts, pool.rows, pool.labels), halves, jobs=jobs)
        return cls(parted, algorithm, facts, halves, outputs)

    def plan(self, nats: float, shape: str = "optimal") -> NoisePlan:
        """The noise for a budget."""
        return plan_noise(self.outputs, nats, shape)

    def released(self, plan: NoisePlan, releases: int = RELEASES, seed: int = 1) -> Floats:
        """Vectors of so many releases, each from a world of its own."""
        generator = np.random.default_rng(seed)
        return plan.vector(plan.simulate(generator.integers(self.worlds.count, size=releases), generator))

    def worth(self, vectors: Floats) -> Floats:
        """How good each vector is on the test; clusters are named by the pool's classes after the noise."""
        test = self.parted.test
        if isinstance(self.algorithm, Clusters):
            return matched_accuracy(self.algorithm, self.facts, vectors, self.parted)
        found = self.algorithm.utility(vectors, test.rows, test.labels, self.facts)
        if found is None:
            raise TypeError(f"{self.algorithm.title} has no measure of worth")
        return found

    def unnoised(self) -> float:
        """The mean worth of all worlds before any noise: what no budget can pass."""
        return float(self.worth(self.outputs).mean())

    def curve(self, shape: str, releases: int = RELEASES) -> tuple[float, ...]:
        """The mean worth at every budget."""
        plans = (self.plan(nats, shape) for nats in BUDGETS)
        return tuple(float(self.worth(self.released(plan, releases)).mean()) for plan in plans)
