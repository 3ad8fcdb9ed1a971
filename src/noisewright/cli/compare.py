"""``noisewright compare``: every mechanism of a domain side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.option_types import (
    CategoriesOption,
    CircleOption,
    DeltaOption,
    ForceOption,
    HtmlOption,
    IntegersOption,
    IntervalOption,
    JsonOption,
)
from noisewright.cli.options import (
    one_list,
    read_delta,
    read_domain,
    read_epsilons,
    read_loss,
    refuse_options_of_numbers,
)
from noisewright.cli.output import check_html, show
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
    budgets = read_epsilons(epsilon or USUAL)
    check_html(html, replace=replace)
    found: Reportable
    if categories is not None:
        from noisewright.design.comparison import compare_oracles  # noqa: PLC0415  (mechanisms take a moment)

        refuse_options_of_numbers(interval=interval, integers=integers, circle=circle, loss=loss, delta=delta)
        labels = one_list(categories)
        with status_of("Measuring", quiet=as_json):
            found = compare_oracles(labels, budgets, names)
    else:
        from noisewright.design.comparison import compare as measure  # noqa: PLC0415
        from noisewright.mechanisms.catalogue import applicable, find  # noqa: PLC0415

        kinds = [find(name) for name in names]
        domain, power = read_domain(interval, circle, integers), read_loss(loss or "absolute")
        chance = read_delta(delta, kinds or applicable(domain))
        with status_of("Measuring", quiet=as_json) as progress:
            found = measure(domain, budgets, power, kinds, chance, progress)
    show(found.report(), html=html, as_json=as_json)
