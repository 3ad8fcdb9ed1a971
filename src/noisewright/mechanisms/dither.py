"""Random rounding to evenly spaced knots, without bias."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.randomness import Stream

ROUNDING_BITS = 40


@dataclass(frozen=True)
class Knots:
    """``count`` knots from end to end of a domain of ``cells`` cells.

    A cell's centre lies between two knots; it is rounded up with the probability, a whole number of 2⁻⁴⁰,
    that makes its expectation the centre again.

    >>> Knots(cells=4, count=2).shares(0)   # the centre is one eighth of the way up
    [(0, 962072674304), (1, 137438953472)]
    """

    cells: int
    count: int

    def place(self, cells: Cells) -> tuple[Cells, Cells]:
        """The knot below each cell's centre, and how many of 2⁴⁰ positions round up from it."""
        below, rest = np.divmod((2 * np.asarray(cells) + 1) * (self.count - 1), 2 * self.cells)
        return below, (rest << ROUNDING_BITS) // (2 * self.cells)

    def shares(self, cell: int) -> list[tuple[int, int]]:
        """The two knots of a cell, each with its number of 2⁴⁰ positions."""
        below, up = (int(part) for part in self.place(np.array(cell)))
        return [(below, (1 << ROUNDING_BITS) - up), (below + 1, up)]

    def draw(self, cells: Cells, stream: Stream) -> Cells:
        """One of its two knots for each cell."""
        below, up = self.place(cells)
        position = stream.draw(cells.size) >> np.uint64(64 - ROUNDING_BITS)
        return np.asarray(below + (position.astype(np.int64) < up))

    def mix(self, rows: Floats, cells: Cells) -> Floats:
        """Rows that belong to the knots, mixed for each cell as rounding mixes them."""
        below, up = self.place(cells)
        share = (up / 2.0**ROUNDING_BITS)[..., None]
        return np.asarray((1 - share) * rows[below] + share * rows[below + 1])
