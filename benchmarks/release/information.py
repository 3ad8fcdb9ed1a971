"""The nats that releases really carry, measured, for every algorithm there is: never above the budget.

    python -m benchmarks.release information [--data FOLDER] [--noise optimal] [--trials 4096]

On the pool of 100 irises. Each cell is the measured mean and, in brackets, its lower limit; the budget is
broken if a lower limit lies above it. All limits hold together with 99 %.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.release import data
from benchmarks.release.playing import SHAPES
from benchmarks.release.text import Line, parser, show, status
from noisewright.domains import Floats
from noisewright.estimate import Estimate
from noisewright.release.algorithms.base import Algorithm
from noisewright.release.algorithms.catalogue import ALGORITHMS
from noisewright.release.algorithms.clusters import Clusters
from noisewright.release.algorithms.components import Components
from noisewright.release.algorithms.forest import Forest
from noisewright.release.algorithms.function import Function
from noisewright.release.algorithms.histogram import Histogram
from noisewright.release.algorithms.linear_models import LinearSVM, Logistic, Ridge
from noisewright.release.algorithms.naive_bayes import NaiveBayes
from noisewright.release.algorithms.scaled import Scaled
from noisewright.release.algorithms.statistics import Mean, Quantiles
from noisewright.release.attacks import measured_information
from noisewright.release.basics.worlds import Worlds
from noisewright.release.execution import Task, run_worlds
from noisewright.release.noise import plan_noise

NATS = (1 / 64, 1 / 4, 1.0, 4.0)
NAMES = ("1/64", "1/4", "1", "4")
FALSE_ALARM = 0.01
"""How often an honest catalogue may be accused, over the whole table."""


def covariances(rows: Floats) -> Floats:
    """A function of rows that nobody has prepared for release."""
    return np.cov(rows, rowvar=False)[np.triu_indices(rows.shape[1])]


EVERY: dict[str, Algorithm] = {
    "mean": Mean(),
    "kmeans": Clusters(3),
    "pca": Components(2),
    "svm": LinearSVM(),
    "logistic": Logistic(),
    "ridge": Ridge(),
    "naive_bayes": NaiveBayes(),
    "forest": Forest(low=-1.0, high=1.0),
    "histogram": Histogram(bins=5, low=-1.0, high=1.0),
    "quantiles": Quantiles((0.25, 0.5, 0.75)),
    "scaled svm": Scaled(LinearSVM()),
    "a function": Function(covariances),
}
"""One of each kind; ridge predicts the last column from the others."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the nats of every algorithm at every budget."""
    options = parser("information", __doc__)
    options.add_argument("--noise", choices=SHAPES, default="optimal")
    options.add_argument("--trials", type=int, default=4096)
    chosen = options.parse_args(arguments)
    missing = set(ALGORITHMS) - set(EVERY)
    if missing:
        raise TypeError(f"{sorted(missing)} of the catalogue have no place in this experiment")
    pool = data.iris(chosen.data, split=0).pool
    lines = [
        line(name, outputs, chosen.noise, chosen.trials)
        for name, outputs in all_outputs(pool, chosen.worlds, chosen.jobs)
    ]
    title = f"nats measured at a budget of …, {chosen.worlds:,} worlds, {chosen.noise} noise"
    show(title, ("algorithm", "length", *NAMES), lines)
    return status(lines)


def all_outputs(pool: data.Table, worlds: int, jobs: int) -> Iterator[tuple[str, Floats]]:
    """The outputs of every algorithm in the same worlds."""
    halves = Worlds(len(pool.rows), worlds)
    for name, algorithm in EVERY.items():
        regression = isinstance(algorithm, Ridge)
        rows, labels = (pool.rows[:, :-1], pool.rows[:, -1]) if regression else (pool.rows, pool.labels)
        facts = algorithm.facts(rows, labels)
        yield name, run_worlds(Task(algorithm, facts, rows, labels), halves, jobs=jobs)


def line(name: str, outputs: Floats, shape: str, trials: int) -> Line:
    """What one algorithm tells at each budget."""
    level = 1 - FALSE_ALARM / (len(EVERY) * len(NATS))
    first = list(EVERY).index(name) * len(NATS)  # seeds of their own, so that chance does not lean one way
    found = [
        measured_information(plan_noise(outputs, nats, shape), trials, first + place, level)
        for place, nats in enumerate(NATS)
    ]
    kept = all(one.low <= nats for one, nats in zip(found, NATS, strict=True))
    return Line((name, str(outputs.shape[1]), *map(cell, found)), "lower limit ≤ budget", kept)


def cell(found: Estimate) -> str:
    """A measurement and its lower limit."""
    return f"{found.value:.4f} [{found.low:.4f}]"
