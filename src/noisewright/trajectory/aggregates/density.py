"""Density maps: the share of the collected locations in every cell of a grid; hotspots are the fullest cells.

A map has two answers for a cell: an interval, and a likely share to look at. The likely shares come from the
density that reconstruction starts from: smoothed expectation–maximization on a grid no finer than held-back
reports justify. Intervals do not depend on it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate.result import LEVEL
from noisewright.parameters import is_number, whole
from noisewright.report import Report, Reportable, Section, Table, number
from noisewright.statistics.simplex import norm_sub
from noisewright.text import percent
from noisewright.trajectory.aggregates.regions import Grid, chart_of
from noisewright.trajectory.aggregates.sums import ASSUMPTION, informative_estimates, plain_numbers
from noisewright.trajectory.aggregates.weighers import weigher_of
from noisewright.trajectory.mechanisms import CellOracle, CellReports, LocationMechanism, TraCSC, TraCSD
from noisewright.trajectory.reconstruction.density import learn_density
from noisewright.trajectory.reconstruction.grid import Grid as FineGrid
from noisewright.trajectory.reconstruction.reconstruct import likelihood_of
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.routes.maps import draw_cells
from noisewright.trajectory.spaces.earth import Geographic
from noisewright.trajectory.spaces.lonlat_box import DegreeBox

if TYPE_CHECKING:
    from matplotlib.axes import Axes


CELLS = (12, 12)


@dataclass(frozen=True, eq=False)
class DensityMap(Reportable):
    """Shares of the collected locations in the cells of a grid (columns × rows), with an interval each.

    Attributes:
        grid: The cells.
        raw: The noise inverted cell by cell. Raw shares may be negative; those of cell reports are unbiased.
        likely: The distribution that explains the reports best, for a map to look at.
        low: The low ends of the intervals, which depend on neither of the two.
        high: Their high ends.
        total: The number of collected locations.
        level: The confidence level of the intervals.
        simultaneous: Whether all intervals hold together, and not each by itself.
        assumption: The assumption behind the intervals.
        unbiased: Whether the raw shares are unbiased.
    """

    grid: Grid
    raw: Floats
    likely: Floats
    low: Floats
    high: Floats
    total: int
    level: float
    simultaneous: bool
    assumption: str = ASSUMPTION
    unbiased: bool = False

    @property
    def estimate(self) -> Floats:
        """The unbiased shares, within 0 and 1; or the likely ones, where the interval is narrow enough."""
        if self.unbiased:
            return np.clip(self.raw, self.low, self.high)
        return informative_estimates(self.likely, self.low, self.high, 1.0)

    @cached_property
    def outlines(self) -> Floats:
        """The four corners of every cell as points of the space (columns × rows × 4 × 2)."""
        return self.grid.outlines()

    @cached_property
    def centres(self) -> Floats:
        """The middle of every cell as a point of the space (columns × rows × 2)."""
        return self.grid.centres()

    def to_dict(self) -> dict[str, Any]:
        """Return the map in plain JSON values; tables are lists of columns."""
        names = ("raw", "likely", "estimate", "low", "high")
        tables = {name: plain_numbers(getattr(self, name)) for name in names}
        words = {"level": self.level, "simultaneous": self.simultaneous, "assumption": self.assumption}
        grid = {
            "cells": list(self.grid.cells),
            "names": np.reshape(self.grid.names, self.grid.cells).tolist(),
        }
        return {**grid, "total": self.total, **tables, **words}

    def report(self) -> Report:
        """Describe the map as a document: the fullest cells."""
        order = np.argsort(-self.likely.reshape(-1), kind="stable")[:TOP].tolist()
        columns = [values.reshape(-1)[order].tolist() for values in (self.likely, self.low, self.high)]
        cells = [[number(percent(each), exact=each) for each in row] for row in zip(*columns, strict=True)]
        rows = [[self.grid.names[place], *row] for place, row in zip(order, cells, strict=True)]
        caption = f"The fullest cells, with {100 * self.level:g} % intervals"
        table = Table(caption, ["cell", "most likely share", "low", "high"], rows)
        lead = f"{self.likely.size} cells with shares of {self.total:,} locations."
        return Report("Density map", lead, [Section("Cells", [table])], "routes count", self.to_dict())

    def __str__(self) -> str:
        return f"shares of {self.total:,} locations in {self.likely.size} cells, with intervals"

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the likely shares on a map; returns the matplotlib axes."""
        space, outlines = self.grid.chart.space, self.outlines
        if isinstance(space, DegreeBox):
            outlines = space.unwrap(outlines)
        degrees = isinstance(space, Geographic)
        return draw_cells(outlines.reshape(-1, 4, 2), self.likely.reshape(-1), degrees=degrees, axes=axes)


def density_map(
    reports: Routes | CellReports,
    mechanism: LocationMechanism | CellOracle,
    cells: tuple[int, int] = CELLS,
    level: float = LEVEL,
    *,
    simultaneous: bool = False,
) -> DensityMap:
    """Return the share of the true locations in each of several equal cells of the space.

    Args:
        reports: The reports, all as they were drawn.
        mechanism: The mechanism that drew them.
        cells: Columns and rows of the grid.
        level: The confidence level of the intervals.
        simultaneous: Whether all intervals shall hold together; default: each by itself.

    >>> import numpy as np
    >>> from noisewright.randomness import SeededSource
    >>> from noisewright.trajectory import Rectangle, TraCSC
    >>> mechanism = TraCSC(Rectangle(0, 0, 1, 1), epsilon=8.0)
    >>> reports = Routes.of([mechanism.perturb(np.full((2000, 2), 0.1), SeededSource(1))])
    >>> found = density_map(reports, mechanism, cells=(3, 3))
    >>> found.likely.round(1).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    grid = Grid(chart_of(mechanism), cells)
    weigher = weigher_of(mechanism, reports, grid.spans)
    if isinstance(reports, CellReports) and weigher.unbiased is None:
        columns, rows = reports.mechanism.cells
        raise InvalidParameter(
            f"the cells that were reported are those of a grid of {columns} × {rows}; ask for that one, or "
            "for one whose columns and rows divide them"
        )
    sums = weigher.sums(int(reports.starts[-1]))
    ends = sums.interval(level, weigher.regions if simultaneous else 1)
    low, high, raw = ((values / sums.count).reshape(grid.cells) for values in (*ends, sums.middle))
    if weigher.unbiased is not None:
        likely = norm_sub(raw.reshape(-1)).reshape(raw.shape)
    else:
        assert isinstance(mechanism, TraCSC | TraCSD)
        assert isinstance(reports, Routes)
        likely = likely_shares(mechanism, reports, grid)
    shares = grid, raw, likely, low, high, sums.count
    return DensityMap(*shares, level, simultaneous, unbiased=weigher.unbiased is not None)


def likely_shares(mechanism: TraCSC | TraCSD, reports: Routes, grid: Grid) -> Floats:
    """Return the likely share of the locations in each cell (columns × rows)."""
    least, common = POLAR_SIDE if isinstance(mechanism, TraCSD) else FINE, math.lcm(*grid.cells)
    fine = FineGrid(mechanism.space, min(common * math.ceil(least / common), FINEST))
    count = len(reports.points)
    most = POLAR_REPORTS if isinstance(mechanism, TraCSD) else count
    rows = np.unique(np.linspace(0, count - 1, min(count, most)).astype(np.int64))
    likelihood = likelihood_of(mechanism, reports, fine, np.ones(count, dtype=np.bool_))
    density = learn_density(likelihood, rows, fine)
    shares = np.zeros(grid.cells)
    column, row = np.moveaxis(grid.place(density.centres), -1, 0)
    np.add.at(shares, (column, row), density.cells)
    return shares


FINE, FINEST = 48, 96
"""Least and most cells along a side of the fine grid, which is a multiple of the map's."""


POLAR_SIDE, POLAR_REPORTS = 24, 10_000
"""Most cells along a side and reports used for TraCS-D, where each report has its own law on every cell."""


# -- hotspots --------------------------------------------------------------------------------------

TOP = 10


@dataclass(frozen=True)
class Hotspot:
    """A cell with many of the locations: its share, an interval, and whether it is surely above a threshold.

    The intervals of all cells of the map, shown or not, hold together in a stated share of collections. So
    a hotspot is hardly ever called ``sure`` by mistake.

    Attributes:
        name: The name of the cell on the map.
        cell: Its column and row, from 0.
        centre: Its middle, a point of the space.
        share: Its share of the locations; None where the reports do not determine it.
        low: The low end of its interval.
        high: The high end.
        threshold: The share above which a hotspot is sure.
    """

    name: str
    cell: tuple[int, int]
    centre: tuple[float, float]
    share: float | None
    low: float
    high: float
    threshold: float

    @property
    def sure(self) -> bool:
        """Whether the whole interval lies above the threshold."""
        return self.low > self.threshold

    def to_dict(self) -> dict[str, Any]:
        """Return the hotspot in plain JSON values."""
        return {**vars(self), "cell": list(self.cell), "centre": list(self.centre), "sure": self.sure}


def hotspots(
    reports: Routes | CellReports,
    mechanism: LocationMechanism | CellOracle,
    cells: tuple[int, int] = CELLS,
    *,
    top: int | None = None,
    share: float | None = None,
    level: float = LEVEL,
) -> list[Hotspot]:
    """Return the fullest cells by their likely share, most first.

    Args:
        reports: The reports, all as they were drawn.
        mechanism: The mechanism that drew them.
        cells: Columns and rows of the grid.
        top: How many cells to return; 10 by default, or all with the ``share`` if that is given.
        share: The share of the locations that a hotspot has at least, and the threshold of a sure one; by
            default the threshold is the share of an even spread.
        level: The confidence level of all intervals together.

    >>> from noisewright.randomness import SeededSource
    >>> from noisewright.trajectory import Rectangle, TraCSC
    >>> mechanism = TraCSC(Rectangle(0, 0, 1, 1), epsilon=8.0)
    >>> reports = Routes.of([mechanism.perturb(np.full((2000, 2), 0.2), SeededSource(1))])
    >>> [(spot.cell, spot.sure) for spot in hotspots(reports, mechanism, (2, 2), share=0.5)]
    [((0, 0), True)]
    """
    if share is not None and not (is_number(share) and 0 < share < 1):
        raise InvalidParameter(f"must be a number between 0 and 1, got {share!r}", field="share")
    found = density_map(reports, mechanism, cells, level, simultaneous=True)
    threshold = 1 / found.likely.size if share is None else float(share)
    order = np.argsort(-found.likely, axis=None, kind="stable")
    if top is not None or share is None:
        order = order[: whole("top", TOP if top is None else top, 1, 1 << 16)]
    if share is not None:
        order = order[found.likely.reshape(-1)[order] >= threshold]
    return [_hotspot(found, int(place), threshold) for place in order]


def _hotspot(found: DensityMap, place: int, threshold: float) -> Hotspot:
    column, row = np.unravel_index(place, found.likely.shape)
    x, y = found.centres[column, row]
    low, high = float(found.low[column, row]), float(found.high[column, row])
    estimate = float(found.estimate[column, row])
    name, share = found.grid.names[place], None if np.isnan(estimate) else estimate
    return Hotspot(name, (int(column), int(row)), (float(x), float(y)), share, low, high, threshold)
