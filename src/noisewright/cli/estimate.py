"""``noisewright estimate``: what files of reports say about the people behind them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from noisewright.cli.option_types import EngineOption, ForceOption, HtmlOption, JsonOption
from noisewright.cli.options import read_number, whole_option
from noisewright.cli.output import check_html, show
from noisewright.cli.terminal import progress_of, say
from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from noisewright.estimate import Tally

SHARES: Final = "--quantile wants shares between 0 and 1, separated by commas, for example 0.25,0.5,0.75"


def estimate(
    context: typer.Context,
    reports: Annotated[
        list[str],
        typer.Argument(
            metavar="REPORTS",
            help="Files, folders, quoted globs or addresses of reports; several are one collection.",
        ),
    ],
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this column; may be repeated. All columns if not given."),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Estimate each group of people apart: by a public column that was kept, or by folders such "
            "as NAME=north.",
        ),
    ] = None,
    description: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="What the reports are, where other software dropped it: the .json beside them, the "
            "_noisewright.json of a folder, or a file of reports that still says it.",
        ),
    ] = None,
    bins: Annotated[int, whole_option(help="Bins of the histogram, 2 to 1024.")] = 20,
    shares: Annotated[
        str,
        typer.Option("--quantile", metavar="S[,S...]", help="Quantiles, by the share of people below them."),
    ] = "0.25,0.5,0.75",
    method: Annotated[
        str,
        typer.Option(
            metavar="smoothed | em | unbiased",
            help="How the bars of the histogram are found; the intervals are the same for all.",
        ),
    ] = "smoothed",
    consistency: Annotated[
        str,
        typer.Option(
            metavar="none | norm-sub | em",
            help="How to make shares of labels non-negative and sum to 1, if at all; the intervals "
            "are the same for all.",
        ),
    ] = "none",
    top: Annotated[int, whole_option(help="How many labels to show, the most frequent ones.")] = 20,
    every: Annotated[bool, typer.Option("--all", help="Show all labels.")] = False,
    level: Annotated[float, typer.Option(help="How often an interval holds the truth.")] = 0.95,
    engine: EngineOption = None,
    html: HtmlOption = None,
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Estimate means, quantiles and distributions of numbers, and shares of labels, with intervals.

    The files say themselves how they were randomized. Columns of one name belong together, whatever their
    epsilon. Memory does not grow with the number of reports.

    noisewright estimate reports.parquet --html report.html

    noisewright estimate reports/ --by region
    """
    from noisewright.cli.cluster import listed_folders, tally_on  # noqa: PLC0415  (Arrow takes a moment to load)
    from noisewright.io import read_description  # noqa: PLC0415
    from noisewright.io.tallies import tally_groups  # noqa: PLC0415
    from noisewright.survey import EstimateRequest  # noqa: PLC0415
    from noisewright.survey.groups import CountedReports, counted  # noqa: PLC0415

    request = EstimateRequest(bins, read_shares(shares), method, level, consistency, None if every else top)
    check_html(html, replace=replace)
    about = None if description is None else read_description(description)
    count = tally_groups if engine is None else partial(tally_on, engine)
    with progress_of("Counting", quiet=as_json, unit="rows" if engine is None else "parts") as progress:
        tallies = counted(count(reports, by, column, progress, description=about), by)
    groups = [tallies] if isinstance(tallies, CountedReports) else list(tallies.values())
    named = {name: tally for group in groups for name, tally in group.items()}
    typed = context.get_parameter_source("bins")
    if typed is not None and typed.name != "DEFAULT" and (fixed := columns_with_fixed_bins(named)):
        say(fixed)
    with progress_of("Estimating", quiet=as_json, unit="reports" if by is None else "groups") as progress:
        found = tallies.answer(request, progress)
    if not groups[0].private:
        say(f"these estimates are of reports {groups[0].randomness}")
    inputs = reports if engine is None else listed_folders(reports)
    show(found.report(), inputs=inputs, html=html, as_json=as_json)


def columns_with_fixed_bins(tallies: Mapping[str, Tally]) -> str | None:
    """Say which columns --bins cannot change, or refuse it if it can change none.

    Bins that were fixed before anybody was asked are all that their reports tell; labels have none.
    """
    from noisewright.domains import Bins, FiniteDomain  # noqa: PLC0415  (a verb loads what it uses)

    fixed = [name for name, tally in tallies.items() if isinstance(tally.domain, Bins)]
    named = ", ".join(map(repr, fixed))
    why = f"the bins of {named} were fixed before anybody was asked, and reports tell no others"
    none = why if fixed else "all are labels"
    if all(isinstance(tally.domain, FiniteDomain) for tally in tallies.values()):
        raise InvalidParameter(
            f"--bins is for histograms of numbers, and no column has one: {none}; leave it out"
        )
    return f"--bins is not for every column: {why}" if fixed else None


def read_shares(text: str) -> tuple[float, ...]:
    """The shares of people below the quantiles that are asked for, each once.

    >>> read_shares("0.5, 0.9,0.5")
    (0.5, 0.9)
    """
    return tuple(dict.fromkeys(read_number(part, text, SHARES) for part in text.split(",")))
