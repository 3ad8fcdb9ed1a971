"""Finite laws as integer tables: sampled by comparing one random word with thresholds, checked exactly.

A table is a row of integer weights that sum to a power of two. Its sampler returns the number of
thresholds (running sums) at or below a random word, so entry j is drawn for exactly ``weights[j]`` of the
words, without rounding between the table and the draw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.mechanisms.basics.exact import Worst

TABLE_BITS = 62
"""Weights sum to 2⁶²: sums of two never leave a signed 64-bit word."""

MOST_POINTS = 1024
"""Points of the finest grid: a table has their square, and is rebuilt by every reader of its file."""

Weights = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Table:
    """One integer law, or one for each row, sampled with the low ``bits`` bits of a word.

    >>> table = Table(np.array([1, 2, 1]), bits=2)
    >>> table.draw(np.arange(4, dtype=np.uint64)).tolist()
    [0, 1, 1, 2]
    """

    weights: Weights
    bits: int = TABLE_BITS

    def __post_init__(self) -> None:
        if not 1 <= self.bits <= TABLE_BITS or not self._sound():
            raise GuaranteeBroken(f"the weights of a table must be positive and sum to 2^{self.bits}")
        self.weights.setflags(write=False)  # what was checked is what is drawn
        self.thresholds.setflags(write=False)

    def _sound(self) -> bool:
        """Return whether weights are positive and their running sums rise, without a wrap, to 2^bits.

        A sum of many weights can wrap round 2⁶⁴ and look right. But no weight exceeds 2⁶², so the first
        running sum beyond 2^bits is either above it or negative: sums that rise have not wrapped.
        """
        whole = 1 << self.bits
        if (self.weights < 1).any() or (self.weights > whole).any():
            return False
        sums = self.thresholds
        rising = (sums[..., :1] >= 1).all() and (sums[..., 1:] > sums[..., :-1]).all()
        return bool(rising and (sums[..., -1] == whole).all())

    @cached_property
    def thresholds(self) -> Weights:
        """Running sums without the last, flat: row r occupies the places [r·n, (r + 1)·n)."""
        return np.cumsum(self.weights, axis=-1)

    def draw(self, words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Draw entries of a single-row table."""
        return np.searchsorted(self.thresholds, self._masked(words), side="right")

    def draw_rows(self, rows: NDArray[np.int64], words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Draw entries of the given rows, by a binary search that takes equally long for every row."""
        chosen = self._masked(words)
        size = self.weights.shape[-1]
        flat = self.thresholds.reshape(-1)
        base, found = rows * size, np.zeros(rows.size, dtype=np.int64)
        for step in _halvings(size):
            ahead = found + step
            inside = ahead <= size - 1
            passed = inside & (flat[base + np.minimum(ahead, size) - 1] <= chosen)
            found = np.where(passed, ahead, found)
        return found

    def _masked(self, words: NDArray[np.uint64]) -> NDArray[np.int64]:
        return (words & np.uint64((1 << self.bits) - 1)).astype(np.int64)

    @property
    def masses(self) -> Floats:
        """The weights as probabilities."""
        return np.asarray(self.weights / float(1 << self.bits))


def _halvings(size: int) -> list[int]:
    """Return the powers of two from the largest below a size down to one."""
    return [1 << bit for bit in reversed(range((size - 1).bit_length()))]


def to_integers(law: Floats, bits: int = TABLE_BITS) -> Weights:
    """Round rows of probabilities to positive integers that sum to 2^bits.

    The remainder goes to the largest entry of its row, where it weighs least.

    >>> to_integers(np.array([0.5, 0.5]), bits=4).tolist()
    [8, 8]
    """
    if not np.isfinite(law).all() or (law < 0).any():
        raise InvalidParameter("a law must consist of finite probabilities that are not negative")
    total = 1 << bits
    scaled = law / law.sum(axis=-1, keepdims=True) * float(total)
    weights = np.maximum(np.floor(scaled).astype(np.int64), 1)
    spare = total - weights.sum(axis=-1)
    largest = weights.argmax(axis=-1)
    np.add.at(
        weights.reshape(-1, law.shape[-1]), (np.arange(largest.size), largest.reshape(-1)), spare.reshape(-1)
    )
    return np.asarray(weights)


Proved = TypeVar("Proved")


def closest_proved(build: Callable[[float], Proved]) -> Proved:
    """Build with the smallest retreat from the ideal law for which the exact check passes.

    ``build(retreat)`` makes the integers for a law that is a little more private than asked, by a
    relative amount ``retreat``, and raises :class:`GuaranteeBroken` if they still do not pass. Rounding
    moves weights by one unit in 2⁶², so tiny retreats are enough unless a law has tiny entries.
    """
    for exponent in (44, 40, 36, 32, 28, 24, *range(20, 3, -1)):
        try:
            return build(2.0**-exponent)
        except GuaranteeBroken:
            continue
    raise InvalidParameter(
        "no integer table on this lattice keeps this budget; use a finer lattice, or another budget"
    )


def prove_table(table: Table, epsilon: float) -> float:
    """Check ε-LDP of a table whose rows are inputs: in each column, the largest weight against the least."""
    worst = Worst()
    for most, least in zip(
        table.weights.max(axis=0).tolist(), table.weights.min(axis=0).tolist(), strict=True
    ):
        worst.meet(most, least)
    return worst.prove(epsilon)


def proved_table(ideal: Callable[[float], Floats], epsilon: float) -> Table:
    """Return the integers of an ideal law ``ideal(budget)``, for the largest budget that keeps ε."""

    def build(retreat: float) -> Table:
        table = Table(to_integers(ideal(epsilon * (1 - retreat))))
        prove_table(table, epsilon)
        return table

    return closest_proved(build)


def exponential_law(losses: Floats, fall: float) -> Floats:
    """Return the law of a score mechanism: rows proportional to e^(−fall·loss/largest loss).

    >>> exponential_law(1.0 - np.eye(2), np.log(3)).round(6).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    most = losses.max()
    law = np.exp(-fall * (losses / most if most > 0 else losses))
    return np.asarray(law / law.sum(axis=1, keepdims=True))
