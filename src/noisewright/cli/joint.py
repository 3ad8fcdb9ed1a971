"""``noisewright joint``: plan shared coins, and run the protocol that draws them between processes."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from noisewright.cli.option_types import ForceOption, HtmlOption, JsonOption
from noisewright.cli.options import read_ends, read_epsilon, whole_option
from noisewright.cli.output import check_html, show
from noisewright.cli.terminal import print_text, say, status_of
from noisewright.cli.verb import Verb, Verbs
from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON

if TYPE_CHECKING:
    from noisewright.joint.run.config import RunConfig

RANGE: Final = "--share-range wants low:high, for example 0.02:0.1"


def plan(
    users: Annotated[int, whole_option(help="Number of users who take part; they must fill whole groups.")],
    epsilon: Annotated[str, typer.Option(metavar="E", help=EPSILON.help)],
    colluders: Annotated[
        int, whole_option(help="Number of users who may tell the collector their coins.")
    ] = 0,
    share: Annotated[
        float | None,
        typer.Option(
            "--expected-share",
            metavar="SHARE",
            help='Share of "yes", or of the counted label, that the coins are planned for, from 0 to 1.',
        ),
    ] = None,
    shares: Annotated[
        str | None,
        typer.Option(
            "--share-range",
            metavar="LOW:HIGH",
            help="Plan for the worst share of this range instead. Without either, all shares count, 0:1, "
            "and then sharing coins does not pay, unless --most-loss is given.",
        ),
    ] = None,
    most_loss: Annotated[
        float | None,
        typer.Option(
            metavar="LOSS",
            help="Largest loss that is accepted at any share: variance above that of randomized response, "
            "as a fraction; default: no limit. Without a share or a range, coins are then planned for the "
            "average over all shares.",
        ),
    ] = None,
    cap_average: Annotated[
        float | None,
        typer.Option(metavar="E", help="Largest ε of one report seen alone; default: --epsilon."),
    ] = None,
    cap_colluding: Annotated[
        float | None,
        typer.Option(metavar="E", help="Largest ε given that the partner colludes; default: no limit."),
    ] = None,
    labels: Annotated[int, whole_option(help="Number of possible answers; one of them is counted.")] = 2,
    group: Annotated[int, whole_option(help="Number of users who share coins.")] = 2,
    correlation: Annotated[
        float | None,
        typer.Option(metavar="R", help="Examine this correlation of truth flags, too, from -1 to 1."),
    ] = None,
    heuristic: Annotated[
        bool, typer.Option("--heuristic", help="Show everything that the published heuristic costs.")
    ] = False,
    html: HtmlOption = None,
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Plan joint randomized response: the coins with the least error, or none if sharing does not help.

    noisewright joint plan --users 10000 --epsilon 0.1 --colluders 50 --expected-share 0.08
    """
    from noisewright.design.joint_plan import examine, joint_plan  # noqa: PLC0415  (mechanisms take a moment)
    from noisewright.design.joint_report import joint_report  # noqa: PLC0415

    if share is not None and shares is not None:
        raise InvalidParameter("give either --expected-share or --share-range, not both")
    check_html(html, replace=replace)
    found = joint_plan(
        users,
        read_epsilon(epsilon),
        colluders,
        share=share,
        shares=None if shares is None else read_ends(shares, shares, RANGE),
        most_loss=most_loss,
        cap_average=cap_average,
        cap_colluding=cap_colluding,
        group=group,
        labels=labels,
    )
    if correlation is not None:
        found = dataclasses.replace(found, given=examine(found.task, correlation))
    show(joint_report(found, heuristic=heuristic), html=html, as_json=as_json)


def run(
    config: Annotated[
        Path | None, typer.Option("--config", "-c", metavar="FILE", help="What to run, as a TOML file.")
    ] = None,
    example: Annotated[bool, typer.Option("--example", help="Print an example of such a file.")] = False,
    replace: ForceOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Run joint randomized response between processes: grouping, two-party coins, reports, counts.

    Starts worker processes that hold the users' values, groups users by a commit-and-reveal beacon or by a
    committee that computes on secret shares, lets every pair draw its coins through a relay over TLS, and
    counts the reports. Values leave their worker as reports only.

    noisewright joint run --example > pairs.toml && noisewright joint run --config pairs.toml
    """
    from noisewright.io import write_reports  # noqa: PLC0415  (Arrow takes a moment to load)
    from noisewright.joint.run.config import EXAMPLE, RunConfig  # noqa: PLC0415
    from noisewright.joint.run.joint import chooser, run_joint  # noqa: PLC0415

    if example:
        print_text(EXAMPLE.rstrip("\n"))
        return
    if config is None:
        raise InvalidParameter("give --config FILE, or --example to see what such a file says")
    wanted = RunConfig.read(config)
    _check_output(wanted, replace=replace)
    with status_of("Starting processes", quiet=as_json) as status:
        result = run_joint(wanted, chooser(wanted), lambda part: status(f"· {part}"))
    if wanted.output is not None:
        column = wanted.column or "value"
        write_reports(wanted.output, {column: result.reports}, {column: result.mechanism}, replace=replace)
        say(f"the reports are in {wanted.output}")
    show(result.report(), random=True, as_json=as_json)


def _check_output(config: RunConfig, *, replace: bool) -> None:
    """Refuse, before any work is done, an output that could not be written in the end."""
    from noisewright.io.files import report_targets  # noqa: PLC0415  (Arrow takes a moment to load)

    if config.output is not None:
        original = config.file if config.file is not None and config.file.exists() else None
        report_targets(config.output, original, replace=replace)


joint = typer.Typer(name="joint", cls=Verbs, rich_markup_mode=None)
joint.command(cls=Verb)(plan)
joint.command(cls=Verb)(run)


@joint.callback()
def of_pairs() -> None:
    """Let paired users share coins, so that their lies cancel in a count: plan it, or run it.

    noisewright joint plan --users 10000 --epsilon 0.1 --colluders 50 --expected-share 0.08
    """
