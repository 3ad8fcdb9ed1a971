"""The grid on which places are inferred: equal cells over the two axes of a space."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Circle, Floats
from noisewright.trajectory.reconstruction.embedding import Singles
from noisewright.trajectory.spaces.base import Space

__all__ = ["Grid", "Singles", "interval_of"]


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
        """How many cells there are."""
        return self.side**2

    def edges(self, axis: int) -> Floats:
        """The ends of the intervals into which an axis is cut."""
        domain = self.space.axes[axis]
        return np.asarray(domain.start + domain.length * np.arange(self.side + 1) / self.side)

    @property
    def around(self) -> tuple[bool, bool]:
        """Which axes wrap round."""
        return isinstance(self.space.axes[0], Circle), isinstance(self.space.axes[1], Circle)

    def cell_of(self, points: Floats) -> NDArray[np.int64]:
        """The cell that holds each point."""
        first, second = (
            interval_of(self.space.to_axes(points)[..., axis], self.space, axis, self.side) for axis in (0, 1)
        )
        return np.asarray(first * self.side + second)

    @cached_property
    def _middles(self) -> Floats:
        """The middle of each cell, in coordinates of the axes."""
        middles = [(ends[1:] + ends[:-1]) / 2 for ends in (self.edges(0), self.edges(1))]
        return np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, 2)

    @cached_property
    def centres(self) -> Floats:
        """A place for each cell: its middle, moved into the space; or the middle of its allowed points."""
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


def interval_of(values: Floats, space: Space, axis: int, count: int) -> NDArray[np.int64]:
    """Which of ``count`` equal intervals of an axis holds each value."""
    domain = space.axes[axis]
    place = np.floor((values - domain.start) / domain.length * count).astype(np.int64)
    return np.clip(place, 0, count - 1)
