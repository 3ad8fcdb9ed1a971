"""How fine a grid should be: fine enough for the noise, and no finer than time and memory allow."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, hypot

import numpy as np
from numpy.typing import NDArray

from noisewright.mechanisms.piecewise import balanced_share
from noisewright.trajectory.coordinate import CoordinateMechanism
from noisewright.trajectory.reconstruction.grid import Grid
from noisewright.trajectory.reconstruction.stays import stays_of
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.tracs_c import TraCSC

LEAST, MOST, MOST_POLAR = 32, 96, 48
"""Cells along an axis; a report of TraCS-D costs a direction and a distance to every cell."""

CELLS_IN_A_WINDOW = 12
NARROW = 4
"""Below so many cells to a window the grid cannot see where in a window a location lies."""

NUMBERS = 4e8
"""Numbers, one for each stay and cell, that are worked through in well under a minute."""


def choose_side(
    mechanism: CoordinateMechanism, reports: Routes, reported: NDArray[np.bool_], max_speed: float | None
) -> int:
    """Cells along an axis: a dozen to the width of a window, unless there are too many stays for that."""
    most = MOST if isinstance(mechanism, TraCSC) else MOST_POLAR
    side = min(max(ceil(CELLS_IN_A_WINDOW / _window_share(mechanism)), LEAST), most)
    while side > LEAST:
        grid = Grid(mechanism.space, side)
        if _count_stays(reports, reported, longest_stay(grid, max_speed)) * side**2 <= NUMBERS:
            break
        side = max(side * 3 // 4, LEAST)
    return side


def _window_share(mechanism: CoordinateMechanism) -> float:
    """The share of an axis over which the narrower channel spreads most of its reports."""
    return min(balanced_share(channel.epsilon) for channel in mechanism.channels)


def longest_stay(grid: Grid, max_speed: float | None) -> float | None:
    """The seconds it takes to cross a cell at the speed limit."""
    return None if max_speed is None else min(grid.steps) / max_speed


@dataclass(frozen=True)
class Trust:
    """Which reports stay as they are: those with so much of the posterior within a radius of them."""

    radius: float
    mass: float
    error: float
    """How far off such reports are expected to be."""


def trust_in(mechanism: CoordinateMechanism, grid: Grid) -> Trust | None:
    """How far reports finer than the grid are trusted; none where the grid can place everything better.

    A place that holds half of a posterior is its geometric median. Where windows are narrower than a cell,
    hardly any report is far off, and one stays unless it is clearly contradicted.
    """
    cells = _window_share(mechanism) * grid.side
    if cells >= NARROW:
        return None
    radius = hypot(*grid.usual_steps) * (1.5 + cells / 2)
    return Trust(radius, 0.5 if cells > 1 else 0.05, mechanism.expected_error())


def _count_stays(reports: Routes, reported: NDArray[np.bool_], longest: float | None) -> int:
    if longest is None or reports.times is None:
        return int(reported.sum())
    return sum(len(stays_of(times, longest)) for times in _times(reports, reported))


def _times(reports: Routes, reported: NDArray[np.bool_]) -> list[NDArray[np.float64]]:
    assert reports.times is not None
    bounds = zip(reports.starts[:-1], reports.starts[1:], strict=True)
    kept = (reports.times[begin:end][reported[begin:end]] for begin, end in bounds)
    return [times for times in kept if times.size]
