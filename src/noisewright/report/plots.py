"""New matplotlib figures and axes, outside pyplot: no window opens and no global state changes.

Matplotlib is an extra, and slow to import; it is loaded when the first figure is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noisewright.errors import MissingExtra
from noisewright.text import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


PAGE_WIDTH = 5.4
"""Inches of a drawing for a page: on a phone of 390 pixels its letters of 10 points have 9 pixels."""

LONGEST_NAME = 52
"""Letters of a name in a legend that takes the whole width."""

LEGEND_LINE = 0.22
"""Inches of a line of a legend."""


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure with constrained layout.

    Args:
        width: Width in inches.
        height: Height in inches.

    Raises:
        MissingExtra: Matplotlib is not installed; the message names the extra to install.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  (matplotlib is an extra)
    except ImportError as absent:
        raise MissingExtra.of("plots need matplotlib", "plots") from absent
    return Figure(figsize=(width, height), layout="constrained")


def new_axes(*, polar: bool = False) -> Axes:
    """Return axes on a figure of their own.

    Args:
        polar: Whether to return polar axes on a square figure; the default is Cartesian axes.
    """
    size = (4.8, 4.8) if polar else (6.4, 3.6)
    return new_figure(*size).add_subplot(projection="polar" if polar else None)


def legend_below(drawn: Figure, axes: Axes) -> None:
    """Put one legend below all panels instead of their own, and make the figure higher by it.

    Args:
        drawn: The figure.
        axes: The panel whose lines are named.
    """
    for panel in drawn.axes:
        if (own := panel.get_legend()) is not None:
            own.remove()
    handles, names = axes.get_legend_handles_labels()
    names = [shortened(name, LONGEST_NAME) for name in names]
    columns = max(1, min(len(names), 3, 70 // (max(map(len, names), default=0) + 8)))
    drawn.set_figheight(drawn.get_figheight() + LEGEND_LINE * -(-len(names) // columns))
    drawn.legend(handles, names, loc="outside lower center", ncols=columns)
