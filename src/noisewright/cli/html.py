"""The option of every verb that can write a page."""

from __future__ import annotations

from typing import Annotated

import typer

from noisewright.cli.common import say
from noisewright.cli.targets import check_new_file

HtmlOption = Annotated[
    str | None, typer.Option("--html", metavar="FILE", help="Write a self-contained page, too.")
]


def check_html(html: str | None, *, replace: bool) -> None:
    """Refuse, before any work is done, a page that could not be written in the end.

    A page that exists is replaced only if asked for, like any other output.
    """
    if html is not None:
        from noisewright.pages.publish import check_page  # noqa: PLC0415  (Arrow is slow to load)

        check_new_file(check_page(html), replace=replace)


def write_html(html: str, page: str) -> None:
    """Write a page and say where it is."""
    from noisewright.pages.publish import write_text  # noqa: PLC0415  (Arrow is slow to load)

    say(f"the page is in {write_text(html, page)}")
