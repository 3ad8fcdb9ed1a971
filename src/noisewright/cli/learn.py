"""``noisewright learn``: a classifier from randomized answers, with an honest account of itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

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
from noisewright.cli.options import once, read_at_least, read_epsilon, read_list, whole_option
from noisewright.cli.output import check_html, check_output, show
from noisewright.cli.terminal import say, status_of
from noisewright.domains import Domain
from noisewright.errors import BadTable, InvalidParameter, MissingExtra
from noisewright.parameters import EPSILON

if TYPE_CHECKING:
    from noisewright.learn import Method

MODELS: Final = (".json",)
SAVED: Final = "a classifier is written as JSON, so its name"

OutOfDomainOption = Annotated[
    str,
    typer.Option(
        "--out-of-domain",
        metavar="refuse | clip",
        help="What to do with numbers outside their domain: clip moves them to the nearer end of an "
        "interval, and wraps them round a circle.",
    ),
]


def learn(
    data: Annotated[
        Path,
        typer.Argument(metavar="DATA", help="A CSV, Parquet or Arrow file whose rows simulate the clients."),
    ],
    label: Annotated[str, typer.Option(metavar="NAME", help="The column that is to be predicted.")],
    epsilon: Annotated[str, typer.Option(metavar="E", help=f"Of every client in all: {EPSILON.help}.")],
    interval: IntervalColumns = None,
    integers: IntegerColumns = None,
    circle: CircleColumns = None,
    categories: CategoryColumns = None,
    classes: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="The public list of classes; otherwise read off DATA."),
    ] = None,
    default: Annotated[
        str | None, typer.Option(metavar="CLASS", help="The class to predict where nothing can be known.")
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="local | mrma",
            help="The best method we know, or MRMA as published: weak classifiers mixed by one-bit feedback.",
        ),
    ] = "local",
    learners: Annotated[
        str | None,
        typer.Option(
            metavar="additive,moments,directions",
            help="Learners tried side by side, with --method local; default: additive.",
        ),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            metavar="logistic | svm | dwd | gradient | random",
            help="The weak classifiers of --method mrma; random ones are untrained directions.",
        ),
    ] = None,
    no_intercept: Annotated[
        bool, typer.Option("--no-intercept", help="Weak classifiers of --method mrma without intercept.")
    ] = False,
    test: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Measure the result on other records, too. That measurement is NOT PRIVATE."
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the classifier as JSON, for noisewright classify."
        ),
    ] = None,
    out_of_domain: OutOfDomainOption = "refuse",
    seed: Annotated[
        int | None, whole_option(help="Repeatable noise for tests. The result is then NOT PRIVATE.")
    ] = None,
    replace: ForceOption = False,
    html: HtmlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn a classifier from clients who each answer one randomized question.

    Simulates the clients: every row of DATA acts as one, and spends epsilon for its features and its label
    together. Some teach, some choose among what was learned, some check the result. Columns that no option
    names are left out.

    noisewright learn patients.csv --label diabetes --epsilon 2 --interval age=0:100 -o model.json
    """
    check_learning()
    from noisewright.learn import LearnRequest, learn_file, save_model  # noqa: PLC0415  (scikit-learn is slow)

    domains = _features(interval, integers, circle, categories)
    listed = read_list("--classes", classes)
    read_at_least("--seed", seed, 0, "a whole number of 0 or more")
    how = _method(method, learners, default, base, intercept=not no_intercept)
    request = LearnRequest(label, read_epsilon(epsilon), domains, listed, how, out_of_domain, seed)
    check_html(html, replace=replace)
    check_test(test, data)
    if output is not None:
        inputs = [data] if test is None else [data, test]
        check_output(output, MODELS, SAVED, inputs, replace=replace)
    with status_of("Learning", quiet=as_json):
        found = learn_file(data, request, test)
    if found.simulated:
        say("this result is NOT PRIVATE: anyone can undo noise that comes from --seed; use it for tests only")
    if output is not None:
        say(f"the classifier is in {save_model(found.model, output)}")
    # No digest of the records: it would confirm a guess of them.
    show(found.report(output), html=html, as_json=as_json)


def check_learning() -> None:
    """Refuse where scikit-learn is absent."""
    try:
        import sklearn  # noqa: F401, PLC0415  (an extra)
    except ImportError as absent:
        raise MissingExtra.of("learning needs scikit-learn", "models") from absent


def check_test(test: Path | None, data: Path) -> None:
    """Refuse to measure on the same rows that were learned from, which would flatter the result."""
    if test is not None and test.exists() and data.exists() and test.samefile(data):
        raise BadTable(f"--test {test} is the data itself; measure on records that taught nothing")


def _features(
    intervals: list[str] | None,
    integers: list[str] | None,
    circles: list[str] | None,
    categories: list[str] | None,
) -> dict[str, Domain]:
    """Return the domain of each feature, each named once."""
    from noisewright.cli.columns import (  # noqa: PLC0415
        ANY_DOMAIN,
        read_categories,
        read_domains,
    )

    numbers = read_domains(intervals or [], circles or [], integers or [])
    domains = once([*numbers.items(), *read_categories(categories or []).items()], ANY_DOMAIN)
    if not domains:
        raise InvalidParameter(f"name at least one feature and its domain, with {ANY_DOMAIN}")
    return domains


def _method(
    name: str, learners: str | None, default: str | None, base: str | None, *, intercept: bool
) -> Method:
    """Return the method that was asked for; refuse options of another method."""
    from noisewright.learn import Method  # noqa: PLC0415  (scikit-learn is slow to load)

    if name == "local" and (base is not None or not intercept):
        raise InvalidParameter("--base and --no-intercept are for --method mrma")
    if name == "mrma" and (learners is not None or default is not None):
        raise InvalidParameter("--learners and --default are for --method local")
    usual = Method()
    chosen = read_list("--learners", learners) or usual.learners
    return Method(name, chosen, default, usual.base if base is None else base, intercept)
