"""The maximal hyperrectangle: the ball of the robustness radius, grown side by side (section 5.1).

The paper leaves open in which order sides grow. Here every side first tries to leap to the end of the unit
interval, so that features which hardly matter are settled before they could be in the way; then the sides
that were refused move, one after the other, as far as the test accepts while the others stay.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.utility.published.radius import ball, rounds
from noisewright.utility.published.robustness import Prober


def find_rectangles(prober: Prober, radii: Floats, precision: float = 0.01) -> tuple[Floats, Floats]:
    """The low and high corners of every record's rectangle in unit coordinates, one row a record."""
    growing = _Growing(prober, *ball(prober.records.units(), radii))
    sides = [(axis, goal) for axis in range(growing.low.shape[1]) for goal in (0.0, 1.0)]
    for axis, goal in sides:
        growing.leap(axis, goal)
    for axis, goal in sides:
        growing.push(axis, goal, precision)
    return growing.low, growing.high


class _Growing:
    """The rectangles of all records while their sides are pushed outward."""

    def __init__(self, prober: Prober, low: Floats, high: Floats) -> None:
        self.prober, self.low, self.high = prober, low, high

    def leap(self, axis: int, goal: float) -> Cells:
        """Move one side of every rectangle to its goal, 0 or 1, at once; returns who was refused."""
        side = self.high if goal else self.low
        moving = np.flatnonzero(side[:, axis] != goal)
        return moving[~self._try(moving, axis, goal, np.full(moving.size, goal))]

    def push(self, axis: int, goal: float, precision: float) -> None:
        """Move one side of every rectangle toward its goal as far as the test accepts."""
        side, moving = self.high if goal else self.low, self.leap(axis, goal)
        beyond = np.full(moving.size, goal)
        longest = float(np.abs(side[moving, axis] - goal).max(initial=0.0))
        for _ in range(rounds(longest, precision)):
            middle = (side[moving, axis] + beyond) / 2
            accepted = self._try(moving, axis, goal, middle)
            beyond = np.where(accepted, beyond, middle)

    def _try(self, which: Cells, axis: int, goal: float, ends: Floats) -> NDArray[np.bool_]:
        """Test rectangles with one side moved, and keep those that are accepted."""
        corners = {0.0: self.low[which], 1.0: self.high[which]}
        corners[goal][:, axis] = ends
        accepted = self.prober.test(which, corners[0.0], corners[1.0]).accepted
        side = self.high if goal else self.low
        side[which[accepted], axis] = ends[accepted]
        return accepted
