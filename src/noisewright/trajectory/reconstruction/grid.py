"""The grid on which places are inferred: equal cells over the two axes of a space, and their number.

Places are averaged as vectors whose differences are distances. Points of a flat space are such vectors
already. Longitudes and latitudes are not, least of all across the antimeridian or at a pole: they become
points of a ball in space, in metres, where a chord stands for the way along the surface. Averages of such
vectors lie a little below the surface and are lifted back to it.

A grid is fine enough for the noise, and no finer than time and memory allow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, hypot

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Circle, Floats
from noisewright.mechanisms.piecewise import balanced_share
from noisewright.trajectory.mechanisms import CoordinateMechanism, TraCSC
from noisewright.trajectory.reconstruction.journeys import stays_of
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Space
from noisewright.trajectory.spaces.base import interval_of
from noisewright.trajectory.spaces.earth import MEAN_RADIUS, wrap_longitude

Singles = NDArray[np.float32]
"""Arrays with a number for each report and cell are large, and seven digits are plenty for them."""


def from_vectors(space: Space, vectors: Floats) -> Floats:
    """Return the points of the space nearest to vectors: the way back from ``Space.embed``."""
    if space.units != "metres":
        return space.project(vectors)
    east = np.degrees(np.arctan2(vectors[..., 1], vectors[..., 0]))
    north = np.degrees(np.arctan2(vectors[..., 2], np.hypot(vectors[..., 0], vectors[..., 1])))
    return space.project(np.stack([wrap_longitude(east), north], axis=-1))


def arcs(chords: Singles) -> Singles:
    """Return distances along the surface of the Earth from chords through it."""
    return np.asarray(
        2 * MEAN_RADIUS * np.arcsin(np.minimum(chords / (2 * MEAN_RADIUS), 1)), dtype=np.float32
    )


@dataclass(frozen=True, eq=False)
class Grid:
    """``side`` × ``side`` cells; ``points``, if given, are the only places where anybody can be.

    Cells are numbered row by row: all cells of the first interval of the first axis come first.
    """

    space: Space
    side: int
    points: Floats | None = None

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.side**2

    def edges(self, axis: int) -> Floats:
        """Return the ends of the intervals into which an axis is cut."""
        domain = self.space.axes[axis]
        return np.asarray(domain.start + domain.length * np.arange(self.side + 1) / self.side)

    @property
    def around(self) -> tuple[bool, bool]:
        """Which axes wrap round."""
        return isinstance(self.space.axes[0], Circle), isinstance(self.space.axes[1], Circle)

    def cell_of(self, points: Floats) -> NDArray[np.int64]:
        """Return the cell that holds each point."""
        coordinates, (first, second) = self.space.to_axes(points), self.space.axes
        row = interval_of(coordinates[..., 0], first, self.side)
        return np.asarray(row * self.side + interval_of(coordinates[..., 1], second, self.side))

    @cached_property
    def _middles(self) -> Floats:
        """The middle of each cell, in coordinates of the axes."""
        middles = [(ends[1:] + ends[:-1]) / 2 for ends in (self.edges(0), self.edges(1))]
        return np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, 2)

    @cached_property
    def centres(self) -> Floats:
        """A place for each cell: its middle, moved into the space, or the middle of its allowed points."""
        if self.points is None:
            return self.space.from_axes(self._middles)
        cells, axes = self.cell_of(self.points), self._middles.copy()
        counts = np.maximum(np.bincount(cells, minlength=self.size), 1)
        offsets = self.space.to_axes(self.points) - axes[cells]
        for axis in (0, 1):
            axes[:, axis] += np.bincount(cells, offsets[:, axis], minlength=self.size) / counts
        return self.space.from_axes(axes)

    @cached_property
    def open(self) -> NDArray[np.bool_]:
        """Which cells hold a part of the space, or an allowed point."""
        if self.points is None:
            return np.asarray(self.cell_of(self.centres) == np.arange(self.size))
        return np.bincount(self.cell_of(self.points), minlength=self.size) > 0

    @cached_property
    def vectors(self) -> Floats:
        """The places of the cells as vectors that can be averaged."""
        return self.space.embed(self.centres)

    @cached_property
    def steps(self) -> tuple[float, float]:
        """The least distance of neighbouring cells along each axis, in the units of the space."""
        return self._gap(0, 0.0), self._gap(1, 0.0)

    @cached_property
    def usual_steps(self) -> tuple[float, float]:
        """The median distance of neighbouring cells along each axis: meridians meet at the poles."""
        return self._gap(0, 0.5), self._gap(1, 0.5)

    def _gap(self, axis: int, quantile: float) -> float:
        whole = replace(self, points=None)
        places = np.moveaxis(whole.centres.reshape(self.side, self.side, 2), axis, 0)
        inside = np.moveaxis(whole.open.reshape(self.side, self.side), axis, 0)
        gaps = self.space.distance(places[1:], places[:-1])[inside[1:] & inside[:-1]]
        gaps = gaps[gaps > 0]
        return float(np.quantile(gaps, quantile)) if gaps.size else self.space.diameter / self.side

    @cached_property
    def blur(self) -> float:
        """The root mean square distance of the places in a cell from its middle."""
        return float(np.hypot(*self.usual_steps) / np.sqrt(12))


LEAST, MOST, MOST_POLAR = 32, 96, 48
"""Least and most cells along an axis; a TraCS-D report needs a direction and a distance to every cell."""

CELLS_IN_A_WINDOW = 12
NARROW = 4
"""With fewer cells to a window than this, the grid cannot resolve where in a window a location lies."""

NUMBERS = 4e8
"""Numbers, one for each stay and cell, that can be processed in well under a minute."""


def choose_side(
    mechanism: CoordinateMechanism, reports: Routes, reported: NDArray[np.bool_], max_speed: float | None
) -> int:
    """Return the cells along an axis: a dozen to the width of a window, unless there are too many stays."""
    most = MOST if isinstance(mechanism, TraCSC) else MOST_POLAR
    side = min(max(ceil(CELLS_IN_A_WINDOW / _window_share(mechanism)), LEAST), most)
    while side > LEAST:
        grid = Grid(mechanism.space, side)
        if _count_stays(reports, reported, longest_stay(grid, max_speed)) * side**2 <= NUMBERS:
            break
        side = max(side * 3 // 4, LEAST)
    return side


def _window_share(mechanism: CoordinateMechanism) -> float:
    """Return the share of an axis over which the narrower channel spreads most of its reports."""
    return min(balanced_share(channel.epsilon) for channel in mechanism.channels)


def longest_stay(grid: Grid, max_speed: float | None) -> float | None:
    """Return the seconds it takes to cross a cell at the speed limit."""
    return None if max_speed is None else min(grid.steps) / max_speed


@dataclass(frozen=True)
class Trust:
    """The reports that stay as they are: those with a given posterior mass within a radius of them."""

    radius: float
    mass: float
    error: float
    """How far off such reports are expected to be."""


def trust_in(mechanism: CoordinateMechanism, grid: Grid) -> Trust | None:
    """Return which reports are trusted more than the grid; None where the grid places everything better.

    A place that holds half of a posterior is its geometric median. Where windows are narrower than a cell,
    hardly any report is far off, and a report stays unless it is clearly contradicted.
    """
    cells = _window_share(mechanism) * grid.side
    if cells >= NARROW:
        return None
    radius = hypot(*grid.usual_steps) * (1.5 + cells / 2)
    return Trust(radius, 0.5 if cells > 1 else 0.05, mechanism.expected_error())


def _count_stays(reports: Routes, reported: NDArray[np.bool_], longest: float | None) -> int:
    if longest is None or reports.times is None:
        return int(reported.sum())
    seen = reports.select(reported)
    assert seen.times is not None
    return sum(len(stays_of(times, longest)) for times in np.split(seen.times, seen.starts[1:-1]))
