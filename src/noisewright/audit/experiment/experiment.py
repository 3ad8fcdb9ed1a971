"""Two inputs and a black box: outputs for either, in one order that never changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Final, TypeAlias

from joblib import effective_n_jobs

from noisewright.audit.blackbox import black_box, carries_state
from noisewright.audit.experiment.keeping import KeptSamples
from noisewright.audit.experiment.pace import Pace, measure
from noisewright.audit.experiment.repeats import Repeats
from noisewright.audit.experiment.running import Chunk, Ran, Task, cut, run_here, run_pooled, runs_here
from noisewright.audit.experiment.seeds import root_seed
from noisewright.audit.experiment.turns import FEW_TURNS, SIDES, TURNS, order, shares
from noisewright.audit.folds import Sizes
from noisewright.audit.outputs import Outputs
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.parameters import whole

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many outputs there are so far, over both inputs, and how many are wanted."""

MOST: Final = 1 << 50
MOST_JOBS: Final = 1 << 16

STARTING: Final = 5.0
"""Seconds that workers may need to start: what is done by then is better done here."""


@dataclass(eq=False)
class _Side:
    """How far one input has come: the next block, and what is left of the last one."""

    subject: Any
    next_block: int = 0
    spare: Outputs | None = None


class Experiment:
    """Outputs of a mechanism, or black box, for a ``left`` and a ``right`` input, streamed in chunks.

    The outputs of a side are one sequence, fixed by the seed (as far as the box's chance is ours to govern)
    and by the size of a block, which is chosen at the first request by what is asked for; only boxes that
    would take seconds for a block are timed for it. The number of ``jobs`` changes nothing. ``jobs`` for work
    of seconds are not started; ``jobs=1`` calls the one box in this process.

    ``keep`` names a folder for the outputs: a later experiment with the same box and inputs reads them there.
    No two blocks share a seed, on one side or across. A box that carries a state of its own is called in this
    process whatever the ``jobs``, never copied to workers; one that repeats chance all the same is refused.

    >>> from noisewright.audit.blackbox import black_box
    >>> box = black_box(lambda data, count, generator: data + generator.laplace(size=count), vectorized=True)
    >>> experiment = Experiment(box, left=0.0, right=1.0, seed=3)
    >>> len(experiment.take("left", 100)), sum(len(chunk) for chunk in experiment.stream("right", 50))
    (100, 50)
    >>> experiment.drawn
    {'left': 100, 'right': 50}
    """

    def __init__(
        self,
        mechanism: Any,
        left: Any,
        right: Any,
        *,
        jobs: int | None = None,
        keep: str | PathLike[str] | None = None,
        seed: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        if jobs is not None and whole("jobs", jobs, -MOST_JOBS, MOST_JOBS) == 0:
            raise InvalidParameter("jobs must not be 0; give how many run at once, -1 for all cores, or None")
        self.box, self.jobs = black_box(mechanism), jobs
        self.drawn = {"left": 0, "right": 0}
        """Outputs handed out so far."""
        self.runs = 0
        """Runs of the box by this object, trials aside: fewer than handed out where some were kept."""
        self.wanted = 0
        """What progress counts towards, if it is more than what was asked for so far."""
        self._sides = dict(zip(SIDES, (_Side(left), _Side(right)), strict=True))
        self._kept = None if keep is None else KeptSamples(Path(keep), self.box, left, right, seed)
        self._root = root_seed(seed) if self._kept is None else self._kept.seed
        self._block = None if self._kept is None else self._kept.block
        self._pace: Pace | None = None
        self._copied: bool | None = None
        self._repeats = Repeats()
        self._whole = 0  # outputs that a request by turns is a part of
        self._failures = 0
        self._progress = progress or (lambda done, wanted: None)

    @property
    def sizes(self) -> Sizes | None:
        """The parts of an earlier audit that went by the clock, where its runs are kept."""
        return None if self._kept is None else self._kept.sizes

    @sizes.setter
    def sizes(self, sizes: Sizes) -> None:
        if self._kept is not None:
            self._kept.remember(sizes)

    @property
    def failures(self) -> int:
        """How often the mechanism failed while these runs, kept ones included, were drawn."""
        return self._failures if self._kept is None else self._kept.failures

    def seconds_a_run(self) -> float:
        """About how long a run takes, the workers counted; a few runs are tried for it."""
        seconds = self._measured(SIDES[0], 1).seconds
        return seconds if self._alone else seconds / int(effective_n_jobs(self.jobs))

    @property
    def _alone(self) -> bool:
        """Whether all runs are made in this process."""
        return runs_here(self.box, self.jobs)

    def take(self, side: str, count: int, until: float | None = None) -> Outputs:
        """The next outputs of a side, all at once; fewer if the time is up before."""
        return Outputs.joined(list(self.stream(side, count, until)))

    def by_turns(self, count: int) -> Generator[tuple[str, Outputs]]:
        """So many further outputs of each side, piece by piece with the name of the side."""
        self._whole = count
        try:
            for turn, size in enumerate(shares(count, self._block or 1, TURNS if self._alone else FEW_TURNS)):
                for side in order(turn):
                    yield from ((side, piece) for piece in self._stream(side, size, None))
        finally:
            self._whole = 0

    def stream(self, side: str, count: int, until: float | None = None) -> Iterator[Outputs]:
        """The next outputs of a side, in chunks; no chunk is begun once ``time.monotonic()`` is ``until``.

        What is kept is read in any case. The next stream of the side goes on where this one was left. When
        the box fails, what it gave before comes first, and then the error.
        """
        if side not in self._sides:
            raise InvalidParameter(f"a side is left or right, got {side!r}")
        return self._stream(side, whole("count", count, 0, MOST), until)

    def _stream(self, side: str, count: int, until: float | None) -> Generator[Outputs]:
        at, goal = self._sides[side], self.drawn[side] + count
        if at.spare is not None and goal > self.drawn[side]:
            yield self._hand_out(side, at.spare, goal)
        while self.drawn[side] < goal:
            before = at.next_block
            with closing(self._next_chunks(side, goal, until)) as chunks:
                for outputs in chunks:
                    yield self._hand_out(side, outputs, goal)
            if at.next_block == before:  # the time is up
                return

    def _hand_out(self, side: str, outputs: Outputs, goal: int) -> Outputs:
        """As many as are wanted; the rest of a block stays for the next request."""
        missing = goal - self.drawn[side]
        self._sides[side].spare = outputs[missing:] if len(outputs) > missing else None
        self.drawn[side] += min(missing, len(outputs))
        done = sum(self.drawn.values())
        self._progress(done, max(self.wanted, done - self.drawn[side] + goal))
        return outputs[:missing]

    def _next_chunks(self, side: str, goal: int, until: float | None) -> Generator[Outputs]:
        """The kept chunk that comes next, or else drawn ones up to the goal or the next kept one."""
        at = self._sides[side]
        kept = None if self._kept is None else self._kept.load(side, at.next_block)
        if kept is not None:
            yield self._accept(side, *kept)
            return
        block = self._block_size(side, goal)
        blocks = -(-(goal - self.drawn[side]) // block)
        if self._kept is not None:
            blocks = self._kept.gap(side, at.next_block, blocks)
        yield from self._fresh(side, blocks, goal, until)

    def _fresh(self, side: str, blocks: int, goal: int, until: float | None) -> Generator[Outputs]:
        block, pace, at = self._block_size(side, 1), self._measured(side, goal), self._sides[side]
        task = Task(self.box, at.subject, side, self._root, block)
        chunks = cut(at.next_block, blocks, pace.blocks(block), until)
        wanted = max(blocks * block, self._whole)
        pooled = self._worth_a_pool(wanted * pace.seconds, until) and self._may_be_copied(side)
        results = run_pooled(task, chunks, self.jobs) if pooled else run_here(task, chunks)
        with closing(results):
            while (ran := self._next(side, results)) is not None:
                if len(ran.outputs):
                    yield self._finish(side, ran.outputs, block)
                if ran.failure is not None:
                    raise self._failed(side, ran.failure)

    def _next(self, side: str, results: Iterator[Ran]) -> Ran | None:
        """What the next chunk gave; a worker that died is a failure like any other."""
        try:
            return next(results, None)
        except BadMechanism as error:
            raise self._failed(side, str(error)) from None

    def _finish(self, side: str, outputs: Outputs, block: int) -> Outputs:
        """Keep what a chunk gave before anybody hears of it."""
        chunk = Chunk(self._sides[side].next_block, len(outputs) // block)
        self.runs += len(outputs)
        self._accept(side, chunk, outputs)
        if self._kept is not None:
            self._kept.save(side, chunk, outputs)
        return outputs

    def _accept(self, side: str, chunk: Chunk, outputs: Outputs) -> Outputs:
        at = self._sides[side]
        self._repeats.check(outputs, self._block_size(side, 1))
        at.next_block += chunk.blocks
        return outputs

    def _block_size(self, side: str, wanted: int) -> int:
        if self._block is None:
            wanted = max(wanted, self.wanted // 2)  # not the first request alone: it may be a small one
            self._block = self._measured(side, wanted).block(self.box.block, wanted, dear=self.box.apart)
            if self._kept is not None:
                self._kept.begin(self._block)
        return self._block

    def _measured(self, side: str, wanted: int) -> Pace:
        if self._pace is None:
            try:
                self._pace = measure(self.box, self._sides[side].subject, self._root, wanted)
            except BadMechanism as error:
                raise self._failed(side, str(error)) from None
        return self._pace

    def _worth_a_pool(self, seconds: float, until: float | None) -> bool:
        if until is not None:
            seconds = min(seconds, until - time.monotonic())
        return seconds > STARTING and not self._alone

    def _may_be_copied(self, side: str) -> bool:
        if self._copied is None:
            try:
                self._copied = not carries_state(self.box, self._sides[side].subject)
            except BadMechanism as error:
                raise self._failed(side, str(error)) from None
        return self._copied

    def _failed(self, side: str, what: str) -> BadMechanism:
        self._failures += 1
        if self._kept is not None:
            self._kept.fail()
        count = self._sides[side].next_block * (self._block or 1)
        kept = "" if self._kept is None or not count else ", and are kept"
        return BadMechanism(f"{what} ({count} outputs for the {side} input had been drawn before{kept})")
