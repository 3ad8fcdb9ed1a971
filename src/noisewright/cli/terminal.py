"""Standard output and error as all verbs use them: nothing that is printed can steer the terminal.

While :func:`guarded` holds, every character that reaches the two streams passes through
:func:`~noisewright.text.visible_lines`, whoever prints it: a verb, a warning of a library, or a traceback.
Only :func:`console` goes past it, since colours and bars are escape sequences themselves; it looks at the
texts that it lays out instead.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO, cast

from noisewright.text import visible_lines

if TYPE_CHECKING:
    from rich.console import Console


class GuardedStream:
    r"""A text stream on which hidden characters become visible.

    It has no ``buffer``, so that nobody writes bytes past it.

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
    """Put a stream behind a guard, unless it has one or, where a shell closed it, is None."""
    guards = stream is None or isinstance(stream, GuardedStream)
    return stream if guards else cast(TextIO, GuardedStream(stream))


def guard_for_good() -> None:
    """Guard standard output and error until this process ends, tracebacks included.

    Letters that their encoding lacks become escapes, too.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.stdout, sys.stderr = guard(sys.stdout), guard(sys.stderr)


@contextmanager
def guarded() -> Iterator[None]:
    """Within this, standard output and error are guarded."""
    former = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = guard(sys.stdout), guard(sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = former


def console(stream: TextIO | None = None) -> Console:
    """A console of rich for tables and bars; no text is read as markup, an emoji or an escape sequence.

    Args:
        stream: Where it prints; default: standard output.
    """
    from noisewright.cli.console import PlainConsole  # noqa: PLC0415  (rich takes a moment to load)

    stream = sys.stdout if stream is None else stream
    return PlainConsole(stream.stream if isinstance(stream, GuardedStream) else stream)
