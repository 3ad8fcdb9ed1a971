"""Worlds in batches, handed to whatever joblib is set up to use.

No backend is named here: threads, processes, or a cluster that was registered with joblib take the batches as
they come, and the results come back in the order of the worlds.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from pickle import PicklingError
from typing import Any, Final

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadRelease
from noisewright.release.halves import Halves
from noisewright.release.running.one_world import Failure, Task, check_length, run_world

BATCHES: Final = 64
"""Into how many pieces the worlds are cut: the same for any number of jobs, so that kept pieces fit."""

AHEAD: Final = 4
"""Batches a worker gets at once from a backend that cannot hand back results one by one."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Neighbouring worlds: the number of the first, who is in each, and their seeds."""

    first: int
    member: NDArray[np.bool_]
    seeds: NDArray[np.int64]

    @property
    def worlds(self) -> slice:
        """The places of the worlds among all."""
        return slice(self.first, self.first + self.seeds.size)


def batch_size(count: int) -> int:
    """How many worlds make a batch.

    >>> batch_size(1024), batch_size(10)
    (16, 1)
    """
    return -(-count // BATCHES)


def cut(worlds: Halves) -> list[Batch]:
    """All worlds, in order."""
    size = batch_size(worlds.count)
    return [
        Batch(first, worlds.member[first : first + size], worlds.seeds[first : first + size])
        for first in range(0, worlds.count, size)
    ]


def run_batch(task: Task, batch: Batch, length: int) -> Floats | Failure:
    """The outputs of a batch, (worlds, length), or its first failure."""
    outputs = np.empty((batch.seeds.size, length))
    for place, (member, seed) in enumerate(zip(batch.member, batch.seeds, strict=True)):
        world = batch.first + place
        found = run_world(task, world, member, int(seed))
        if not isinstance(found, Failure):
            found = check_length(found, world, length)
        if isinstance(found, Failure):
            return found
        outputs[place] = found
    return outputs


def run_batches(
    task: Task, batches: Sequence[Batch], length: int, jobs: int | None
) -> Generator[Floats | Failure]:
    """What each batch gave, in order and as soon as it is there."""
    calls = [delayed(run_batch)(task, batch, length) for batch in batches]
    try:
        pool = Parallel(n_jobs=jobs, return_as="generator")
    except ValueError:  # the chosen backend hands back everything or nothing
        yield from _in_rounds(calls, jobs)
    else:
        yield from _one_by_one(pool(calls))


def _one_by_one(results: Any) -> Generator[Floats | Failure]:
    try:
        for result in results:  # noqa: UP028  (``yield from`` would close them before the block below)
            yield result
    except (BrokenExecutor, PicklingError) as error:
        raise BadRelease(
            f"a worker died or could not be sent the algorithm ({type(error).__name__}); nothing was "
            "released; define the algorithm where workers can import it; take fewer jobs if memory is short"
        ) from None
    finally:
        with warnings.catch_warnings():  # who stops early knows that batches under way are lost
            warnings.simplefilter("ignore", UserWarning)
            results.close()


def _in_rounds(calls: list[Any], jobs: int | None) -> Generator[Floats | Failure]:
    at_once = AHEAD * effective_n_jobs(jobs)
    with Parallel(n_jobs=jobs) as pool:
        for first in range(0, len(calls), at_once):
            yield from pool(calls[first : first + at_once])
