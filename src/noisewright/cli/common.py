"""What all verbs share: how they speak, and how they show that they are at work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

from noisewright.cli.option_words import in_words_of_the_verb
from noisewright.cli.terminal import console, guarded
from noisewright.text import json_text, plain, visible


def say(message: str) -> None:
    """One line on stderr, in the words of the command line and with nothing hidden in it."""
    print_text(f"noisewright: {plain(in_words_of_the_verb(message))}", sys.stderr)


def print_text(text: str = "", stream: TextIO | None = None) -> None:
    """Print a result, or a part of one, and a line break.

    Every verb prints by this, by :func:`say` and :func:`print_json`, and tables by
    :func:`~noisewright.cli.terminal.console`.

    Args:
        text: Any text; the stream, which :func:`~noisewright.cli.main.main` guards, shows what hides in it.
        stream: Where it goes; default: stdout.
    """
    stream = sys.stdout if stream is None else stream
    if stream is not None:  # a shell may have closed it: >&-
        stream.write(f"{text}\n")
        stream.flush()


def print_json(result: Mapping[str, Any]) -> None:
    """A result for machines, on stdout; strict JSON, so no NaN or infinity."""
    print_text(json_text(result, indent=2))


Progress = Callable[[int, int | None], None]
"""Called with what is done and what there is to do, if that is known."""


@contextmanager
def progress_of(
    what: str, *, quiet: bool, unit: str = "rows", stream: TextIO | None = None
) -> Iterator[Progress | None]:
    """Show a bar on stderr if that is a terminal; None if nothing is shown.

    Args:
        what: What is being done, in a word.
        quiet: Whether nothing is shown in any case.
        unit: What is counted.
        stream: Where the bar is shown, and nothing of what others print meanwhile; default: stderr.
    """
    shared, stream = stream is None, sys.stderr if stream is None else stream
    if quiet or stream is None or not stream.isatty():
        yield None
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415  (only a terminal needs rich)

    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(),
        TextColumn("{task.fields[counted]}", markup=False), TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Bar(
        *columns, console=console(stream), transient=True, redirect_stdout=shared, redirect_stderr=shared
    ) as bar, guarded():  # fmt: skip
        task = bar.add_task(visible(what), total=None, counted="")

        def update(done: int, total: int | None) -> None:
            of = "" if total is None else f" of {total:,.0f}"
            bar.update(task, completed=done, total=total, counted=f"{done:,.0f}{of} {unit}")

        yield update


@contextmanager
def status_of(what: str, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Call with what is being worked on; shows it on stderr if that is a terminal."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.text import Text  # noqa: PLC0415  (only a terminal needs it)

    with console(sys.stderr).status(Text(what)) as status, guarded():
        yield lambda part: status.update(Text(plain(f"{what} {part}")))
