"""``noisewright routes perturb``: randomize every location of a file of routes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.common import print_json, print_text, say, status_of
from noisewright.cli.html import HtmlOption, check_html, write_html
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.routes_budgets import BudgetRequest
from noisewright.cli.routes_cells import NO_GRID, CellRequest
from noisewright.cli.routes_files import check_routes_output, read_file, read_points
from noisewright.cli.routes_mechanisms import MechanismRequest
from noisewright.cli.routes_options import (
    ColumnOption,
    DiskOption,
    EpsilonOption,
    GlobeOption,
    OneRouteOption,
    PointsOption,
    PolygonOption,
    ProjectionOption,
    QuietOption,
    SeedOption,
    SpaceOption,
)
from noisewright.cli.routes_rounding import rounded
from noisewright.cli.routes_spaces import SpaceRequest
from noisewright.cli.targets import ForceOption
from noisewright.errors import InvalidParameter, NoisewrightError

if TYPE_CHECKING:
    from noisewright.pages.route_release import CellRelease, Release
    from noisewright.randomness import Source
    from noisewright.trajectory.cells import CellReports
    from noisewright.trajectory.collection import Collection
    from noisewright.trajectory.files import RouteFile
    from noisewright.trajectory.routes import Routes
    from noisewright.trajectory.spaces import Space


def perturb(
    trips: Annotated[
        Path, typer.Argument(metavar="TRIPS", help="True routes: .csv, .parquet, .geojson or .gpx.")
    ],
    epsilon: EpsilonOption,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Where the private routes go, in any of the same formats."),
    ],
    space: SpaceOption = None,
    disk: DiskOption = None,
    polygon: PolygonOption = None,
    globe: GlobeOption = False,
    projection: ProjectionOption = "auto",
    purpose: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="reconstruction | counts | single",
            help="What the reports are for: routes that will be reconstructed (and counted roughly), counts "
            "of places, or single reports that are as near as can be; otherwise reconstruction.",
        ),
    ] = None,
    grid: Annotated[
        str | None,
        typer.Option(
            metavar="CxR",
            help="With --for counts: the cells that will be counted. Each location's cell is reported "
            "through the best oracle for labels, which counts best and tells nothing else.",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="auto | C | D | optimal",
            help="TraCS-C along the axes, TraCS-D by direction and distance, or the best law for the few "
            "--points; auto takes C, and for single reports the one with the less expected error.",
        ),
    ] = "auto",
    split: Annotated[
        str,
        typer.Option(
            metavar="best | even | heuristic | SHARE",
            help="The share of the budget for the first coordinate (C) or the direction (D).",
        ),
    ] = "best",
    channel: Annotated[
        str, typer.Option(metavar="NAME", help="The mechanism of each coordinate: OGPM, SW, PM, optimal, ...")
    ] = "OGPM",
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="previous | centre | X,Y",
            help="What directions of TraCS-D are taken from; the better of previous and centre if not given.",
        ),
    ] = None,
    points: PointsOption = None,
    per: Annotated[
        str, typer.Option(metavar="location | route", help="What the budget protects: each location, or all.")
    ] = "location",
    reports: Annotated[
        str | None,
        typer.Option(
            metavar="N | auto",
            help="Report at most so many points of a route and fill in the others; with --per route, auto "
            "finds how many are worth it.",
        ),
    ] = None,
    step: Annotated[
        float | None,
        typer.Option(
            metavar="METRES", help="How far people usually move between two points, for --reports auto."
        ),
    ] = None,
    round_to: Annotated[
        str | None,
        typer.Option(
            metavar="FILE | CxR",
            help="Move reports to the nearest of public points, or to the middles of cells, for tools that "
            "need that. Such files can no longer be reconstructed or counted.",
        ),
    ] = None,
    names: Annotated[
        str, typer.Option(metavar="keep | number", help="Whether routes keep their names or get numbers.")
    ] = "keep",
    column: ColumnOption = None,
    one_route: OneRouteOption = False,
    seed: SeedOption = None,
    force: ForceOption = False,
    html: HtmlOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Randomize every location of a file of routes, and write routes that other tools can read.

    Times, names and the number of points of each route are passed on; everything else in the file is not.

    noisewright routes perturb trips.geojson --epsilon 8 --per route --reports 3
    --space 139.47,35.51,139.90,35.86 -o private.geojson
    """
    # Arrow and the mechanisms take a moment to load, which --help need not wait for.
    from noisewright.pages.route_release import CellRelease, Release  # noqa: PLC0415
    from noisewright.trajectory.cell_files import write_cells  # noqa: PLC0415
    from noisewright.trajectory.collection import Collection  # noqa: PLC0415
    from noisewright.trajectory.files import write_routes  # noqa: PLC0415

    check_html(html, replace=force)
    where = SpaceRequest(space, disk, polygon, globe, projection).needed()
    budgeted = BudgetRequest(epsilon, per, reports, step)
    wanted = MechanismRequest(method, split, channel, reference, points, purpose)
    of_places = {
        "--method": method != "auto", "--split": split != "best", "--channel": channel != "OGPM",
        "--reference": reference is not None, "--points": points is not None,
        "--round-to": round_to is not None, "--step": step is not None,
    }  # fmt: skip
    counted = CellRequest.of(grid, purpose, output, of_places)
    check_routes_output(output, trips, force=force)
    file = read_file(trips, column, one_route=one_route)
    routes, area = _named(file.routes, names), where.build(file.coordinates)
    area.admit(routes.points, place=routes.place)
    if counted is not None:
        cells, reasons = _cells(counted, budgeted, area, routes, seed)
        write_cells(output, cells, replace=force, original=trips)
        _notices(trips, output, file, cells)
        _show(CellRelease(output, cells, reasons, names == "keep"), trips, html, as_json=as_json, quiet=quiet)
        return
    with status_of("Choosing the mechanism", quiet=quiet or as_json) as status:
        budget, thinning = budgeted.build(area, int(routes.lengths.max()))
        public = read_points(points, file.coordinates)
        mechanism, why = wanted.build(area, budget.of_location, public)
        status("· randomizing")
        drawn = Collection.draw(mechanism, budget, routes, _source(seed))
    if round_to is not None:
        drawn = rounded(drawn, round_to, file.coordinates)
    write_routes(
        output,
        drawn.routes,
        coordinates=file.coordinates,
        about=drawn.to_dict(),
        reported=drawn.reported,
        replace=force,
        original=trips,
    )
    _notices(trips, output, file, drawn)
    told = [why, thinning, NO_GRID if purpose == "counts" else None]
    release = Release(output, drawn, file.coordinates, tuple(filter(None, told)), names == "keep")
    _show(release, trips, html, as_json=as_json, quiet=quiet)


def _cells(
    counted: CellRequest, budgeted: BudgetRequest, area: Space, routes: Routes, seed: int | None
) -> tuple[CellReports, tuple[str, ...]]:
    """Reports of cells, and what was decided on the way: of the routes, only their lengths are looked at."""
    from noisewright.trajectory.cells import CellReports  # noqa: PLC0415  (slow to load)

    budget, thinning = budgeted.for_cells()
    many = routes.lengths if budget.reports is None else routes.lengths.clip(max=budget.reports)
    mechanism, why = counted.build(area, budget, int(many.sum()))
    drawn = CellReports.draw(mechanism, budget, routes, _source(seed))
    return drawn, tuple(filter(None, [why, thinning]))


def _source(seed: int | None) -> Source:
    from noisewright.randomness import SecureSource, SeededSource  # noqa: PLC0415

    return SecureSource() if seed is None else SeededSource(seed)


def _named(routes: Routes, names: str) -> Routes:
    """The routes under their names, or under numbers in the order of the file."""
    if names not in ("keep", "number"):
        raise InvalidParameter(f"--names must be keep or number, got {names!r}")
    if names == "keep":
        return routes
    return replace(routes, names=tuple(str(number) for number in range(1, len(routes) + 1)))


def _notices(trips: Path, output: Path, file: RouteFile, drawn: Collection | CellReports) -> None:
    """What must be said even if nothing else is."""
    from noisewright.trajectory.collection import Collection  # noqa: PLC0415  (slow to load)

    lengths = drawn.routes.lengths if isinstance(drawn, Collection) else drawn.lengths
    if warning := drawn.budget.warning(lengths):
        say(f"warning: {warning}")
    if file.about is not None:
        say(_drawn_before(trips, file))
    if not drawn.private:
        say(f"{output} is NOT PRIVATE: anyone can undo noise that comes from --seed; use it for tests only")


def _drawn_before(trips: Path, file: RouteFile) -> str:
    """What to say of an input that comes with a description."""
    from noisewright.trajectory import Collection  # noqa: PLC0415

    try:
        private = Collection.of_file(file).private
    except NoisewrightError:
        private = False
    if private:
        return f"{trips} already holds reports; randomizing them again spends no more privacy but adds noise"
    return f"{trips} comes with a description, but that does not show its points to be private"


def _show(
    release: Release | CellRelease, trips: Path, html: str | None, *, as_json: bool, quiet: bool
) -> None:
    if html is not None:
        from noisewright.pages.route_release_page import release_page  # noqa: PLC0415  (matplotlib is slow)

        write_html(html, release_page(release))
    if as_json:
        print_json({"input": str(trips), **release.to_dict()})
    elif not quiet:
        print_text("\n".join(release.lines()))
