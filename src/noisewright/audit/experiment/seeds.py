"""Seeds: one for every block of outputs, by side and number, whoever draws it and whenever."""

from __future__ import annotations

import secrets
from typing import Final

import numpy as np

from noisewright.parameters import whole

SIDES: Final = {"left": 0, "right": 1, "pilot": 2}
BITS: Final = 128


def root_seed(seed: int | None) -> int:
    """The seed from which all others of an experiment come; a fresh one for None."""
    return secrets.randbits(BITS) if seed is None else whole("seed", seed, 0, (1 << BITS) - 1)


def block_seed(root: int, side: str, number: int) -> int:
    """The seed of a block: the sides never share one, nor do two blocks of a side.

    These are the children that ``SeedSequence.spawn`` would give, found by their place.

    >>> len({block_seed(5, side, number) for side in SIDES for number in range(100)})
    300
    """
    child = np.random.SeedSequence(root, spawn_key=(SIDES[side], number))
    return int.from_bytes(child.generate_state(2, np.uint64).tobytes(), "little")
