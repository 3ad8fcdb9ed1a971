"""``noisewright compare``: every mechanism of a domain side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.common import print_json, say
from noisewright.cli.one_domain import (
    CircleOption,
    DeltaOption,
    HtmlOption,
    IntervalOption,
    JsonOption,
    read_domain,
    read_epsilons,
    read_loss,
)

if TYPE_CHECKING:
    from noisewright.pages.comparison import Comparison


def compare(
    epsilon: Annotated[
        str, typer.Option(metavar="E[,E...]", help="Budgets to compare at, separated by commas.")
    ] = "0.5,1,2,4",
    interval: IntervalOption = None,
    circle: CircleOption = None,
    loss: Annotated[
        str, typer.Option(metavar="absolute | squared | P", help="The error |report − truth|^p.")
    ] = "absolute",
    mechanism: Annotated[
        list[str] | None, typer.Option(metavar="M", help="Only this mechanism; may be given several times.")
    ] = None,
    delta: DeltaOption = 1e-5,
    html: HtmlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare all mechanisms on a domain: errors, bits, budget spent, promise. Exact; nothing is simulated.

    noisewright compare --interval 0:1 --epsilon 0.5,1,2,4 --html compare.html
    """
    from noisewright.pages.catalogue import find  # noqa: PLC0415  (mechanisms take a moment to load)
    from noisewright.pages.compare_text import show  # noqa: PLC0415
    from noisewright.pages.comparison import compare as measure  # noqa: PLC0415

    kinds = [find(name) for name in mechanism or []]
    domain, epsilons, power = read_domain(interval, circle), read_epsilons(epsilon), read_loss(loss)
    comparison = measure(domain, epsilons, power, kinds, delta)
    if html is not None:
        _write(comparison, html)
    if as_json:
        print_json(comparison.to_dict())
    else:
        show(comparison)


def _write(comparison: Comparison, html: str) -> None:
    from noisewright.pages.compare import compare_page  # noqa: PLC0415  (matplotlib is slow to load)
    from noisewright.pages.publish import write_page  # noqa: PLC0415

    say(f"the page is in {write_page(html, compare_page(comparison))}")
