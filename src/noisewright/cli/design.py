"""``noisewright design``: the best mechanism for a task, and how far simple ones are from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np
import typer

from noisewright.cli.option_types import (
    CircleOption,
    ForceOption,
    HtmlOption,
    IntegersOption,
    IntervalOption,
    JsonOption,
)
from noisewright.cli.options import read_domain, read_epsilon, read_loss, read_number, whole_option
from noisewright.cli.output import check_html, show
from noisewright.cli.terminal import say, status_of
from noisewright.domains import Domain, FiniteDomain, Floats, MetricSpace, NumericDomain
from noisewright.domains.finite import MOST_POINTS
from noisewright.errors import BadTable, InvalidParameter
from noisewright.parameters import EPSILON

if TYPE_CHECKING:
    from noisewright.design.design_table import DesignTable
    from noisewright.mechanisms import Mechanism

POINT: Final = "--point wants a number, for example 71"

MOST_PARTS: Final = 4096
"""Most rows of a prior; a law has far fewer parts."""

EDGE: Final = 1e-6
"""How far below a part's first value, as a share of the part, rounding may put a value that belongs to it."""

SUM_SLACK: Final = 1e-6
"""How far the sum of a prior's weights may be from one, since files hold rounded numbers."""


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
            help="What to be best at; lexicographic: the worst case, then the average. Default: point with "
            "--point, average with --prior or a limit on the worst case, else worst.",
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
        int | None, whole_option(metavar="N", help="Parts that the domain is cut into; 128 if not given.")
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
    replace: ForceOption = False,
    html: HtmlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the best mechanism for a task, with a proof that no other does better.

    Shows it beside the best window, OGPM and the Laplace family, with how far each is from the best.

    noisewright design --interval 0:1 --epsilon 1 --loss absolute --objective worst
    """
    from noisewright.design.design_report import design_report  # noqa: PLC0415  (mechanisms take a moment)
    from noisewright.design.designer import tabulate  # noqa: PLC0415

    check_html(html, replace=replace)
    _check_output(output, mechanism, html, replace=replace)
    domain = _domain((interval, circle, integers), space)
    arguments: dict[str, Any] = {
        "loss": loss if loss == "zero-one" else read_loss(loss),
        "objective": objective or _implied_objective(point, prior, cap_worst, worst_at_most),
        "prior": None if prior is None else read_prior_file(prior, domain),
        "point": None if point is None else point if space else read_number(point, point, POINT),
        "cap_worst": cap_worst,
        "worst_at_most": worst_at_most,
        "unbiased": unbiased,
        "inputs": inputs,
    }
    with status_of("Designing:", quiet=as_json) as progress:
        table = tabulate(domain, read_epsilon(epsilon), progress=progress, **arguments)
    _write(table, output, mechanism)
    public = [file for file in (prior, space) if file is not None]  # both are public by definition
    show(design_report(table, output), inputs=public, html=html, as_json=as_json)


def _implied_objective(
    point: str | None, prior: str | None, cap_worst: float | None, worst_at_most: float | None
) -> str:
    """Return the objective that the other options imply."""
    if point is not None:
        return "point"
    given = (prior, cap_worst, worst_at_most)
    return "average" if any(option is not None for option in given) else "worst"


def _domain(numbers: tuple[str | None, ...], space: str | None) -> Domain:
    if space is None:
        return read_domain(*numbers)
    if any(option is not None for option in numbers):
        raise InvalidParameter("give one domain, either --interval, --integers, --circle or --space")
    return read_space(space)


def _check_output(output: str | None, mechanism: str | None, html: str | None, *, replace: bool) -> None:
    """Refuse a file that could not be written, before any work is done."""
    if mechanism not in (None, "optimal", "window"):
        raise InvalidParameter(f"--mechanism must be optimal or window, not {mechanism!r}")
    if output is None and mechanism is not None:
        raise InvalidParameter("--mechanism is about the file that -o names; name one")
    if output is None and html is None and replace:
        raise InvalidParameter("--force is about the files that -o and --html name; name one")
    if output is not None:
        from noisewright.cli.mechanism_files import check_mechanism_target  # noqa: PLC0415  (Arrow is slow)

        check_mechanism_target(output, replace=replace)


def _write(table: DesignTable, output: str | None, mechanism: str | None) -> None:
    if output is None:
        return
    from noisewright.cli.mechanism_files import write_mechanism  # noqa: PLC0415  (Arrow is slow to load)

    say(f"the mechanism is in {write_mechanism(output, _choose(table, mechanism))}")


def _choose(table: DesignTable, mechanism: str | None) -> Mechanism:
    row = table.window if mechanism == "window" else table.optimal
    if row is None:
        raise InvalidParameter("labels have no window; write the optimal law instead")
    return row.mechanism


# -- files that a design reads: a prior, and the distances of a finite space ------------------------------


def read_prior_file(path: str, domain: Domain) -> Floats:
    """Return the weights of a prior, one for each equal part of a domain or each label.

    The file has one column, the weights in order, or two. Then the first names the part (by any value in it)
    or the label of each weight.
    """
    from noisewright.io.table_files import open_input  # noqa: PLC0415  (Arrow is slow to load)

    table = open_input(path)
    if len(table.names) not in (1, 2):
        raise BadTable(
            f"the prior in {path} must have one column (weights) or two (value, weight), not "
            f"{len(table.names)}; is a header line missing?"
        )
    *keys, weights = table.names
    if _is_number(weights):
        raise BadTable(
            f"the first line of {path} is a weight; the prior needs a header line, such as: weight"
        )
    labelled = isinstance(domain, FiniteDomain)
    columns = _columns(path, [weights] if labelled else table.names, keys if labelled else [], MOST_PARTS)
    found = _weights(path, columns[weights])
    return _in_order(path, columns[keys[0]], found, domain) if keys else found


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def _weights(path: str, weights: Floats) -> Floats:
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise InvalidParameter(f"the weights in {path} must be finite numbers that are not negative")
    total = float(weights.sum())
    if abs(total - 1) > SUM_SLACK:
        # the sum is not shown: somebody may have given a table of true values by mistake
        remedy = "divide each of them by their sum" if total > 0 else "at least one must be above zero"
        raise InvalidParameter(f"the weights in {path} do not sum to one; {remedy}")
    return np.asarray(weights / total)


def _in_order(path: str, keys: Any, weights: Floats, domain: Domain) -> Floats:
    """Return weights in the order of the parts or labels that their keys name, each exactly once."""
    if isinstance(domain, FiniteDomain):
        places = domain.snap(keys, name=f"the label in {path}")
        size, what = domain.lattice, "label"
    else:
        assert isinstance(domain, NumericDomain)
        inside = domain.admit(keys, name=f"the value in {path}")
        size, what = weights.size, f"of {weights.size} equal parts of {domain!r}"
        part = (inside - domain.start) / domain.length * size + EDGE  # for parts named by their first value
        places = np.minimum(part.astype(np.int64), size - 1)
    if places.size != size or np.unique(places).size < size:
        raise InvalidParameter(f"the prior in {path} must have exactly one row for each {what}")
    return weights[np.argsort(places)]


def read_space(path: str) -> MetricSpace:
    """Return labels and their distances from a table whose first line and first column name the points."""
    from noisewright.io.table_files import open_input  # noqa: PLC0415  (Arrow is slow to load)

    table = open_input(path)
    corner, *labels = table.names
    if not 2 <= len(labels) <= MOST_POINTS or len(set(table.names)) < len(table.names):
        raise BadTable(
            f"the first line of {path} must name 2 to {MOST_POINTS} different points after its first cell"
        )
    columns = _columns(path, labels, [corner], len(labels))
    if list(columns[corner]) != labels:
        raise BadTable(f"the first column of {path} must name the same points as its first line, in order")
    return MetricSpace(labels, np.column_stack([columns[label] for label in labels]))


def _columns(path: str, numbers: Sequence[str], texts: Sequence[str], most: int) -> dict[str, Any]:
    """Return columns of numbers as floats and columns of labels as text; refuse more than ``most`` rows."""
    from noisewright.io.numbers import floats  # noqa: PLC0415  (Arrow is slow to load)
    from noisewright.io.table_files import open_input  # noqa: PLC0415

    found: dict[str, list[Any]] = {name: [] for name in (*numbers, *texts)}
    rows = 0
    for batch in open_input(path).batches(list(numbers), list(texts)):
        for name in numbers:
            if batch.column(name).null_count:
                raise BadTable(f"{path} has a row without a number in column {name!r}")
            found[name].extend(floats(batch.column(name), name, rows).tolist())
        for name in texts:
            found[name].extend(map(str, batch.column(name).to_pylist()))
        rows += batch.num_rows
        if rows > most:
            raise BadTable(f"{path} has more than {most:,} rows, which is too many here")
    if not rows:
        raise BadTable(f"{path} has a header line but no rows below it")
    return {name: np.array(values) if name in numbers else values for name, values in found.items()}
