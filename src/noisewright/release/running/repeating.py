"""Does the algorithm give the same again? The proof speaks of outputs that follow from world and seed.

Hidden chance (a global generator, the clock, a counter) is found by running a few worlds twice: the first at
once, before hours are spent, and all of them against what a worker, perhaps another process, found.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadRelease
from noisewright.release.halves import Halves
from noisewright.release.running.one_world import Failure, Task, check_length, run_world

ROUNDING: Final = 1e-9
"""Differences of this relative size come from the order of a sum on several threads, and do no harm: the
noise is planned for, and added to, the outputs that were recorded."""


def try_out(task: Task, worlds: Halves) -> dict[int, Floats]:
    """The outputs of a few worlds by number, the first world's first; it decides the length of all."""
    first = _run(task, worlds, 0, None)
    _compare(0, first, _run(task, worlds, 0, first.size))
    others = sorted({1, worlds.count - 1})
    return {0: first} | {world: _run(task, worlds, world, first.size) for world in others}


def check_repeats(trial: dict[int, Floats], outputs: Floats) -> None:
    """Refuse outputs that are not what the trial gave in the same worlds."""
    for world, vector in trial.items():
        _compare(world, vector, outputs[world])


def _run(task: Task, worlds: Halves, world: int, length: int | None) -> Floats:
    found = run_world(task, world, worlds.member[world], int(worlds.seeds[world]))
    if length is not None and not isinstance(found, Failure):
        found = check_length(found, world, length)
    if isinstance(found, Failure):
        raise found.refuse(worlds.count)
    return found


def same_output(vector: Floats, again: Floats) -> bool:
    """Whether two outputs of one world agree but for rounding."""
    return np.allclose(vector, again, rtol=0, atol=ROUNDING * float(np.abs(vector).max()))


def _compare(world: int, vector: Floats, again: Floats) -> None:
    if not same_output(vector, again):
        raise BadRelease(
            f"the algorithm gave two different outputs in world {world}; nothing was released; let all its "
            "chance come from the seed it is given, not from a global generator, the clock or earlier calls"
        )
