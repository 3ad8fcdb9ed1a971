"""Trying one candidate: run its worlds, plan its noise, release it often, and see how good it still is.

Releases are judged on the records their world left out. All candidates are tried in the same worlds and with
the same random numbers, so that they differ by what they are and less by luck.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import BadRelease
from noisewright.release.algorithms.base import Algorithm, Facts, Labels
from noisewright.release.noise import NoisePlan
from noisewright.release.running import Progress, digest, run_worlds
from noisewright.release.worlds import Worlds

Planner: TypeAlias = Callable[[Floats, Worlds], NoisePlan]
"""Noise for the outputs of all worlds, from public chance only."""


@dataclass(frozen=True, eq=False)
class Setting:
    """What all candidates share."""

    rows: Floats
    labels: Labels | None
    names: tuple[str, ...] | None
    planner: Planner
    trials: int
    seed: int
    jobs: int | None
    keep: str | PathLike[str] | None


@dataclass(frozen=True, eq=False)
class Attempt:
    """A candidate that ran in all of some worlds, and its utility in each trial, with and without noise."""

    algorithm: Algorithm
    facts: Facts
    outputs: Floats
    plan: NoisePlan
    private: Floats
    unnoised: Floats

    @property
    def utility(self) -> float:
        """What is left after the noise, on average."""
        return float(self.private.mean())


def attempt(algorithm: Algorithm, setting: Setting, worlds: Worlds, progress: Progress) -> Attempt:
    """Run and judge a candidate."""
    facts = algorithm.facts(setting.rows, setting.labels, setting.names)
    outputs = run_worlds(
        algorithm,
        facts,
        setting.rows,
        setting.labels,
        worlds,
        jobs=setting.jobs,
        progress=progress,
        keep=None if setting.keep is None else folder(setting.keep, algorithm, worlds),
    )
    plan = setting.planner(outputs, worlds)
    chosen = pick(worlds.count, setting.trials, setting.seed)
    cells = plan.simulate(chosen, np.random.default_rng([setting.seed, 3]))
    pairs = np.stack([plan.vector(cells), outputs[chosen]], axis=1)
    judged = np.array(
        [
            judge(algorithm, facts, pair, setting, ~worlds.member[world])
            for pair, world in zip(pairs, chosen, strict=True)
        ]
    )
    return Attempt(algorithm, facts, outputs, plan, judged[:, 0], judged[:, 1])


def pick(count: int, trials: int, seed: int) -> Cells:
    """The worlds of the trials: all equally often, as far as that goes, in random order.

    >>> sorted(pick(count=4, trials=8, seed=0).tolist())
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    generator = np.random.default_rng([seed, 4])
    rounds = [generator.permutation(count) for _ in range(-(-trials // count))]
    return np.concatenate(rounds)[:trials]


def judge(
    algorithm: Algorithm, facts: Facts, vectors: Floats, setting: Setting, others: NDArray[np.bool_]
) -> Floats:
    """The utility of vectors on the records that their world left out."""
    labels = None if setting.labels is None else setting.labels[others]
    found = algorithm.utility(vectors, setting.rows[others], labels, facts)
    if found is None:
        raise BadRelease(
            f"{type(algorithm).__name__} has no measure of how good it is, so there is nothing to search by; "
            "pass labels if it can use them, or choose its parameters yourself"
        )
    if not np.isfinite(found).all():
        raise BadRelease(f"the utility of {type(algorithm).__name__} is not a finite number after the noise")
    return found


def folder(keep: str | PathLike[str], algorithm: Algorithm, worlds: Worlds) -> Path:
    """Where a candidate's finished worlds are kept: a folder of its own."""
    return Path(keep) / f"{digest(algorithm)[:16]}-{worlds.count}"
