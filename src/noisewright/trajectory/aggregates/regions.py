"""Regions of an aggregate: boxes on a map, and the cells of a grid, as spans of two coordinates.

The coordinates are those of a *chart*: for TraCS-C the two axes that are randomized, for TraCS-D the plane in
which directions and distances are taken. Intervals rest on the law of the reported coordinates. A space that
moves reports into itself afterwards (a disk, a polygon, a local map) loses some of them: it has no chart.

A box on a map need not be a box of the chart. So a span has two pairs of ends. Everybody in the region is
between the *outer* ends, and everybody between the *inner* ends of both coordinates is in the region. Where
the region is a box along the coordinates, both pairs are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from noisewright.domains import Cells, Circle, Floats, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.estimate.partition import equal_bins
from noisewright.trajectory.mechanisms import CellOracle, LocationMechanism, TraCSC, TraCSD
from noisewright.trajectory.routes.grids import cell_names, check_cells
from noisewright.trajectory.spaces import Chart, Flags, Space
from noisewright.trajectory.spaces.base import interval_of

Ends = tuple[float, float]


@dataclass(frozen=True)
class Span:
    """A stretch of a coordinate from low to high ≥ low; on a circle, onward, and high may be past a turn."""

    outer: Ends
    inner: Ends | None

    @classmethod
    def between(cls, low: float, high: float) -> Span:
        """Build a stretch whose ends are known exactly."""
        return cls((low, high), (low, high))

    def touched(self, domain: NumericDomain, cells: Cells) -> Flags:
        """Return which lattice cells hold a value that may be in the span."""
        first, length = _stretch(domain, self.outer)
        after = _after(domain, cells, first)
        return np.asarray((after >= 0) & (after <= length))

    def filled(self, domain: NumericDomain, cells: Cells) -> Flags:
        """Return which lattice cells hold only values that are surely in the span."""
        if self.inner is None:
            return np.zeros(cells.shape, dtype=np.bool_)
        low, high = self.inner
        first, length = _stretch(domain, self.inner)
        after = _after(domain, cells, first)
        if isinstance(domain, Circle):
            return np.asarray(((after > 0) & (after < length)) | (high - low >= domain.length))
        begun = (after > 0) | (low <= domain.start)
        return np.asarray(begun & ((after < length) | (high >= domain.start + domain.length)))

    def ends(self, domain: NumericDomain) -> Cells:
        """Return the lattice cells around the ends, where ``touched`` and ``filled`` change."""
        values = np.array([*self.outer, *(self.inner or ())])
        near = np.floor(domain.position(values)).astype(np.int64)[:, None] + np.array([-1, 0, 1])
        if isinstance(domain, Circle):
            return np.unique(near % domain.lattice)
        return np.unique(np.clip(near, 0, domain.lattice - 1))


def equal_spans(domain: NumericDomain, count: int) -> tuple[Span, ...]:
    """Cut a coordinate into equal spans."""
    return tuple(Span.between(low, high) for low, high in pairwise(equal_bins(domain, count).tolist()))


def _stretch(domain: NumericDomain, ends: Ends) -> tuple[int, int]:
    """Return the lattice cell of the low end, and how many cells further the high end lies."""
    low, high = np.floor(domain.position(np.array(ends))).astype(np.int64)
    return int(low), int(high - low)


def _after(domain: NumericDomain, cells: Cells, first: int) -> Cells:
    """Return how many cells after the first one each cell comes; on a circle, going round."""
    after = cells - first
    return np.asarray(after % domain.lattice if isinstance(domain, Circle) else after)


def chart_of(mechanism: LocationMechanism | CellOracle) -> Chart:
    """Return the chart in which a mechanism's reports are aggregated, or refuse and say what to use."""
    if not isinstance(mechanism, (TraCSC, TraCSD, CellOracle)):
        raise InvalidParameter(
            "aggregates need the reports of TraCSC, TraCSD or CellOracle, whose laws are known exactly"
        )
    chart = Chart(mechanism.space, isinstance(mechanism, TraCSD))
    if (chart.flat and mechanism.space.plane is None) or not chart.whole:
        raise InvalidParameter(
            f"reports in a space of kind {mechanism.space.kind} are moved after they were drawn and have "
            "no exact law; collect in a Rectangle or LonLatBox around it"
        )
    return chart


Region = tuple[float, float, float, float]

STEPS = 33
"""Points along each side of a region that are mapped into the chart."""


def spans_of(chart: Chart, region: Any, zone: str | None = None) -> tuple[Span, Span]:
    """Return the spans, from outside and inside, of a box (left, bottom, right, top) on the map.

    Refusals name the ``region``, or the ``zone`` if the box is one.
    """
    field, which = ("region", "") if zone is None else ("zone", f"{zone!r} ")
    left, bottom, right, top = _check_box(chart.space, region, field, which)
    step = np.linspace(0.0, 1.0, STEPS)
    across, up = left + (right - left) * step, bottom + (top - bottom) * step
    sides = {
        "low": (np.full(STEPS, left), up),
        "high": (np.full(STEPS, right), up),
        "bottom": (across, np.full(STEPS, bottom)),
        "top": (across, np.full(STEPS, top)),
    }
    drawn = {name: chart.to(chart.space.project(np.stack(side, axis=-1))) for name, side in sides.items()}
    ends = [("low", "high"), ("bottom", "top")]
    first, second = (
        _span(
            drawn[low][:, axis], drawn[high][:, axis], chart.domains[axis], (right - left, top - bottom)[axis]
        )
        for axis, (low, high) in enumerate(ends)
    )
    if first is None or second is None:
        raise InvalidParameter(
            f"{which}has no area inside the space; give a box that meets it, as left, bottom, right, top",
            field=field,
        )
    return first, second


def _check_box(space: Space, region: Any, field: str, which: str) -> Region:
    numbers = np.asarray(region, dtype=np.float64)
    if numbers.shape != (4,) or not np.isfinite(numbers).all():
        raise InvalidParameter(f"{which}must be four finite numbers: left, bottom, right, top", field=field)
    left, bottom, right, top = (float(number) for number in numbers)
    if right < left and space.names[0] == "longitude":
        right += 360.0  # a box across the antimeridian
    if not (left < right and bottom < top):
        raise InvalidParameter(
            f"{which}needs left < right and bottom < top, in this order: left, bottom, right, top",
            field=field,
        )
    return left, bottom, right, top


def _span(low: Floats, high: Floats, domain: NumericDomain, width: float) -> Span | None:
    """Return a span from the places of a region's two opposite sides, unless it has no width."""
    if isinstance(domain, Circle):  # a longitude, whose sides are meridians
        start = float(low[0])
        return Span.between(start, start + min(width, domain.length))
    slack = max(_bend(low), _bend(high))
    outer = float(low.min() - slack), float(high.max() + slack)
    inner = float(low.max() + slack), float(high.min() - slack)
    if outer[1] - outer[0] <= 2 * domain.pitch:
        return None
    return Span(outer, inner if inner[0] < inner[1] else None)


def _bend(side: Floats) -> float:
    """Return how far a side may lie from the chords between its points."""
    bend = np.abs(np.diff(side, 2)).max()
    return float(bend) if bend > 1e-12 * np.abs(side).max() else 0.0


MOST = 256
"""Most columns or rows: no channel distinguishes more, and a map shows no more."""


@dataclass(frozen=True)
class Grid:
    """A chart cut into equal cells: columns along its first coordinate, rows along its second."""

    chart: Chart
    cells: tuple[int, int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", check_cells("cells", self.cells, MOST))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the cells, column by column: A1 is the first column's top cell."""
        return cell_names(*self.cells)

    @property
    def spans(self) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        """The spans of columns and of rows."""
        (first, second), (columns, rows) = self.chart.domains, self.cells
        return equal_spans(first, columns), equal_spans(second, rows)

    @property
    def edges(self) -> tuple[Floats, Floats]:
        """The lines between columns and between rows, in coordinates of the chart."""
        (first, second), (columns, rows) = self.chart.domains, self.cells
        return equal_bins(first, columns), equal_bins(second, rows)

    def place(self, points: Floats) -> Cells:
        """Return the cell of each point: its column and its row."""
        coordinates = self.chart.to(points)
        sides = enumerate(zip(self.chart.domains, self.cells, strict=True))
        return np.stack([interval_of(coordinates[..., axis], *side) for axis, side in sides], axis=-1)

    def counts(self, points: Floats) -> Cells:
        """Return how many points lie in each cell."""
        column, row = self.place(points).T
        table = np.zeros(self.cells, dtype=np.int64)
        np.add.at(table, (column, row), 1)
        return table

    def centres(self) -> Floats:
        """Return the middle of each cell as a point of the space (columns × rows × 2)."""
        middles = [(edges[1:] + edges[:-1]) / 2 for edges in self.edges]
        return self.chart.back(np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1))

    def outlines(self) -> Floats:
        """Return the four corners of each cell as points of the space (columns × rows × 4 × 2), for maps."""
        first, second = self.edges
        corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
        grids = [
            np.stack(
                np.meshgrid(first[i : first.size - 1 + i], second[j : second.size - 1 + j], indexing="ij"), -1
            )
            for i, j in corners
        ]
        return self.chart.back(np.stack(grids, axis=-2))
