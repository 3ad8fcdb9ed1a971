"""From a posterior to an answer: the place with the least expected distance, and that distance."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.trajectory.reconstruction.embedding import arcs, from_vectors
from noisewright.trajectory.reconstruction.grid import Grid, Singles

STEPS = 12
NEAREST = 6
"""Allowed points around the median that are compared; expected distance is convex, so the best is near it."""


CURVED = 1e6
"""Metres from which on the way along the Earth is told from the chord (0.1 % shorter here)."""


class Answers:
    """Answers on one grid. Distances count the spread of places inside a cell, so they are never zero."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._origin = grid.vectors[grid.open].mean(axis=0)
        # around their middle, in lengths of the space, seven digits resolve every cell
        self._unit = grid.space.diameter
        self._curved = grid.space.units == "metres" and self._unit > CURVED
        self._cells = ((grid.vectors - self._origin) / self._unit).astype(np.float32)
        self._squares = (self._cells**2).sum(axis=1) + np.float32((grid.blur / self._unit) ** 2)

    def best(self, posteriors: Singles) -> Floats:
        """Vectors of the places with the least expected distance, one for each row (Weiszfeld's steps)."""
        at = posteriors @ self._cells
        for _ in range(STEPS):
            pull = posteriors / self._distances(at)
            at = (pull @ self._cells) / pull.sum(axis=1, keepdims=True)
        if self._grid.points is not None:
            return self._allowed(posteriors, at)
        medians = at.astype(np.float64) * self._unit + self._origin
        return self._grid.space.embed(from_vectors(self._grid.space, medians))

    def expected_distance(self, posteriors: Singles, vectors: Floats) -> Floats:
        """The expected distance between a place, one for each row, and where the location is."""
        at = ((vectors - self._origin) / self._unit).astype(np.float32)
        distances = self._distances(at)
        if self._curved:
            distances = arcs(distances * np.float32(self._unit)) / np.float32(self._unit)
        return np.asarray((posteriors * distances).sum(axis=1) * self._unit, dtype=np.float64)

    def mass_within(self, posteriors: Singles, vectors: Floats, radius: float) -> Floats:
        """The probability that a location lies within a radius of a place, one for each row."""
        at = ((vectors - self._origin) / self._unit).astype(np.float32)
        near = self._distances(at) <= np.float32(radius / self._unit)
        return np.asarray((posteriors * near).sum(axis=1), dtype=np.float64)

    def points(self, vectors: Floats) -> Floats:
        """Vectors as points of the space; among allowed points, the nearest."""
        if self._grid.points is None:
            return from_vectors(self._grid.space, vectors)
        return np.asarray(self._grid.points[self._tree.query(vectors)[1]])

    def nearest(self, points: Floats) -> Floats:
        """Points of the space as they are; among allowed points, the nearest."""
        if self._grid.points is None:
            return points
        return self.points(self._grid.space.embed(points))

    def _distances(self, at: Singles) -> Singles:
        squares = self._squares - 2 * (at @ self._cells.T)
        squares += (at**2).sum(axis=1, keepdims=True)
        np.maximum(squares, np.float32((self._grid.blur / self._unit) ** 2), out=squares)
        return np.asarray(np.sqrt(squares, out=squares))

    def _allowed(self, posteriors: Singles, at: Singles) -> Floats:
        """The best of the allowed points that are nearest to the median."""
        assert self._grid.points is not None
        places = self._grid.space.embed(self._grid.points)
        count = min(NEAREST, len(places))
        medians = at.astype(np.float64) * self._unit + self._origin
        near = self._tree.query(medians, k=[*range(1, count + 1)])[1]
        losses = [self.expected_distance(posteriors, places[near[:, k]]) for k in range(count)]
        best = np.argmin(losses, axis=0)
        return np.asarray(places[near[np.arange(len(near)), best]])

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree  # noqa: PLC0415  (scipy is slow to load)

        assert self._grid.points is not None
        return cKDTree(self._grid.space.embed(self._grid.points))
