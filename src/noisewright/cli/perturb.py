"""``noisewright perturb``: randomize columns of a file into a file of reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.option_types import (
    CategoryColumns,
    CircleColumns,
    EngineOption,
    ForceOption,
    HtmlOption,
    IntegerColumns,
    IntervalColumns,
)
from noisewright.cli.options import whole_option
from noisewright.cli.output import check_html, show
from noisewright.cli.terminal import progress_of, say
from noisewright.errors import NoisewrightError
from noisewright.parameters import DELTA, EPSILON

if TYPE_CHECKING:
    from noisewright.io.numbers import WholeColumn


def perturb(
    readings: Annotated[
        str,
        typer.Argument(
            metavar="READINGS",
            help="A CSV, Parquet or Arrow file of true values; or a folder, a quoted glob or an address of "
            "such files.",
        ),
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE | FOLDER",
            help="Where the reports go: .parquet, .arrow, or .csv with a .csv.json beside it. Several files, "
            "a store and an engine need a folder.",
        ),
    ],
    epsilon: Annotated[
        list[str],
        typer.Option(
            metavar="E | NAME=E",
            help="Budget of one row, shared evenly by its columns; or NAME=E for every column "
            f"({EPSILON.range}). Someone with several rows spends it several times.",
        ),
    ],
    interval: IntervalColumns = None,
    integers: IntegerColumns = None,
    circle: CircleColumns = None,
    categories: CategoryColumns = None,
    purpose: Annotated[
        list[str] | None,
        typer.Option(
            "--for",
            metavar="P | NAME=P",
            help="What the reports of all columns of numbers, or of one, are wanted for: mean, distribution, "
            "both (if not given), bins, or single reports near the truth. It chooses the mechanism.",
        ),
    ] = None,
    bins: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=EDGES | NAME=N",
            help="Report the bin of a number and nothing else: age=0,18,65,100, or age=10 for equal bins.",
        ),
    ] = None,
    mechanism: Annotated[
        list[str] | None,
        typer.Option(
            metavar="M | NAME=M",
            help="Mechanism for all columns of numbers or one, by name or as @file from noisewright design, "
            "instead of --for.",
        ),
    ] = None,
    protocol: Annotated[
        list[str] | None,
        typer.Option(
            metavar="P | NAME=P",
            help="Protocol for all columns of labels or one: KRR, RR, OUE, SUE, OLH, SubsetSelection, "
            "HadamardResponse, or @file; otherwise auto, which takes the least variance and says why.",
        ),
    ] = None,
    delta: Annotated[
        float | None,
        typer.Option(help="For mechanisms that take one, such as Gaussian, in each column: " + DELTA.help),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Pass a column on as it is, NOT randomized. Others are left out."),
    ] = None,
    out_of_domain: Annotated[
        str,
        typer.Option(
            metavar="refuse | clip",
            help="What to do with numbers outside their domain: clip moves them to the nearer end of an "
            "interval, rounds to whole numbers, and wraps them round a circle (25 hours are 1).",
        ),
    ] = "refuse",
    seed: Annotated[
        int | None, whole_option(help="Repeatable noise for tests. The reports are then NOT PRIVATE.")
    ] = None,
    engine: EngineOption = None,
    replace: ForceOption = False,
    html: HtmlOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no summary and no progress.")] = False,
) -> None:
    """Randomize columns of a file into a file of reports, or those of many files into a folder of reports.

    Only randomized columns are written, unless --keep names others; rows and columns keep their order. The
    output appears whole or not at all. A column name ends at the last "=" of an option.

    noisewright perturb readings.csv --epsilon 2 --interval heart_rate=40:200 -o reports.parquet

    noisewright perturb people.csv --epsilon 1 --integers age=0:99 -o reports.parquet

    noisewright perturb people.csv --epsilon 1 --integers age=0:99 --bins age=0,18,65,100 -o reports.parquet

    noisewright perturb visits.csv --epsilon 1 --categories diagnosis=@codes.txt -o reports.parquet

    noisewright perturb visits/ --epsilon 2 --interval hours=0:24 --keep region -o reports
    """
    # Arrow and the mechanisms take a moment to load, which --help need not wait for.
    from noisewright.cli.cluster import perturb_on  # noqa: PLC0415
    from noisewright.cli.columns import (  # noqa: PLC0415
        all_columns,
        choice_facts,
        read_budgets,
        read_categories,
        read_domains,
        read_numbers,
        read_protocols,
        recommendation_facts,
    )
    from noisewright.design.blind_spots import blind_spots  # noqa: PLC0415
    from noisewright.io import perturb_file  # noqa: PLC0415
    from noisewright.io.location import Location  # noqa: PLC0415
    from noisewright.randomness import SecureSource, SeededSource  # noqa: PLC0415
    from noisewright.survey.perturb_report import perturb_report  # noqa: PLC0415

    check_html(html, replace=replace)
    numbers = read_domains(interval or [], circle or [], integers or [])
    labels = read_categories(categories or [])
    budgets = read_budgets(epsilon, all_columns(numbers, labels))
    protocols, choices = read_protocols(protocol or [], labels, budgets)
    measured, chosen = read_numbers(mechanism or [], purpose or [], bins or [], numbers, budgets, delta)
    mechanisms = {**measured, **protocols}
    untold = {name: spots for name, each in mechanisms.items() if (spots := blind_spots(each))}
    for name, spots in untold.items():  # before anything is drawn
        for spot in spots:
            say(f"what reports of {name} leave open: {spot}")
    source = SecureSource() if seed is None else SeededSource(seed)
    run = partial(perturb_file, notice=_declare_whole) if engine is None else partial(perturb_on, engine)
    with progress_of("Randomizing", quiet=quiet, unit="rows" if engine is None else "parts") as progress:
        written = run(
            readings,
            output,
            mechanisms,
            source=source,
            keep=keep or [],
            out_of_domain=out_of_domain,
            replace=replace,
            progress=progress,
        )
    if notice := _drawn_before(readings, mechanisms):
        say(notice)
    if notice := _folders_left(readings, keep or []):
        say(notice)
    if not source.private:
        where = Location(output)
        say(f"{where} is NOT PRIVATE: anyone can undo noise that comes from --seed; use it for tests only")
    reasons = {name: f"auto chose {choice.reason}" for name, choice in choices.items()}
    reasons |= {name: f"chosen for {_aim(each.purpose)}: {each.reason}." for name, each in chosen.items()}
    facts = {name: choice_facts(choice) for name, choice in choices.items()}
    facts |= {name: recommendation_facts(each) for name, each in chosen.items()}
    extra = {
        **({"choices": facts} if facts else {}),
        **({"untold": {name: list(spots) for name, spots in untold.items()}} if untold else {}),
    }
    # No digest of the readings: whoever guesses them could confirm the guess by it.
    files = {"input": readings, "output": output}
    show(perturb_report(written, reasons, extra), files=files, html=html, as_json=as_json, quiet=quiet)


def _aim(purpose: str) -> str:
    return {"both": "mean and distribution", "mean": "the mean", "single": "single reports"}.get(
        purpose, purpose
    )


def _declare_whole(found: WholeColumn) -> None:
    """Say that a column holds whole numbers, and which option would suit it."""
    first, last = found.domain.first, found.domain.last
    integers, labels = (quote(f"{found.name}={first}{sign}{last}") for sign in ":,")
    say(found.advice(f"--integers {integers}", f"--categories {labels}"))


def _drawn_before(readings: str, columns: Iterable[str]) -> str | None:
    """What to say if columns that were randomized hold reports already."""
    from noisewright.io.description import find_description  # noqa: PLC0415  (Arrow takes a moment to load)
    from noisewright.io.location import Location  # noqa: PLC0415

    try:
        before = find_description(readings)
    except NoisewrightError:  # a broken description says nothing
        return None
    names = [name for name in columns if name in before.mechanisms] if before else []
    if before is None or not names:
        return None
    cost = "spends no more privacy but adds noise" if before.private else "adds noise"
    return f"{Location(readings)} already holds reports of {', '.join(names)}; randomizing them again {cost}"


def _folders_left(readings: str, keep: Sequence[str]) -> str | None:
    """What to say if folders state a value that is not kept: the order of the parts still shows it."""
    from noisewright.io.partitions import find_partitions, is_data_set  # noqa: PLC0415

    partitions = find_partitions(readings) if is_data_set(readings) else []
    values = {(name, value) for each in partitions for name, value in each.fixed.items() if name not in keep}
    names = [name for name, _ in values]
    left = sorted({name for name in names if names.count(name) > 1})
    if not left:
        return None
    return (
        f"{', '.join(left)} stands in the names of folders and is not written; but each part of the reports "
        "is of one file, so whoever knows the files can tell it"
    )
