"""The outputs of all worlds: the table from which the noise is planned and one row is released.

Nothing here depends on the secret, for it does not exist yet: which world is released is drawn after the
table is complete. So how long worlds take, in which order they run and which one fails tells nothing of it.

The proof speaks of outputs that follow from world and seed. Hidden chance (a global generator, the clock, a
counter) is found by running a few worlds twice: the first at once, before hours are spent, and all of them
against what a worker, perhaps another process, found.
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
"""Seconds that worker processes may need to start: what is done by then is better done here."""

ROUNDING: Final = 1e-9
"""Differences of this relative size come from the order of a sum on several threads, and do no harm: the
noise is planned for, and added to, the outputs that were recorded."""


def run_worlds(
    task: Task,
    worlds: WorldList,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    keep: str | PathLike[str] | None = None,
) -> Floats:
    """Run the algorithm of a task in every world; returns one output a row, (worlds, length).

    A few worlds are run twice: an output must be a function of the world and its seed. An algorithm that
    raises, gives NaN, changes the length of its output or gives the same everywhere is refused with an error
    that names the world.

    Args:
        task: Algorithm, and the pool that it is run on.
        worlds: Worlds to run it in.
        jobs: Number of workers, as joblib counts them; None leaves it to joblib. The result is the same for
            any number and any backend; workers for work of a few seconds are not started at all.
        progress: Called with the number of worlds that are done, and of all; never with a value.
        keep: Folder for finished worlds, from which interrupted work goes on; None keeps nothing. **It will
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
    if (outputs == outputs[0]).all():  # the budget would buy nothing, and the proof protect nothing
        raise BadRelease(
            "the algorithm gives the same output in every world: nothing depends on which half was used, so "
            "there is nothing this proof could protect; check that it uses the rows it is given"
        )
    return outputs


def fresh_seed(keep: str | PathLike[str] | None = None) -> int:
    """Draw a public seed, which hides nothing, or return the one of a folder: its worlds can then go on.

    Args:
        keep: Private folder of kept worlds; None for none.
    """
    fresh = secrets.randbits(62)
    return fresh if keep is None else kept_seed(keep, fresh)


def _collect(finished: Finished, count: int, length: int, progress: Progress) -> Floats:
    """Fill the table of outputs batch by batch; the first failure ends it."""
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
    """Yield kept batches first, then the missing ones, each kept before anybody hears of it."""
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
        raise InvalidParameter(
            "must not be 0; give how many run at once, -1 for all cores, or None", field="jobs"
        )
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
    """Tell whether two outputs of one world agree but for rounding."""
    return np.allclose(vector, again, rtol=0, atol=ROUNDING * float(np.abs(vector).max()))


def _compare(world: int, vector: Floats, again: Floats) -> None:
    if not same_output(vector, again):
        raise BadRelease(
            f"the algorithm gave two different outputs in world {world}; nothing was released; let all its "
            "chance come from the seed it is given, not from a global generator, the clock or earlier calls"
        )
