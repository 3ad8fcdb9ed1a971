"""``noisewright design``: the best mechanism for a task, and what the simple ones give away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from noisewright.cli.common import print_json, say, status_of
from noisewright.cli.html import HtmlOption, check_html, write_html
from noisewright.cli.numbers import read_epsilon, read_number
from noisewright.cli.one_domain import (
    CircleOption,
    IntegersOption,
    IntervalOption,
    JsonOption,
    read_domain,
    read_loss,
)
from noisewright.cli.targets import ForceOption
from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON

if TYPE_CHECKING:
    from noisewright.design.design_table import DesignTable
    from noisewright.domains import Domain
    from noisewright.mechanisms import Mechanism

POINT: Final = "--point wants a number, for example 71"


def design(
    epsilon: Annotated[str, typer.Option(metavar="E", help=f"{EPSILON.help}.")],
    interval: IntervalOption = None,
    integers: IntegersOption = None,
    circle: CircleOption = None,
    space: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="True values are labels with distances: a table whose first line and column name them.",
        ),
    ] = None,
    loss: Annotated[
        str,
        typer.Option(
            metavar="absolute | squared | P | zero-one",
            help="The error |report − truth|^p; zero-one counts wrong labels.",
        ),
    ] = "absolute",
    objective: Annotated[
        str | None,
        typer.Option(
            metavar="worst | average | point | lexicographic",
            help="What to be best at; lexicographic: the worst case, then the average. Otherwise point with "
            "--point, average with --prior or a limit on the worst case, and worst.",
        ),
    ] = None,
    prior: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="How common true values are, from PUBLIC knowledge, never from the private data: a column "
            "of weights for equal parts of the domain (or for labels) that sum to one; or two columns, the "
            "first with a value of the part (or the label). With a header line.",
        ),
    ] = None,
    point: Annotated[
        str | None, typer.Option(metavar="X", help="The true value of --objective point.")
    ] = None,
    cap_worst: Annotated[
        float | None,
        typer.Option(metavar="F", help="At most F times the least possible worst case, for example 1.1."),
    ] = None,
    worst_at_most: Annotated[
        float | None, typer.Option(metavar="L", help="A worst case of at most L, in units of the loss.")
    ] = None,
    unbiased: Annotated[
        bool, typer.Option("--unbiased", help="The expected report must be the true value.")
    ] = False,
    inputs: Annotated[
        int | None, typer.Option(metavar="N", help="Parts that the domain is cut into; 128 if not given.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the mechanism as JSON, for --mechanism @FILE."
        ),
    ] = None,
    mechanism: Annotated[
        str | None,
        typer.Option(metavar="optimal | window", help="Which one -o writes; the optimal law if not given."),
    ] = None,
    force: ForceOption = False,
    html: HtmlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the best mechanism for a task: no other can do better, and the proof comes with it.

    Shows it beside the best window, OGPM and the Laplace family, with what each of them gives away.

    noisewright design --interval 0:1 --epsilon 1 --loss absolute --objective worst
    """
    from noisewright.design.designer import tabulate  # noqa: PLC0415  (mechanisms take a moment to load)

    check_html(html, replace=force)
    _check_output(output, mechanism, html, force=force)
    domain = _domain((interval, circle, integers), space)
    arguments = {
        "loss": loss if loss == "zero-one" else read_loss(loss),
        "objective": objective or _implied(point, prior, cap_worst, worst_at_most),
        "prior": _prior(prior, domain),
        "point": None if point is None else point if space else read_number(point, point, POINT),
        "cap_worst": cap_worst,
        "worst_at_most": worst_at_most,
        "unbiased": unbiased,
        "inputs": inputs,
    }
    with status_of("Designing:", quiet=as_json) as progress:
        table = tabulate(domain, read_epsilon(epsilon), progress=progress, **arguments)
    _write(table, output, mechanism)
    if html is not None:
        from noisewright.pages.design_page import design_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, design_page(table, output))
    _show(table, as_json=as_json)


def _implied(
    point: str | None, prior: str | None, cap_worst: float | None, worst_at_most: float | None
) -> str:
    """The objective that the other options speak of."""
    if point is not None:
        return "point"
    given = (prior, cap_worst, worst_at_most)
    return "average" if any(option is not None for option in given) else "worst"


def _domain(numbers: tuple[str | None, ...], space: str | None) -> Domain:
    if space is None:
        return read_domain(*numbers)
    if any(option is not None for option in numbers):
        raise InvalidParameter("give one domain, either --interval, --integers, --circle or --space")
    from noisewright.cli.design_files import read_space  # noqa: PLC0415  (Arrow is slow to load)

    return read_space(space)


def _prior(path: str | None, domain: Domain) -> Any:
    if path is None:
        return None
    from noisewright.cli.design_files import read_prior_file  # noqa: PLC0415  (Arrow is slow to load)

    return read_prior_file(path, domain)


def _check_output(output: str | None, mechanism: str | None, html: str | None, *, force: bool) -> None:
    """Refuse what could not be written, before any work is done."""
    if mechanism not in (None, "optimal", "window"):
        raise InvalidParameter(f"--mechanism must be optimal or window, not {mechanism!r}")
    if output is None and mechanism is not None:
        raise InvalidParameter("--mechanism is about the file that -o names; name one")
    if output is None and html is None and force:
        raise InvalidParameter("--force is about the files that -o and --html name; name one")
    if output is not None:
        from noisewright.cli.mechanism_files import check_mechanism_target  # noqa: PLC0415  (Arrow is slow)

        check_mechanism_target(output, replace=force)


def _write(table: DesignTable, output: str | None, mechanism: str | None) -> None:
    if output is None:
        return
    from noisewright.cli.mechanism_files import write_mechanism  # noqa: PLC0415  (Arrow is slow to load)

    say(f"the mechanism is in {write_mechanism(output, _chosen(table, mechanism))}")


def _chosen(table: DesignTable, mechanism: str | None) -> Mechanism:
    row = table.window if mechanism == "window" else table.optimal
    if row is None:
        raise InvalidParameter("labels have no window; write the optimal law instead")
    return row.mechanism


def _show(table: DesignTable, *, as_json: bool) -> None:
    if as_json:
        print_json(table.to_dict())
        return
    from noisewright.pages.design_text import show  # noqa: PLC0415  (rich takes a moment to load)

    show(table)
