"""Kinds of doubles: numbers of one sign, size and lattice are one kind, repeated numbers their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.floating.anatomy import ZERO_GRAIN, Places, exponents, grains
from noisewright.domains import Floats

MOST_CELLS = 2_000
MOST_REPEATED = 200
REPEATED_SHARE = 1e-3
"""A number that makes up this share of the rows is no accident of rounding: it is a kind of its own."""

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
        """The code of each number; what was not seen when the kinds were learned has the last."""
        found = _looked_up(self.kinds, kinds_of(values)) + len(self.repeated)
        if len(self.repeated):
            same = _looked_up(self.repeated, values)
            found = np.where(same < len(self.repeated), same, found)
        return found


def fit_cells(values: Floats) -> Cells:
    """The kinds that occur, at most two thousand of them, the most frequent ones."""
    usual = np.isfinite(values) & (values != 0)  # equal are the two zeros, and two kinds
    numbers, counts = np.unique(values[usual], return_counts=True)
    often = counts >= max(3, REPEATED_SHARE * len(values))
    repeated = numbers[often] if often.sum() <= MOST_REPEATED else numbers[:0]
    others = values[_looked_up(repeated, values) == len(repeated)]
    kinds, shares = np.unique(kinds_of(others), return_counts=True)
    return Cells(repeated, np.sort(kinds[np.argsort(-shares, kind="stable")[:MOST_CELLS]]))


def kinds_of(values: Floats) -> Places:
    """Sign, size and lattice of each number, packed into one whole number."""
    packed = (exponents(values) + SHIFT) * (2 * SHIFT) + grains(values) + SHIFT
    return np.where(np.signbit(values), -packed, packed)


def _looked_up(known: NDArray[Any], wanted: NDArray[Any]) -> Places:
    """The place of each wanted thing in a sorted list; its length for what is not there."""
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
    """A power of two as people know it, if they do."""
    return f"{2.0**exponent:g}" if -4 <= exponent <= 16 else f"2^{exponent}"
