"""``noisewright routes compare``: published methods beside TraCS, each with the ε that it really spends."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noisewright.cli.common import say, status_of
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.output import HtmlOption, check_html, show
from noisewright.cli.routes_options import (
    ColumnOption,
    DiskOption,
    EpsilonOption,
    GlobeOption,
    OneRouteOption,
    PolygonOption,
    ProjectionOption,
    SpaceOption,
    SpaceRequest,
    around_points,
    in_words_of_options,
    read_file,
)
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
    from noisewright.published.routes.comparison import compare_routes  # noqa: PLC0415  (slow to load)
    from noisewright.trajectory.files.route_file import read_points  # noqa: PLC0415

    check_html(html, replace=force)
    request = SpaceRequest(space, disk, polygon, globe, projection)
    file = read_file(trips, column, one_route=one_route)
    with in_words_of_options():
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
