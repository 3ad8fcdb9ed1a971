"""``noisewright routes``: make routes private, reconstruct, evaluate and count them, compare methods."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from noisewright.cli.option_types import ForceOption, HtmlOption, JsonOption
from noisewright.cli.options import assignment, read_number, whole_option
from noisewright.cli.output import check_html, show
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
    SpaceOption,
    SpaceRequest,
    around_points,
    read_cells,
    read_file,
)
from noisewright.cli.routes_perturb import perturb
from noisewright.cli.terminal import say, status_of
from noisewright.cli.verb import Verb, Verbs
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain


def reconstruct(
    private: Annotated[
        Path, typer.Argument(metavar="PRIVATE", help="Reports that noisewright routes perturb wrote.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where the estimates go; NAME.reconstructed.* if not given."),
    ] = None,
    max_speed: Annotated[
        float | None,
        typer.Option(
            metavar="V", help="A speed that nobody exceeds, in metres (or units of the plane) a second."
        ),
    ] = None,
    points: PointsOption = None,
    person: Annotated[
        str | None,
        typer.Option(
            metavar="MARK",
            help="Routes whose names agree up to this mark are of one person: / for ada/monday and "
            "ada/tuesday. Repeated places of a person then help all their routes.",
        ),
    ] = None,
    replace: ForceOption = False,
    html: HtmlOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Estimate where routes went, from reports, the known noise and public facts. It costs no privacy.

    The population's density is learned from all reports; repeated places of a person and a speed limit
    narrow each route further. Estimates are not reports: they cannot be counted or reconstructed again.

    noisewright routes reconstruct private.geojson --max-speed 30
    """
    # Arrow and the mechanisms take a moment to load, which --help need not wait for.
    from noisewright.trajectory.collection import read_evidence  # noqa: PLC0415
    from noisewright.trajectory.estimates import estimate_routes  # noqa: PLC0415
    from noisewright.trajectory.files.route_file import read_points  # noqa: PLC0415

    check_html(html, replace=replace)
    target = _target(private, output, replace=replace)
    with status_of("Reconstructing", quiet=quiet or as_json):
        file, collection = read_evidence(private)
        public = None if points is None else read_points(points, file.coordinates)
        found = estimate_routes(collection, target, person=person, max_speed=max_speed, points=public)
        found.write(file.coordinates, replace=replace, original=private)
    inputs = [private] if points is None else [private, Path(points)]
    files = {"input": private, "output": target}
    show(found.report(), inputs=inputs, files=files, html=html, as_json=as_json, quiet=quiet)


def _target(private: Path, output: Path | None, *, replace: bool) -> Path:
    """Return where the estimates go, or refuse a bad target before any work is done."""
    from noisewright.io.file_access import check_target  # noqa: PLC0415  (Arrow is slow to load)
    from noisewright.trajectory.files.route_file import kind_of  # noqa: PLC0415

    target = output or private.with_suffix(f".reconstructed{private.suffix}")
    kind_of(target)
    check_target(target, private if private.exists() else None, replace=True)
    if target.exists() and not replace:
        raise BadTable(f"{target} exists already; choose another name, or pass --force to replace it")
    return target


def evaluate(
    trips: Annotated[
        Path, typer.Argument(metavar="TRIPS", help="True routes: .csv, .parquet, .geojson or .gpx.")
    ],
    private: Annotated[
        list[Path],
        typer.Argument(metavar="PRIVATE", help="Private routes, and others made of them, side by side."),
    ],
    radius: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRES",
            help="Radii of the range queries; 1, 2, 5 and 10 % of the width of the space if not given.",
        ),
    ] = None,
    columns: ColumnOption = None,
    one_route: OneRouteOption = False,
    html: HtmlOption = None,
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Measure how useful private routes still are, against the true ones. The numbers are NOT private.

    noisewright routes evaluate trips.geojson private.geojson private.reconstructed.geojson --html report.html
    """
    from noisewright.trajectory.collection import read_collection  # noqa: PLC0415  (slow to load)
    from noisewright.trajectory.evaluation import Entry, check_alike, evaluate_all  # noqa: PLC0415

    check_html(html, replace=replace)
    radii = [read_number(text, text, "--radius wants a distance, for example 1000") for text in radius or []]
    file = read_file(trips, columns, one_route=one_route)
    entries = []
    for path in private:
        other, collection = read_collection(path)
        check_alike(trips, file, path, other)
        entries.append(Entry(path, collection))
    with status_of("Measuring", quiet=as_json) as status:
        found = evaluate_all(trips.name, file.routes, entries, radii, status)
    say(f"these numbers come from the true routes of {trips} and are NOT PRIVATE; keep them like {trips}")
    show(found.report(), inputs=private, html=html, as_json=as_json)


REGION: Final = "--region wants left,bottom,right,top, for example 139.69,35.65,139.72,35.70"

ZONE: Final = "--zone wants name=left,bottom,right,top, for example centre=139.69,35.65,139.72,35.70"


def count(
    private: Annotated[
        Path, typer.Argument(metavar="PRIVATE", help="Reports that noisewright routes perturb wrote.")
    ],
    region: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LEFT,BOTTOM,RIGHT,TOP", help="How many locations lie in this box; may be repeated."
        ),
    ] = None,
    grid: Annotated[
        str | None, typer.Option(metavar="CxR", help="The share of locations in every cell of a grid.")
    ] = None,
    zones: Annotated[
        str | None,
        typer.Option(
            "--origin-destination",
            metavar="CxR",
            help="How many routes lead from each zone of a grid to each other.",
        ),
    ] = None,
    named: Annotated[
        list[str] | None,
        typer.Option(
            "--zone",
            metavar="NAME=LEFT,BOTTOM,RIGHT,TOP",
            help="A zone with a name: how many routes lead from each zone to each other; may be repeated.",
        ),
    ] = None,
    top: Annotated[
        int | None,
        whole_option(
            "--hotspots", metavar="N", help="The N cells with the most locations, of --grid or of 12x12."
        ),
    ] = None,
    level: Annotated[float, typer.Option(help="How often intervals hold the truth.")] = 0.95,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write the counts, too: .csv for one question, .geojson for a map of all."
        ),
    ] = None,
    html: HtmlOption = None,
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Count true locations and trips from private routes, each number with an interval.

    The intervals are about the locations that were collected: they hold in 95 % of collections, wherever
    the locations are. Where they are wide, the reports do not say more.

    noisewright routes count private.geojson --grid 12x12 --hotspots 10 --html counts.html
    """
    from noisewright.trajectory.count_files import check_counts_file, write_counts  # noqa: PLC0415  (slow to load)
    from noisewright.trajectory.counts import CountRequest, count_all, read_countable  # noqa: PLC0415

    check_html(html, replace=replace)
    request = CountRequest(
        regions=tuple(_region(text) for text in region or []),
        grid=None if grid is None else read_cells(grid, "--grid"),
        zones=None if zones is None else read_cells(zones, "--origin-destination"),
        named=tuple(_zone(text) for text in named or []),
        top=top,
        level=level,
    )
    if not request.anything:
        raise InvalidParameter(
            "say what to count: --region, --grid, --origin-destination, --zone or --hotspots"
        )
    if output is not None:
        check_counts_file(output, questions=request.questions, replace=replace)
    collection = read_countable(private)
    with status_of("Counting", quiet=as_json):
        found = count_all(collection, request, name=private.name)
    if output is not None:
        say(f"the counts are in {write_counts(output, found)}")
    show(found.report(), inputs=[private], files={"input": private}, html=html, as_json=as_json)


def _zone(text: str) -> tuple[str, tuple[float, float, float, float]]:
    name, box = assignment(text, ZONE)
    return name, _region(box, ZONE)


def _region(text: str, wanted: str = REGION) -> tuple[float, float, float, float]:
    parts = text.split(",")
    if len(parts) != 4:
        raise InvalidParameter(f"{wanted}; got {text!r}")
    left, bottom, right, top = (read_number(part, text, wanted) for part in parts)
    return left, bottom, right, top


def compare(
    trips: Annotated[
        Path, typer.Argument(metavar="TRIPS", help="True routes: .csv, .parquet, .geojson or .gpx.")
    ],
    epsilon: EpsilonOption,
    points: Annotated[
        str,
        typer.Option(
            "--points", metavar="FILE", help="Public points: the only places that most baselines can report."
        ),
    ],
    space: SpaceOption = None,
    disk: DiskOption = None,
    polygon: PolygonOption = None,
    globe: GlobeOption = False,
    projection: ProjectionOption = "auto",
    baseline: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only these baselines; may be repeated.")
    ] = None,
    columns: ColumnOption = None,
    one_route: OneRouteOption = False,
    html: HtmlOption = None,
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Compare methods for routes: the ε they claim, the ε they really spend, and how far off they are.

    The default space is the box around the public points. Errors come from true routes and are NOT private.

    noisewright routes compare trips.geojson --points venues.csv --epsilon 4
    """
    from noisewright.published.routes.comparison import compare_routes  # noqa: PLC0415  (slow to load)
    from noisewright.trajectory.files.route_file import read_points  # noqa: PLC0415

    check_html(html, replace=replace)
    request = SpaceRequest(space, disk, polygon, globe, projection)
    file = read_file(trips, columns, one_route=one_route)
    public = read_points(points, file.coordinates)
    area = request.build(file.coordinates) if request.given else around_points(public, file.coordinates)
    try:
        area.admit(file.routes.points, place=file.routes.place)
    except OutOfDomain as outside:
        if request.given:
            raise
        raise OutOfDomain(
            f"{outside}; the box around the points was taken, name another by --space"
        ) from None
    with status_of("Comparing", quiet=as_json) as status:
        found = compare_routes(file.routes, public, area, epsilon, baseline, status)
    say(f"these errors were measured on {trips} and are NOT PRIVATE; do not publish them with private routes")
    show(found.report(), inputs=[points], html=html, as_json=as_json)


routes = typer.Typer(name="routes", cls=Verbs, rich_markup_mode=None)
routes.command(cls=Verb)(perturb)
routes.command(cls=Verb)(reconstruct)
routes.command(cls=Verb)(evaluate)
routes.command(cls=Verb)(count)
routes.command(cls=Verb)(compare)


@routes.callback()
def of_routes() -> None:
    """Make routes private, one location at a time, and analyse the private routes.

    noisewright routes perturb trips.geojson --epsilon 4 --per route --reports 3
    --space 139.47,35.51,139.90,35.86 -o private.geojson

    noisewright routes reconstruct private.geojson --max-speed 30
    """
