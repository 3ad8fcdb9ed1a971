"""Options that several verbs for routes share, each declared once."""

from __future__ import annotations

from typing import Annotated

import typer

from noisewright.parameters import EPSILON

SpaceOption = Annotated[
    str | None,
    typer.Option(
        "--space",
        metavar="LEFT,BOTTOM,RIGHT,TOP",
        help="The box that locations lie in; west, south, east, north in degrees where a file has degrees. "
        "It is published, so it must not come from the data.",
    ),
]
DiskOption = Annotated[
    str | None,
    typer.Option("--disk", metavar="X,Y,RADIUS", help="Or a disk, for files of the plane."),
]
PolygonOption = Annotated[
    str | None,
    typer.Option(
        "--polygon",
        metavar="@FILE | X,Y;X,Y;...",
        help="Or one polygon without holes: a GeoJSON file, or its vertices.",
    ),
]
GlobeOption = Annotated[
    bool, typer.Option("--globe", help="Or the whole Earth: people may be anywhere on it.")
]
ProjectionOption = Annotated[
    str,
    typer.Option(
        "--projection",
        metavar="auto | degrees | local",
        help="How a box in degrees is laid flat: by its degrees, or by a local map in metres; auto takes "
        "the map for boxes of more than 500 km across.",
    ),
]
EpsilonOption = Annotated[float, typer.Option("--epsilon", metavar="E", help=EPSILON.help)]
PointsOption = Annotated[
    str | None,
    typer.Option(
        "--points",
        metavar="FILE",
        help="A file of public points, such as venues or stops. It must not come from the data.",
    ),
]
ColumnOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="NAME=COLUMN",
        help="Which column of a table is which, where its name does not tell: route, time, longitude, "
        "latitude, x or y. May be repeated.",
    ),
]
OneRouteOption = Annotated[
    bool,
    typer.Option("--one-route", help="All points of the file are one route, whatever columns it has."),
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", help="Repeatable noise for tests. The reports are then NOT PRIVATE.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print no summary and no progress.")]
