"""The simulation behind an unbounded release: outputs in public worlds drawn like the secret one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Floats
from noisewright.parameters import whole
from noisewright.progress import Progress
from noisewright.release.basics.worlds import MOST_INDEPENDENT, IndependentWorlds, WorldList
from noisewright.release.execution import Task, fresh_seed, run_worlds
from noisewright.release.unbounded.plan import Frame, frame_of

LEAST_PILOT = 4
LEAST_TRIALS = 2
LARGEST_SEED = (1 << 128) - 1


class Example(NamedTuple):
    """One public world, its seed, and the output of the algorithm in it."""

    member: NDArray[np.bool_]
    seed: int
    output: Floats


@dataclass(frozen=True, eq=False)
class Simulation:
    """A frame, and the coordinates in it of outputs that were not used to choose it."""

    frame: Frame
    coordinates: Floats
    clipped_share: float
    example: Example

    def moment_limits(self, failure: float, bound: Callable[[Floats, float], Floats]) -> Floats:
        """Return limits on the mean squares of the coordinates; some limit fails with ``failure`` at most."""
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
    """Run the pilot, make the frame, run the trials.

    Args:
        task: The algorithm and the pool.
        pilot: Number of worlds from which the frame is made, at least 4.
        trials: Number of further worlds whose outputs are simulated, at least 2.
        clip: Public range of the outputs; None lets the pilot set one.
        turned: Whether the directions are the principal ones of the pilot; otherwise the axes of the outputs.
        jobs: Number of workers, as joblib counts them; None leaves it to joblib.
        progress: Called with the number of finished worlds and the number of all.
        seed: Public seed of the worlds; None draws a new one.
        keep: Folder for finished worlds, in separate parts for pilot and trials, and for the seed; None keeps
            nothing.
    """
    whole("pilot", pilot, LEAST_PILOT, MOST_INDEPENDENT)
    whole("trials", trials, LEAST_TRIALS, MOST_INDEPENDENT)

    def outputs_in(worlds: WorldList, name: str, before: int) -> Floats:
        return run_worlds(
            task,
            worlds,
            jobs=jobs,
            progress=progress and (lambda done, _: progress(before + done, pilot + trials)),
            keep=None if keep is None else Path(keep) / name,
        )

    public = fresh_seed(keep) if seed is None else whole("seed", seed, 0, LARGEST_SEED)
    first, second = _worlds(len(task.rows), pilot, trials, public)
    frame = frame_of(outputs_in(first, "pilot", 0), clip, turned=turned)
    outputs = outputs_in(second, "trials", pilot)
    example = Example(second.member[0], int(second.seeds[0]), outputs[0])
    return Simulation(frame, frame.coordinates(outputs), frame.clipped_share(outputs), example)


def _worlds(records: int, pilot: int, trials: int, seed: int) -> tuple[IndependentWorlds, IndependentWorlds]:
    """Return the worlds of the pilot and those of the trials, independent of each other."""
    first, second = (int(word) for word in np.random.SeedSequence(seed).generate_state(2, np.uint64))
    return IndependentWorlds(records, pilot, first), IndependentWorlds(records, trials, second)
