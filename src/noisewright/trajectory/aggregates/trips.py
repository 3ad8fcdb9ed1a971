"""Origins and destinations: how many routes begin in one zone and end in another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate.result import LEVEL
from noisewright.trajectory.aggregates.brackets import Bracket
from noisewright.trajectory.aggregates.charts import chart_of
from noisewright.trajectory.aggregates.grid import Grid
from noisewright.trajectory.aggregates.sums import ASSUMPTION, Sums
from noisewright.trajectory.aggregates.weighing import AT_ONCE, Weigher, weigher_of
from noisewright.trajectory.location import LocationMechanism
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.tracs_d import TraCSD

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ZONES = (4, 4)


@dataclass(frozen=True, eq=False)
class ODTable:
    """Numbers of routes from each zone (rows) to each zone (columns), with intervals.

    Zones are the cells of ``grid``, column by column: zone c·rows + r is column c, row r. Routes of one point
    begin where they end and are left out; ``total`` counts the others.
    """

    grid: Grid
    estimate: Floats
    low: Floats
    high: Floats
    total: int
    left_out: int
    level: float
    simultaneous: bool
    assumption: str = ASSUMPTION

    def to_dict(self) -> dict[str, Any]:
        """The table in plain JSON values."""
        tables = {name: getattr(self, name).tolist() for name in ("estimate", "low", "high")}
        counts = {"cells": list(self.grid.cells), "total": self.total, "left_out": self.left_out}
        words = {"level": self.level, "simultaneous": self.simultaneous, "assumption": self.assumption}
        return {**counts, **tables, **words}

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the table as a heat map; returns the matplotlib axes."""
        from noisewright.trajectory.drawing import plot_trips  # noqa: PLC0415  (matplotlib is an extra)

        return plot_trips(self, axes)


def origin_destination(
    reports: Routes,
    mechanism: LocationMechanism,
    cells: tuple[int, int] = ZONES,
    level: float = LEVEL,
    *,
    simultaneous: bool = False,
) -> ODTable:
    """How many routes truly lead from each zone to each, by the first and the last report of every route.

    The weights of both reports are multiplied, which multiplies their noise as well: a table of many zones
    needs many routes.

    >>> from noisewright.randomness import SeededSource
    >>> from noisewright.trajectory import Rectangle, TraCSC
    >>> mechanism = TraCSC(Rectangle(0, 0, 1, 1), epsilon=10.0)
    >>> commuters = Routes.of([[(0.1, 0.2), (0.8, 0.3)]] * 2000)
    >>> table = origin_destination(mechanism.perturb_routes(commuters, SeededSource(1)), mechanism, (2, 1))
    >>> bool(table.low[0, 1] > 1500), bool(table.high[1, 0] < 500)
    (True, True)
    """
    if isinstance(mechanism, TraCSD) and mechanism.follows:
        raise InvalidParameter(
            "origins and destinations need reports that do not refer to each other; "
            "use TraCSC, or TraCSD with a fixed reference"
        )
    grid = Grid(chart_of(mechanism), cells)
    trips = reports.lengths > 1
    if not trips.any():
        raise InvalidParameter(
            "origins and destinations need routes of two points or more; all have one point"
        )
    ends = _ends(reports, trips)
    weigher = weigher_of(mechanism, ends, grid.spans, factors=2)
    sums = Sums.of(_products(weigher, int(trips.sum())))
    zones = weigher.regions
    low, high = sums.interval(level, zones**2 if simultaneous else 1)
    low, high, middle = (values.reshape(zones, zones) for values in (low, high, sums.middle))
    left_out = int((~trips).sum())
    return ODTable(grid, np.clip(middle, low, high), low, high, sums.count, left_out, level, simultaneous)


def _ends(reports: Routes, trips: Any) -> Routes:
    """The first and the last report of every trip, as routes of two points."""
    first, last = reports.starts[:-1][trips], reports.starts[1:][trips] - 1
    rows = np.stack([first, last], axis=1).reshape(-1)
    names = tuple(str(number) for number in range(1, first.size + 1))
    return Routes(reports.points[rows], np.arange(first.size + 1) * 2, names)


def _products(weigher: Weigher, trips: int) -> Iterator[Bracket]:
    """The brackets of all pairs of zones, in blocks of trips."""
    step = max(AT_ONCE // weigher.regions**2, 1)
    for at in range(0, trips, step):
        rows = 2 * np.arange(at, min(at + step, trips))
        yield weigher.weigh(rows).times(weigher.weigh(rows + 1))
