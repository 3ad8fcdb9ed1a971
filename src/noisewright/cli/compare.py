"""``noisewright compare``: every mechanism of a domain side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.options import (
    CategoriesOption,
    CircleOption,
    DeltaOption,
    IntegersOption,
    IntervalOption,
    JsonOption,
    one_list,
    read_delta,
    read_domain,
    read_epsilons,
    read_loss,
    refuse_options_of_numbers,
)
from noisewright.cli.output import ForceOption, HtmlOption, check_html, show
from noisewright.cli.terminal import status_of

if TYPE_CHECKING:
    from noisewright.report import Reportable

USUAL = ("0.5,1,2,4",)


def compare(
    epsilon: Annotated[
        list[str] | None,
        typer.Option(metavar="E[,E...]", help="Budgets to compare at; 0.5,1,2,4 if not given."),
    ] = None,
    interval: IntervalOption = None,
    integers: IntegersOption = None,
    circle: CircleOption = None,
    categories: CategoriesOption = None,
    loss: Annotated[
        str | None,
        typer.Option(
            metavar="absolute | squared | P", help="The error |report − truth|^p; absolute if not given."
        ),
    ] = None,
    mechanism: Annotated[
        list[str] | None, typer.Option(metavar="M[,M...]", help="Only these mechanisms; may be repeated.")
    ] = None,
    delta: DeltaOption = None,
    html: HtmlOption = None,
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Compare all mechanisms on a domain: errors, bits, budget spent, promise. Exact; nothing is simulated.

    noisewright compare --interval 0:1 --epsilon 0.5,1,2,4 --html compare.html

    noisewright compare --categories @codes.txt --epsilon 1
    """
    names = [name for names in mechanism or [] for name in names.split(",")]
    if categories is not None:
        refuse_options_of_numbers(
            {
                "--interval": interval,
                "--integers": integers,
                "--circle": circle,
                "--loss": loss,
                "--delta": delta,
            }
        )
        found = _labels(names, categories, epsilon or USUAL, html, replace=replace, as_json=as_json)
    else:
        found = _numbers(
            names, (interval, circle, integers), epsilon or USUAL, loss or "absolute", delta, html,
            replace=replace, as_json=as_json,
        )  # fmt: skip
    show(found.report(), html=html, as_json=as_json)


def _numbers(
    names: Sequence[str],
    domain: tuple[str | None, ...],
    epsilons: Sequence[str],
    loss: str,
    delta: float | None,
    html: str | None,
    *,
    replace: bool,
    as_json: bool,
) -> Reportable:
    """Compare all mechanisms of a domain of numbers, or the named ones."""
    from noisewright.design.comparison import compare as measure  # noqa: PLC0415  (mechanisms take a moment)
    from noisewright.mechanisms.catalogue import applicable, find  # noqa: PLC0415

    kinds = [find(name) for name in names]
    where, power = read_domain(*domain), read_loss(loss)
    budgets = read_epsilons(epsilons)
    chance = read_delta(delta, kinds or applicable(where))
    check_html(html, replace=replace)
    with status_of("Measuring", quiet=as_json) as progress:
        return measure(where, budgets, power, kinds, chance, progress)


def _labels(
    names: Sequence[str],
    categories: str,
    epsilons: Sequence[str],
    html: str | None,
    *,
    replace: bool,
    as_json: bool,
) -> Reportable:
    """Compare all protocols for a list of labels, or the named ones."""
    from noisewright.design.comparison import compare_oracles  # noqa: PLC0415  (mechanisms take a moment)

    labels, budgets = one_list(categories), read_epsilons(epsilons)
    check_html(html, replace=replace)
    with status_of("Measuring", quiet=as_json):
        return compare_oracles(labels, budgets, names)
