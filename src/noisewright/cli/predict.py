"""``noisewright predict``: how often a classifier's answer survives when its inputs are randomized."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from noisewright.cli.option_types import (
    DeltaOption,
    ForceOption,
    HeaderOption,
    HtmlOption,
    JsonOption,
    TokenOption,
)
from noisewright.cli.options import (
    named_domains,
    once,
    read_at_least,
    read_delta,
    read_epsilons,
    read_headers,
    read_list,
    read_number,
    whole_option,
)
from noisewright.cli.output import check_html, show
from noisewright.cli.terminal import progress_of, say
from noisewright.domains import Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON

if TYPE_CHECKING:
    from noisewright.mechanisms import NumericMechanism
    from noisewright.utility.answers import Asking
    from noisewright.utility.request import Compare, ForecastRequest

USUAL: Final = "0.5:8"
SENSITIVE: Final = "--sensitive wants NAME=LOW:HIGH, for example age=0:100"
INTEGERS: Final = "--integers wants NAME=LOW:HIGH in whole numbers, for example age=0:99"
RANGE: Final = "--epsilon wants a range such as 0.5:8, numbers such as 0.5,1,2, or one number"

POINTS: Final = 64
"""Number of values of ε in a range."""


def predict(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="The classifier: an .onnx file or, with --trust, a .joblib or .pkl file, module:name, or "
            "the https:// address of an endpoint.",
        ),
    ],
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="A CSV, Parquet or Arrow file of true records.")
    ],
    sensitive: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LOW:HIGH",
            help="A feature that is randomized, and the interval of its values; may be repeated.",
        ),
    ] = None,
    integers: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LOW:HIGH",
            help="A feature that is randomized, and the range of its whole numbers; may be repeated.",
        ),
    ] = None,
    epsilon: Annotated[
        str,
        typer.Option(metavar="A:B | A,B,... | A", help="Budgets: 64 values of a range, or those listed."),
    ] = USUAL,
    per: Annotated[
        str,
        typer.Option(
            metavar="feature | record",
            help="Whether --epsilon is the budget of each sensitive feature, or of a record, shared evenly.",
        ),
    ] = "feature",
    mechanism: Annotated[
        list[str] | None, typer.Option(metavar="M[,M...]", help="Only these mechanisms; may be repeated.")
    ] = None,
    features: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="The columns that the model takes, in its order. Default: those that the model names, or "
            "all except those of --answers, --group and --ignore.",
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A column that is not a feature; may be repeated."),
    ] = None,
    answers: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The column of true labels: utility is then how often the answer is right, instead of how "
            "often it stays the same.",
        ),
    ] = None,
    groups: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            metavar="NAME",
            help="Compare groups of people by a column; several columns make one group of each combination.",
        ),
    ] = None,
    record_numbers: Annotated[
        list[int] | None,
        whole_option("--record", metavar="N", help="Only this record, the first being 1; may be repeated."),
    ] = None,
    sample: Annotated[
        int | None, whole_option("--records", metavar="COUNT", help="Only COUNT records, drawn at random.")
    ] = None,
    target: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", help="Find the smallest epsilon that keeps this utility, for example 0.9."
        ),
    ] = None,
    confidence: Annotated[
        float,
        typer.Option(
            help="Probability with which all bounds hold together, where queries are random; 0.5 or more."
        ),
    ] = 0.99,
    queries: Annotated[
        int,
        whole_option(
            help="Number of queries to a model that cannot be solved exactly, for all records together."
        ),
    ] = 200_000,
    width: Annotated[
        float | None, typer.Option(help="Stop once the interval of every record is at most this wide.")
    ] = None,
    points: Annotated[
        int | None,
        whole_option(help="Number of values that grid mechanisms can report; default: as in perturb."),
    ] = None,
    delta: DeltaOption = None,
    published: Annotated[
        bool,
        typer.Option(
            "--published", help="Also show the published number for comparison; it is not a lower bound."
        ),
    ] = False,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust",
            help="Open a model that runs code when it is opened (.joblib, .pkl, module:name), or ask an "
            "endpoint on another machine, which is sent the records. Only for models of people you trust.",
        ),
    ] = False,
    classes: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="All labels that the model can return, if it declares none."),
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="Longest time that the model may take for one batch.")
    ] = 60.0,
    batch: Annotated[
        int | None, whole_option(metavar="N", help="Number of rows in one batch of questions to the model.")
    ] = None,
    budget: Annotated[
        int | None,
        whole_option(
            metavar="N",
            help="Most rows that the model is asked about in total, including true records, checks and "
            "--published.",
        ),
    ] = None,
    token_env: TokenOption = None,
    header: HeaderOption = None,
    seed: Annotated[int | None, whole_option(help="Repeatable queries and samples.")] = None,
    html: HtmlOption = None,
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Predict how often a classifier's answer survives when people randomize their features.

    Covers all mechanisms and epsilons in one run, with bounds that are never too optimistic: exact for linear
    models and trees, by queries for all others. Nobody's data is randomized or sent anywhere, except to the
    model itself. The output reveals facts about the records: keep it as confidential as DATA.

    noisewright predict model.onnx data.csv --sensitive age=0:100 --epsilon 0.5:8 --html report.html

    noisewright predict model.joblib data.csv --trust --sensitive age=0:100 --target 0.9
    """
    from noisewright.io.table_files import open_input  # noqa: PLC0415  (Arrow takes a moment to load)
    from noisewright.utility.answers import Asking  # noqa: PLC0415
    from noisewright.utility.models import open_model  # noqa: PLC0415  (slow to load)
    from noisewright.utility.request import ForecastRequest, forecast_file  # noqa: PLC0415

    read_at_least("--timeout", timeout, 1e-3, "a number of seconds above 0")
    read_at_least("--batch", batch, 1, "a whole number of 1 or more")
    read_at_least("--budget", budget, 1, "a whole number of 1 or more")
    answered = read_list("--classes", classes) or None
    asking = Asking(batch=batch, timeout=timeout, budget=budget, classes=answered)
    headers = read_headers(header)
    intervals, kinds = read_sensitive(sensitive or [], integers or []), _kinds(mechanism or [])
    request = ForecastRequest(
        intervals, read_curve(epsilon), per, kinds, read_list("--features", features), tuple(ignore or []),
        answers, tuple(groups or []), tuple(record_numbers or []), sample, target, confidence, queries, width,
        points,
        read_delta(delta, kinds), seed,
    )  # fmt: skip
    check_html(html, replace=replace)
    # a model may print, which is not part of the result
    with progress_of("Predicting", quiet=as_json) as progress, redirect_stdout(sys.stderr):
        open_input(data)  # a missing table is refused before a model's code runs
        opened = open_model(
            model, trust=trust, classes=answered, token_env=token_env, headers=headers, timeout=timeout
        )
        found = forecast_file(
            opened, data, request, place=model, asking=asking, progress=progress,
            compare=_published(asking, request) if published else None,
        )  # fmt: skip
        _ = found.least  # takes a while, so it is computed while the bar is visible
    if not found.prediction.width_reached:
        remedy = "" if found.prediction.exact else "; allow more --queries"
        say(f"the widest interval is {found.widest:.2g} wide, and --width asks for {width:g}{remedy}")
    # No digests: the table holds true records, and a model may hold those it was fitted on.
    show(found.report(), html=html, as_json=as_json)


def _published(asking: Asking, request: ForecastRequest) -> Compare:
    from noisewright.published.classifier_utility import PublishedBeside  # noqa: PLC0415  (scipy is slow to load)

    return PublishedBeside(asking, request.answers, request.seed)


def read_sensitive(texts: Sequence[str], integers: Sequence[str] = ()) -> dict[str, Interval]:
    """Return the features that are randomized, each with its interval or range of whole numbers.

    >>> read_sensitive(["bmi=10:60"], ["age=0:99"])
    {'bmi': Interval(10.0, 60.0), 'age': Integers(0, 99)}
    """
    if not texts and not integers:
        raise InvalidParameter("name at least one feature that is randomized; " + SENSITIVE)
    pairs = [*_domains("--sensitive", "interval", texts, SENSITIVE)]
    pairs += _domains("--integers", "integers", integers, INTEGERS)
    found = once(pairs, "--sensitive or --integers")
    return {name: domain for name, domain in found.items() if isinstance(domain, Interval)}


def _domains(option: str, kind: str, texts: Sequence[str], wanted: str) -> list[tuple[str, NumericDomain]]:
    """Return columns with their domains; an error names the option."""
    try:
        return named_domains(kind, texts, wanted)
    except InvalidParameter as refusal:
        if option not in str(refusal):
            raise InvalidParameter(f"{option}: {refusal}") from None
        raise


def read_curve(text: str) -> tuple[float, ...]:
    """Return the values of ε of a curve, ascending and without repeats.

    >>> read_curve("2, 0.5")
    (0.5, 2.0)
    >>> len(read_curve("0.5:8")), read_curve("0.5:8")[-3:], {1.0, 2.0, 4.0} <= set(read_curve("0.5:8"))
    (64, (7.326, 7.656, 8.0), True)
    """
    if ":" not in text:
        return tuple(sorted(set(read_epsilons([text]))))
    first, _, last = text.partition(":")
    low, high = (EPSILON.check(read_number(end, text, RANGE)) for end in (first, last))
    if not low < high:
        raise InvalidParameter(f"--epsilon wants a range from a smaller to a larger number; got {text!r}")
    return spread(low, high)


def spread(low: float, high: float, points: int = POINTS) -> tuple[float, ...]:
    """Return values of ε at equal ratios, rounded to four digits, with round numbers among them.

    >>> spread(0.9, 1.1, 3)
    (0.9, 1.0, 1.1)
    """
    from noisewright.utility.forecast import ROUND_EPSILONS  # noqa: PLC0415  (slow to load)

    step = math.log(high / low) / (points - 1)
    inner = [float(f"{low * math.exp(step * place):.4g}") for place in range(1, points - 1)]
    for wanted in ROUND_EPSILONS:
        if inner and low < wanted < high:
            inner[min(range(len(inner)), key=lambda place: abs(inner[place] - wanted))] = wanted
    return tuple(sorted({low, *(value for value in inner if low < value < high), high}))


def _kinds(names: Sequence[str]) -> tuple[type[NumericMechanism], ...]:
    """Return the mechanisms of a request; the default ones if none is named."""
    from noisewright.mechanisms.catalogue import find  # noqa: PLC0415  (slow to load)
    from noisewright.utility.core.curve import DEFAULT_MECHANISMS  # noqa: PLC0415

    split = [part.strip() for name in names for part in name.split(",")]
    try:
        kinds = tuple(find(name) for name in split or DEFAULT_MECHANISMS)
    except InvalidParameter as refusal:
        if "for labels" in str(refusal):
            named = str(refusal).partition(";")[0]
            raise InvalidParameter(f"{named}; here it must be for numbers", field="mechanism") from None
        raise
    for kind in kinds:
        if not issubclass(Interval, kind.domains):
            raise InvalidParameter(f"{kind.__name__} is not for intervals; use OGPM", field="mechanism")
        if kinds.count(kind) > 1:
            raise InvalidParameter(f"--mechanism names {kind.__name__} twice")
    return kinds
