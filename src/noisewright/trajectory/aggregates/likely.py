"""The distribution over the cells of a grid that explains the reports best, for maps to look at.

It is the density that reconstruction starts from: smoothed expectation–maximization on a fine grid, no finer
than held-back reports justify. Intervals do not rest on it.
"""

from __future__ import annotations

import math

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.trajectory.aggregates.grid import Grid
from noisewright.trajectory.location import LocationMechanism
from noisewright.trajectory.reconstruction.axis_likelihood import AxisLikelihood
from noisewright.trajectory.reconstruction.density import learn_density
from noisewright.trajectory.reconstruction.grid import Grid as FineGrid
from noisewright.trajectory.reconstruction.likelihood import Likelihood
from noisewright.trajectory.reconstruction.polar_likelihood import PolarLikelihood
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.tracs_c import TraCSC
from noisewright.trajectory.tracs_d import TraCSD

FINE, FINEST = 48, 96
"""Cells along a side of the fine grid: at least the first, and a multiple of the map's up to the second."""

POLAR_SIDE, POLAR_REPORTS = 24, 10_000
"""For TraCS-D every report has a law of its own on every cell; a map needs no more of them."""


def likely_shares(mechanism: LocationMechanism, reports: Routes, grid: Grid) -> Floats:
    """The likely share of the locations in each cell (columns × rows)."""
    fine = FineGrid(mechanism.space, _side(mechanism, grid.cells))
    count = len(reports.points)
    most = POLAR_REPORTS if isinstance(mechanism, TraCSD) else count
    rows = np.unique(np.linspace(0, count - 1, min(count, most)).astype(np.int64))
    density = learn_density(_likelihood(mechanism, reports, fine), rows, fine)
    shares = np.zeros(grid.cells)
    column, row = np.moveaxis(grid.place(density.centres), -1, 0)
    np.add.at(shares, (column, row), density.cells)
    return shares


def _likelihood(mechanism: LocationMechanism, reports: Routes, fine: FineGrid) -> Likelihood:
    if isinstance(mechanism, TraCSC):
        return AxisLikelihood(mechanism, reports.points, fine)
    if isinstance(mechanism, TraCSD):
        return PolarLikelihood(mechanism, reports.points, mechanism.references(reports), fine)
    raise InvalidParameter("aggregates need the reports of TraCSC or TraCSD")


def _side(mechanism: LocationMechanism, cells: tuple[int, int]) -> int:
    """Cells along a side of the fine grid: whole multiples of the map's, if that is not too many."""
    least = POLAR_SIDE if isinstance(mechanism, TraCSD) else FINE
    common = math.lcm(*cells)
    return min(common * math.ceil(least / common), FINEST)
