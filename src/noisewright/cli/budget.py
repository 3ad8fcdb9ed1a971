"""``noisewright budget``: create and inspect the ledger of people's privacy budgets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from noisewright.cli.option_types import JsonOption
from noisewright.cli.options import read_number
from noisewright.cli.terminal import print_json, print_report, print_text
from noisewright.cli.verb import Verb, Verbs
from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from noisewright.ledger import Ledger

COLUMN: Final = "--column wants name=epsilon, for example heart_rate=2"

budget = typer.Typer(name="budget", cls=Verbs, rich_markup_mode=None)


@budget.callback()
def of_ledger(
    context: typer.Context,
    ledger: Annotated[Path | None, typer.Option(metavar="FILE", help="The ledger, a SQLite file.")] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Its key; default: FILE.key beside the ledger.")
    ] = None,
) -> None:
    """Keep people's privacy budgets: create a ledger, show the status of everybody or of one person.

    noisewright budget --ledger people.db status
    """
    context.obj = (ledger, key)


def _which(context: typer.Context) -> tuple[Path, Path | None]:
    """Return the ledger and its key; only verbs that need one ask, so ``--help`` works without."""
    ledger, key = context.obj
    if ledger is None:
        raise InvalidParameter(
            "name the ledger before the verb: noisewright budget --ledger people.db status"
        )
    return ledger, key


@budget.command(cls=Verb)
def create(
    context: typer.Context,
    total: Annotated[
        str, typer.Option("--budget", metavar="E", help="Total epsilon that one person may ever spend.")
    ],
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=E", help="Limit for one column; may be repeated."),
    ] = None,
    delta: Annotated[
        float, typer.Option(help="Total delta that one person may spend; default: only pure reports.")
    ] = 0.0,
    simulated: Annotated[
        bool, typer.Option("--simulated", help="For tests: takes seeded noise. The reports are NOT PRIVATE.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Create a ledger, and its key in a file that only you can read.

    noisewright budget --ledger people.db create --budget 4 --column heart_rate=2
    """
    from noisewright.ledger import Ledger  # noqa: PLC0415  (mechanisms take a moment to load)

    path, key = _which(context)
    whole = read_number(total, total, "--budget wants a number, for example 4")
    made = Ledger.create(
        path, budget=whole, columns=_columns(column or []), delta=delta, simulated=simulated, key=key
    )
    if as_json:
        print_json({"ledger": str(made.path), "key": str(made.key), "terms": made.terms.to_dict()})
    else:
        print_text(f"The ledger is {made.path}, its key {made.key}; without the key the ledger is of no use.")


@budget.command(cls=Verb)
def status(
    context: typer.Context,
    person: Annotated[str | None, typer.Option(metavar="ID", help="Only this person.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show how much of the budgets is spent: everybody's, or one person's.

    noisewright budget --ledger people.db status --person anna
    """
    ledger = _open(context)
    found = ledger.status() if person is None else ledger.statement(person)
    # No provenance here: the command would name the person.
    if as_json:
        print_json(found.to_dict())
    else:
        print_report(found.report())


def _open(context: typer.Context) -> Ledger:
    from noisewright.ledger import Ledger  # noqa: PLC0415  (mechanisms take a moment to load)

    path, key = _which(context)
    return Ledger.open(path, key=key)


def _columns(texts: Sequence[str]) -> dict[str, float]:
    """Return the budgets of single columns.

    >>> _columns(["heart_rate=2", "a=b=0.5"])
    {'heart_rate': 2.0, 'a=b': 0.5}
    """
    budgets: dict[str, float] = {}
    for text in texts:
        name, _, value = text.rpartition("=")
        if not name or name in budgets:
            raise InvalidParameter(f"{COLUMN}, once for each column; got {text!r}")
        budgets[name] = read_number(value, text, COLUMN)
    return budgets
