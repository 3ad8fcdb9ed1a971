"""Worlds in batches, run by workers; the results come back in the order of the worlds."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.engine.pooling import pooled
from noisewright.errors import BadRelease
from noisewright.release.halves import Halves
from noisewright.release.running.one_world import Failure, Task, check_length, run_world

BATCHES: Final = 64
"""Into how many pieces the worlds are cut: the same for any number of jobs, so that kept pieces fit."""


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
    return pooled(run_batch, ((task, batch, length) for batch in batches), jobs, _died)


def _died(kind: str) -> BadRelease:
    return BadRelease(
        f"a worker died or could not be sent the algorithm ({kind}); nothing was released; define the "
        "algorithm where workers can import it; take fewer jobs if memory is short"
    )
