"""Chunks of outputs, drawn here or by workers: the same either way, as every block has its own seed.

A *block* is what one seed and one call of the box is for. Its size is fixed for an experiment, by the pace of
the box, and the outputs depend on it. A *chunk* is some blocks in a row: what a worker does, a file keeps and
a caller gets at once.

Blocks that repeat each other are refused: their outputs are not independent, so no bound would hold. It
happens where a random state is copied: to every worker, with the mechanism that carries it or by importing
its module; or into every call, by a mechanism that seeds itself. One repeated block is no accident if it had
many ways to differ, and several such blocks are less of one, however little each of them shows.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import count, islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox import BlackBox, carries_state
from noisewright.audit.blackbox.base import block_seed
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.io.digest import digest
from noisewright.io.pooling import pooled, worker_count

SIDES: Final = ("left", "right")

TURNS: Final = 32
FEW_TURNS: Final = 4
"""Turns that a request is cut into; fewer if workers share it, as they wait for each other at each end."""


# -- pace ----------------------------------------------------------------------------------------------


CHUNK: Final = 1 << 16
"""The most outputs of a chunk."""

LARGEST: Final = 1 << 22
"""The most numbers in a chunk: 32 MB."""

TRIALS: Final = (1, 64, 2048)
"""Outputs of trials, each made only if the one before was quick: larger ones show more about whole blocks."""

QUICK: Final = 0.01
TRIES: Final = 5
"""A trial that was not quick is repeated: a busy machine or a first call must not decide block sizes."""

PATIENCE: Final = 0.5
"""Seconds for the repetitions of a trial, after which there are at most two: slow runs are expensive."""

STEP: Final = 16
"""Factor by which blocks of an expensive box shrink for small requests and slow runs."""

LEAST: Final = 64
"""The fewest outputs of a block of any other box: fewer would show little of a copied state."""

BLOCK_SECONDS: Final = 2.0
"""A block that would take longer is cut by a step, which is so coarse that the clock hardly ever decides."""

CHUNK_SECONDS: Final = 0.25
BLOCKS: Final = 4
"""Blocks of a turn in the first request, so that turns are about equally long."""

SHARE: Final = 4
"""The fewest blocks of the first request to an expensive box: the last is drawn whole in any case."""


@dataclass(frozen=True)
class Pace:
    """Seconds that an output takes, and how many numbers it has."""

    seconds: float
    width: int

    def block(self, most: int, wanted: int, *, dear: bool = False) -> int:
        """Return the block size, given the black box's batch size and the size of the first request.

        A box that is expensive to start (``dear``), such as a program, is started less often.

        >>> Pace(1e-6, 1).block(1 << 16, 2_000_000), Pace(1e-6, 1).block(1 << 16, 100)
        (8192, 64)
        """
        parts, least = (SHARE, most // STEP) if dear else (BLOCKS * TURNS, min(most, LEAST))
        share = max(1, wanted // parts)
        size = min(most, CHUNK, max(least, 1 << share.bit_length() - 1))
        while size > 1 and (size * self.seconds > BLOCK_SECONDS or size * self.width > LARGEST):
            size = max(1, size // STEP)
        return size

    def blocks(self, block: int) -> int:
        """Return the number of blocks of a chunk."""
        outputs = min(CHUNK, LARGEST // self.width, int(CHUNK_SECONDS / self.seconds))
        return max(1, outputs // block)


def measure(box: BlackBox, subject: Any, root: int, wanted: int) -> Pace:
    """Measure the pace of a box; one that changes its input is refused, as later outputs would differ.

    Args:
        box: What is tried out.
        subject: The input it is tried on.
        root: The seed from which the trials have theirs.
        wanted: Outputs of the first request: trials are not larger.
    """
    before = _mark(subject)
    seeds = (block_seed(root, "pilot", number) for number in count())
    trials = TRIALS[1:] if box.together else TRIALS  # one alone shows nothing where many cost the same
    for size in trials:
        if size > trials[0] and size > min(box.block, wanted):
            break
        seconds, outputs = _best(box, subject, size, seeds)
        if seconds > QUICK:
            break
    if box.quick:
        refuse_one_chance(box.draw(subject, 64, next(seeds)), box.draw(subject, 64, next(seeds)))
    if _mark(subject) != before:
        raise BadMechanism(
            "the mechanism changes the data that it is given, so that its next output would be for other "
            "data; let it work on a copy"
        )
    # of a text, the doubles that take as much room
    width = outputs.width if outputs.words is None else max(map(len, outputs.words)) // 8
    return Pace(max(seconds / len(outputs), 1e-9), max(1, width))


def _best(box: BlackBox, subject: Any, size: int, seeds: Iterator[int]) -> tuple[float, Outputs]:
    """Return the least time that ``size`` outputs took in some tries, and the last outputs."""
    taken: list[float] = []
    for seed in islice(seeds, TRIES):
        started = time.perf_counter()
        outputs = box.draw(subject, size, seed)
        taken.append(time.perf_counter() - started)
        if taken[-1] <= QUICK or (len(taken) > 1 and sum(taken) >= PATIENCE):
            break
    return min(taken), outputs


def _mark(subject: Any) -> str | None:
    try:
        return digest(subject, follows=False)
    except InvalidParameter:  # an input without a digest cannot be watched
        return None


# -- drawing -------------------------------------------------------------------------------------------


STARTING: Final = 5.0
"""Seconds that workers may need to start: shorter work is better done here."""

SENDING: Final = 1e-6
"""Seconds that an output takes on its way from a worker: a quick box needs longer for it to be worth that."""


@dataclass(frozen=True, eq=False)
class Task:
    """Everything that all chunks of a side share."""

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
    """The result of a chunk: its outputs, or those before its failure.

    The failure is a value, so that chunks finished by other workers are not lost with it.
    """

    outputs: Outputs
    failure: str | None = None


class Sampler:
    """Draws blocks of outputs of a black box for two inputs, at its pace: here, or by workers.

    Its pace is measured at the first request. The block size suits that request, and stays fixed.

    Args:
        box: What is run.
        left: The input of the left side.
        right: The input of the right side.
        root: The seed from which those of all blocks come.
        jobs: Processes that draw; -1 for all cores, None for those that joblib is set up to use.
        block: Outputs of a block, if an earlier experiment has fixed it.
    """

    def __init__(
        self, box: BlackBox, left: Any, right: Any, *, root: int, jobs: int | None, block: int | None
    ) -> None:
        self.box, self.jobs, self.block = box, jobs, block
        self._subjects = dict(zip(SIDES, (left, right), strict=True))
        self._root = root
        self._pace: Pace | None = None
        self._copied: bool | None = None

    @property
    def turns(self) -> int:
        """Turns that a request for both sides is cut into."""
        return TURNS if self._alone else FEW_TURNS

    @property
    def seconds_a_run(self) -> float:
        """About how long a run takes, the workers counted; a few runs are tried for it."""
        seconds = self._measure_pace(SIDES[0], 1).seconds
        return seconds / worker_count(1 if self._alone else self.jobs)

    def block_size(self, side: str, wanted: int) -> int:
        """Return the outputs of a block, chosen at the first request by how many outputs it is for."""
        if self.block is None:
            self.block = self._measure_pace(side, wanted).block(self.box.block, wanted, dear=self.box.apart)
        return self.block

    def draw(
        self, side: str, chunk: Chunk, *, wanted: int, whole_request: int = 0, until: float | None = None
    ) -> Generator[Ran]:
        """Draw the blocks of a side in chunks that suit the pace; none is begun after ``until``.

        Args:
            side: "left" or "right".
            chunk: The blocks to draw.
            wanted: Outputs of the side in all.
            whole_request: Outputs of the request that these are a part of: it decides whether workers
                are worth starting.
            until: When no chunk is begun any more, by ``time.monotonic()``; None for never.
        """
        assert self.block is not None
        pace = self._measure_pace(side, wanted)
        task = Task(self.box, self._subjects[side], side, self._root, self.block)
        chunks = cut_chunks(chunk.first, chunk.blocks, pace.blocks(self.block), until)
        seconds = max(chunk.blocks * self.block, whole_request) * pace.seconds
        if until is not None:
            seconds = min(seconds, until - time.monotonic())
        if seconds > STARTING and not self._alone and self._may_be_copied(task.subject):
            return run_pooled(task, chunks, self.jobs)
        return (run_chunk(task, each) for each in chunks)  # on this very box, so that its state goes on

    @property
    def _alone(self) -> bool:
        """Whether all runs are made in this process."""
        if self._pace is not None and self._pace.seconds > SENDING:
            return worker_count(self.jobs) == 1
        return runs_here(self.box, self.jobs)

    def _measure_pace(self, side: str, wanted: int) -> Pace:
        if self._pace is None:
            self._pace = measure(self.box, self._subjects[side], self._root, wanted)
        return self._pace

    def _may_be_copied(self, subject: Any) -> bool:
        if self._copied is None:
            self._copied = not carries_state(self.box, subject)
        return self._copied


def run_chunk(task: Task, chunk: Chunk) -> Ran:
    """Draw the blocks of a chunk, up to the first that fails."""
    parts: list[Outputs] = []
    for number in range(chunk.first, chunk.first + chunk.blocks):
        try:
            parts.append(task.box.draw(task.subject, task.block, block_seed(task.root, task.side, number)))
        except BadMechanism as error:
            return Ran(Outputs.join(parts), str(error))
    return Ran(Outputs.join(parts))


def cut_chunks(first: int, blocks: int, at_once: int, until: float | None) -> Iterator[Chunk]:
    """Cut ``blocks`` blocks into chunks of ``at_once``, as long as there is time.

    Args:
        first: The number of the first block.
        blocks: How many blocks.
        at_once: Blocks of a chunk.
        until: When no chunk is begun any more, by ``time.monotonic()``; None for never.
    """
    for start in range(first, first + blocks, at_once):
        if until is not None and time.monotonic() >= until:
            return
        yield Chunk(start, min(at_once, first + blocks - start))


def runs_here(box: BlackBox, jobs: int | None) -> bool:
    """Return whether no workers are wanted: one job, or a quick box and nobody asked for more."""
    return (box.quick and jobs is None) or worker_count(jobs) == 1


def run_pooled(task: Task, chunks: Iterator[Chunk], jobs: int | None) -> Generator[Ran]:
    """Run chunks on copies of the box; results come in order, each as soon as it is there."""
    return pooled(partial(run_chunk, task), ((chunk,) for chunk in chunks), jobs, worker_died)


def worker_died(kind: str) -> BadMechanism:
    """Return the refusal for a worker that died, or could not be sent the mechanism."""
    return BadMechanism(
        f"a worker died or could not be sent the mechanism ({kind}); define it where workers can import it, "
        "take fewer jobs if memory is short, or jobs=1"
    )


# -- blocks that repeat each other ---------------------------------------------------------------------


LOOKED_AT: Final = 1 << 16
"""The first numbers or words of a block, which are compared."""

BITS: Final = 40
"""Bits of evidence needed for a refusal, over all blocks of an experiment: one false alarm in 5·10¹¹."""


class Repeats:
    """Remembers the blocks of an experiment, and refuses it when too many of them were there before.

    The evidence is the winnings of a gambler who stakes half of his capital on every block. He bets in equal
    parts on the block that followed last time, and on all blocks seen. Independent outputs with frequencies
    of entropy H give one certain block of n with a chance of at most 2^(-n·H), whatever their law. At these
    odds he gains nothing on average, and passes 2^b with a chance of at most 2^(-b) (Ville). He may start
    anew at any block, for which the bar rises with the square of their number.
    """

    def __init__(self) -> None:
        self._marks: list[bytes] = []
        self._places: dict[bytes, int] = {}
        self._following = 0
        self._evidence = 0.0

    def check(self, outputs: Outputs, block: int) -> None:
        """Check the blocks of a chunk, and refuse the experiment if they repeat earlier ones."""
        looked_at = max(1, min(block, LOOKED_AT // max(1, outputs.width)))
        for start in range(0, len(outputs), block):
            head = outputs[start : start + looked_at]
            mark = fingerprint(head)
            self._evidence = max(self._evidence, 0.0) + gain(self.staked(mark), head)
            self._remember(mark)
            if self._evidence > BITS + 2 * np.log2(len(self._marks)):
                raise BadMechanism(
                    "the mechanism repeats its random numbers: blocks of outputs are the same, as if a "
                    "random state was copied to every worker or set anew in every call, or it counts its "
                    "calls; let a function take an argument named generator and draw from that, or run it "
                    "with jobs=1 if it carries its own state; let a command take its seed from "
                    "NOISEWRIGHT_SEED"
                )

    def staked(self, mark: bytes) -> float:
        """Return the part of the next stake that is on the block with a fingerprint."""
        if mark not in self._places:
            return 0.0
        return (self._follows(mark) + 1 / len(self._places)) / 2

    def _follows(self, mark: bytes) -> bool:
        return self._marks[self._following : self._following + 1] == [mark]

    def _remember(self, mark: bytes) -> None:
        first = self._places.setdefault(mark, len(self._marks))
        place = self._following if self._follows(mark) else first
        self._marks.append(mark)
        self._following = place + 1


def refuse_one_chance(first: Outputs, second: Outputs) -> None:
    """Refuse a mechanism whose two blocks of one length are the same although their seeds are not."""
    repeats = Repeats()
    repeats.check(first, len(first))
    repeats.check(second, len(second))


def fingerprint(outputs: Outputs) -> bytes:
    """Return a short mark, equal for equal outputs."""
    if outputs.numbers is not None:
        return blake2b(np.ascontiguousarray(outputs.numbers).data, digest_size=16).digest()
    return blake2b("\n".join(outputs.as_words()).encode(), digest_size=16).digest()


def gain(staked: float, head: Outputs) -> float:
    """Return the bits that a block adds to the evidence; 2 to their power is at most 1 on average."""
    return float(np.logaddexp2(-1.0, np.log2(staked) - 1 + surprise(head))) if staked else -1.0


def surprise(outputs: Outputs) -> float:
    """Return a lower bound, in bits, on how unlikely this sequence of independent outputs is.

    It is n·H, with H the entropy of their frequencies: no law makes a sequence likelier than its frequencies.

    >>> surprise(Outputs.of([0, 1] * 20)), surprise(Outputs.of([0] * 40))
    (40.0, 0.0)
    """
    kinds: NDArray[Any]
    if outputs.numbers is None:
        kinds = outputs.as_words().astype(str)
    else:
        kinds = np.ascontiguousarray(outputs.numbers).view(np.uint64)  # as a NaN is not equal to itself
    counts = np.unique(kinds[:, 0] if outputs.width == 1 else kinds, axis=0, return_counts=True)[1]
    return float(counts @ np.log2(len(outputs) / counts))
