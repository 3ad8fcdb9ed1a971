"""``noisewright learn``: a classifier from randomized answers, with an honest account of itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from noisewright.cli.common import print_json, print_text, say, status_of
from noisewright.cli.html import HtmlOption, check_html, write_html
from noisewright.cli.learn_files import check_learning, check_output, check_test
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.targets import ForceOption
from noisewright.parameters import EPSILON

if TYPE_CHECKING:
    from noisewright.pages.learn_lesson import Lesson

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
    interval: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=LOW:HIGH", help="A feature between two public ends; may be repeated."),
    ] = None,
    integers: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LOW:HIGH", help="A feature of whole numbers from a public range; may be repeated."
        ),
    ] = None,
    circle: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=PERIOD", help="A feature that wraps round: hours, bearings; may be repeated."
        ),
    ] = None,
    categories: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=A,B,... | NAME=@FILE",
            help="A feature whose values are labels of a public list; may be repeated.",
        ),
    ] = None,
    classes: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="The public list of classes; otherwise read off DATA."),
    ] = None,
    default: Annotated[
        str | None, typer.Option(metavar="CLASS", help="What to answer where nothing can be known.")
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="local | mrma",
            help="The best that we know, or MRMA as published: weak classifiers mixed by one-bit feedback.",
        ),
    ] = "local",
    learners: Annotated[
        str | None,
        typer.Option(
            metavar="additive,moments,directions",
            help="What is tried side by side, with --method local; additive if not given.",
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
        int | None, typer.Option(help="Repeatable noise for tests. The result is then NOT PRIVATE.")
    ] = None,
    force: ForceOption = False,
    html: HtmlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Learn a classifier from clients who each answer one randomized question.

    Simulates the clients: every row of DATA plays one, and spends epsilon for its features and its label
    together. Some teach, some choose among what was learned, some check the result. Columns that no option
    names are left out.

    noisewright learn patients.csv --label diabetes --epsilon 2 --interval age=0:100 -o model.json
    """
    check_learning()
    from noisewright.cli.learn_request import LearnRequest  # noqa: PLC0415  (scikit-learn is slow to load)

    request = LearnRequest.of(
        label=label, epsilon=epsilon, intervals=interval or [], integers=integers or [],
        circles=circle or [],
        categories=categories or [], classes=classes, method=method, learners=learners, default=default,
        base=base, intercept=not no_intercept, out_of_domain=out_of_domain, seed=seed,
    )  # fmt: skip
    check_html(html, replace=force)
    check_test(test, data)
    if output is not None:
        inputs = [data] if test is None else [data, test]
        check_output(output, MODELS, SAVED, inputs, replace=force)
    with status_of("Learning", quiet=as_json):
        lesson = request.run(data, test)
    _write(lesson, output, html)
    _show(lesson, as_json=as_json)


def _write(lesson: Lesson, output: str | None, html: str | None) -> None:
    if lesson.simulated:
        say("this lesson is NOT PRIVATE: anyone can undo noise that comes from --seed; use it for tests only")
    page = None
    if html is not None:
        from noisewright.pages.learn_page import learn_page  # noqa: PLC0415  (matplotlib is slow to load)

        page = learn_page(lesson, output)
    if output is not None:
        from noisewright.learn.model_file import save_model  # noqa: PLC0415

        say(f"the classifier is in {save_model(lesson.model, output)}")
    if html is not None and page is not None:
        write_html(html, page)


def _show(lesson: Lesson, *, as_json: bool) -> None:
    if as_json:
        print_json(lesson.to_dict())
        return
    from noisewright.pages.learn_text import told  # noqa: PLC0415

    print_text(told(lesson))
