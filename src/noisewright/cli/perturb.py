"""``noisewright perturb``: randomize columns of a file into a file of reports."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noisewright.cli.common import print_json, progress_of, say
from noisewright.cli.html import HtmlOption, check_html, write_html
from noisewright.errors import NoisewrightError
from noisewright.parameters import DELTA, EPSILON

if TYPE_CHECKING:
    from noisewright.engine import Written


def perturb(
    readings: Annotated[
        Path, typer.Argument(metavar="READINGS", help="A CSV, Parquet or Arrow file of true values.")
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="Where the reports go: .parquet, .arrow, or .csv with a .csv.json beside it.",
        ),
    ],
    epsilon: Annotated[
        list[str],
        typer.Option(
            metavar="E | NAME=E",
            help="Budget of one row, shared evenly by its columns; or NAME=E for every column "
            f"({EPSILON.range}). Someone with several rows spends it several times.",
        ),
    ],
    interval: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=LOW:HIGH", help="Randomize a column of numbers between two ends."),
    ] = None,
    circle: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=PERIOD", help="Randomize a column that wraps round: hours, bearings."),
    ] = None,
    mechanism: Annotated[
        list[str] | None,
        typer.Option(
            metavar="M | NAME=M",
            help="Mechanism for all columns or one, by name or as @file from noisewright design; otherwise "
            "OGPM on intervals, CircularOGPM on circles.",
        ),
    ] = None,
    delta: Annotated[
        float | None,
        typer.Option(help="For mechanisms that take one, such as Gaussian, in each column: " + DELTA.help),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Pass a column on as it is, NOT randomized. Others are left out."),
    ] = None,
    out_of_domain: Annotated[
        str,
        typer.Option(
            metavar="refuse | clip",
            help="What to do with numbers outside their domain: clip moves them to the nearer end of an "
            "interval, and wraps them round a circle (25 hours are 1).",
        ),
    ] = "refuse",
    seed: Annotated[
        int | None, typer.Option(help="Repeatable noise for tests. The reports are then NOT PRIVATE.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an output that exists already.")] = False,
    html: HtmlOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no summary and no progress.")] = False,
) -> None:
    """Randomize columns of a file into a file of reports.

    Only randomized columns are written, in the order of the rows, unless --keep names others. The output
    appears whole or not at all. A column name ends at the last "=" of an option.

    noisewright perturb readings.csv --epsilon 2 --interval heart_rate=40:200 -o reports.parquet
    """
    # Arrow and the mechanisms take a moment to load, which --help need not wait for.
    from noisewright.cli.specs import read_budgets, read_domains, read_mechanisms  # noqa: PLC0415
    from noisewright.engine import perturb_file  # noqa: PLC0415
    from noisewright.randomness import SecureSource, SeededSource  # noqa: PLC0415

    check_html(html)
    domains = read_domains(interval or [], circle or [])
    mechanisms = read_mechanisms(mechanism or [], domains, read_budgets(epsilon, domains), delta)
    source = SecureSource() if seed is None else SeededSource(seed)
    with progress_of("Randomizing", quiet=quiet) as progress:
        written = perturb_file(
            readings,
            output,
            mechanisms,
            source=source,
            keep=keep or [],
            out_of_domain=out_of_domain,
            replace=force,
            progress=progress,
        )
    if notice := _drawn_before(readings, mechanisms):
        say(notice)
    if not source.private:
        say(f"{output} is NOT PRIVATE: anyone can undo noise that comes from --seed; use it for tests only")
    if html is not None:
        from noisewright.pages.written import written_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, written_page(written))
    if as_json:
        print_json(_summary(readings, output, written))
    elif not quiet:
        typer.echo(_told(output, written))


def _drawn_before(readings: Path, columns: Iterable[str]) -> str | None:
    """What to say if columns that were randomized hold reports already."""
    from noisewright.engine import read_description  # noqa: PLC0415  (Arrow takes a moment to load)

    try:
        before = read_description(readings)
    except NoisewrightError:  # no description, as a file of true values should have it
        return None
    names = [name for name in columns if name in before.mechanisms]
    if not names:
        return None
    cost = "spends no more privacy but adds noise" if before.private else "adds noise"
    return f"{readings} already holds reports of {', '.join(names)}; randomizing them again {cost}"


def _summary(readings: Path, output: Path, written: Written) -> dict[str, Any]:
    where = {"input": str(readings), "output": str(output), "rows": written.rows}
    return where | {"private": written.description.private} | written.description.to_dict()


def _told(output: Path, written: Written) -> str:
    about = written.description
    beside = f", described in {written.sidecar.name}" if written.sidecar else ""
    lines = [f"{written.rows:,} {'row' if written.rows == 1 else 'rows'} of reports in {output}{beside}"]
    for name, mechanism in about.mechanisms.items():
        kind = f"{type(mechanism).__name__} on {mechanism.domain!r}"
        lines.append(f"  {name}: {kind}, {_numbers(mechanism)}. {about.explain_column(name)}")
    lines.append(f"  one row: {_numbers(about)}. {about.explain_row()}")
    if about.kept:
        lines.append(f"  NOT randomized, as asked: {', '.join(about.kept)}")
    return "\n".join(lines)


def _numbers(promised: Any) -> str:
    """The numbers of a guarantee, in one line."""
    numbers = promised.guarantee.to_dict()
    return ", ".join(f"{name} {value}" for name, value in numbers.items() if name != "notion")
