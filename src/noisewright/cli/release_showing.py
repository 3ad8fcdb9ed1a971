"""What a release shows while it is made, writes, and prints."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import typer

from noisewright.cli.common import print_json, say
from noisewright.cli.html import write_html
from noisewright.cli.release_making import Made
from noisewright.pages.plain import plain

WIDTH: Final = 100
SHOWN: Final = 24
"""Released numbers that the terminal lists."""


@contextmanager
def progress_over_worlds(*, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Call with the worlds done and the worlds there are; shows a bar on stderr if that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415  (only a terminal needs it)
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    words = TextColumn("{task.completed:,.0f} of {task.total:,.0f} worlds")
    columns = (TextColumn("Running"), BarColumn(), words, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Running", total=1)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def write(made: Made, output: str | None, html: str | None, label: str | None) -> None:
    """Write the files that were asked for, and say where they are."""
    if made.card.simulated:
        say(
            "this release is NOT PRIVATE: anyone can undo noise that comes from --seed; use it for tests only"
        )
    if output is not None:
        from noisewright.release.model_file import save  # noqa: PLC0415

        say(f"the release is in {save(output, made.released, made.card, label=label)}")
    if html is not None:
        from noisewright.pages.release_card import card_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, card_page(made.card, made.report))


def show(made: Made, *, as_json: bool) -> None:
    """Print the card, the released numbers if they are few, and the report of attacks."""
    values = list(zip(_names(made), made.released.vector.tolist(), strict=True))
    if as_json:
        print_json({
            "card": made.card.to_dict(),
            "released": [{"name": name, "value": value} for name, value in values],
            "attack": None if made.report is None else made.report.to_dict(),
            "left_out": list(made.left_out),
        })  # fmt: skip
        return
    typer.echo(str(made.card))
    if len(values) <= SHOWN:
        typer.echo("\nThe released numbers")
        for name, value in values:
            typer.echo(f"  {value:>14.6g}  {name}")
    if made.report is not None:
        typer.echo("\nWhat attacks achieved")
        for line in str(made.report).splitlines():
            typer.echo(textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="    "))


def _names(made: Made) -> list[str]:
    return [plain(name) for name in made.released.algorithm.coordinates(made.released.facts)]
