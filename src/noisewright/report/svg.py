"""Matplotlib figures as inline SVG: the same bytes every time, text as text, colours from the page.

Axes and texts take the page's own ink, and the lines its palette, so a figure follows the reader's light
or dark theme. Texts stay texts (``svg.fonttype: none``): they can be searched, read aloud and copied, and
need no font to be shipped.
"""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from noisewright.report.markup import Html, joined, tag
from noisewright.report.plots import new_figure
from noisewright.text import visible_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#1b1e23"
"""What matplotlib draws with; on the page it becomes the colour of the text."""

PALETTE = ("#2a6fdb", "#d1495b", "#1a936f", "#b8720a", "#7a4fc4", "#0f8b9d", "#c2418f", "#6b7280")
"""Line colours on a light page; ``style.py`` has their dark counterparts in the same order."""

DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))
"""Line styles in the order of the palette, so that no reader depends on colour."""

_SETTINGS: Any = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.parse_math": False,  # a dollar sign in a column's name is a dollar sign
    "legend.frameon": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}


@contextmanager
def drawing_style() -> Iterator[None]:
    """Within this, matplotlib draws in the style of our pages; outside, nothing has changed."""
    new_figure(1, 1)  # refuses with a sentence where matplotlib is absent
    from cycler import cycler  # noqa: PLC0415  (comes with matplotlib, an extra)
    from matplotlib import rc_context  # noqa: PLC0415

    with rc_context({**_SETTINGS, "axes.prop_cycle": cycler(color=PALETTE)}):
        yield


def inline_svg(drawn: Figure, name: str, title: str) -> Html:
    """The SVG element of a figure. ``name`` makes its ids unique on the page.

    On a screen it is at least as many pixels wide as it was drawn with points, so that letters are never
    smaller than they were drawn, on a phone too. Paper cannot scroll: there it shrinks to the page.
    """
    from matplotlib import rc_context  # noqa: PLC0415  (matplotlib is an extra)

    written = io.StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": name}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)  # the reader's has it
        drawn.savefig(
            written, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
        )
    body = visible_lines(written.getvalue())
    body = body[body.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r'(\bid="|href="#|url\(#)', rf"\1{name}-", body)
    opening, rest = body.split(">", 1)
    size = re.search(r'viewBox="0 0 ([0-9.]+) [^"]*"', opening)
    assert size is not None
    least = f'style="--least: {math.ceil(float(size.group(1)))}px" {size.group()}'
    head = f'<svg role="img" aria-labelledby="{name}-title" {least} xmlns="http://www.w3.org/2000/svg"'
    links = ' xmlns:xlink="http://www.w3.org/1999/xlink">'
    return Html(joined([Html(head + links), tag("title", title, id=f"{name}-title"), Html(_themed(rest))]))


def _themed(svg: str) -> str:
    """Replace the fixed colours by those of the page."""
    svg = svg.replace(INK, "currentColor")
    for place, colour in enumerate(PALETTE):
        svg = svg.replace(colour, f"var(--line-{place})")
    return svg
