"""``noisewright joint``: plan shared coins, and run the protocol that draws them between processes."""

from __future__ import annotations

import typer

from noisewright.cli.joint_plan import plan
from noisewright.cli.joint_run import run
from noisewright.cli.verb import Verb, Verbs

joint = typer.Typer(name="joint", cls=Verbs, rich_markup_mode=None)
joint.command(cls=Verb)(plan)
joint.command(cls=Verb)(run)


@joint.callback()
def of_pairs() -> None:
    """Let paired users share coins, so that their lies cancel in a count: plan it, or run it.

    noisewright joint plan --users 10000 --epsilon 0.1 --colluders 50 --expected-share 0.08
    """
