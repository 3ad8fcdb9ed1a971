"""``noisewright explain``: what one mechanism does, costs, promises and proves."""

from __future__ import annotations

from typing import Annotated

import typer

from noisewright.cli.common import print_json
from noisewright.cli.html import HtmlOption, check_html, write_html
from noisewright.cli.numbers import read_epsilon, read_number
from noisewright.cli.one_domain import (
    CircleOption,
    DeltaOption,
    IntervalOption,
    JsonOption,
    read_delta,
    read_domain,
)
from noisewright.parameters import EPSILON


def explain(
    mechanism: Annotated[
        str, typer.Argument(metavar="MECHANISM", help="By name: ogpm, pm-c, t-sw, laplace, …")
    ],
    epsilon: Annotated[str, typer.Option(metavar="E", help=f"{EPSILON.help}.")],
    interval: IntervalOption = None,
    circle: CircleOption = None,
    at: Annotated[
        list[str] | None, typer.Option(metavar="VALUE", help="A true value to look at; may be repeated.")
    ] = None,
    delta: DeltaOption = None,
    html: HtmlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Explain one mechanism: its law in words and units, its errors, its promise and the proof.

    noisewright explain ogpm --interval 40:200 --epsilon 2 --at 71
    """
    from noisewright.mechanisms.catalogue import build, find  # noqa: PLC0415  (mechanisms take a moment to load)
    from noisewright.pages.explain_text import told  # noqa: PLC0415
    from noisewright.pages.explanation import explain as look  # noqa: PLC0415

    kind = find(mechanism)
    chance = read_delta(delta, [kind])
    built = build(kind, read_domain(interval, circle), read_epsilon(epsilon), chance)
    values = [read_number(text, text, "--at wants a number, for example 71") for text in at or []]
    check_html(html)
    explanation = look(built, values)
    if html is not None:
        from noisewright.pages.explain import explain_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, explain_page(explanation))
    if as_json:
        print_json(explanation.to_dict())
    else:
        typer.echo(told(explanation))
