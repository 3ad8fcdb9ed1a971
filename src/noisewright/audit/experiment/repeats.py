"""Do two blocks hold the same chance? Then outputs are not independent, and no bound would hold.

It happens where a random state is copied: to every worker, with the mechanism that carries it; or into every
call, by a mechanism that seeds itself. Equal blocks are no accident if each of them had many ways to be.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import numpy as np

from noisewright.audit.outputs import Outputs
from noisewright.errors import BadMechanism

LOOKED_AT: Final = 4096
"""Outputs of a block that are compared, its first."""

BITS: Final = 40
"""Evidence wanted for a refusal, for all pairs of blocks together: one false alarm in 10¹²."""


class Repeats:
    """Remembers the blocks of one side, and refuses one that was there before."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def check(self, outputs: Outputs, block: int) -> None:
        """Look at the blocks of a chunk."""
        for start in range(0, len(outputs), block):
            self._check(outputs[start : min(start + block, start + LOOKED_AT)])

    def _check(self, head: Outputs) -> None:
        mark = fingerprint(head)
        if mark in self._seen and surprise(head) >= BITS + 2 * np.log2(len(self._seen) + 1):
            raise BadMechanism(
                "the mechanism repeats its random numbers: two blocks of outputs are the same, as if a "
                "random state was copied to every worker or set anew in every call; let it take an argument "
                "named generator and draw from that, or run it with jobs=1 if it carries its own"
            )
        self._seen.add(mark)


def fingerprint(outputs: Outputs) -> bytes:
    """A short mark, equal for equal outputs."""
    if outputs.numbers is not None:
        return blake2b(np.ascontiguousarray(outputs.numbers).data, digest_size=16).digest()
    return blake2b("\n".join(outputs.as_words()).encode(), digest_size=16).digest()


def surprise(outputs: Outputs) -> float:
    """How unlikely it is, in bits, that as many independent outputs again are the very same.

    n·log₂(1/c), where c is the share of equal pairs: by the method of types two equal independent blocks with
    these frequencies are at most as likely as 2^(-n·H), and Shannon's H is at least log₂(1/c).

    >>> surprise(Outputs.of([0, 1] * 20)), surprise(Outputs.of([0] * 40)) == 0
    (40.0, True)
    """
    numbers = outputs.numbers  # by their bits, as a NaN is not equal to itself
    kinds = (
        outputs.as_words().astype(str) if numbers is None else np.ascontiguousarray(numbers).view(np.uint64)
    )
    counts = np.unique(kinds, axis=0, return_counts=True)[1]
    return float(len(outputs) * -np.log2(np.square(counts / len(outputs)).sum()))
