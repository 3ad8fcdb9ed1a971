"""Runs of single worlds, and of batches for workers: each gives an output or a failure.

A failure is a value and not an exception. So the first failed world is named whatever the order of the runs,
and no traceback carries data that another library's exception quotes.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadRelease
from noisewright.io.pooling import pooled
from noisewright.release.algorithms.base import Algorithm, Facts, Labels, number_array, published_facts
from noisewright.release.basics.pool import Pool
from noisewright.release.basics.worlds import WorldList

BATCHES: Final = 64
"""Number of batches that worlds are cut into; the same for any number of jobs, so that kept ones fit."""


@dataclass(frozen=True, eq=False)
class Task:
    """The input that all worlds share: the algorithm, the public facts about the pool, and the pool.

    Attributes:
        algorithm: What to run.
        facts: What it takes as public about the pool.
        rows: Records of the pool, (records, features).
        labels: One label for each record; None if there are none.
    """

    algorithm: Algorithm
    facts: Facts = field(repr=False)
    rows: Floats = field(repr=False)
    labels: Labels | None = field(default=None, repr=False)

    @classmethod
    def of(cls, algorithm: Algorithm, pool: Pool) -> Self:
        """Return the task of an algorithm on a pool; reject public facts that would name people."""
        return cls(algorithm, published_facts(algorithm, pool), pool.rows, pool.labels)

    def labels_of(self, some: NDArray[np.bool_]) -> Labels | None:
        """Return the labels of some records, if there are any."""
        return None if self.labels is None else self.labels[some]

    def utility(self, vectors: Floats, some: NDArray[np.bool_]) -> Floats | None:
        """Return how good the model of each vector is on some records; None without a measure."""
        return self.algorithm.utility(vectors, self.rows[some], self.labels_of(some), self.facts)


@dataclass(frozen=True)
class Failure:
    """The reason why a world has no usable output, and the remedy; never a value of the data."""

    world: int
    what: str
    remedy: str

    def refuse(self, count: int) -> BadRelease:
        """Return the error to raise, for a list of ``count`` worlds.

        >>> print(Failure(17, "the algorithm raised ValueError", "try that world alone").refuse(1024))
        the algorithm raised ValueError in world 17 of 1024; nothing was released; try that world alone
        """
        return BadRelease(
            f"{self.what} in world {self.world} of {count}; nothing was released; {self.remedy}"
        )


def run_world(
    task: Task, world: int, member: NDArray[np.bool_], seed: int, length: int | None = None
) -> Floats | Failure:
    """Return the checked output of one world; with ``length``, it must have that many numbers."""
    try:
        output = task.algorithm.fit(task.rows[member], task.labels_of(member), int(seed), task.facts)
    except BadRelease as error:  # our own message, which never quotes the data
        return Failure(world, "the algorithm was refused", str(error))
    except Exception as error:  # the algorithm may be user code and raise anything
        return Failure(
            world,
            f"the algorithm raised {type(error).__name__}",  # its text may quote the data
            "run it on the rows of that world alone to see why",
        )
    return read_output(output, world, length)


def read_output(output: Any, world: int, length: int | None = None) -> Floats | Failure:
    """Return an output as a vector of finite floats.

    >>> read_output([1, 2], world=0)
    array([1., 2.])
    >>> read_output([1, float("nan")], world=3).what
    'the algorithm returned NaN or an infinite number'
    """
    vector = number_array(output)
    if vector is None or vector.ndim != 1:
        return Failure(
            world,
            "the algorithm returned no vector of numbers",
            "let it return one flat, non-empty array of floats",
        )
    if not np.isfinite(vector).all():
        return Failure(
            world,
            "the algorithm returned NaN or an infinite number",
            "let it return a fixed finite number where there is nothing to compute",
        )
    if length is not None and vector.size != length:
        return Failure(
            world,
            f"the algorithm returned {vector.size} numbers, not {length} as elsewhere,",
            "let every world return the same entries, with a fixed number for missing ones",
        )
    return np.array(vector, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Batch:
    """Consecutive worlds: the number of the first, the members of each, and their seeds."""

    first: int
    member: NDArray[np.bool_]
    seeds: NDArray[np.int64]

    @property
    def worlds(self) -> slice:
        """The indices of the worlds among all."""
        return slice(self.first, self.first + self.seeds.size)


def batch_size(count: int) -> int:
    """Return the number of worlds in a batch.

    >>> batch_size(1024), batch_size(10)
    (16, 1)
    """
    return -(-count // BATCHES)


def batches_of(worlds: WorldList) -> list[Batch]:
    """Return all worlds in batches, in order."""
    size = batch_size(worlds.count)
    return [
        Batch(first, worlds.member[first : first + size], worlds.seeds[first : first + size])
        for first in range(0, worlds.count, size)
    ]


def run_batch(task: Task, batch: Batch, length: int) -> Floats | Failure:
    """Return the outputs of a batch, (worlds, length), or its first failure."""
    outputs = np.empty((batch.seeds.size, length))
    for place, (member, seed) in enumerate(zip(batch.member, batch.seeds, strict=True)):
        found = run_world(task, batch.first + place, member, int(seed), length)
        if isinstance(found, Failure):
            return found
        outputs[place] = found
    return outputs


def run_batches(
    task: Task, batches: Sequence[Batch], length: int, jobs: int | None
) -> Generator[Floats | Failure]:
    """Yield the outputs of each batch, in order and as soon as they are available."""
    run = partial(run_batch, task, length=length)
    return pooled(run, ((batch,) for batch in batches), jobs, _worker_lost)


def _worker_lost(kind: str) -> BadRelease:
    return BadRelease(
        f"a worker died or could not be sent the algorithm ({kind}); nothing was released; define the "
        "algorithm where workers can import it; take fewer jobs if memory is short"
    )
