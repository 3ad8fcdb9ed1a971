"""``noisewright routes compare``: published methods beside TraCS, each with the ε that it really spends."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noisewright.cli.common import print_json, say, status_of
from noisewright.cli.html import HtmlOption, check_html, write_html
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.routes_files import read_file, read_points
from noisewright.cli.routes_options import (
    ColumnOption,
    DiskOption,
    EpsilonOption,
    GlobeOption,
    OneRouteOption,
    PolygonOption,
    ProjectionOption,
    SpaceOption,
)
from noisewright.cli.routes_spaces import SpaceRequest, around_points
from noisewright.cli.targets import ForceOption
from noisewright.errors import OutOfDomain


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
    column: ColumnOption = None,
    one_route: OneRouteOption = False,
    html: HtmlOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Compare methods for routes: the ε they claim, the ε they really spend, and how far off they are.

    Without a space, the box around the public points is taken. The errors come from the true routes, so the
    table is NOT private.

    noisewright routes compare trips.geojson --points venues.csv --epsilon 4
    """
    from noisewright.pages.route_comparison import compare_routes  # noqa: PLC0415  (slow to load)
    from noisewright.pages.route_comparison_text import show  # noqa: PLC0415

    check_html(html, replace=force)
    request = SpaceRequest(space, disk, polygon, globe, projection)
    file = read_file(trips, column, one_route=one_route)
    public = read_points(points, file.coordinates)
    assert public is not None
    area = request.build(file.coordinates) if request.given else around_points(public, file.coordinates)
    try:
        area.admit(file.routes.points, place=file.routes.place)
    except OutOfDomain as outside:
        if request.given:
            raise
        raise OutOfDomain(
            f"{outside}; the box around the points was taken, name another by --space"
        ) from None
    with status_of("Comparing", quiet=as_json) as progress:
        found = compare_routes(file.routes, public, area, epsilon, baseline, progress)
    say(f"these errors were measured on {trips} and are NOT PRIVATE; do not publish them with private routes")
    if html is not None:
        from noisewright.pages.route_comparison_page import comparison_page  # noqa: PLC0415  (slow to load)

        write_html(html, comparison_page(found))
    if as_json:
        print_json(found.to_dict())
    else:
        show(found)
