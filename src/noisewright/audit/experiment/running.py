"""Chunks of outputs: here, or on whatever joblib is set up to use.

No backend is named: threads, processes, or a cluster registered with joblib take the chunks as they come, and
the results come back in order. They are the same for all of them, as every block has its own seed.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Generator, Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from pickle import PicklingError
from typing import Any, Final

from joblib import Parallel, delayed, effective_n_jobs

from noisewright.audit.blackbox import BlackBox
from noisewright.audit.experiment.seeds import block_seed
from noisewright.audit.outputs import Outputs
from noisewright.errors import BadMechanism

AHEAD: Final = 4
"""Chunks a worker gets at once from a backend that cannot hand back results one by one."""


@dataclass(frozen=True, eq=False)
class Task:
    """What all chunks of a side share."""

    box: BlackBox
    subject: Any
    side: str
    root: int
    block: int


@dataclass(frozen=True)
class Chunk:
    """Blocks in a row: the number of the first, and how many."""

    first: int
    blocks: int


@dataclass(frozen=True, eq=False)
class Ran:
    """What became of a chunk: its outputs, or those before its failure.

    The failure is a value, so that chunks that were finished elsewhere are not lost with it.
    """

    outputs: Outputs
    failure: str | None = None


def run_chunk(task: Task, chunk: Chunk) -> Ran:
    """Draw the blocks of a chunk, up to the first that fails."""
    parts: list[Outputs] = []
    for number in range(chunk.first, chunk.first + chunk.blocks):
        try:
            parts.append(task.box.draw(task.subject, task.block, block_seed(task.root, task.side, number)))
        except BadMechanism as error:
            return Ran(Outputs.joined(parts), str(error))
    return Ran(Outputs.joined(parts))


def cut(first: int, blocks: int, at_once: int, until: float | None) -> Iterator[Chunk]:
    """So many blocks as chunks, as long as there is time."""
    for start in range(first, first + blocks, at_once):
        if until is not None and time.monotonic() >= until:
            return
        yield Chunk(start, min(at_once, first + blocks - start))


def run_here(task: Task, chunks: Iterator[Chunk]) -> Generator[Ran]:
    """What each chunk gave, from this very box: whatever state it carries goes on."""
    for chunk in chunks:
        yield run_chunk(task, chunk)


def run_pooled(task: Task, chunks: Iterator[Chunk], jobs: int | None) -> Generator[Ran]:
    """What each chunk gave, in order and as soon as it is there, from copies of the box."""
    calls = (delayed(run_chunk)(task, chunk) for chunk in chunks)
    try:
        pool = Parallel(n_jobs=jobs, return_as="generator")
    except ValueError:  # the chosen backend hands back everything or nothing
        yield from _in_rounds(calls, jobs)
    else:
        yield from _one_by_one(pool(calls))


def _one_by_one(results: Any) -> Generator[Ran]:
    try:
        for result in results:  # noqa: UP028  (``yield from`` would close them before the block below)
            yield result
    except (BrokenExecutor, PicklingError) as error:
        raise BadMechanism(
            f"a worker died or could not be sent the mechanism ({type(error).__name__}); define it where "
            "workers can import it, take fewer jobs if memory is short, or jobs=1"
        ) from None
    finally:
        with warnings.catch_warnings():  # who stops early knows that chunks under way are lost
            warnings.simplefilter("ignore", UserWarning)
            results.close()


def _in_rounds(calls: Iterator[Any], jobs: int | None) -> Generator[Ran]:
    at_once = AHEAD * effective_n_jobs(jobs)
    with Parallel(n_jobs=jobs) as pool:
        while several := [call for call, _ in zip(calls, range(at_once), strict=False)]:
            yield from pool(several)
