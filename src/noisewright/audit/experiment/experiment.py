"""Two inputs and a black box: outputs for either, in one order that never changes.

A mechanism may drift, because of a clock, a counter or a warm cache. If one input had all its runs before the
other, a drift would look like a difference between the inputs. So the sides alternate in the order of Thue
and Morse (left right, right left, right left, left right, …). A drift that is a straight line in time is then
shared evenly after every two turns, a parabola after every four, and so on.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, Final

from noisewright.audit.basics.budget import Sizes
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox import black_box
from noisewright.audit.blackbox.base import root_seed
from noisewright.audit.experiment.sampler import SIDES, Chunk, Repeats, Sampler
from noisewright.audit.experiment.storage import StoredSamples
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.parameters import whole
from noisewright.progress import Progress

MOST: Final = 1 << 50
MOST_JOBS: Final = 1 << 16


def turn_order(turn: int) -> tuple[str, str]:
    """Return the two sides in the order of a turn.

    >>> [turn_order(turn)[0] for turn in range(4)]
    ['left', 'right', 'right', 'left']
    """
    return SIDES if turn.bit_count() % 2 == 0 else (SIDES[1], SIDES[0])


def turn_sizes(count: int, block: int, turns: int) -> list[int]:
    """Cut ``count`` outputs into turns of whole blocks, about equally long; the last may end within one.

    Blocks are drawn whole: a turn that needed only the rest of one would disturb the order.

    >>> turn_sizes(100, 10, 4), turn_sizes(15, 10, 32)
    ([30, 20, 30, 20], [10, 5])
    """
    blocks = -(-count // block)
    turns = max(min(turns, blocks), 1)
    ends = [min(-(-blocks * turn // turns) * block, count) for turn in range(turns + 1)]
    return [end - start for start, end in pairwise(ends)]


def check_jobs(jobs: int | None) -> int | None:
    """Return a number of processes, or None for as many as suit the box."""
    if jobs is not None and whole("jobs", jobs, -MOST_JOBS, MOST_JOBS) == 0:
        raise InvalidParameter(
            "must not be 0; give how many run at once, -1 for all cores, or None", field="jobs"
        )
    return jobs


@dataclass(eq=False)
class _Side:
    """Progress of one input: the next block, and the rest of the last one."""

    next_block: int = 0
    spare: Outputs | None = None


class Experiment:
    """Outputs of a mechanism, or black box, for a ``left`` and a ``right`` input, streamed in chunks.

    The outputs of a side are one sequence, fixed by the seed (as far as the box uses it) and by the size of a
    block. That size is chosen at the first request, by the number of outputs asked for; a box that would take
    seconds for a block gets smaller ones. The number of ``jobs`` changes nothing.

    No two blocks share a seed, on one side or across. A box that carries a state of its own is called in this
    process whatever the ``jobs``, never copied to workers. One that still repeats its randomness is refused.

    Args:
        mechanism: What is run: a :class:`BlackBox`, or whatever :func:`black_box` takes.
        left: One input.
        right: The other input.
        jobs: Processes that draw; -1 for all cores, 1 calls the one box in this process. None leaves it to
            joblib: 1, unless ``joblib.parallel_config`` names workers and the box is not too quick to gain
            from them. Workers are not started for work of seconds.
        keep: A private folder for the outputs: a later experiment with the same box and inputs reads them
            there. None keeps nothing.
        seed: The seed of all randomness under our control, from 0 to 2¹²⁸ − 1; None draws a fresh one.
        progress: Called with the outputs handed out so far, over both inputs, and those wanted.

    Attributes:
        box: The black box.
        drawn: Outputs handed out so far, by side.
        runs: Runs of the box by this object, trials aside: fewer than handed out where some were kept.
        wanted: The total that progress counts towards, if it is more than was asked for so far.

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
        jobs, self.box = check_jobs(jobs), black_box(mechanism)
        self.drawn = dict.fromkeys(SIDES, 0)
        self.runs = self.wanted = 0
        stored = None if keep is None else StoredSamples(Path(keep), self.box, left, right, seed)
        root, block = (root_seed(seed), None) if stored is None else (stored.seed, stored.block)
        self._stored = stored
        self._sampler = Sampler(self.box, left, right, root=root, jobs=jobs, block=block)
        self._sides = {side: _Side() for side in SIDES}
        self._repeats = Repeats()
        self._failures = 0
        self._progress = progress or (lambda done, wanted: None)

    @property
    def sizes(self) -> Sizes | None:
        """The parts of an earlier timed audit, if its runs are kept."""
        return None if self._stored is None else self._stored.sizes

    @sizes.setter
    def sizes(self, sizes: Sizes) -> None:
        if self._stored is not None:
            self._stored.remember(sizes)

    @property
    def failures(self) -> int:
        """How often the mechanism failed while these runs, kept ones included, were drawn."""
        return self._failures if self._stored is None else self._stored.failures

    def seconds_a_run(self) -> float:
        """Return about how long a run takes, the workers counted; a few runs are tried for it."""
        with self._failing(SIDES[0]):
            return self._sampler.seconds_a_run

    def take(self, side: str, count: int, until: float | None = None) -> Outputs:
        """Return the next outputs of a side, all at once; fewer if the time is up before."""
        return Outputs.join(list(self.stream(side, count, until)))

    def by_turns(self, count: int) -> Generator[tuple[str, Outputs]]:
        """Draw ``count`` further outputs of each side, alternating, piece by piece with the side's name."""
        sizes = turn_sizes(count, self._sampler.block or 1, self._sampler.turns)
        for turn, size in enumerate(sizes):
            for side in turn_order(turn):
                yield from ((side, piece) for piece in self._stream(side, size, None, count))

    def stream(self, side: str, count: int, until: float | None = None) -> Iterator[Outputs]:
        """Draw the next outputs of a side, in chunks; none is begun once ``time.monotonic()`` is ``until``.

        Kept outputs are read in any case. The next stream of the side goes on where this one stopped. When
        the box fails, the outputs before the failure come first, and then the error.
        """
        if side not in self._sides:
            raise InvalidParameter(f"a side is left or right, got {side!r}")
        return self._stream(side, whole("count", count, 0, MOST), until)

    def _stream(
        self, side: str, count: int, until: float | None, whole_request: int = 0
    ) -> Generator[Outputs]:
        at, goal = self._sides[side], self.drawn[side] + count
        if at.spare is not None and goal > self.drawn[side]:
            yield self._hand_out(side, at.spare, goal)
        while self.drawn[side] < goal:
            before = at.next_block
            with closing(self._next_chunks(side, goal, until, whole_request)) as chunks:
                for outputs in chunks:
                    yield self._hand_out(side, outputs, goal)
            if at.next_block == before:  # the time is up
                return

    def _hand_out(self, side: str, outputs: Outputs, goal: int) -> Outputs:
        """Return as many outputs as are wanted; the rest of a block stays for the next request."""
        missing = goal - self.drawn[side]
        self._sides[side].spare = outputs[missing:] if len(outputs) > missing else None
        self.drawn[side] += min(missing, len(outputs))
        done = sum(self.drawn.values())
        self._progress(done, max(self.wanted, done - self.drawn[side] + goal))
        return outputs[:missing]

    def _next_chunks(
        self, side: str, goal: int, until: float | None, whole_request: int
    ) -> Generator[Outputs]:
        """Yield the next stored chunk, or else fresh ones up to the goal or the next stored one."""
        at = self._sides[side]
        found = None if self._stored is None else self._stored.load(side, at.next_block)
        if found is not None:
            yield self._accept(side, *found)
            return
        blocks = -(-(goal - self.drawn[side]) // self._block_size(side, goal))
        if self._stored is not None:
            blocks = self._stored.gap(side, at.next_block, blocks)
        chunk = Chunk(at.next_block, blocks)
        with self._failing(side):
            results = self._sampler.draw(side, chunk, wanted=goal, whole_request=whole_request, until=until)
        with closing(results):
            while True:
                with self._failing(side):  # a worker that died is a failure like any other
                    ran = next(results, None)
                if ran is None:
                    return
                if len(ran.outputs):
                    yield self._save(side, ran.outputs)
                if ran.failure is not None:
                    raise self._failure(side, ran.failure)

    def _save(self, side: str, outputs: Outputs) -> Outputs:
        """Store the outputs of a chunk before handing them out."""
        assert self._sampler.block is not None
        chunk = Chunk(self._sides[side].next_block, len(outputs) // self._sampler.block)
        self.runs += len(outputs)
        self._accept(side, chunk, outputs)
        if self._stored is not None:
            self._stored.save(side, chunk, outputs)
        return outputs

    def _accept(self, side: str, chunk: Chunk, outputs: Outputs) -> Outputs:
        assert self._sampler.block is not None
        self._repeats.check(outputs, self._sampler.block)
        self._sides[side].next_block += chunk.blocks
        return outputs

    def _block_size(self, side: str, wanted: int) -> int:
        begun = self._sampler.block is not None
        with self._failing(side):  # not the first request alone decides: it may be a small one
            block = self._sampler.block_size(side, max(wanted, self.wanted // 2))
        if self._stored is not None and not begun:
            self._stored.begin(block)
        return block

    @contextmanager
    def _failing(self, side: str) -> Generator[None]:
        """Count failures of the mechanism, and say how far it had come."""
        try:
            yield
        except BadMechanism as error:
            raise self._failure(side, str(error)) from None

    def _failure(self, side: str, what: str) -> BadMechanism:
        self._failures += 1
        if self._stored is not None:
            self._stored.fail()
        count = self._sides[side].next_block * (self._sampler.block or 1)
        kept = "" if self._stored is None or not count else ", and are kept"
        return BadMechanism(f"{what} ({count} outputs for the {side} input had been drawn before{kept})")
