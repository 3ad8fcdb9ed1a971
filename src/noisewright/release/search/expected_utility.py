"""The expected utility of a release after its noise; only for the owner of the data.

Releases are simulated with public chance in worlds that were run anyway, and judged on the records that their
world left out. The secret world and the real release play no part in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.parameters import whole
from noisewright.release.basics.worlds import Worlds
from noisewright.release.execution import Task
from noisewright.release.noise import NoisePlan

WORLDS: Final = 50
"""Number of worlds that are judged,"""

EACH: Final = 4
"""with this number of releases of each;"""

FEWEST_WORLDS: Final = 8
MOST_NUMBERS: Final = 1 << 28
"""a large pool has fewer, so that about this many numbers are read, but at least ``FEWEST_WORLDS``."""


@dataclass(frozen=True)
class ExpectedUtility:
    """The average utility of simulated releases on the records that their worlds left out.

    Both utilities are exact functions of the pool without noise: they are not for publication.

    Attributes:
        private: Utility after the noise; more is better.
        unnoised: Utility without noise.
        releases: Number of simulated releases.
        accuracy: Whether the utility is the share of records labelled right.
    """

    private: float
    unnoised: float
    releases: int
    accuracy: bool

    def __str__(self) -> str:
        if self.accuracy:
            return (
                f"about {self.private:.1%} of left-out records right after the noise, "
                f"{self.unnoised:.1%} without".replace("%", " %")
            )
        after, without = f"{self.private:.4g}", f"{self.unnoised:.4g}"
        return f"utility of about {after} after the noise, {without} without; more is better"


def expected_utility(task: Task, plan: NoisePlan, worlds: Worlds, *, seed: int = 0) -> ExpectedUtility | None:
    """Return the mean utility of releases of a plan; None if the algorithm has no measure of utility.

    Worlds have the weights of the plan: equal ones, or the posterior after earlier releases.

    Args:
        task: Algorithm that is released, and the pool.
        plan: Noise of the release, with the cells of all worlds.
        worlds: Public list of worlds.
        seed: Public seed of the simulation.

    >>> from noisewright.release.algorithms import Ridge
    >>> from noisewright.release.noise import plan_noise
    >>> from noisewright.release.execution import run_worlds
    >>> table = np.random.default_rng(0).normal(size=(40, 2)); rows, labels = table[:, :1], table @ [1.0, 0.1]
    >>> worlds, task = Worlds(40, count=32), Task(Ridge(), Ridge().facts(rows, labels), rows, labels)
    >>> plan = plan_noise(run_worlds(task, worlds), nats=1 / 64)
    >>> print(expected_utility(task, plan, worlds))
    utility of about -0.1... after the noise, -0.1... without; more is better
    """
    generator = np.random.default_rng([whole("seed", seed, 0, (1 << 63) - 1), 5])
    count = max(FEWEST_WORLDS, min(WORLDS, MOST_NUMBERS // (task.rows.size * (EACH + 1))))
    judged = []
    for world in weighted_worlds(plan.weights, count, generator):
        cells = np.vstack([plan.simulate(np.full(EACH, world), generator), plan.cells[world]])
        with np.errstate(all="ignore"):  # non-finite values are handled below
            found = task.utility(plan.vector(cells), ~worlds.member[world])
        if found is None or not np.isfinite(found).all():
            return None
        judged.append(found)
    table = np.array(judged)
    accuracy = task.facts.classes is not None
    return ExpectedUtility(
        float(table[:, :EACH].mean()), float(table[:, EACH].mean()), count * EACH, accuracy
    )


def weighted_worlds(weights: Floats, count: int, generator: np.random.Generator) -> Cells:
    """Pick worlds in proportion to their weights, at even distances along the sum of all weights.

    >>> weighted_worlds(np.array([0.25, 0.25, 0.5]), 4, np.random.default_rng(0)).tolist()
    [0, 1, 2, 2]
    """
    marks = (np.arange(count) + generator.random()) / count
    places = np.searchsorted(np.cumsum(weights), marks * weights.sum(), side="right")
    return np.asarray(np.minimum(places, np.flatnonzero(weights)[-1]), dtype=np.int64)
