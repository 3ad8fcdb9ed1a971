"""A rich console that shows texts from untrusted sources character by character."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from noisewright.text import visible_lines


class PlainConsole(Console):
    r"""A console whose texts have no markup and no hidden characters; its own colours and movements stay.

    >>> import io
    >>> stream = io.StringIO()
    >>> PlainConsole(stream).print("\x1b[2J[red]age[/red] :smile:")
    >>> stream.getvalue()
    '\\x1b[2J[red]age[/red] :smile:\n'
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(file=stream, markup=False, emoji=False, highlight=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """Escape before a text is measured, so that columns stay straight."""
        return super().render_str(visible_lines(text), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Escape everything else that is laid out, such as styled texts."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible_lines(segment.text), segment.style)
