"""The simulation behind an unbounded release: outputs on public halves that are drawn like the hidden one."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Floats
from noisewright.parameters import whole
from noisewright.release.halves import Halves
from noisewright.release.running import Progress, kept_seed, run_worlds
from noisewright.release.running.one_world import Task
from noisewright.release.unbounded.frame import Frame, frame_of
from noisewright.release.unbounded.halves import MOST_HALVES, IndependentHalves

LEAST_PILOT = 4
LEAST_TRIALS = 2
LARGEST_SEED = (1 << 128) - 1


class Example(NamedTuple):
    """One public half, its seed, and what the algorithm gave on it."""

    member: NDArray[np.bool_]
    seed: int
    output: Floats


@dataclass(frozen=True, eq=False)
class Simulation:
    """A frame, and the coordinates in it of outputs that had no part in choosing it."""

    frame: Frame
    coordinates: Floats
    clipped_share: float
    example: Example

    def moment_limits(self, failure: float, bound: Callable[[Floats, float], Floats]) -> Floats:
        """Upper limits on the mean squares of the coordinates; all hold together, but for ``failure``."""
        shares = np.minimum((self.coordinates / self.frame.reach) ** 2, 1.0)
        return np.asarray(bound(shares, failure / self.frame.reach.size) * self.frame.reach**2)


def simulate(
    task: Task,
    *,
    pilot: int,
    trials: int,
    clip: tuple[ArrayLike, ArrayLike] | None = None,
    turned: bool = True,
    jobs: int | None = None,
    progress: Progress | None = None,
    seed: int | None = None,
    keep: str | PathLike[str] | None = None,
) -> Simulation:
    """Run the pilot, make the frame, run the trials; a ``seed`` of None takes fresh public chance.

    ``keep`` names a folder for what is finished, the pilot and the trials apart, and for a fresh seed.
    """
    _check_counts(pilot, trials)
    first, second = _halves(len(task.rows), pilot, trials, _public_seed(seed, keep))
    told = [_shifted(progress, before, pilot + trials) for before in (0, pilot)]
    kept = [None if keep is None else Path(keep) / name for name in ("pilot", "trials")]
    frame = frame_of(_outputs(task, first, jobs, told[0], kept[0]), clip, turned=turned)
    outputs = _outputs(task, second, jobs, told[1], kept[1])
    example = Example(second.member[0], int(second.seeds[0]), outputs[0])
    return Simulation(frame, frame.coordinates(outputs), frame.clipped_share(outputs), example)


def _outputs(
    task: Task, halves: Halves, jobs: int | None, progress: Progress | None, keep: Path | None
) -> Floats:
    """The output on each half, or a refusal: the halves are public, so it may say which one failed."""
    return run_worlds(
        task.algorithm, task.facts, task.rows, task.labels, halves, jobs=jobs, progress=progress, keep=keep
    )


def _check_counts(pilot: int, trials: int) -> None:
    whole("pilot", pilot, LEAST_PILOT, MOST_HALVES)
    whole("trials", trials, LEAST_TRIALS, MOST_HALVES)


def _public_seed(seed: int | None, keep: str | PathLike[str] | None) -> int:
    """The seed that was asked for, that of the folder, or a fresh one; it hides nothing."""
    if seed is None:
        fresh = secrets.randbits(62)
        seed = fresh if keep is None else kept_seed(keep, fresh)
    return whole("seed", seed, 0, LARGEST_SEED)


def _halves(records: int, pilot: int, trials: int, seed: int) -> tuple[IndependentHalves, IndependentHalves]:
    """The halves of the pilot and those of the trials, independent of each other."""
    first, second = (int(word) for word in np.random.SeedSequence(seed).generate_state(2, np.uint64))
    return IndependentHalves(records, pilot, first), IndependentHalves(records, trials, second)


def _shifted(progress: Progress | None, before: int, total: int) -> Progress | None:
    return None if progress is None else lambda done, _: progress(before + done, total)
