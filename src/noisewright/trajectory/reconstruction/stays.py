"""Stays: runs of a route's points that are so close in time that nobody can leave a cell between them.

At one point a second a car moves a few metres, and a cell is hundreds of metres wide. All reports of such a
run are evidence for one place, and together they tell far more than each alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Cells, Floats


@dataclass(frozen=True, eq=False)
class Stays:
    """A route cut into stays: the first row of each, counted from the route's first, and its middle time."""

    starts: Cells
    middles: Floats

    def __len__(self) -> int:
        return self.starts.size

    def sizes(self, rows: int) -> Cells:
        """How many of the route's rows each stay has."""
        return np.diff(np.append(self.starts, rows))

    def gaps(self) -> Floats:
        """Seconds between the middles of neighbouring stays."""
        return np.diff(self.middles)


def single_stays(count: int) -> Stays:
    """Every point its own stay, one after another: all that can be said without times."""
    return Stays(np.arange(count), np.arange(count, dtype=np.float64))


def stays_of(times: Floats, longest: float) -> Stays:
    """Cut a route into stays that last at most ``longest`` seconds; equal times are one stay.

    >>> stays_of(np.array([0.0, 1.0, 2.0, 3.0, 60.0]), longest=1.5).starts.tolist()
    [0, 2, 4]
    """
    starts = [0]
    while True:
        ahead = int(np.searchsorted(times, times[starts[-1]] + longest, side="right"))
        if ahead >= times.size:
            break
        starts.append(ahead)
    ends = np.array([*starts[1:], times.size]) - 1
    first = np.array(starts)
    return Stays(first, np.asarray((times[first] + times[ends]) / 2))
