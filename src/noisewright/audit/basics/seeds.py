"""Seeds: one for every block of outputs, and the chance that a black box draws from it.

A block's seed follows from the side and the number of the block, whoever draws it and whenever. Functions
draw from a generator that they are handed, or from the global states of NumPy and ``random``. Both follow
from the seed of the block, so that a worker that was given a copy of a state never repeats another.
"""

from __future__ import annotations

import random
import secrets
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import numpy as np

from noisewright.parameters import whole

SIDES: Final = {"left": 0, "right": 1, "pilot": 2}

BITS: Final = 128


def root_seed(seed: int | None) -> int:
    """Return the seed from which all others of an experiment come; a fresh one for None."""
    return secrets.randbits(BITS) if seed is None else whole("seed", seed, 0, (1 << BITS) - 1)


def block_seed(root: int, side: str, number: int) -> int:
    """Return the seed of a block: the sides never share one, nor do two blocks of a side.

    These are the children that ``SeedSequence.spawn`` would give, found by their place.

    >>> len({block_seed(5, side, number) for side in SIDES for number in range(100)})
    300
    """
    child = np.random.SeedSequence(root, spawn_key=(SIDES[side], number))
    return int.from_bytes(child.generate_state(2, np.uint64).tobytes(), "little")


GLOBAL: Final = 0
HANDED: Final = 1
SINGLE: Final = 2

_turn = threading.RLock()
"""There is one global state: threads that need it wait for each other."""


def own_generator(seed: int) -> np.random.Generator:
    """Return the generator that a function gets as its argument ``generator``."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(HANDED,)))


def single_seeds(seed: int, count: int) -> list[int]:
    """A seed of 63 bits for every output of a block, where each is the work of a process of its own."""
    words = np.random.SeedSequence(seed, spawn_key=(SINGLE,)).generate_state(count, np.uint64)
    return [int(word) >> 1 for word in words]


@contextmanager
def global_chance(seed: int) -> Generator[None]:
    """The global states of NumPy and ``random`` follow the seed inside, and are as they were afterwards."""
    with _turn:
        numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002  (theirs, not ours)
        words = np.random.SeedSequence(seed, spawn_key=(GLOBAL,)).generate_state(8)
        np.random.seed(words[:4])  # noqa: NPY002
        random.seed(words[4:].tobytes())
        try:
            yield
        finally:
            np.random.set_state(numpy_state)  # noqa: NPY002
            random.setstate(python_state)
