"""``noisewright budget``: who may spend how much privacy, and what is left."""

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
        Path | None, typer.Option(metavar="FILE", help="Its key, if not beside it as FILE.key.")
    ] = None,
) -> None:
    """Keep the privacy budgets of people: create a ledger, look at everybody or at one person.

    noisewright budget --ledger people.db status
    """
    context.obj = (ledger, key)


def _which(context: typer.Context) -> tuple[Path, Path | None]:
    """The ledger and its key; asked for only where a ledger is needed, so that help is not."""
    ledger, key = context.obj
    if ledger is None:
        raise InvalidParameter(
            "name the ledger before what is to be done: noisewright budget --ledger people.db status"
        )
    return ledger, key


@budget.command(cls=Verb)
def create(
    context: typer.Context,
    total: Annotated[
        str, typer.Option("--budget", metavar="E", help="All the epsilon that one person may ever spend.")
    ],
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=E", help="At most so much of it on a column; may be repeated."),
    ] = None,
    delta: Annotated[
        float, typer.Option(help="All the delta that one person may spend; without it, only pure reports.")
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
    """Show how far the budgets are spent: everybody's, or one person's.

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
    """The budgets of single columns.

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
