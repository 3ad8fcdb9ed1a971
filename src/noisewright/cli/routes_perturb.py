"""``noisewright routes perturb``: randomize every location of a file of routes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from noisewright.cli.option_types import ForceOption, HtmlOption, JsonOption
from noisewright.cli.options import read_number, read_whole
from noisewright.cli.output import check_html, show
from noisewright.cli.routes_options import (
    CELLS,
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
    SpaceRequest,
    read_cells,
    read_columns,
)
from noisewright.cli.terminal import say, status_of
from noisewright.errors import InvalidParameter

SPLITS: Final = ("best", "even", "heuristic")
SPLIT: Final = f"--split wants {', '.join(SPLITS)}, or a share between 0 and 1"
REFERENCE: Final = "--reference wants previous, centre, or a public point x,y"
REPORTS: Final = "--reports wants auto or a whole number of reports for each route"


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
            "of places, or single reports as near to the truth as possible; default: reconstruction.",
        ),
    ] = None,
    grid: Annotated[
        str | None,
        typer.Option(
            metavar="CxR",
            help="With --for counts: the cells that will be counted. Each location's cell is reported "
            "through the best oracle for labels, which counts best and reveals nothing else.",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="auto | C | D | optimal",
            help="TraCS-C along the axes, TraCS-D by direction and distance, or the best law for the few "
            "--points; auto takes C, and for single reports the one with the smaller expected error.",
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
            help="The origin of TraCS-D's directions; default: the better of previous and centre.",
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
            help="Report at most N points of a route and fill in the others; with --per route, auto finds "
            "the best number.",
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
    columns: ColumnOption = None,
    one_route: OneRouteOption = False,
    seed: SeedOption = None,
    replace: ForceOption = False,
    html: HtmlOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Randomize every location of a file of routes, and write routes that other tools can read.

    Times, names and the number of points of each route are passed on; everything else in the file is not.

    noisewright routes perturb trips.geojson --epsilon 4 --per route --reports 3
    --space 139.47,35.51,139.90,35.86 -o private.geojson
    """
    # Arrow and the mechanisms take a moment to load, which --help need not wait for.
    from noisewright.randomness import SecureSource, SeededSource  # noqa: PLC0415
    from noisewright.trajectory.perturb import perturb_file  # noqa: PLC0415
    from noisewright.trajectory.perturb_request import PerturbRequest  # noqa: PLC0415

    check_html(html, replace=replace)
    where = SpaceRequest(space, disk, polygon, globe, projection).require()
    with status_of("Choosing the mechanism", quiet=quiet or as_json) as status:
        request = PerturbRequest(
            epsilon,
            per,
            reports if reports in (None, "auto") else read_whole(reports, reports, REPORTS),
            step,
            purpose,
            None if grid is None else read_cells(grid, "--grid"),
            method,
            split if split in SPLITS else read_number(split, split, SPLIT),
            channel,
            _reference(reference),
            points,
            read_cells(round_to, "--round-to") if round_to and CELLS.fullmatch(round_to) else round_to,
            names,
        )
        found = perturb_file(
            trips,
            output,
            where.build,
            request,
            columns=read_columns(columns),
            one_route=one_route,
            replace_output=replace,
            source=SecureSource() if seed is None else SeededSource(seed),
            status=status,
        )
    for warning in found.warnings:
        say(f"warning: {warning}")
    if found.before is not None:
        say(found.before)
    if not found.collection.private:
        say(f"{output} is NOT PRIVATE: anyone can undo noise that comes from --seed; use it for tests only")
    public = [] if points is None else [points]
    files = {"input": trips, "output": output}
    show(found.report(), inputs=public, files=files, html=html, as_json=as_json, quiet=quiet)


def _reference(text: str | None) -> str | tuple[float, float] | None:
    if text is None or text in ("previous", "centre"):
        return text
    parts = text.split(",")
    if len(parts) != 2:
        raise InvalidParameter(f"{REFERENCE}; got {text!r}")
    return read_number(parts[0], text, REFERENCE), read_number(parts[1], text, REFERENCE)
