"""From the posteriors of stays to an estimate of every point of every route.

The estimate is the place with the least expected distance from where somebody was.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.trajectory.reconstruction.grid import Grid, Singles, Trust, arcs, from_vectors
from noisewright.trajectory.reconstruction.journeys import Journey, Party
from noisewright.trajectory.reconstruction.likelihood import AT_ONCE
from noisewright.trajectory.reconstruction.model import Model
from noisewright.trajectory.routes import Routes

STEPS = 12
NEAREST = 6
"""Allowed points near the median that are compared; expected distance is convex, so the best is near it."""

CURVED = 1e6
"""Metres above which the way along the Earth is distinguished from the chord (0.1 % shorter here)."""


class Answers:
    """Estimates on one grid. Distances include the spread of places inside a cell, so they are never zero."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._origin = grid.vectors[grid.open].mean(axis=0)
        # relative to their middle, in lengths of the space, seven digits resolve every cell
        self._unit = grid.space.diameter
        self._curved = grid.space.units == "metres" and self._unit > CURVED
        self._cells = ((grid.vectors - self._origin) / self._unit).astype(np.float32)
        self._squares = (self._cells**2).sum(axis=1) + np.float32((grid.blur / self._unit) ** 2)

    def best(self, posteriors: Singles) -> Floats:
        """Return the places with the least expected distance, a vector for each row (Weiszfeld's steps)."""
        at = posteriors @ self._cells
        for _ in range(STEPS):
            pull = posteriors / self._distances(at)
            at = (pull @ self._cells) / pull.sum(axis=1, keepdims=True)
        if self._grid.points is not None:
            return self._best_allowed(posteriors, at)
        medians = at.astype(np.float64) * self._unit + self._origin
        return self._grid.space.embed(from_vectors(self._grid.space, medians))

    def expected_distance(self, posteriors: Singles, vectors: Floats) -> Floats:
        """Return the expected distance between a place, one for each row, and where the location is."""
        at = ((vectors - self._origin) / self._unit).astype(np.float32)
        distances = self._distances(at)
        if self._curved:
            distances = arcs(distances * np.float32(self._unit)) / np.float32(self._unit)
        return np.asarray((posteriors * distances).sum(axis=1) * self._unit, dtype=np.float64)

    def mass_within(self, posteriors: Singles, vectors: Floats, radius: float) -> Floats:
        """Return the probability that a location lies within a radius of a place, one for each row."""
        at = ((vectors - self._origin) / self._unit).astype(np.float32)
        near = self._distances(at) <= np.float32(radius / self._unit)
        return np.asarray((posteriors * near).sum(axis=1), dtype=np.float64)

    def points(self, vectors: Floats) -> Floats:
        """Return vectors as points of the space; among allowed points, the nearest."""
        if self._grid.points is None:
            return from_vectors(self._grid.space, vectors)
        return np.asarray(self._grid.points[self._tree.query(vectors)[1]])

    def nearest(self, points: Floats) -> Floats:
        """Return points of the space as they are; among allowed points, the nearest."""
        if self._grid.points is None:
            return points
        return self.points(self._grid.space.embed(points))

    def _distances(self, at: Singles) -> Singles:
        squares = self._squares - 2 * (at @ self._cells.T)
        squares += (at**2).sum(axis=1, keepdims=True)
        np.maximum(squares, np.float32((self._grid.blur / self._unit) ** 2), out=squares)
        return np.asarray(np.sqrt(squares, out=squares))

    def _best_allowed(self, posteriors: Singles, at: Singles) -> Floats:
        """Return the best of the allowed points that are nearest to the median."""
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


class Estimates:
    """Estimates of all points, filled in party by party."""

    def __init__(self, reports: Routes, grid: Grid, model: Model, trust: Trust | None) -> None:
        self._reports, self._answers = reports, Answers(grid)
        self._trust, self._max_speed = trust, model.max_speed
        self._kept = np.zeros(len(reports.points), dtype=np.bool_)
        self._space = grid.space
        anywhere = model.density.reshape(1, -1).astype(np.float32)
        usual = self._answers.best(anywhere)  # for routes without a single report
        self.vectors = np.repeat(usual, len(reports.points), axis=0)
        self.spread = np.repeat(self._answers.expected_distance(anywhere, usual), len(reports.points))

    def fill(self, party: Party, posteriors: Singles) -> None:
        """Fill in the estimates for the stays of a party."""
        vectors = self._answers.best(posteriors)
        spread = self._answers.expected_distance(posteriors, vectors)
        at = 0
        for journey in party.journeys:
            here = slice(at, at + len(journey.stays))
            self._fill_rows(journey, vectors[here], spread[here])
            if self._trust:
                self._keep(journey, posteriors[here], self._trust)
            at = here.stop

    def _fill_rows(self, journey: Journey, vectors: Floats, spread: Floats) -> None:
        """Put points between the middles of two stays on the way from one to the other."""
        if len(journey.stays) == journey.rows.size:
            self.vectors[journey.rows], self.spread[journey.rows] = vectors, spread
            return
        assert self._reports.times is not None
        assert self._max_speed is not None
        times, middles = self._reports.times[journey.rows], journey.stays.middles
        self.vectors[journey.rows] = _between(times, middles, vectors)
        # the posterior is that of the middle of a stay, from which people may have moved
        moved = self._max_speed * np.abs(times - middles[journey.stay_of_rows()])
        self.spread[journey.rows] = np.hypot(np.interp(times, middles, spread), moved)

    def _keep(self, journey: Journey, posteriors: Singles, trust: Trust) -> None:
        """Keep the reports that are trusted more than the grid."""
        stays = journey.stay_of_rows()
        at_once = max(1, AT_ONCE // posteriors.shape[1])
        for at in range(0, stays.size, at_once):
            rows, own = journey.rows[at : at + at_once], posteriors[stays[at : at + at_once]]
            places = self._space.embed(self._reports.points[rows])
            kept = rows[self._answers.mass_within(own, places, trust.radius) >= trust.mass]
            self._kept[kept], self.spread[kept] = True, np.minimum(self.spread[kept], trust.error)

    def fill_gaps(self, reported: NDArray[np.bool_]) -> None:
        """Put points without a report on the way between those that have one."""
        if reported.all():
            return
        clock = self._reports.times
        for begin, end in zip(self._reports.starts[:-1], self._reports.starts[1:], strict=True):
            rows = np.arange(begin, end)
            known, missing = rows[reported[rows]], rows[~reported[rows]]
            if known.size and missing.size:
                times = rows * 1.0 if clock is None else clock[begin:end]
                when, wanted = times[known - begin], times[missing - begin]
                self.vectors[missing] = _between(wanted, when, self.vectors[known])
                self.spread[missing] = np.interp(wanted, when, self.spread[known])

    def points(self) -> Floats:
        """Return the estimates as points of the space."""
        found = self._answers.points(self.vectors)
        if self._kept.any():
            found[self._kept] = self._answers.nearest(self._reports.points[self._kept])
        return found


def _between(wanted: Floats, when: Floats, vectors: Floats) -> Floats:
    return np.stack([np.interp(wanted, when, column) for column in vectors.T], axis=1)
