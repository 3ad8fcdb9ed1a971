"""Options that several verbs share, as typer wants them declared; ``options.py`` reads their texts."""

from __future__ import annotations

from typing import Annotated

import typer

from noisewright.parameters import DELTA

# -- files and output

ForceOption = Annotated[bool, typer.Option("--force", help="Replace files that exist already.")]
"""The option of every verb that writes a file."""

HtmlOption = Annotated[
    str | None, typer.Option("--html", metavar="FILE", help="Also write a self-contained page.")
]
"""The option of every verb that can write a page."""

EngineOption = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="spark | dask",
        help="Work on a cluster of Spark or Dask, or on all cores of this machine.",
    ),
]
"""The option of the verbs that also run on a cluster."""

# -- one domain, for verbs that look at mechanisms and not at data

IntervalOption = Annotated[
    str | None, typer.Option("--interval", metavar="LOW:HIGH", help="True values lie between two ends.")
]
IntegersOption = Annotated[
    str | None,
    typer.Option("--integers", metavar="LOW:HIGH", help="True values are whole numbers: ages, counts."),
]
CircleOption = Annotated[
    str | None, typer.Option("--circle", metavar="PERIOD", help="True values wrap round: hours, bearings.")
]
DeltaOption = Annotated[
    float | None, typer.Option("--delta", help=f"For Gaussians only, default 1e-05: {DELTA.help}.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
CategoriesOption = Annotated[
    str | None,
    typer.Option("--categories", metavar="A,B,... | @FILE", help="True values are labels of a public list."),
]

# -- columns of a table, each option repeated for several

IntervalColumns = Annotated[
    list[str] | None,
    typer.Option("--interval", metavar="NAME=LOW:HIGH", help="A column of numbers between two public ends."),
]
IntegerColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--integers",
        metavar="NAME=LOW:HIGH",
        help="A column of whole numbers from the lowest to the highest: ages, counts.",
    ),
]
CircleColumns = Annotated[
    list[str] | None,
    typer.Option("--circle", metavar="NAME=PERIOD", help="A column that wraps round: hours, bearings."),
]
CategoryColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--categories",
        metavar="NAME=@FILE | NAME=A,B,...",
        help="A column of labels from a public list: a file with one label a line, or the labels themselves. "
        "The list must not come from the data.",
    ),
]

# -- endpoints

TokenOption = Annotated[
    str | None,
    typer.Option(
        "--token-env",
        metavar="NAME",
        help="The environment variable that holds the bearer token of an endpoint.",
    ),
]
HeaderOption = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        metavar="NAME=VARIABLE",
        help="A header that an endpoint wants, such as X-Api-Key=MY_KEY, and the environment variable that "
        "holds its value; may be repeated.",
    ),
]
