"""Matplotlib figures as inline SVG: the same bytes every time, text as text, and colours from the page.

Axes and texts take the page's own ink, and the lines its palette, so a figure follows the reader's light
or dark theme. Texts stay texts (``svg.fonttype: none``): they can be searched, read aloud and copied,
and need no embedded font.
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
"""The colour that matplotlib draws with; on the page it becomes the colour of the text."""

PALETTE = ("#2a6fdb", "#d1495b", "#1a936f", "#b8720a", "#7a4fc4", "#0f8b9d", "#c2418f", "#6b7280")
"""Line colours on a light page; ``style.py`` has their dark counterparts in the same order."""

DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))
"""Line styles in the order of the palette, so that no reader depends on colour."""

SMALLEST, LARGEST = 0.9, 1.5
"""Pixels that a point of a drawing has at least and at most on a screen."""

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
    """Let matplotlib draw in the style of our pages within this context, and nowhere else."""
    new_figure(1, 1)  # refuses with a sentence where matplotlib is absent
    from cycler import cycler  # noqa: PLC0415  (comes with matplotlib, an extra)
    from matplotlib import rc_context  # noqa: PLC0415

    with rc_context({**_SETTINGS, "axes.prop_cycle": cycler(color=PALETTE)}):
        yield


def inline_svg(drawn: Figure, name: str, title: str) -> Html:
    """Return a figure as an SVG element.

    On a screen it has between nine tenths and three halves as many pixels as it was drawn with points, so
    letters of 10 points have 9 to 15 pixels, on a phone too. Paper cannot scroll: figures shrink to the page.

    Args:
        drawn: The figure.
        name: A prefix that makes its ids unique on the page.
        title: The title for readers who cannot see it.
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
    least, most = (math.ceil(factor * float(size.group(1))) for factor in (SMALLEST, LARGEST))
    sizes = f'style="--least: {least}px; --most: {most}px" {size.group()}'
    head = f'<svg role="img" aria-labelledby="{name}-title" {sizes} xmlns="http://www.w3.org/2000/svg"'
    links = ' xmlns:xlink="http://www.w3.org/1999/xlink">'
    return Html(joined([Html(head + links), tag("title", title, id=f"{name}-title"), Html(_themed(rest))]))


def _themed(svg: str) -> str:
    """Replace the fixed colours by those of the page."""
    svg = svg.replace(INK, "currentColor")
    for place, colour in enumerate(PALETTE):
        svg = svg.replace(colour, f"var(--line-{place})")
    return svg
