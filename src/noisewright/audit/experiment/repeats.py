"""Do blocks hold the same chance? Then outputs are not independent, and no bound would hold.

It happens where a random state is copied: to every worker, with the mechanism that carries it or by importing
its module; or into every call, by a mechanism that seeds itself. A block that comes again is no accident if
it had many ways to be, and several such blocks are less of one, however little each of them tells.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.outputs import Outputs
from noisewright.errors import BadMechanism

LOOKED_AT: Final = 1 << 16
"""Numbers or words of a block that are compared, its first."""

BITS: Final = 40
"""Evidence wanted for a refusal, for all blocks of an experiment: one false alarm in 5·10¹¹."""


class Repeats:
    """Remembers the blocks of an experiment, and refuses it when too many of them were there before.

    The evidence is what a gambler wins who stakes half of what he has on every block: in equal parts on the
    one that followed last time, and on all that were seen. Independent outputs with frequencies of entropy H
    give a certain block of n with a chance of 2^(-n·H) at most, whatever their law; paid by that, he gains
    nothing on average, and passes 2^b with a chance of 2^(-b) at most (Ville). He may start anew at any
    block, for which the bar rises with the square of their number.
    """

    def __init__(self) -> None:
        self._marks: list[bytes] = []
        self._places: dict[bytes, int] = {}
        self._following = 0
        self._evidence = 0.0

    def check(self, outputs: Outputs, block: int) -> None:
        """Look at the blocks of a chunk."""
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
    """Return what a block adds to the evidence, in bits; 2 to its power is at most 1 on average."""
    return float(np.logaddexp2(-1.0, np.log2(staked) - 1 + surprise(head))) if staked else -1.0


def surprise(outputs: Outputs) -> float:
    """Return how unlikely it is at least, in bits, that as many independent outputs are these, in this order.

    n·H, H the entropy of their frequencies: no law makes a sequence likelier than that of its frequencies.

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
