"""``noisewright routes count``: what many private routes say together, with intervals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from noisewright.cli.assignments import assignment
from noisewright.cli.common import say, status_of
from noisewright.cli.numbers import read_number, whole_option
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.output import HtmlOption, check_html, show
from noisewright.cli.routes_options import in_words_of_options, read_cells
from noisewright.cli.targets import ForceOption
from noisewright.errors import InvalidParameter

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
    origin_destination: Annotated[
        str | None,
        typer.Option(metavar="CxR", help="How many routes lead from each zone of a grid to each other."),
    ] = None,
    zone: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LEFT,BOTTOM,RIGHT,TOP",
            help="A zone with a name: how many routes lead from each zone to each other; may be repeated.",
        ),
    ] = None,
    hotspots: Annotated[
        int | None,
        whole_option(metavar="N", help="The N cells with the most locations, of --grid or of 12x12."),
    ] = None,
    level: Annotated[float, typer.Option(help="How often intervals hold the truth.")] = 0.95,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write the counts, too: .csv for one question, .geojson for a map of all."
        ),
    ] = None,
    html: HtmlOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Count true locations and trips from private routes, each number with an interval.

    The intervals are about the locations that were collected: they hold in 95 % of collections, wherever
    the locations are. They can be wide, and then the reports cannot tell more.

    noisewright routes count private.geojson --grid 12x12 --hotspots 10 --html counts.html
    """
    from noisewright.trajectory.count_files import check_counts_file, write_counts  # noqa: PLC0415  (slow to load)
    from noisewright.trajectory.counts import CountRequest, count_all, read_countable  # noqa: PLC0415

    check_html(html, replace=force)
    with in_words_of_options():
        request = CountRequest(
            regions=tuple(_region(text) for text in region or []),
            grid=None if grid is None else read_cells(grid, "--grid"),
            zones=None
            if origin_destination is None
            else read_cells(origin_destination, "--origin-destination"),
            named=tuple(_zone(text) for text in zone or []),
            top=hotspots,
            level=level,
        )
    if not request.anything:
        raise InvalidParameter(
            "say what to count: --region, --grid, --origin-destination, --zone or --hotspots"
        )
    if output is not None:
        check_counts_file(output, questions=request.questions, replace=force)
    with in_words_of_options():
        collection = read_countable(private)
    with status_of("Counting", quiet=as_json):
        found = count_all(collection, request, name=private.name)
    if output is not None:
        say(f"the counts are in {write_counts(output, found)}")
    report = found.report()
    report = replace(report, data={"input": str(private), **report.data})
    show(report, inputs=[private], html=html, as_json=as_json)


def _zone(text: str) -> tuple[str, tuple[float, float, float, float]]:
    name, box = assignment(text, ZONE)
    return name, _region(box, ZONE)


def _region(text: str, wanted: str = REGION) -> tuple[float, float, float, float]:
    parts = text.split(",")
    if len(parts) != 4:
        raise InvalidParameter(f"{wanted}; got {text!r}")
    left, bottom, right, top = (read_number(part, text, wanted) for part in parts)
    return left, bottom, right, top
