"""``noisewright predict``: how often a classifier's answer survives when its inputs are randomized."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from noisewright.cli.common import print_json, print_text, progress_of, say
from noisewright.cli.html import HtmlOption, check_html, write_html
from noisewright.cli.model_options import (
    BatchOption,
    BudgetOption,
    ClassesOption,
    HeaderOption,
    ModelArgument,
    ModelRequest,
    TimeoutOption,
    TokenOption,
    TrustOption,
)
from noisewright.cli.one_domain import DeltaOption, JsonOption
from noisewright.cli.targets import ForceOption

if TYPE_CHECKING:
    from noisewright.pages.predict_forecast import Forecast

USUAL: Final = "0.5:8"


def predict(
    model: ModelArgument,
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="A CSV, Parquet or Arrow file of true records.")
    ],
    sensitive: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LOW:HIGH",
            help="A feature that is randomized, and the interval that its values lie in; may be repeated.",
        ),
    ] = None,
    integers: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LOW:HIGH",
            help="A feature that is randomized and holds whole numbers of a range; may be repeated.",
        ),
    ] = None,
    epsilon: Annotated[
        str,
        typer.Option(
            metavar="A:B | A,B,... | A", help="Budgets to look at: 64 values of a range, or those listed."
        ),
    ] = USUAL,
    per: Annotated[
        str,
        typer.Option(
            metavar="feature | record",
            help="Whether --epsilon is the budget of each sensitive feature, or of a whole record and shared "
            "evenly.",
        ),
    ] = "feature",
    mechanism: Annotated[
        list[str] | None, typer.Option(metavar="M[,M...]", help="Only these mechanisms; may be repeated.")
    ] = None,
    features: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="The columns that the model takes, in its order. Otherwise those that the model names, or "
            "all but those of --answers, --group and --ignore.",
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A column that is no feature; may be repeated.")
    ] = None,
    answers: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The column of true labels: utility is then how often the answer is right, and not how "
            "often it stays the same.",
        ),
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Compare groups of people by a column; several columns make one group of each combination.",
        ),
    ] = None,
    record: Annotated[
        list[int] | None,
        typer.Option(metavar="N", help="Only this record, the first being 1; may be repeated."),
    ] = None,
    records: Annotated[
        int | None, typer.Option(metavar="COUNT", help="Only so many records, drawn at random.")
    ] = None,
    target: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", help="Find from which epsilon on this utility is kept, for example 0.9."
        ),
    ] = None,
    confidence: Annotated[
        float,
        typer.Option(
            help="With what probability all bounds hold at once, where queries are random; 0.5 or more."
        ),
    ] = 0.99,
    queries: Annotated[
        int,
        typer.Option(
            help="How often a model that cannot be solved exactly is asked, about all records together."
        ),
    ] = 200_000,
    width: Annotated[
        float | None, typer.Option(help="Stop asking once the interval of every record is at most so wide.")
    ] = None,
    points: Annotated[
        int | None,
        typer.Option(
            help="Parts of the interval, for mechanisms that report one of a few; as in perturb if not given."
        ),
    ] = None,
    delta: DeltaOption = None,
    published: Annotated[
        bool,
        typer.Option(
            "--published", help="Show the published number, too, which is not a lower bound, for comparison."
        ),
    ] = False,
    trust: TrustOption = False,
    classes: ClassesOption = None,
    timeout: TimeoutOption = 60.0,
    batch: BatchOption = None,
    budget: BudgetOption = None,
    token_env: TokenOption = None,
    header: HeaderOption = None,
    seed: Annotated[int | None, typer.Option(help="Repeatable queries and samples.")] = None,
    html: HtmlOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Predict how often a classifier's answer survives when people randomize their features.

    For every mechanism and epsilon at once, with bounds that are never too optimistic: exact for linear
    models and trees, by queries for all others. Nobody's data is randomized or sent anywhere, except to
    the model that is asked. What is printed tells facts about the records: keep it as confidential as DATA.

    noisewright predict model.onnx data.csv --sensitive age=0:100 --epsilon 0.5:8 --html report.html

    noisewright predict model.joblib data.csv --trust --sensitive age=0:100 --target 0.9
    """
    from noisewright.cli.predict_request import PredictRequest  # noqa: PLC0415  (mechanisms take a moment)

    asked = ModelRequest.of(
        model,
        trust=trust,
        classes=classes,
        timeout=timeout,
        batch=batch,
        budget=budget,
        token_env=token_env,
        header=header,
    )
    request = PredictRequest.of(
        sensitive=sensitive or [], integers=integers or [], epsilon=epsilon, per=per,
        mechanisms=mechanism or [], features=features, ignored=ignore or [], answers=answers,
        groups=group or [], target=target, confidence=confidence, queries=queries, width=width,
        points=points, delta=delta, seed=seed,
    )  # fmt: skip
    check_html(html, replace=force)
    # a model may print, and what it prints is no part of the result
    with progress_of("Predicting", quiet=as_json) as progress, redirect_stdout(sys.stderr):
        forecast = request.run(asked, data, record or [], records, progress, published=published)
        _ = forecast.least  # takes a while, so it is found while the bar can be seen
    if html is not None:
        from noisewright.pages.predict_page import predict_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, predict_page(forecast))
    if not forecast.prediction.width_reached:
        widest = forecast.prediction.widest
        remedy = "" if forecast.prediction.exact else "; allow more --queries"
        say(f"the widest interval is {widest:.2g} wide, and --width asks for {width:g}{remedy}")
    _show(forecast, as_json=as_json)


def _show(forecast: Forecast, *, as_json: bool) -> None:
    if as_json:
        print_json(forecast.to_dict())
        return
    from noisewright.pages.predict_text import told  # noqa: PLC0415  (slow to load)

    print_text(told(forecast))
