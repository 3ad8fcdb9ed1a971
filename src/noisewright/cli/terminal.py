"""How verbs print results, notices and progress, without letting any text control the terminal.

Inside :func:`guarded`, every character for standard output and error passes through
:func:`~noisewright.text.visible_lines`, whether a verb, a library's warning or a traceback prints it. Only
:func:`console` bypasses this, since colours and bars are escape sequences themselves; it escapes the texts
that it lays out instead.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from shutil import get_terminal_size
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

from noisewright.cli.verb import in_words_of_the_verb
from noisewright.progress import Progress, Status
from noisewright.text import json_text, plain, visible, visible_lines

if TYPE_CHECKING:
    from rich.console import Console

    from noisewright.report import Report

MOST_COLUMNS: Final = 100
"""Letters of a line in a terminal, however wide that is."""

LINE_WIDTH: ContextVar[int | None] = ContextVar("LINE_WIDTH", default=None)
"""Letters of a line where the output is shown somewhere else than it is printed."""


class GuardedStream:
    r"""A text stream on which hidden characters become visible.

    It has no ``buffer``, so that nobody can write bytes around it.

    >>> import io
    >>> stream = io.StringIO()
    >>> print("\x1b[2Jage", file=GuardedStream(stream))
    >>> stream.getvalue()
    '\\x1b[2Jage\n'
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text whose hidden characters are escaped."""
        self.stream.write(visible_lines(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name in ("stream", "buffer"):
            raise AttributeError(name)
        return getattr(self.stream, name)


def guard(stream: TextIO) -> TextIO:
    """Guard a stream, unless it is guarded already or, because a shell closed it, None."""
    guards = stream is None or isinstance(stream, GuardedStream)
    return stream if guards else cast(TextIO, GuardedStream(stream))


def guard_for_good() -> None:
    """Guard standard output and error until this process ends, tracebacks included.

    Characters that their encoding lacks become escapes, too.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.stdout, sys.stderr = guard(sys.stdout), guard(sys.stderr)


@contextmanager
def guarded() -> Iterator[None]:
    """Guard standard output and error within this context."""
    former = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = guard(sys.stdout), guard(sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = former


def console(stream: TextIO | None = None) -> Console:
    """Return a rich console for bars, which reads no text as markup, emoji or escape sequence.

    Args:
        stream: Where it prints; default: standard output.
    """
    from noisewright.cli.console import PlainConsole  # noqa: PLC0415  (rich takes a moment to load)

    stream = sys.stdout if stream is None else stream
    return PlainConsole(stream.stream if isinstance(stream, GuardedStream) else stream)


def say(message: str) -> None:
    """Print a sentence on stderr, in the words of the command line and with nothing hidden in it.

    It is one line for programs that read it, and broken between words in a terminal.
    """
    line = f"noisewright: {plain(in_words_of_the_verb(message))}"
    if sys.stderr is not None and sys.stderr.isatty():
        wrap = TextWrapper(
            line_width(sys.stderr), subsequent_indent="  ", break_on_hyphens=False, break_long_words=False
        )
        line = wrap.fill(line)
    print_text(line, sys.stderr)


def print_text(text: str = "", stream: TextIO | None = None) -> None:
    """Print a result, or a part of one, and a line break.

    Verbs print only with this, :func:`say`, :func:`print_report`, :func:`print_json` and :func:`console`.

    Args:
        text: Any text; the stream, guarded by :func:`~noisewright.cli.main.main`, makes it visible.
        stream: Where it goes; default: stdout.
    """
    stream = sys.stdout if stream is None else stream
    if stream is not None:  # a shell may have closed it: >&-
        stream.write(f"{text}\n")
        stream.flush()


def line_width(stream: TextIO | None = None) -> int:
    """Return the letters of a line: those of a terminal, up to 100, and 100 for files and programs.

    Args:
        stream: Where lines are printed; default: stdout.
    """
    stream = sys.stdout if stream is None else stream
    if stream is None or not stream.isatty():
        return LINE_WIDTH.get() or MOST_COLUMNS
    return min(MOST_COLUMNS, get_terminal_size().columns)


def print_report(report: Report) -> None:
    """Print a report as text, in lines that the terminal has room for."""
    from noisewright.report.terminal import render_text  # noqa: PLC0415  (JSON does not need it)

    print_text(render_text(report, line_width()))


def print_json(result: Mapping[str, Any]) -> None:
    """Print a result for machines on stdout: strict JSON, without NaN and infinity."""
    print_text(json_text(result, indent=2))


@contextmanager
def progress_of(
    what: str, *, quiet: bool, unit: str = "rows", stream: TextIO | None = None
) -> Iterator[Progress | None]:
    """Show a bar on stderr if that is a terminal; None if nothing is shown.

    Args:
        what: What is being done, in a word.
        quiet: Whether nothing is shown in any case.
        unit: What is counted.
        stream: Where the bar is shown, and nothing that others print meanwhile; default: stderr.
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
def status_of(what: str, *, quiet: bool) -> Iterator[Status]:
    """Yield a function that shows the current step on stderr, if that is a terminal."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.text import Text  # noqa: PLC0415  (only a terminal needs it)

    with console(sys.stderr).status(Text(what)) as status, guarded():
        yield lambda part: status.update(Text(plain(f"{what} {part}")))
