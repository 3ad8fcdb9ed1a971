"""``noisewright joint plan``: which coins pairs of users should share, if any."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final

import typer

from noisewright.cli.common import print_json
from noisewright.cli.html import HtmlOption, check_html, write_html
from noisewright.cli.numbers import read_ends
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.targets import ForceOption
from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON

RANGE: Final = "--share-range wants low:high, for example 0.02:0.1"


def plan(
    users: Annotated[int, typer.Option(help="How many users take part; they must fill whole groups.")],
    epsilon: Annotated[float, typer.Option(help=EPSILON.help)],
    colluders: Annotated[int, typer.Option(help="Users who may tell the collector their coins.")] = 0,
    expected_share: Annotated[
        float | None, typer.Option(help='Expected share of "yes", or of the label.')
    ] = None,
    share_range: Annotated[
        str | None,
        typer.Option(
            metavar="LOW:HIGH",
            help="The worst share of a range counts instead; 0:1 if no share is given and no --most-loss.",
        ),
    ] = None,
    most_loss: Annotated[
        float | None,
        typer.Option(
            help="Most variance above randomized response at any share, as a fraction; no limit if not "
            "given. Without a share or a range, the average over all shares then counts."
        ),
    ] = None,
    cap_average: Annotated[
        float | None, typer.Option(help="Most ε of one report seen alone; --epsilon if not given.")
    ] = None,
    cap_colluding: Annotated[
        float | None, typer.Option(help="Most ε given that the partner colludes; unlimited if not given.")
    ] = None,
    labels: Annotated[int, typer.Option(help="How many answers there are; one of them is counted.")] = 2,
    group: Annotated[int, typer.Option(help="Users who share coins.")] = 2,
    correlation: Annotated[
        float | None, typer.Option(help="Examine this correlation of truth flags, too.")
    ] = None,
    heuristic: Annotated[
        bool, typer.Option("--heuristic", help="Say all that the published heuristic costs.")
    ] = False,
    html: HtmlOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Plan joint randomized response: the coins with the least error, or none if sharing does not help.

    noisewright joint plan --users 10000 --epsilon 0.1 --colluders 50 --expected-share 0.08
    """
    from noisewright.design.joint_plan import examine, joint_plan  # noqa: PLC0415  (mechanisms take a moment)
    from noisewright.pages.joint_text import show  # noqa: PLC0415

    if expected_share is not None and share_range is not None:
        raise InvalidParameter("give either --expected-share or --share-range, not both")
    check_html(html, replace=force)
    found = joint_plan(
        users,
        epsilon,
        colluders,
        share=expected_share,
        shares=None if share_range is None else read_ends(share_range, share_range, RANGE),
        most_loss=most_loss,
        cap_average=cap_average,
        cap_colluding=cap_colluding,
        group=group,
        labels=labels,
    )
    if correlation is not None:
        found = replace(found, given=examine(found.task, correlation))
    if html is not None:
        from noisewright.pages.joint_page import joint_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, joint_page(found))
    if as_json:
        print_json(found.to_dict())
    else:
        show(found, heuristic=heuristic)
