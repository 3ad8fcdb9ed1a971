"""``noisewright explain``: what one mechanism does, costs, promises and proves."""

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
    file_of,
    one_list,
    read_delta,
    read_domain,
    read_epsilon,
    read_number,
    refuse_idle_delta,
    refuse_options_of_numbers,
)
from noisewright.cli.output import check_html, show
from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON

if TYPE_CHECKING:
    from noisewright.design.explanation import OracleExplanation
    from noisewright.mechanisms import NumericMechanism


def explain(
    mechanism: Annotated[
        str,
        typer.Argument(
            metavar="MECHANISM",
            help="By name: ogpm, pm-c, t-sw, laplace, …; for labels krr, oue, olh, …, or auto; or @file from "
            "noisewright design, which has its own domain and epsilon.",
        ),
    ],
    epsilon: Annotated[str | None, typer.Option(metavar="E", help=f"{EPSILON.help}.")] = None,
    interval: IntervalOption = None,
    integers: IntegersOption = None,
    circle: CircleOption = None,
    categories: CategoriesOption = None,
    at: Annotated[
        list[str] | None, typer.Option(metavar="VALUE", help="A true value to look at; may be repeated.")
    ] = None,
    delta: DeltaOption = None,
    html: HtmlOption = None,
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Explain one mechanism: its law in words and units, its errors, its promise and the proof.

    noisewright explain ogpm --interval 40:200 --epsilon 2 --at 71

    noisewright explain krr --categories asthma,diabetes,none --epsilon 1
    """
    check_html(html, replace=replace)
    if categories is not None:
        refuse_options_of_numbers(interval=interval, integers=integers, circle=circle, at=at, delta=delta)
        show(_protocol(mechanism, categories, epsilon).report(), html=html, as_json=as_json)
        return
    from noisewright.design.explanation import explain as look  # noqa: PLC0415  (mechanisms take a moment to load)

    file = file_of(mechanism)
    if file is None:
        built = _named_mechanism(mechanism, epsilon, (interval, circle, integers), delta)
    else:
        built = _mechanism_of_file(file, epsilon, (interval, circle, integers), delta)
    values = [read_number(text, text, "--at wants a number, for example 71") for text in at or []]
    show(look(built, values).report(), inputs=[] if file is None else [file], html=html, as_json=as_json)


def _protocol(name: str, categories: str, epsilon: str | None) -> OracleExplanation:
    """Explain one protocol for a list of labels."""
    from noisewright.design.explanation import OracleExplanation  # noqa: PLC0415  (mechanisms take a moment)
    from noisewright.mechanisms.categorical.choice import AUTO, best_oracle, oracle  # noqa: PLC0415

    if epsilon is None:
        raise InvalidParameter("--epsilon is missing, for example --epsilon 1")
    budget, labels = read_epsilon(epsilon), one_list(categories)
    if name.casefold() != AUTO:
        return OracleExplanation(oracle(name, labels, budget, "mechanism"))
    best = best_oracle(labels, budget)
    return OracleExplanation(best.mechanism, best.reason)


def _named_mechanism(
    name: str, epsilon: str | None, domain: tuple[str | None, ...], delta: float | None
) -> NumericMechanism:
    """Return a mechanism of the catalogue."""
    from noisewright.mechanisms.catalogue import build, find  # noqa: PLC0415  (mechanisms take a moment to load)

    kind = find(name)
    chance = read_delta(delta, [kind])
    if epsilon is None:
        raise InvalidParameter("--epsilon is missing; only the file of a mechanism has its own")
    return build(kind, read_domain(*domain), read_epsilon(epsilon), chance)


def _mechanism_of_file(
    file: str, epsilon: str | None, said: tuple[str | None, ...], delta: float | None
) -> NumericMechanism:
    """Return the mechanism of a file; any other options must agree with the file."""
    from noisewright.cli.mechanism_files import check_agrees, read_numeric  # noqa: PLC0415  (Arrow is slow to load)

    built = read_numeric(file)
    refuse_idle_delta(delta, [type(built)])
    domain = built.domain if said == (None,) * len(said) else read_domain(*said)
    check_agrees(built, file, domain, built.epsilon if epsilon is None else read_epsilon(epsilon))
    return built
