"""Make files of true routes private.

All decisions depend on public facts (``perturb_request.py``) and on the lengths of routes, which are public.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.progress import Status
from noisewright.randomness import SecureSource, Source
from noisewright.report import Report, Reportable
from noisewright.text import counted
from noisewright.trajectory.aggregates.regions import chart_of
from noisewright.trajectory.collection import Collection
from noisewright.trajectory.files import Coordinates, RouteFile, read_routes, write_routes
from noisewright.trajectory.files.route_file import kind_of
from noisewright.trajectory.mechanisms import CellOracle, CellReports, CoordinateMechanism, TraCSD
from noisewright.trajectory.perturb_request import KEEP, PerturbRequest, Points, public_points
from noisewright.trajectory.routes import CellGrid, PointSet, Routes
from noisewright.trajectory.routes.grids import check_cells
from noisewright.trajectory.spaces import Space

NO_GRID: Final = (
    "With --grid CxR the cells that matter are counted far more precisely. Without it, boxes can be chosen "
    "afterwards, but are counted with wide intervals."
)


@dataclass(frozen=True, eq=False)
class PerturbedRoutes(Reportable):
    """A file of private routes, or of reports of cells, and the reasons for its mechanism.

    Attributes:
        path: Where the file is.
        collection: The private routes, or the reports of cells.
        coordinates: The kind of the coordinates of the file.
        reasons: What was decided on the way, in sentences.
        named: Whether the routes kept their names.
        before: A remark on the input, if it came with a description.
    """

    path: Path
    collection: Collection | CellReports
    coordinates: Coordinates
    reasons: tuple[str, ...]
    named: bool
    before: str | None = None

    @property
    def routes(self) -> Routes | CellReports:
        """The reports, route by route."""
        return self.collection.routes if isinstance(self.collection, Collection) else self.collection

    @property
    def sizes(self) -> dict[str, int]:
        """The numbers of routes, points and reports; cells have no points between reports."""
        if isinstance(self.collection, CellReports):
            return {"routes": len(self.routes), "reports": len(self.collection.reports)}
        points, reports = len(self.collection.reported), int(self.collection.reported.sum())
        return {"routes": len(self.routes), "points": points, "reports": reports}

    @property
    def counts(self) -> str:
        """The sizes in words."""
        routes, reports = counted(self.sizes["routes"], "route"), self.sizes["reports"]
        points = self.sizes.get("points")
        if points is None:
            return f"{reports:,} reports of cells, of {routes}"
        said = f"{routes} of {points:,} points"
        return said if reports == points else f"{said} ({reports:,} reports, the rest filled in)"

    @property
    def unprotected(self) -> str:
        """What the reports do not hide."""
        times = "when each point was recorded, " if self.routes.times is not None else ""
        names = "the names of the routes (--names number leaves them out), " if self.named else ""
        return f"{times}{names}how many points each route has, and that the routes are there"

    @property
    def afterwards(self) -> list[str]:
        """What can and cannot be done with the file."""
        mechanism = self.collection.mechanism
        if isinstance(mechanism, CellOracle):
            return ["noisewright routes count; the reports can be counted but not reconstructed"]
        if self.collection.processed is not None:
            return ["rounded reports can be neither reconstructed nor counted; leave --round-to out for that"]
        if not isinstance(mechanism, CoordinateMechanism):
            return ["reports of --method optimal can be neither reconstructed nor counted; --method C can"]
        try:
            chart_of(mechanism)
        except InvalidParameter:
            degrees = self.coordinates == "lonlat"
            way = "--space, with --projection degrees if it is wide" if degrees else "--space"
            return [f"the reports can be reconstructed but not counted; for counts use {way}"]
        follows = isinstance(mechanism, TraCSD)
        return ["to reconstruct routes or count people, --method C is better"] if follows else []

    @property
    def warnings(self) -> list[str]:
        """What the promise does not cover."""
        return list(filter(None, [self.collection.budget.warning(self.routes.lengths)]))

    def to_dict(self) -> dict[str, Any]:
        """Return what was written in strict JSON values."""
        return {
            "output": str(self.path),
            **self.sizes,
            "private": self.collection.private,
            "reasons": list(self.reasons),
            "not_protected": self.unprotected,
            "warnings": self.warnings,
            **self.collection.to_dict(),
        }

    def report(self) -> Report:
        """Describe the file as a document, without the true routes."""
        from noisewright.trajectory.report import perturbed_report  # noqa: PLC0415  (it needs this module)

        return perturbed_report(self)


# -- doing it --------------------------------------------------------------------------------------


def perturb_file(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    space: Space | Callable[[Coordinates], Space],
    request: PerturbRequest | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    one_route: bool = False,
    replace_output: bool = False,
    source: Source | None = None,
    status: Status = lambda _: None,
    **asked: Any,
) -> PerturbedRoutes:
    """Randomize every location of a file of routes, and write routes that other tools can read.

    Args:
        path: The file of true routes: .csv, .parquet, .geojson or .gpx.
        output: Where the private routes go, in any of the same formats; cells go to .csv or .parquet.
        space: Where locations lie, or a function that returns it for "lonlat" or "plane" coordinates. It is
            public and must not come from the data.
        request: What is asked; by default made of ``asked``.
        columns: Which column is which, where its name is not a usual one (see ``read_routes``).
        one_route: Whether all points are one route, whatever columns the file has.
        replace_output: Whether a file that exists may be replaced; no by default.
        source: The randomness; by default a fresh secure stream.
        status: Called with what is being done.
        asked: Fields of :class:`PerturbRequest`, such as ``epsilon=8.0`` or ``per="route"``.
    """
    from noisewright.io.file_access import check_target  # noqa: PLC0415  (Arrow is slow to load)
    from noisewright.trajectory.files.cells import check_cell_file, write_cells  # noqa: PLC0415

    request = request or PerturbRequest(**asked)
    original, target = Path(path), Path(output)
    if request.grid is not None:
        check_cell_file(target)
    kind_of(target)
    check_target(target, original if original.exists() else None, replace=replace_output)
    file = read_routes(original, columns=columns, one_route=one_route)
    area = space if isinstance(space, Space) else space(file.coordinates)
    routes = file.routes
    if request.names != KEEP:  # numbers in the order of the file
        routes = replace(routes, names=tuple(str(number) for number in range(1, len(routes) + 1)))
    longest = int(routes.lengths.max())
    file = replace(file, routes=routes)
    drawn, reasons = draw_reports(request, file, area, longest, source or SecureSource(), status)
    if isinstance(drawn, CellReports):
        write_cells(target, drawn, replace=replace_output, original=original)
    else:
        write_routes(
            target,
            drawn.routes,
            coordinates=file.coordinates,
            about=drawn.to_dict(),
            reported=drawn.reported,
            replace=replace_output,
            original=original,
        )
    said, named = tuple(filter(None, reasons)), request.names == KEEP
    before = None if file.about is None else _before(original, file)
    return PerturbedRoutes(target, drawn, file.coordinates, said, named, before)


def draw_reports(
    request: PerturbRequest,
    file: RouteFile,
    space: Space,
    longest: int,
    source: Source,
    status: Status = lambda _: None,
) -> tuple[Collection | CellReports, list[str | None]]:
    """Randomize the routes of a file, or of a part of a larger table; returns what was decided, too.

    Args:
        request: What is asked.
        file: The true routes.
        space: Where locations lie.
        longest: The number of points of the longest route of the whole table.
        source: The randomness.
        status: Called with what is being done.
    """
    space.admit(file.routes.points, place=file.routes.place)
    draw = _draw_locations if request.grid is None else _draw_cells
    return draw(request, file, space, longest, source, status)


def _draw_cells(
    request: PerturbRequest, file: RouteFile, space: Space, longest: int, source: Source, _: Status
) -> tuple[CellReports, list[str | None]]:
    assert request.grid is not None
    routes = file.routes
    budget, thinning = request.budget(space, longest)
    mechanism = CellOracle(space, budget.of_location, request.grid)
    drawn = CellReports.draw(mechanism, budget, routes, source)
    columns, rows = request.grid
    reports = len(drawn.reports)
    why = (
        f"{mechanism.reason} From {reports:,} reports the share of each of the {columns} × {rows} cells "
        f"will be known to about ±{100 * mechanism.half_width(reports):.2g} points (95 %); other places, and "
        "routes, will not."
    )
    return drawn, [why, thinning]


def _draw_locations(
    request: PerturbRequest, file: RouteFile, space: Space, longest: int, source: Source, status: Status
) -> tuple[Collection, list[str | None]]:
    budget, thinning = request.budget(space, longest)
    mechanism, why = request.mechanism(space, budget.of_location, file.coordinates)
    status("· randomizing")
    drawn = Collection.draw(mechanism, budget, file.routes, source)
    if request.round_to is not None:
        drawn = _round_reports(drawn, request.round_to, file.coordinates)
    return drawn, [why, thinning, NO_GRID if request.purpose == "counts" else None]


def _round_reports(
    collection: Collection, to: tuple[int, int] | Points, coordinates: Coordinates
) -> Collection:
    """Move reports to the middles of cells or to the nearest public points; they are no longer evidence."""
    space = collection.mechanism.space
    if isinstance(to, tuple) and len(to) == 2 and all(isinstance(side, int) for side in to):
        target: CellGrid | PointSet = CellGrid(space, *check_cells("round_to", to))
        words = f"reports rounded to the middles of {to[0]} × {to[1]} cells"
    else:
        points = public_points(to, coordinates)
        target, words = PointSet(space, points), f"reports rounded to {len(points)} public points"
    moved = collection.routes.with_points(target.round(collection.routes.points))
    return replace(collection, routes=moved, processed=words)


def _before(path: Path, file: RouteFile) -> str:
    """Return a remark on an input that comes with a description."""
    try:
        private = Collection.of_file(file).private
    except NoisewrightError:
        private = False
    if private:
        return f"{path} already holds reports; randomizing them again spends no more privacy but adds noise"
    return f"{path} comes with a description, but that does not prove its points to be private"
