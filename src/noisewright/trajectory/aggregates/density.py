"""Density maps: the share of the collected locations in every cell of a grid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate.result import LEVEL
from noisewright.estimate.simplex import norm_sub
from noisewright.trajectory.aggregates.charts import chart_of
from noisewright.trajectory.aggregates.grid import Grid
from noisewright.trajectory.aggregates.likely import likely_shares
from noisewright.trajectory.aggregates.sums import ASSUMPTION, Sums, plain_numbers, worth_telling
from noisewright.trajectory.aggregates.weighing import blocks, weigher_of
from noisewright.trajectory.cells import CellOracle, CellReports
from noisewright.trajectory.location import LocationMechanism
from noisewright.trajectory.routes import Routes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CELLS = (12, 12)


@dataclass(frozen=True, eq=False)
class DensityMap:
    """Shares of the collected locations in the cells of a grid (columns × rows), with an interval each.

    ``raw`` inverts the noise cell by cell and may be negative, ``unbiased`` for reports of cells; ``likely``
    is the distribution that explains the reports best, for a map to look at; the intervals from ``low`` to
    ``high`` rest on neither. ``estimate`` is what to print, NaN where the reports do not tell. With
    ``simultaneous`` all of them hold together in a share ``level`` of collections, otherwise each by itself.
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
        return worth_telling(self.likely, self.low, self.high, 1.0)

    @cached_property
    def outlines(self) -> Floats:
        """The four corners of every cell as points of the space (columns × rows × 4 × 2)."""
        return self.grid.outlines()

    @cached_property
    def centres(self) -> Floats:
        """The middle of every cell as a point of the space (columns × rows × 2)."""
        return self.grid.centres()

    def to_dict(self) -> dict[str, Any]:
        """The map in plain JSON values; tables are lists of columns."""
        names = ("raw", "likely", "estimate", "low", "high")
        tables = {name: plain_numbers(getattr(self, name)) for name in names}
        words = {"level": self.level, "simultaneous": self.simultaneous, "assumption": self.assumption}
        grid = {
            "cells": list(self.grid.cells),
            "names": np.reshape(self.grid.names, self.grid.cells).tolist(),
        }
        return {**grid, "total": self.total, **tables, **words}

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the likely shares on a map; returns the matplotlib axes."""
        from noisewright.trajectory.map_drawing import plot_density  # noqa: PLC0415  (matplotlib is an extra)

        return plot_density(self, axes)


def density_map(
    reports: Routes | CellReports,
    mechanism: LocationMechanism | CellOracle,
    cells: tuple[int, int] = CELLS,
    level: float = LEVEL,
    *,
    simultaneous: bool = False,
) -> DensityMap:
    """The share of the true locations in each of ``cells`` = (columns, rows) equal cells of the space.

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
        raise InvalidParameter(_other_grid(*reports.mechanism.cells))
    sums = Sums.of(
        blocks(weigher, int(reports.starts[-1])), chained=weigher.chained, unbiased=weigher.unbiased
    )
    ends = sums.interval(level, weigher.regions if simultaneous else 1)
    low, high, raw = ((values / sums.count).reshape(grid.cells) for values in (*ends, sums.middle))
    if weigher.unbiased is not None:
        likely = norm_sub(raw.reshape(-1)).reshape(raw.shape)
    else:
        assert isinstance(mechanism, LocationMechanism)
        assert isinstance(reports, Routes)
        likely = likely_shares(mechanism, reports, grid)
    return DensityMap(
        grid,
        raw,
        likely,
        low,
        high,
        sums.count,
        level,
        simultaneous,
        unbiased=weigher.unbiased is not None,
    )


def _other_grid(columns: int, rows: int) -> str:
    return (
        f"the cells that were reported are those of a grid of {columns} × {rows}; ask for that one, or for "
        "one whose columns and rows divide them"
    )
