"""Small data and algorithms for the tests of secrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from noisewright.domains import Floats
from noisewright.randomness import SeededSource
from noisewright.release.algorithms.base import Algorithm, Facts, Labels
from noisewright.release.basics.budgets import MutualInformation
from noisewright.release.basics.worlds import Worlds
from noisewright.release.composition import Secret

ROWS = np.random.default_rng(5).normal(size=(20, 2))
LABELS = np.where(ROWS[:, 0] > 0, "yes", "no")
EIGHTH, QUARTER = MutualInformation(0.125), MutualInformation(0.25)


@dataclass(frozen=True)
class Averages(Algorithm):
    """The mean of each column."""

    title: ClassVar[str] = "averages"

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        return np.asarray(rows.mean(axis=0))

    def model(self, vector: Floats, facts: Facts) -> list[float]:
        return vector.tolist()

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        return facts.columns()


@dataclass(frozen=True)
class Twins(Averages):
    """How far each mean is from that of all rows: the same for a half and for its complement.

    So no release can tell the two, no posterior of a world exceeds ½, and however noise falls no secret is
    refused because its world is all but known: tests whose noise is not seeded fail by chance at a rate of 0.
    """

    title: ClassVar[str] = "twins"

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        return np.asarray(np.abs(rows.mean(axis=0) - ROWS.mean(axis=0)).round(12))


@dataclass(frozen=True)
class Pick(Averages):
    """Any output for each world, as an adversary would choose it: worlds are known by their public seeds."""

    worlds: Worlds
    outputs: tuple[tuple[float, ...], ...]
    title: ClassVar[str] = "pick"

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        return np.array(self.outputs[int(np.flatnonzero(self.worlds.seeds == seed)[0])])


def simulated(total: float = 1.0, seed: int = 3, worlds: int | Worlds = 16) -> Secret:
    return Secret(ROWS, LABELS, total=MutualInformation(total), worlds=worlds, source=SeededSource(seed))
