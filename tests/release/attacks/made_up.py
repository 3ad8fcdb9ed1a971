"""Small made-up releases for the tests of attacks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from noisewright.domains import Floats
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.basics.worlds import Worlds
from noisewright.release.noise import NoisePlan, plan_noise, table

WORLDS = Worlds(records=24, count=64, seed=3)
ROWS = np.random.default_rng(5).normal(size=(24, 3))
FACTS = Facts(records=24, features=3)


@dataclass(frozen=True)
class MeanOfRows(Algorithm):
    """The mean of the rows, with a score of records that is their distance to it."""

    scored: bool = True
    title: ClassVar[str] = "the mean of the rows"

    def fit(self, rows, labels, seed, facts):
        return rows.mean(axis=0)

    def model(self, vector, facts):
        return vector

    def coordinates(self, facts):
        return facts.columns()

    def confidence(self, vectors, rows, labels, facts):
        if not self.scored:
            return None
        return -np.linalg.norm(vectors[:, None, :] - rows, axis=2)


def outputs(worlds: Worlds = WORLDS, rows: Floats = ROWS) -> Floats:
    """The mean of the rows in each world."""
    return worlds.member @ rows / worlds.member.sum(axis=1)[:, None]


def plan_of(nats: float) -> NoisePlan:
    return plan_noise(outputs(), nats)


def silent(plan: NoisePlan) -> NoisePlan:
    """The same noise on outputs that do not depend on the world at all."""
    return replace(plan, cells=np.zeros_like(plan.cells))


def halved(plan: NoisePlan) -> NoisePlan:
    """Worlds twice as far apart on the lattice: the deviation of the noise is half of what was planned."""
    return replace(plan, cells=2 * plan.cells)


def two_worlds(distance: float) -> tuple[NoisePlan, Worlds]:
    """Two complementary worlds, so many deviations of the noise apart, on one direction."""
    worlds = Worlds(records=4, count=2, seed=0)
    plan = plan_noise(np.array([[-1.0], [1.0]]), nats=0.1)
    half = round(distance / 2 * table.DEVIATION)
    return replace(plan, cells=np.array([[-half], [half]])), worlds
