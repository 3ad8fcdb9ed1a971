"""``noisewright plan``: how precise all estimates will be, before anybody is asked."""

from __future__ import annotations

from typing import Annotated

import typer

from noisewright.cli.option_types import (
    CategoryColumns,
    CircleColumns,
    ForceOption,
    HtmlOption,
    IntegerColumns,
    IntervalColumns,
    JsonOption,
)
from noisewright.cli.options import whole_option
from noisewright.cli.output import check_html, show
from noisewright.cli.terminal import status_of
from noisewright.parameters import EPSILON


def plan(
    people: Annotated[int, whole_option(help="How many people will report.")],
    epsilon: Annotated[
        list[str],
        typer.Option(
            metavar="E | NAME=E",
            help=f"Budget of a person, shared evenly by all questions, or NAME=E for each: {EPSILON.range}.",
        ),
    ],
    interval: IntervalColumns = None,
    integers: IntegerColumns = None,
    circle: CircleColumns = None,
    categories: CategoryColumns = None,
    pair: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME,NAME",
            help="Ask two columns of labels, or of bins, together as one label, for their cross table.",
        ),
    ] = None,
    grid: Annotated[
        list[str] | None,
        typer.Option(metavar="8x8 | NAME=8x8", help="A place on a map, as a cell of a grid."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="FEATURES", help="A classifier on this many features, by noisewright learn."),
    ] = None,
    purpose: Annotated[
        list[str] | None,
        typer.Option(
            "--for", metavar="P | NAME=P", help="As for perturb: mean, distribution, both, bins or single."
        ),
    ] = None,
    bins: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=EDGES | NAME=N", help="As for perturb: only the bin is reported."),
    ] = None,
    mechanism: Annotated[
        list[str] | None,
        typer.Option(metavar="M | NAME=M", help="As for perturb: mechanism of numbers, instead of --for."),
    ] = None,
    protocol: Annotated[
        list[str] | None, typer.Option(metavar="P | NAME=P", help="As for perturb: protocol of labels.")
    ] = None,
    guess: Annotated[
        list[str] | None,
        typer.Option(
            metavar="worst | NAME=S,S,...",
            help="Public guess of the shares of people in equal parts of a range, or with each label; even "
            "if not given. A pair is NAME,NAME=S,S,..., or each of its columns by itself, then taken as "
            "independent. worst plans means and shares for the worst population.",
        ),
    ] = None,
    share_width: Annotated[
        list[str] | None,
        typer.Option(
            "--width",
            metavar="W | NAME=W",
            help="Say how many people it takes for intervals this wide: W for shares (0.02 is two percentage "
            "points), NAME=W for the mean and quantiles of a column.",
        ),
    ] = None,
    accuracy: Annotated[
        float | None, typer.Option(help="Say how many people it takes for --model to be right this often.")
    ] = None,
    best_accuracy: Annotated[
        float, typer.Option(help="Public guess of how often the best linear rule of --model is right.")
    ] = 0.8,
    histogram: Annotated[int, whole_option(help="Bars of the histogram of numbers, 2 to 1024.")] = 20,
    quantile: Annotated[
        str, typer.Option(metavar="S[,S...]", help="Quantiles, by the share of people below them.")
    ] = "0.25,0.5,0.75",
    level: Annotated[float, typer.Option(help="How often an interval holds the truth.")] = 0.95,
    html: HtmlOption = None,
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show how wide the intervals of all estimates will be, and how many people narrower ones take.

    Needs no data: widths follow from the mechanisms and a public guess of the shape.

    noisewright plan --people 10000 --epsilon 1 --integers age=0:99 --width age=2

    noisewright plan --people 50000 --epsilon 2 --categories smokes=no,yes --grid 8x8 --width 0.02
    """
    from noisewright.cli.plan_request import PlanRequest  # noqa: PLC0415  (mechanisms take a moment to load)

    check_html(html, replace=replace)
    request = PlanRequest.of(
        people=people, epsilon=epsilon, interval=interval or [], integers=integers or [], circle=circle or [],
        categories=categories or [], pair=pair or [], grid=grid or [], model=model, purpose=purpose or [],
        bins=bins or [], mechanism=mechanism or [], protocol=protocol or [], guess=guess or [],
        width=share_width or [], accuracy=accuracy, best_accuracy=best_accuracy, histogram=histogram,
        quantile=quantile, level=level,
    )  # fmt: skip
    with status_of("Planning", quiet=as_json) as status:
        found = request.run(status)
    show(found.report(), html=html, as_json=as_json)
