"""How every verb shows its report: as text or JSON on stdout, and as a page if one is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from noisewright.cli.common import print_json, print_text, say
from noisewright.cli.redaction import command_line
from noisewright.cli.targets import check_new_file
from noisewright.cli.verb import RUNNING, STARTED
from noisewright.errors import BadTable
from noisewright.report import Digest, Provenance, Report

HtmlOption = Annotated[
    str | None, typer.Option("--html", metavar="FILE", help="Write a self-contained page, too.")
]
"""The option of every verb that can write a page."""

ENDINGS: Final = (".html", ".htm")


def check_html(html: str | None, *, replace: bool) -> None:
    """Refuse, before any work is done, a page that could not be drawn or written in the end.

    A page that exists is replaced only if asked for, like any other output.
    """
    if html is None:
        return
    from noisewright.report.plots import new_figure  # noqa: PLC0415  (matplotlib is slow to load)

    target = Path(html).absolute()
    if target.is_dir():
        raise BadTable(f"cannot write {target}: it is a folder")
    if target.suffix.lower() not in ENDINGS:
        raise BadTable(f"a page is HTML, so its name must end in {' or '.join(ENDINGS)}, not as {html} does")
    new_figure(1, 1)
    check_new_file(target, replace=replace)


def write_html(html: str, page: str) -> None:
    """Write a page and say where it is."""
    from noisewright.io.outputs import write_text  # noqa: PLC0415  (Arrow is slow to load)

    say(f"the page is in {write_text(html, page)}")


def show(
    report: Report,
    *,
    inputs: Iterable[str | os.PathLike[str]] = (),
    seed: int | None = None,
    html: str | None = None,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """Print a report, and write its page, each with its provenance.

    Args:
        report: The result.
        inputs: Files that the result was computed from; their digests are stated.
        seed: The seed of public chance, where one was given.
        html: The file of the page, if one is asked for.
        as_json: Print JSON instead of text.
        quiet: Print no text; JSON is printed if it is asked for.
    """
    if html is not None or as_json:
        report = replace(report, provenance=provenance(inputs, seed))
    if html is not None:
        from noisewright.report.html import render_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, render_page(report))
    if as_json:
        assert report.provenance is not None
        print_json({**report.data, "provenance": report.provenance.to_dict()})
    elif not quiet:
        from noisewright.report.terminal import render_text  # noqa: PLC0415  (JSON does not need it)

        print_text(render_text(report))


def provenance(inputs: Iterable[str | os.PathLike[str]] = (), seed: int | None = None) -> Provenance:
    """Return the provenance of the command that is running."""
    context = RUNNING.get()
    digests = tuple(map(_digest, inputs))
    return Provenance(command_line(context), seed, inputs=digests, time=context.meta[STARTED])


def _digest(path: str | os.PathLike[str]) -> Digest:
    from noisewright.io.file_errors import file_digest  # noqa: PLC0415  (Arrow is slow to load)

    return file_digest(path)
