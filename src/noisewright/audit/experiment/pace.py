"""How fast a black box is and how wide its outputs are, and in which turns its two inputs are run.

A *block* is what one seed and one call of the box is for; it is fixed for an experiment, and the outputs
depend on it. A *chunk* is what a worker does, a file keeps and a caller gets at once: some blocks in a row.

A mechanism may drift: a clock, a counter, a warm cache. Runs of one input first and of the other afterwards
would show that as a difference between the inputs. Sides that take turns in the order of Thue and Morse
(left right, right left, right left, left right, …) share a drift that is a straight line in time evenly after
every two turns, a parabola after every four, and so on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice, pairwise
from typing import Any, Final

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.basics.seeds import block_seed
from noisewright.audit.blackbox import BlackBox
from noisewright.audit.experiment.repeats import refuse_one_chance
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.io.digest import digest

# -- turns ---------------------------------------------------------------------------------------------


SIDES: Final = ("left", "right")

TURNS: Final = 32
FEW_TURNS: Final = 4
"""Turns that a request is cut into, and how many if workers share it: they wait for each other at the end."""


def turn_order(turn: int) -> tuple[str, str]:
    """Return the sides of a turn, whoever is first standing first.

    >>> [turn_order(turn)[0] for turn in range(4)]
    ['left', 'right', 'right', 'left']
    """
    return SIDES if turn.bit_count() % 2 == 0 else (SIDES[1], SIDES[0])


def turn_sizes(count: int, block: int, turns: int) -> list[int]:
    """Cut ``count`` outputs into turns of whole blocks, about equally long; the last may end within one.

    Blocks are drawn whole: a turn that could do with what is left of one would disturb the order.

    >>> turn_sizes(100, 10, 4), turn_sizes(15, 10, 32)
    ([30, 20, 30, 20], [10, 5])
    """
    blocks = -(-count // block)
    turns = max(min(turns, blocks), 1)
    ends = [min(-(-blocks * turn // turns) * block, count) for turn in range(turns + 1)]
    return [end - start for start, end in pairwise(ends)]


# -- pace ----------------------------------------------------------------------------------------------


CHUNK: Final = 1 << 16
"""Outputs of a chunk at most."""

LARGEST: Final = 1 << 22
"""Numbers in a chunk at most: 32 MB."""

TRIALS: Final = (1, 64, 2048)
"""Outputs of trials, each only if the one before was quick: larger ones tell more of whole blocks."""

QUICK: Final = 0.01
TRIES: Final = 5
"""A trial that was not quick is made again: a busy machine or a first call must not decide the outputs."""

PATIENCE: Final = 0.5
"""Seconds for the tries of a trial, after which there are two at most: runs of slow boxes are dear."""

STEP: Final = 16
"""How much smaller than it allows a block of a dear box is for a small request."""

LEAST: Final = 64
"""Outputs of a block of any other box at least: fewer would tell little of a state that was copied."""

BLOCK_SECONDS: Final = 2.0
"""A block that would take longer is cut by a step: so coarse that the clock hardly ever decides."""

CHUNK_SECONDS: Final = 0.25
BLOCKS: Final = 4
"""Blocks of a turn in the first request, so that turns are about equally long."""

SHARE: Final = 4
"""Blocks that the first request to a dear box should have at least: the last is drawn whole in any case."""


@dataclass(frozen=True)
class Pace:
    """Seconds that an output takes, and how many numbers it has."""

    seconds: float
    width: int

    def block(self, most: int, wanted: int, *, dear: bool = False) -> int:
        """Return the block size, given the black box's batch size and the size of the first request.

        A box that is ``dear`` to start, such as a program, is started less often.

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
        """Blocks of a chunk."""
        outputs = min(CHUNK, LARGEST // self.width, int(CHUNK_SECONDS / self.seconds))
        return max(1, outputs // block)


def measure(box: BlackBox, subject: Any, root: int, wanted: int) -> Pace:
    """Try a box out; one that changes its input is refused, as later outputs would be of another one.

    Args:
        box: What is tried out.
        subject: The input it is tried on.
        root: The seed from which the trials have theirs.
        wanted: Outputs of the first request: trials are not larger.
    """
    before = _mark(subject)
    seeds = (block_seed(root, "pilot", number) for number in count())
    trials = TRIALS[1:] if box.together else TRIALS  # where one costs as much as many it tells nothing
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
    return Pace(max(seconds / len(outputs), 1e-9), _width(outputs))


def _best(box: BlackBox, subject: Any, size: int, seeds: Iterator[int]) -> tuple[float, Outputs]:
    """The least time that so many outputs took, and the last of them."""
    taken: list[float] = []
    for seed in islice(seeds, TRIES):
        started = time.perf_counter()
        outputs = box.draw(subject, size, seed)
        taken.append(time.perf_counter() - started)
        if taken[-1] <= QUICK or (len(taken) > 1 and sum(taken) >= PATIENCE):
            break
    return min(taken), outputs


def _width(outputs: Outputs) -> int:
    """Numbers of an output; of a text, the doubles that take as much room."""
    if outputs.words is None:
        return max(1, outputs.width)
    return max(1, max(len(word) for word in outputs.words) // 8)


def _mark(subject: Any) -> str | None:
    try:
        return digest(subject, follows=False)
    except InvalidParameter:  # an input that cannot be told from others cannot be watched either
        return None
