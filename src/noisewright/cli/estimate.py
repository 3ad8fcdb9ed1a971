"""``noisewright estimate``: what files of reports say about the people behind them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from noisewright.cli.common import print_json, print_text, progress_of, say
from noisewright.cli.html import HtmlOption, check_html, write_html
from noisewright.cli.numbers import read_number
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.targets import ForceOption

SHARES: Final = "--quantile wants shares between 0 and 1, separated by commas, for example 0.25,0.5,0.75"


def estimate(
    reports: Annotated[
        list[Path],
        typer.Argument(metavar="REPORTS", help="Files of reports; several are one collection."),
    ],
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this column; may be repeated. All columns if not given."),
    ] = None,
    bins: Annotated[int, typer.Option(help="Bins of the histogram, 2 to 1024.")] = 20,
    quantile: Annotated[
        str, typer.Option(metavar="S[,S...]", help="Quantiles, by the share of people below them.")
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
            help="Whether shares of labels are made to be none below 0 and sum to 1, and how; the intervals "
            "are the same for all.",
        ),
    ] = "none",
    top: Annotated[int, typer.Option(help="How many labels to show, the most frequent ones.")] = 20,
    every: Annotated[bool, typer.Option("--all", help="Show all labels.")] = False,
    level: Annotated[float, typer.Option(help="How often an interval holds the truth.")] = 0.95,
    html: HtmlOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Estimate means, quantiles and distributions of numbers, and shares of labels, with intervals.

    The files say themselves how they were randomized. Columns of one name belong together, whatever their
    epsilon. Memory does not grow with the number of reports.

    noisewright estimate reports.parquet --html report.html
    """
    from noisewright.engine import tally_files  # noqa: PLC0415  (Arrow takes a moment to load)
    from noisewright.pages.estimate_text import told  # noqa: PLC0415
    from noisewright.pages.estimating import Request, estimate_all  # noqa: PLC0415

    request = Request(bins, read_shares(quantile), method, level, consistency, None if every else top)
    check_html(html, replace=force)
    with progress_of("Counting", quiet=as_json) as progress:
        tallies = tally_files(reports, column, progress)
    with progress_of("Estimating", quiet=as_json) as progress:
        found = estimate_all(tallies, request, progress)
    if not tallies.private:
        say(f"these estimates are of reports {tallies.randomness}")
    if html is not None:
        from noisewright.pages.estimate_page import estimate_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, estimate_page(found))
    if as_json:
        print_json(found.to_dict())
    else:
        print_text(told(found))


def read_shares(text: str) -> tuple[float, ...]:
    """The shares of people below the quantiles that are asked for, each once.

    >>> read_shares("0.5, 0.9,0.5")
    (0.5, 0.9)
    """
    return tuple(dict.fromkeys(read_number(part, text, SHARES) for part in text.split(",")))
