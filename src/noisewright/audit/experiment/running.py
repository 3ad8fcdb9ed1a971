"""Chunks of outputs: drawn here, or by workers; the same either way, as every block has its own seed."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

from joblib import effective_n_jobs

from noisewright.audit.blackbox import BlackBox
from noisewright.audit.experiment.seeds import block_seed
from noisewright.audit.outputs import Outputs
from noisewright.engine.pooling import pooled
from noisewright.errors import BadMechanism


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


def runs_here(box: BlackBox, jobs: int | None) -> bool:
    """Whether no workers are wanted: there is one job, or the box is quick and nobody asked for more."""
    return (box.quick and jobs is None) or int(effective_n_jobs(jobs)) == 1


def run_here(task: Task, chunks: Iterator[Chunk]) -> Generator[Ran]:
    """What each chunk gave, from this very box: whatever state it carries goes on."""
    for chunk in chunks:
        yield run_chunk(task, chunk)


def run_pooled(task: Task, chunks: Iterator[Chunk], jobs: int | None) -> Generator[Ran]:
    """What each chunk gave, in order and as soon as it is there, from copies of the box."""
    return pooled(run_chunk, ((task, chunk) for chunk in chunks), jobs, worker_died)


def worker_died(kind: str) -> BadMechanism:
    """What to say when a worker is gone, or never had the mechanism."""
    return BadMechanism(
        f"a worker died or could not be sent the mechanism ({kind}); define it where workers can import it, "
        "take fewer jobs if memory is short, or jobs=1"
    )
