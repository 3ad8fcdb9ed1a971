"""``noisewright tour``: every job end to end on public data, in one HTML report."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.common import print_json, print_text, say
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.targets import ForceOption
from noisewright.errors import BadTable

if TYPE_CHECKING:
    from noisewright.pages.tour.trip import Stop

WIDTH = 100


def tour(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the report and its files go.")] = Path(
        "tour-report"
    ),
    seed: Annotated[
        int | None, typer.Option(help="Repeatable noise, for tests. The reports are then NOT PRIVATE.")
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Take a tour on public data.

    Randomize a table, estimate, compare, design, keep a ledger, follow routes, predict what a classifier
    loses, learn one from randomized answers, release a model with a privacy card, and audit two mechanisms.

    noisewright tour --out tour-report
    """
    from noisewright.pages.tour import take_tour  # noqa: PLC0415  (Arrow and matplotlib are slow to load)
    from noisewright.randomness import SecureSource, SeededSource  # noqa: PLC0415

    if out.is_dir() and any(out.iterdir()) and not force:
        raise BadTable(f"{out} is a folder with files in it; choose another, or pass --force to replace them")
    source = SecureSource() if seed is None else SeededSource(seed)
    taken = take_tour(out, source, (lambda stop: None) if as_json else _tell)
    if not source.private:
        say("this tour is NOT PRIVATE: anyone can undo noise that comes from --seed; use it for tests only")
    if as_json:
        print_json(taken.to_dict())
    else:
        print_text(f"Report: {taken.report}")


def _tell(stop: Stop) -> None:
    """One stop, as text."""
    print_text(stop.heading)
    for line in stop.lines:
        print_text(textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="  "))
    print_text()
