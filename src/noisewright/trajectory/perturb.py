"""Files of true routes made private, and what was written.

Everything that is decided on the way rests on public things (``perturb_request.py``) and on the lengths of
routes, which are passed on in any case.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.progress import Status
from noisewright.randomness import SecureSource, Source
from noisewright.report import Report, Reportable
from noisewright.trajectory.aggregates.regions import chart_of
from noisewright.trajectory.collection import Collection
from noisewright.trajectory.files import Coordinates, RouteFile, read_routes, write_routes
from noisewright.trajectory.files.route_file import kind_of
from noisewright.trajectory.mechanisms import CellOracle, CellReports, CoordinateMechanism, TraCSD
from noisewright.trajectory.perturb_request import KEEP, PerturbRequest, Points, public_points
from noisewright.trajectory.routes import CellGrid, PointSet, Routes
from noisewright.trajectory.spaces import Space

NO_GRID: Final = (
    "With --grid CxR the cells that matter are counted far more precisely; without it, boxes that are chosen "
    "afterwards can be counted, with wide intervals."
)


@dataclass(frozen=True, eq=False)
class PerturbedRoutes(Reportable):
    """A file of private routes, and why its mechanism was taken.

    Attributes:
        path: Where the file is.
        collection: The private routes.
        coordinates: The kind of their coordinates.
        reasons: What was decided on the way, in sentences.
        named: Whether the routes kept their names.
        before: What the input said of itself, if it came with a description.
    """

    path: Path
    collection: Collection
    coordinates: Coordinates
    reasons: tuple[str, ...]
    named: bool
    before: str | None = None

    @property
    def counts(self) -> str:
        """How many routes and points there are."""
        routes, points = len(self.collection.routes), len(self.collection.routes.points)
        reports = int(self.collection.reported.sum())
        said = f"{routes:,} {'route' if routes == 1 else 'routes'} of {points:,} points"
        return said if reports == points else f"{said} ({reports:,} reports, the rest filled in)"

    @property
    def unprotected(self) -> str:
        """What the reports do not hide."""
        return _unprotected(timed=self.collection.routes.times is not None, named=self.named)

    @property
    def afterwards(self) -> list[str]:
        """What cannot be done with the file, said before anybody needs it."""
        mechanism = self.collection.mechanism
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
        return ["to reconstruct routes or count people, --method C tells more"] if follows else []

    @property
    def warnings(self) -> list[str]:
        """What the promise does not hold."""
        return list(filter(None, [self.collection.budget.warning(self.collection.routes.lengths)]))

    def to_dict(self) -> dict[str, Any]:
        """Return what was written in strict JSON values."""
        routes = self.collection.routes
        return {
            "output": str(self.path),
            "routes": len(routes),
            "points": len(routes.points),
            "reports": int(self.collection.reported.sum()),
            **_promise(self),
        }

    def report(self) -> Report:
        """Describe the file as a document; true routes are never looked at."""
        from noisewright.trajectory.report import perturbed_report  # noqa: PLC0415  (it needs this module)

        return perturbed_report(self)

    def __str__(self) -> str:
        from noisewright.report.terminal import render_text  # noqa: PLC0415  (only a reader needs it)

        return render_text(self.report())


@dataclass(frozen=True, eq=False)
class PerturbedCells(Reportable):
    """A file of reports of cells, and why its oracle was taken.

    Attributes:
        path: Where the file is.
        collection: The reports.
        reasons: What was decided on the way, in sentences.
        named: Whether the routes kept their names.
        before: What the input said of itself, if it came with a description.
    """

    path: Path
    collection: CellReports
    reasons: tuple[str, ...]
    named: bool
    before: str | None = None
    afterwards: list[str] = field(
        default_factory=lambda: [
            "noisewright routes count; the reports can be counted but not reconstructed"
        ],
        init=False,
    )

    @property
    def counts(self) -> str:
        """How many routes and reports there are."""
        routes, reports = len(self.collection), int(self.collection.starts[-1])
        return f"{reports:,} reports of cells, of {routes:,} {'route' if routes == 1 else 'routes'}"

    @property
    def unprotected(self) -> str:
        """What the reports do not hide."""
        return _unprotected(timed=self.collection.times is not None, named=self.named)

    @property
    def warnings(self) -> list[str]:
        """What the promise does not hold."""
        return list(filter(None, [self.collection.budget.warning(self.collection.lengths)]))

    def to_dict(self) -> dict[str, Any]:
        """Return what was written in strict JSON values."""
        sizes = {"routes": len(self.collection), "reports": int(self.collection.starts[-1])}
        return {"output": str(self.path), **sizes, **_promise(self)}

    def report(self) -> Report:
        """Describe the file as a document; reports of cells are no places, so it has no map."""
        from noisewright.trajectory.report import perturbed_report  # noqa: PLC0415  (it needs this module)

        return perturbed_report(self)

    def __str__(self) -> str:
        from noisewright.report.terminal import render_text  # noqa: PLC0415  (only a reader needs it)

        return render_text(self.report())


def _promise(found: PerturbedRoutes | PerturbedCells) -> dict[str, Any]:
    return {
        "private": found.collection.private,
        "reasons": list(found.reasons),
        "not_protected": found.unprotected,
        "warnings": found.warnings,
        **found.collection.to_dict(),
    }


def _unprotected(*, timed: bool, named: bool) -> str:
    times = "when each point was recorded, " if timed else ""
    names = "the names of the routes (--names number leaves them out), " if named else ""
    return f"{times}{names}how many points each route has, and that the routes are there"


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
) -> PerturbedRoutes | PerturbedCells:
    """Randomize every location of a file of routes, and write routes that other tools can read.

    Args:
        path: The file of true routes: .csv, .parquet, .geojson or .gpx.
        output: Where the private routes go, in any of the same formats; cells go to .csv or .parquet.
        space: Where locations lie, or a function that says so for "lonlat" or "plane" coordinates. It is
            public and must not come from the data.
        request: What is asked; by default made of ``asked``.
        columns: Which column is which where its name does not tell (see ``read_routes``).
        one_route: Whether all points are one route, whatever columns the file has.
        replace_output: Whether a file that exists may be replaced; no by default.
        source: The randomness; by default a fresh secure stream.
        status: Told what is being done.
        asked: Fields of :class:`PerturbRequest`, such as ``epsilon=8.0`` or ``per="route"``.
    """
    from noisewright.io.outputs import check_target  # noqa: PLC0415  (Arrow is slow to load)
    from noisewright.trajectory.files.cells import check_cell_file  # noqa: PLC0415

    request = request or PerturbRequest(**asked)
    original, target = Path(path), Path(output)
    if request.grid is not None:
        check_cell_file(target)
    kind_of(target)
    check_target(target, original if original.exists() else None, replace=replace_output)
    file = read_routes(original, columns=columns, one_route=one_route)
    area = space if isinstance(space, Space) else space(file.coordinates)
    routes = file.routes if request.names == KEEP else _numbered(file.routes)
    area.admit(routes.points, place=routes.place)
    work = (request, routes, area, source or SecureSource())
    found = _cells(target, *work) if request.grid is not None else _routes(target, file, *work, status)
    _write(found, original, replace_output=replace_output)
    return found if file.about is None else replace(found, before=_before(original, file))


def _numbered(routes: Routes) -> Routes:
    """Return the routes under numbers in the order of the file."""
    return replace(routes, names=tuple(str(number) for number in range(1, len(routes) + 1)))


def _cells(
    target: Path, request: PerturbRequest, routes: Routes, space: Space, source: Source
) -> PerturbedCells:
    assert request.grid is not None
    budget, thinning = request.budget(space, int(routes.lengths.max()))
    lengths = routes.lengths if budget.reports is None else routes.lengths.clip(max=budget.reports)
    mechanism, reports = CellOracle(space, budget.of_location, request.grid), int(lengths.sum())
    columns, rows = request.grid
    width = 100 * mechanism.half_width(reports)
    why = (
        f"{mechanism.reason} From {reports:,} reports the share of each of the {columns} × {rows} cells "
        f"will be known to about ±{width:.2g} points (95 %); other places, and routes, will not."
    )
    drawn = CellReports.draw(mechanism, budget, routes, source)
    return PerturbedCells(target, drawn, tuple(filter(None, [why, thinning])), request.names == KEEP)


def _routes(
    target: Path,
    file: RouteFile,
    request: PerturbRequest,
    routes: Routes,
    space: Space,
    source: Source,
    status: Status,
) -> PerturbedRoutes:
    budget, thinning = request.budget(space, int(routes.lengths.max()))
    mechanism, why = request.mechanism(space, budget.of_location, file.coordinates)
    status("· randomizing")
    drawn = Collection.draw(mechanism, budget, routes, source)
    if request.round_to is not None:
        drawn = _rounded(drawn, request.round_to, file.coordinates)
    reasons = [why, thinning, NO_GRID if request.purpose == "counts" else None]
    return PerturbedRoutes(
        target, drawn, file.coordinates, tuple(filter(None, reasons)), request.names == KEEP
    )


def _rounded(collection: Collection, to: tuple[int, int] | Points, coordinates: Coordinates) -> Collection:
    """Move reports to the middles of cells, or to the nearest of public points: no evidence any more."""
    space = collection.mechanism.space
    if isinstance(to, tuple) and len(to) == 2 and all(isinstance(side, int) for side in to):
        target: CellGrid | PointSet = CellGrid(space, *to)
        words = f"reports rounded to the middles of {to[0]} × {to[1]} cells"
    else:
        points = public_points(to, coordinates)
        target, words = PointSet(space, points), f"reports rounded to {len(points)} public points"
    moved = collection.routes.with_points(target.round(collection.routes.points))
    return replace(collection, routes=moved, processed=words)


def _write(found: PerturbedRoutes | PerturbedCells, original: Path, *, replace_output: bool) -> None:
    from noisewright.trajectory.files.cells import write_cells  # noqa: PLC0415  (Arrow is slow to load)

    if isinstance(found, PerturbedCells):
        write_cells(found.path, found.collection, replace=replace_output, original=original)
        return
    drawn = found.collection
    write_routes(
        found.path,
        drawn.routes,
        coordinates=found.coordinates,
        about=drawn.to_dict(),
        reported=drawn.reported,
        replace=replace_output,
        original=original,
    )


def _before(path: Path, file: RouteFile) -> str:
    """Return what to say of an input that comes with a description."""
    try:
        private = Collection.of_file(file).private
    except NoisewrightError:
        private = False
    if private:
        return f"{path} already holds reports; randomizing them again spends no more privacy but adds noise"
    return f"{path} comes with a description, but that does not show its points to be private"
