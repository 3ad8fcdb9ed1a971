"""The binary form of a number: its binary exponent, its finest binary digit, and kinds of doubles.

A density may be right while the doubles that stand for it are wrong: noise near 0 is written with very fine
steps, but noise near −1 is not, so that a fine number near 0 cannot come from input 1 (Mironov 2012).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.encoding.encoder import Encoder, Features, NumberEncoder, as_numbers
from noisewright.domains import Floats

Places = NDArray[np.int64]

FRACTION_BITS = 52
FRACTION = np.uint64((1 << FRACTION_BITS) - 1)

EXPONENT_MASK = np.uint64(0x7FF)

BIAS = 1023
SUBNORMAL = 1 - BIAS
ZERO_GRAIN = 2048
"""Stands for the grain of 0, which is a multiple of every power of two, and of infinities and NaN."""


def exponents(values: Floats) -> Places:
    """Return the size of each number: the exponent of its highest binary digit, ⌊log₂|value|⌋.

    0 has −1075; infinities and NaN have 1024.

    >>> exponents(np.array([1.0, -0.75, 0.0, np.inf])).tolist()
    [0, -1, -1075, 1024]
    """
    _, size = np.frexp(np.where(np.isfinite(values), values, 0.0))
    found = size.astype(np.int64) - 1
    found[values == 0] = SUBNORMAL - FRACTION_BITS - 1
    found[~np.isfinite(values)] = BIAS + 1
    return found


def grains(values: Floats) -> Places:
    """Return the lattice of each number: the exponent of its lowest binary digit that is set.

    A double is an odd whole number times 2^grain, so it is a multiple of 2^g exactly if grain ≥ g.

    >>> grains(np.array([1.0, 12.0, 0.75, 0.1, 0.0])).tolist()
    [0, 2, -2, -55, 2048]
    """
    words = np.ascontiguousarray(values, dtype=np.float64).view(np.uint64)
    stored = (words >> np.uint64(FRACTION_BITS)) & EXPONENT_MASK
    digits = words & FRACTION
    digits[stored > 0] |= np.uint64(1 << FRACTION_BITS)  # normal numbers have a hidden leading digit
    unit = np.maximum(stored.astype(np.int64), 1) - BIAS - FRACTION_BITS
    lowest = digits & (~digits + np.uint64(1))  # alone it is a power of two, with an exact logarithm
    found = unit + np.frexp(lowest.astype(np.float64))[1].astype(np.int64) - 1
    found[(digits == 0) | (stored == EXPONENT_MASK)] = ZERO_GRAIN
    return found


LOOKS: Final[dict[str, Callable[[Floats], Places]]] = {"grain": grains, "exponent": exponents}
"""What is seen of each number: the lowest and the highest binary digit that is set."""


def look_name(look: str, title: str) -> str:
    """Return the name of a column, for a number that has a title of its own.

    >>> look_name("grain", "the output")
    'grain of the output'
    """
    return f"{look} of {title}"


# -- kinds of doubles ----------------------------------------------------------------------------------


MOST_CELLS = 2_000
MOST_REPEATED = 200
REPEATED_SHARE = 1e-3
"""A number that makes up this share of the rows is a kind of its own, not an accident of rounding."""

SHIFT = 4_096
"""Exponents and grains lie well within ± this, so that a kind packs into one whole number."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Codes of doubles by how they are written: first repeated numbers, then kinds, last any other.

    >>> cells = fit_cells(np.array([0.1, 0.2, 0.4, 1.0, -3.0] * 4))
    >>> cells.texts[0], len(cells.texts), cells.codes(np.array([0.1, 1e-300])).tolist()
    ('exactly -3.0', 6, [1, 5])
    """

    repeated: Floats
    kinds: Places

    @property
    def texts(self) -> tuple[str, ...]:
        """Each kind in words."""
        exact = [f"exactly {number!r}" for number in self.repeated.tolist()]
        return (*exact, *(_words(kind) for kind in self.kinds.tolist()), "any other number")

    def codes(self, values: Floats) -> Places:
        """Return the code of each number; numbers of a kind not seen while learning have the last."""
        found = _looked_up(self.kinds, kinds_of(values)) + len(self.repeated)
        if len(self.repeated):
            same = _looked_up(self.repeated, values)
            found = np.where(same < len(self.repeated), same, found)
        return found


def fit_cells(values: Floats) -> Cells:
    """Return the kinds that occur, at most two thousand of them, the most frequent ones."""
    usual = np.isfinite(values) & (values != 0)  # the two zeros are equal, and yet two kinds
    numbers, counts = np.unique(values[usual], return_counts=True)
    often = counts >= max(3, REPEATED_SHARE * len(values))
    repeated = numbers[often] if often.sum() <= MOST_REPEATED else numbers[:0]
    others = values[_looked_up(repeated, values) == len(repeated)]
    kinds, shares = np.unique(kinds_of(others), return_counts=True)
    return Cells(repeated, np.sort(kinds[np.argsort(-shares, kind="stable")[:MOST_CELLS]]))


def kinds_of(values: Floats) -> Places:
    """Return sign, size and lattice of each number, packed into one whole number."""
    packed = (exponents(values) + SHIFT) * (2 * SHIFT) + grains(values) + SHIFT
    return np.where(np.signbit(values), -packed, packed)


def _looked_up(known: NDArray[Any], wanted: NDArray[Any]) -> Places:
    """Return the place of each wanted value in a sorted list; the list's length if it is not there."""
    if not len(known):
        return np.zeros(len(wanted), dtype=np.int64)
    places = np.searchsorted(known, wanted)
    near = np.minimum(places, len(known) - 1)
    return np.where(known[near] == wanted, near, len(known)).astype(np.int64)


def _words(kind: int) -> str:
    size, grain = divmod(abs(kind), 2 * SHIFT)
    size, grain = size - SHIFT, grain - SHIFT
    if grain == ZERO_GRAIN:
        return f"exactly {'-' if kind < 0 else ''}0.0" if size < 0 else "not finite"
    low, high = (f"-{_power(size + 1)}", f"-{_power(size)}") if kind < 0 else (_power(size), _power(size + 1))
    return f"an odd multiple of 2^{grain} between {low} and {high}"


def _power(exponent: int) -> str:
    """Return a power of two in a familiar form, if there is one."""
    return f"{2.0**exponent:g}" if -4 <= exponent <= 16 else f"2^{exponent}"


# -- the encoder ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class BitEncoder(Encoder):
    """Adds to each number its grain and its binary exponent, so that scores can tell lattices apart.

    A single number also has a code: the kind of double it is (:class:`Cells`).
    The grain is the exponent of the lowest binary digit that is set: 2^-53 divides 1 + noise near 0, but
    seldom noise alone (Mironov 2012).

    >>> noise = np.random.default_rng(1).laplace(0, 10, 1000)[:, None]
    >>> BitEncoder.fit(noise, noise).columns
    ('the output', 'grain of the output', 'exponent of the output')
    """

    plain: NumberEncoder
    cells: Cells | None

    kind = "bits"
    exact = False

    @classmethod
    def fit(cls, left: Floats, right: Floats, listed: bool = False) -> Self:
        """Learn ranges and kinds of doubles from the fitting rows of both inputs."""
        cells = fit_cells(np.concatenate([left[:, 0], right[:, 0]])) if left.shape[1] == 1 else None
        plain = NumberEncoder.fit(left, right, listed)
        looks = [look_name(look, name) for look in LOOKS for name in plain.columns[: plain.width]]
        texts = None if cells is None else cells.texts
        return cls(plain.width, (*plain.columns, *looks), texts, plain, cells)

    def value_words(self, column: int, value: float) -> str | None:
        if column < len(self.plain.columns):
            return self.plain.value_words(column, value)
        return super().value_words(column, value)

    def features(self, outputs: Outputs) -> Features:
        numbers = as_numbers(outputs, self.width, self.plain.listed)
        table = self.plain.features(Outputs(numbers, listed=self.plain.listed)).table
        codes = None if self.cells is None else self.cells.codes(numbers[:, 0])
        looks = [look(numbers).astype(np.float64) for look in LOOKS.values()]
        return Features(np.column_stack([table, *looks]), codes)
