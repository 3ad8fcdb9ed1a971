"""Answers for rows: from the posteriors of stays to an estimate of every point of every route."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.trajectory.reconstruction.grid import Grid, Singles
from noisewright.trajectory.reconstruction.journeys import Journey, Party
from noisewright.trajectory.reconstruction.likelihood import AT_ONCE
from noisewright.trajectory.reconstruction.medians import Answers
from noisewright.trajectory.reconstruction.model import Model
from noisewright.trajectory.reconstruction.sides import Trust
from noisewright.trajectory.routes import Routes


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
        """Answer for the stays of a party."""
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
        """Points between the middles of two stays lie on the way from one to the other."""
        if len(journey.stays) == journey.rows.size:
            self.vectors[journey.rows], self.spread[journey.rows] = vectors, spread
            return
        assert self._reports.times is not None
        assert self._max_speed is not None
        times, middles = self._reports.times[journey.rows], journey.stays.middles
        self.vectors[journey.rows] = _between(times, middles, vectors)
        # the posterior is that of the middle of a stay, from where anybody may have moved on
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
        """Points without a report lie on the way between those that have one."""
        if reported.all():
            return
        clock = self._reports.times
        for begin, end in zip(self._reports.starts[:-1], self._reports.starts[1:], strict=True):
            rows = np.arange(begin, end)
            known, missing = rows[reported[rows]], rows[~reported[rows]]
            if known.size and missing.size:
                times = rows * 1.0 if clock is None else clock[begin:end]
                self._interpolate(known, missing, times[known - begin], times[missing - begin])

    def _interpolate(self, known: Cells, missing: Cells, when: Floats, wanted: Floats) -> None:
        self.vectors[missing] = _between(wanted, when, self.vectors[known])
        self.spread[missing] = np.interp(wanted, when, self.spread[known])

    def points(self) -> Floats:
        """The estimates as points of the space."""
        found = self._answers.points(self.vectors)
        if self._kept.any():
            found[self._kept] = self._answers.nearest(self._reports.points[self._kept])
        return found


def _between(wanted: Floats, when: Floats, vectors: Floats) -> Floats:
    return np.stack([np.interp(wanted, when, column) for column in vectors.T], axis=1)
