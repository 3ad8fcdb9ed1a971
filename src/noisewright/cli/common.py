"""What all verbs share: how they speak, and how they show that they are at work."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import typer

from noisewright.cli.option_words import in_words_of_the_verb
from noisewright.pages.plain import plain


def say(message: str) -> None:
    """One line on stderr, in the words of the command line and without control characters."""
    typer.echo(f"noisewright: {plain(in_words_of_the_verb(message))}", err=True)


def print_json(result: Mapping[str, Any]) -> None:
    """A result for machines, on stdout; strict JSON, so no NaN or infinity."""
    typer.echo(json.dumps(result, indent=2, allow_nan=False, ensure_ascii=False))


@contextmanager
def progress_of(what: str, *, quiet: bool) -> Iterator[Callable[[int, int | None], None]]:
    """Call with the rows done and the rows there are; shows a bar on stderr if that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console  # noqa: PLC0415  (only a terminal needs it)
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn(what), BarColumn(), TextColumn("{task.completed:,} rows"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def status_of(what: str, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Call with what is being worked on; shows it on stderr if that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415  (only a terminal needs it)

    with Console(stderr=True).status(what) as status:
        yield lambda part: status.update(f"{what} {part}")
