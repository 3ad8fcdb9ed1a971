"""The outputs of all worlds: the table from which the noise is planned and one row is released.

Nothing here depends on the secret, because it does not exist yet: the released world is drawn after the table
is complete. So the time that worlds take, their order, and which one fails reveal nothing about it.

The proof is about outputs that are functions of world and seed. Hidden randomness (a global generator, the
clock, a counter) is found by running a few worlds twice: the first immediately, before hours are spent, and
all of them against the result of a worker, perhaps in another process.
"""

from __future__ import annotations

import secrets
from collections.abc import Generator
from contextlib import closing
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import Final, TypeAlias

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadRelease, InvalidParameter
from noisewright.parameters import whole
from noisewright.progress import Progress
from noisewright.release.basics.worlds import WorldList
from noisewright.release.execution.kept_worlds import KeptWorlds, kept_seed
from noisewright.release.execution.task import Batch, Failure, Task, batches_of, run_batches, run_world

Finished: TypeAlias = Generator[tuple[Batch, Floats | Failure], None, None]

MOST_JOBS: Final = 1 << 16

STARTING: Final = 5.0
"""Seconds that worker processes may need to start: shorter work is done in this process."""

ROUNDING: Final = 1e-9
"""Largest relative difference between two runs of one world. The order of a sum on several threads causes as
much, and does no harm: noise is planned for, and added to, the recorded outputs."""


def run_worlds(
    task: Task,
    worlds: WorldList,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    keep: str | PathLike[str] | None = None,
) -> Floats:
    """Run the algorithm of a task in every world; return one output per row, (worlds, length).

    A few worlds are run twice: an output must be a function of the world and its seed. An algorithm that
    raises, returns NaN, changes the length of its output or returns the same in every world is refused with
    an error that names the world.

    Args:
        task: Algorithm, and the pool that it is run on.
        worlds: Worlds to run it in.
        jobs: Number of workers, as joblib counts them; None leaves it to joblib. The result is the same for
            any number and any backend; no workers are started for work of a few seconds.
        progress: Called with the number of finished worlds and the number of all; never with a value.
        keep: Folder for finished worlds, from which interrupted work continues; None keeps nothing. **It will
            hold exact outputs of private data**: delete it when the release is done.

    >>> from noisewright.release.algorithms import Mean
    >>> from noisewright.release.basics.worlds import Worlds
    >>> rows = np.arange(8.0)[:, None]
    >>> outputs = run_worlds(Task(Mean(), Mean().facts(rows, None), rows), Worlds(records=8, count=4))
    >>> outputs.shape, outputs[0] + outputs[1]
    ((4, 1), array([7.]))
    """
    _check(task, worlds, jobs)
    kept = None if keep is None else KeptWorlds(Path(keep), task, worlds)
    trial = try_out(task, worlds)
    if jobs is not None:
        started = perf_counter()
        run_world(task, 0, worlds.member[0], int(worlds.seeds[0]))
        if (perf_counter() - started) * worlds.count < STARTING:
            jobs = 1  # the same outputs, sooner
    finished = _finished_batches(task, batches_of(worlds), trial[0].size, jobs, kept)
    outputs = _collect(finished, worlds.count, trial[0].size, progress or (lambda done, total: None))
    for world, vector in trial.items():
        _compare(world, vector, outputs[world])
    if (outputs == outputs[0]).all():  # there would be nothing to protect
        raise BadRelease(
            "the algorithm returns the same output in every world, so there is nothing to protect; check "
            "that it uses the rows it is given"
        )
    return outputs


def fresh_seed(keep: str | PathLike[str] | None = None) -> int:
    """Draw a public seed, which hides nothing, or return the one of a folder, to continue its worlds.

    Args:
        keep: Private folder of kept worlds; None for none.
    """
    fresh = secrets.randbits(62)
    return fresh if keep is None else kept_seed(keep, fresh)


def _collect(finished: Finished, count: int, length: int, progress: Progress) -> Floats:
    """Fill the table of outputs batch by batch; raise the first failure."""
    outputs = np.empty((count, length))
    done = 0
    progress(done, count)
    with closing(finished):
        for batch, found in finished:
            if isinstance(found, Failure):
                raise found.refuse(count)
            outputs[batch.worlds] = found
            done += batch.seeds.size
            progress(done, count)
    return outputs


def _finished_batches(
    task: Task, batches: list[Batch], length: int, jobs: int | None, kept: KeptWorlds | None
) -> Finished:
    """Yield kept batches first, then the missing ones, each after it is saved."""
    missing = []
    for batch in batches:
        found = None if kept is None else kept.load(batch, length)
        if found is None:
            missing.append(batch)
        else:
            yield batch, found
    with closing(run_batches(task, missing, length, jobs)) as results:
        for batch, result in zip(missing, results, strict=True):
            if kept is not None and not isinstance(result, Failure):
                kept.save(batch, result)
            yield batch, result


def _check(task: Task, worlds: WorldList, jobs: int | None) -> None:
    if jobs is not None and whole("jobs", jobs, -MOST_JOBS, MOST_JOBS) == 0:
        raise InvalidParameter("must not be 0; give the number of workers, or -1 for all cores", field="jobs")
    if task.algorithm.needs_labels and task.labels is None:
        raise InvalidParameter(f"{type(task.algorithm).__name__} needs labels; pass them as y")
    for name, column in (("rows", task.rows), ("labels", task.labels)):
        if column is not None and len(column) != worlds.records:
            raise InvalidParameter(
                f"there are {len(column)} {name} but the worlds are halves of {worlds.records} records; "
                "make the worlds for this pool"
            )


def try_out(task: Task, worlds: WorldList) -> dict[int, Floats]:
    """Return the outputs of a few worlds by number; the first world decides the length of all."""
    first = _run(task, worlds, 0, None)
    _compare(0, first, _run(task, worlds, 0, first.size))
    others = sorted({1, worlds.count - 1})
    return {0: first} | {world: _run(task, worlds, world, first.size) for world in others}


def _run(task: Task, worlds: WorldList, world: int, length: int | None) -> Floats:
    found = run_world(task, world, worlds.member[world], int(worlds.seeds[world]), length)
    if isinstance(found, Failure):
        raise found.refuse(worlds.count)
    return found


def same_output(vector: Floats, again: Floats) -> bool:
    """Return whether two outputs of one world agree up to rounding."""
    return np.allclose(vector, again, rtol=0, atol=ROUNDING * float(np.abs(vector).max()))


def _compare(world: int, vector: Floats, again: Floats) -> None:
    if not same_output(vector, again):
        raise BadRelease(
            f"the algorithm returned two different outputs in world {world}; nothing was released; let "
            "all its randomness come from the seed it is given, not from a global generator or the clock"
        )
