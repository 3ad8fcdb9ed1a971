"""The outputs of all worlds: the table from which the noise is planned and one row is released.

Nothing here depends on the secret, for it does not exist yet: which world is released is drawn after the
table is complete. So how long worlds take, in which order they run and which one fails tells nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import Final, TypeAlias

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadRelease, InvalidParameter
from noisewright.parameters import whole
from noisewright.release.algorithms.base import Algorithm, Facts, Labels
from noisewright.release.halves import Halves
from noisewright.release.running.batches import Batch, cut, run_batches
from noisewright.release.running.keeping import KeptWorlds
from noisewright.release.running.one_world import Failure, Task, run_world
from noisewright.release.running.repeating import check_repeats, try_out

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many worlds are done, and how many there are; never with a value."""

Finished: TypeAlias = Generator[tuple[Batch, Floats | Failure], None, None]

MOST_JOBS: Final = 1 << 16

STARTING: Final = 5.0
"""Seconds that worker processes may need to start: what is done by then is better done here."""


def run_worlds(
    algorithm: Algorithm,
    facts: Facts,
    rows: Floats,
    labels: Labels | None,
    worlds: Halves,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    keep: str | PathLike[str] | None = None,
) -> Floats:
    """Run an algorithm in every world; returns one output a row, (worlds, length).

    A few worlds are run twice: an output must be a function of the world and its seed. The result is the
    same for any number of ``jobs`` and any joblib backend; ``jobs`` of work that takes but seconds are not
    started at all. An algorithm that raises, gives NaN, changes the
    length of its output or gives the same everywhere is refused with an error that names the world.

    ``keep`` names a folder for finished worlds, from which interrupted work goes on. **It will hold exact
    outputs of private data**: keep it to yourself, and delete it when the release is done.

    >>> from noisewright.release.algorithms.mean import Mean
    >>> from noisewright.release.worlds import Worlds
    >>> rows = np.arange(8.0)[:, None]
    >>> outputs = run_worlds(Mean(), Mean().facts(rows, None), rows, None, Worlds(records=8, count=4))
    >>> outputs.shape, outputs[0] + outputs[1]
    ((4, 1), array([7.]))
    """
    task = Task(algorithm, facts, rows, labels)
    _check(task, worlds, jobs)
    kept = None if keep is None else KeptWorlds(Path(keep), task, worlds)
    trial = try_out(task, worlds)
    if jobs is not None and seconds_for_all(task, worlds) < STARTING:
        jobs = 1  # the same outputs, sooner
    finished = _finished(task, cut(worlds), trial[0].size, jobs, kept)
    outputs = _collect(finished, worlds.count, trial[0].size, progress or (lambda done, total: None))
    check_repeats(trial, outputs)
    _check_varies(outputs)
    return outputs


def _collect(finished: Finished, count: int, length: int, progress: Progress) -> Floats:
    """The table of outputs, filled batch by batch; the first failure ends it."""
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


def seconds_for_all(task: Task, worlds: Halves) -> float:
    """How long all worlds would take one after the other, by the time that one takes."""
    started = perf_counter()
    run_world(task, 0, worlds.member[0], int(worlds.seeds[0]))
    return (perf_counter() - started) * worlds.count


def _finished(
    task: Task, batches: list[Batch], length: int, jobs: int | None, kept: KeptWorlds | None
) -> Finished:
    """Kept batches first, then the missing ones, each kept before anybody hears of it."""
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


def _check(task: Task, worlds: Halves, jobs: int | None) -> None:
    if jobs is not None and whole("jobs", jobs, -MOST_JOBS, MOST_JOBS) == 0:
        raise InvalidParameter("jobs must not be 0; give how many run at once, -1 for all cores, or None")
    if task.algorithm.needs_labels and task.labels is None:
        raise InvalidParameter(f"{type(task.algorithm).__name__} needs labels; pass them as y")
    given = {"rows": task.rows, "labels": task.labels}
    for name, column in given.items():
        if column is not None and len(column) != worlds.records:
            raise InvalidParameter(
                f"there are {len(column)} {name} but the worlds are halves of {worlds.records} records; "
                "make the worlds for this pool"
            )


def _check_varies(outputs: Floats) -> None:
    """Refuse a constant: the budget would buy nothing and the proof would protect nothing."""
    if (outputs == outputs[0]).all():
        raise BadRelease(
            "the algorithm gives the same output in every world: nothing depends on which half was used, so "
            "there is nothing this proof could protect; check that it uses the rows it is given"
        )
