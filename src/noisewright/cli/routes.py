"""``noisewright routes``: make routes private, reconstruct, evaluate and count them, compare methods."""

from __future__ import annotations

import typer

from noisewright.cli.routes_compare import compare
from noisewright.cli.routes_count import count
from noisewright.cli.routes_evaluate import evaluate
from noisewright.cli.routes_perturb import perturb
from noisewright.cli.routes_reconstruct import reconstruct
from noisewright.cli.verb import Verb, Verbs

routes = typer.Typer(name="routes", cls=Verbs, rich_markup_mode=None)
routes.command(cls=Verb)(perturb)
routes.command(cls=Verb)(reconstruct)
routes.command(cls=Verb)(evaluate)
routes.command(cls=Verb)(count)
routes.command(cls=Verb)(compare)


@routes.callback()
def of_routes() -> None:
    """Make routes private, one location at a time, and work with what is left of them.

    noisewright routes perturb trips.geojson --epsilon 8 --per route --reports 3
    --space 139.47,35.51,139.90,35.86 -o private.geojson

    noisewright routes reconstruct private.geojson --max-speed 30
    """
