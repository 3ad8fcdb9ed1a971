"""``noisewright compare``: every mechanism of a domain side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from noisewright.cli.common import print_json, status_of
from noisewright.cli.html import HtmlOption, check_html, write_html
from noisewright.cli.label_lists import CategoriesOption
from noisewright.cli.label_verbs import compare_labels, refuse_options_of_numbers
from noisewright.cli.one_domain import (
    CircleOption,
    DeltaOption,
    IntegersOption,
    IntervalOption,
    JsonOption,
    read_delta,
    read_domain,
    read_epsilons,
    read_loss,
)
from noisewright.cli.targets import ForceOption

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
    force: ForceOption = False,
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
        compare_labels(names, categories, epsilon or USUAL, html, force=force, as_json=as_json)
        return
    from noisewright.mechanisms.catalogue import applicable, find  # noqa: PLC0415  (mechanisms take a moment to load)
    from noisewright.pages.compare_text import show  # noqa: PLC0415
    from noisewright.pages.measuring import compare as measure  # noqa: PLC0415

    kinds = [find(name) for name in names]
    domain, power = read_domain(interval, circle, integers), read_loss(loss or "absolute")
    epsilons = read_epsilons(epsilon or USUAL)
    chance = read_delta(delta, kinds or applicable(domain))
    check_html(html, replace=force)
    with status_of("Measuring", quiet=as_json) as progress:
        comparison = measure(domain, epsilons, power, kinds, chance, progress)
    if html is not None:
        from noisewright.pages.compare import compare_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, compare_page(comparison))
    if as_json:
        print_json(comparison.to_dict())
    else:
        show(comparison)
