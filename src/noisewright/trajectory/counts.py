"""Counts of a collection of private routes: what is asked, and what is found."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.report import Report, Reportable
from noisewright.statistics.intervals import CONFIDENCE
from noisewright.trajectory.aggregates import (
    Count,
    DensityMap,
    Hotspot,
    ODTable,
    count_inside,
    density_map,
    hotspots,
    origin_destination,
)
from noisewright.trajectory.aggregates.density import CELLS
from noisewright.trajectory.aggregates.regions import MOST, Grid, chart_of
from noisewright.trajectory.aggregates.sums import SILENT as SILENT_SHARE
from noisewright.trajectory.collection import Collection, read_evidence
from noisewright.trajectory.mechanisms import CellOracle, CellReports, TraCSD
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.routes.grids import check_cells

WIDE = (
    "Reports of TraCS-D leave these intervals wide; where counts matter more than single routes, collect "
    "with --for counts --grid CxR."
)

SILENT = (
    "These reports cannot answer how many locations lie in {which}: any number, or nearly any, agrees with "
    "them. To count places, collect with routes perturb --for counts --grid CxR, with more routes, or with a "
    "larger epsilon."
)

FEW = (
    "These reports cannot answer how many locations lie in {which}: any number, or nearly any, agrees with "
    "them. Collect with more routes, with fewer cells, or with a larger epsilon."
)

CUT = (
    "{what} cells of the {columns} × {rows} that were collected, and a person's place within a cell is not "
    "known. Choose left and right from {across}, and bottom and top from {up}."
)

MOST_EDGES = 17
"""Edges of cells that are listed one by one."""

NO_ESTIMATE = (
    "No estimate is printed where its interval is wider than the estimate and than a tenth of the total, or "
    "than nine tenths of the total: the reports do not determine it. Estimates are thus selected by width. "
    "The stated level is that of all intervals, those without an estimate included; of the others alone "
    "somewhat fewer may hold."
)

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class CountRequest:
    """What is asked, checked before any report is read.

    Args:
        regions: Boxes (left, bottom, right, top) in which locations are counted.
        grid: Columns and rows of a density map.
        zones: Columns and rows of the zones of a table of trips.
        named: Zones of a table of trips with their names, in place of ``zones``.
        top: How many of the fullest cells to list.
        level: How often intervals hold the truth.
    """

    regions: tuple[Box, ...] = ()
    grid: tuple[int, int] | None = None
    zones: tuple[int, int] | None = None
    named: tuple[tuple[str, Box], ...] = ()
    top: int | None = None
    level: float = 0.95

    def __post_init__(self) -> None:
        CONFIDENCE.check(self.level)
        for field, cells in (("grid", self.grid), ("zones", self.zones)):
            if cells is not None:
                check_cells(field, cells, MOST)
        if self.named and self.zones is not None:
            raise InvalidParameter("give `named` or `zones`, not both")
        if len(dict(self.named)) < len(self.named):
            raise InvalidParameter("`named` gives one name twice; each zone needs a name of its own")

    @property
    def questions(self) -> int:
        """The number of kinds of answers that there will be."""
        trips = self.zones is not None or bool(self.named)
        return bool(self.regions) + (self.grid is not None) + (self.top is not None) + trips

    @property
    def anything(self) -> bool:
        """Whether anything is asked."""
        return bool(self.regions or self.named) or any(
            part is not None for part in (self.grid, self.zones, self.top)
        )


@dataclass(frozen=True, eq=False)
class RouteCounts(Reportable):
    """The answers, each with its intervals; None for questions that were not asked.

    Attributes:
        collection: The reports that were counted.
        regions: Every box with its count.
        density: The density map.
        trips: The table of trips.
        hotspots: The fullest cells.
        level: How often intervals hold the truth.
        name: The name of the file that was counted.
    """

    collection: Collection | CellReports
    regions: tuple[tuple[Box, Count], ...]
    density: DensityMap | None
    trips: ODTable | None
    hotspots: tuple[Hotspot, ...] | None
    level: float
    name: str = "reports"

    @property
    def notes(self) -> list[str]:
        """What a reader must know to interpret the numbers."""
        found = [*(count for _, count in self.regions), self.density, self.trips]
        said = [part.assumption for part in found if part is not None]
        notes = [f"The intervals are {said[0]}."] if said else []
        notes += self._open_questions()
        if self.hotspots:
            notes.append(
                f"The intervals of all cells hold together in {100 * self.level:g} % of collections, so "
                "a hotspot is hardly ever called sure by mistake."
            )
        if isinstance(self.collection.mechanism, TraCSD):
            notes.append(WIDE)
        if not self.collection.private:
            notes.append(f"Randomness of the reports: {self.collection.randomness}.")
        return notes

    @property
    def caution(self) -> str | None:
        """The assumption behind the narrower intervals of regions and their estimates; None without any."""
        smooth = [count.smoothness for _, count in self.regions if count.smoothness is not None]
        if not smooth:
            return None
        return (
            f"CAUTION: the narrower interval, and the estimate in it, hold only {smooth[0]}. Where people "
            "gather in one spot it can miss the truth more often than it holds. The interval to the left of "
            "it holds wherever people are."
        )

    def _open_questions(self) -> list[str]:
        """Return the questions that the reports cannot answer."""
        silent = [place for place, (_, count) in enumerate(self.regions, 1) if not count.answered]
        notes = []
        if silent:
            one = f"region {silent[0]}" if len(silent) == 1 else f"{len(silent)} of the regions"
            notes.append(self._silent.format(which="the region" if len(self.regions) == 1 else one))
        if self.density is not None and float((self.density.high - self.density.low).min()) >= SILENT_SHARE:
            notes.append(self._silent.format(which="any of the cells"))
        notes += self._cut()
        missing = [count.estimate is None and count.answered for _, count in self.regions]
        tables = [part.estimate for part in (self.density, self.trips) if part is not None]
        if any(missing) or any(np.isnan(table).any() for table in tables):
            notes.append(NO_ESTIMATE)
        return notes

    @property
    def _silent(self) -> str:
        return FEW if isinstance(self.collection, CellReports) else SILENT

    def _cut(self) -> list[str]:
        """Return the edges that can be asked for, where a region cuts through reported cells."""
        if not isinstance(self.collection, CellReports):
            return []
        what = [] if all(count.unbiased for _, count in self.regions) else ["A region"]
        what += [] if self.trips is None or self.trips.unbiased else ["A zone"]
        columns, rows = self.collection.mechanism.cells
        across, up = _edges(self.collection.mechanism)
        return [
            CUT.format(what=f"{one} cuts", columns=columns, rows=rows, across=across, up=up) for one in what
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the answers in strict JSON values."""
        return {
            "private": self.collection.private,
            "level": self.level,
            "regions": [{"region": list(box), **count.to_dict()} for box, count in self.regions],
            "density": None if self.density is None else self.density.to_dict(),
            "origin_destination": None if self.trips is None else self.trips.to_dict(),
            "hotspots": None if self.hotspots is None else [spot.to_dict() for spot in self.hotspots],
            "caution": self.caution,
            "notes": self.notes,
        }

    def report(self) -> Report:
        """Describe the answers as a document."""
        from noisewright.trajectory.count_report import counts_report  # noqa: PLC0415  (it needs this module)

        return counts_report(self)


def _edges(mechanism: CellOracle) -> tuple[str, str]:
    """Return the edges of a mechanism's columns and of its rows, as map coordinates."""
    corners = Grid(chart_of(mechanism), mechanism.cells).outlines()
    lines = [*corners[:, 0, 0, 0], corners[-1, 0, 1, 0]], [*corners[0, :, 0, 1], corners[0, -1, 3, 1]]
    texts = [[f"{edge:.10g}" for edge in edges] for edges in lines]
    across, up = (edges if len(edges) <= MOST_EDGES else [*edges[:3], "…", edges[-1]] for edges in texts)
    return ", ".join(across), ", ".join(up)


def count_all(
    collection: Collection | CellReports,
    request: CountRequest | None = None,
    *,
    name: str = "reports",
    **asked: Any,
) -> RouteCounts:
    """Answer every question of a request from a collection whose reports are as they were drawn.

    Args:
        collection: The reports of locations or of cells.
        request: What is asked; by default made of ``asked``.
        name: The name of the file that holds them, for the report.
        asked: Fields of :class:`CountRequest`, such as ``grid=(8, 8)``.
    """
    request = request or CountRequest(**asked)
    reports, mechanism, level = reports_of(collection), collection.mechanism, request.level
    cells = request.grid or (mechanism.cells if isinstance(mechanism, CellOracle) else CELLS)
    trips = None
    if request.named:
        trips = origin_destination(reports, mechanism, zones=dict(request.named), level=level)
    elif request.zones is not None:
        trips = origin_destination(reports, mechanism, request.zones, level)
    return RouteCounts(
        collection,
        tuple((box, count_inside(reports, mechanism, box, level, smooth=True)) for box in request.regions),
        None if request.grid is None else density_map(reports, mechanism, cells, level),
        trips,
        None
        if request.top is None
        else tuple(hotspots(reports, mechanism, cells, top=request.top, level=level)),
        level,
        name,
    )


def reports_of(collection: Collection | CellReports) -> Routes | CellReports:
    """Return the reports alone: points that were filled in between them are not evidence."""
    if isinstance(collection, CellReports):
        return collection
    return collection.routes.select(collection.reported)


def read_countable(path: str | os.PathLike[str]) -> Collection | CellReports:
    """Read the reports of a file that can be counted: locations as they were drawn, or cells of a grid.

    Args:
        path: The file that holds them, or the folder of a run on a cluster.
    """
    from noisewright.trajectory.files.cells import is_cell_file, read_cells  # noqa: PLC0415  (slow to load)

    if Path(path).is_dir():
        from noisewright.trajectory.parts import read_parts  # noqa: PLC0415

        return read_parts(path)
    return read_cells(path) if is_cell_file(path) else read_evidence(path)[1]
