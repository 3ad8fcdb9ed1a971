"""The figure of label shares: a bar for each label, with its interval as a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright.estimate import Frequencies
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import PALETTE, drawing_style
from noisewright.pages.label_estimates import LabelEstimates
from noisewright.pages.label_rows import shortened
from noisewright.pages.wording import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 30
"""Labels that a chart has room for."""


def label_chart(column: LabelEstimates) -> Figure:
    """The shares of the most frequent labels of a column."""
    with drawing_style():
        drawn = new_figure(10, chart_height(column))
        draw_column(drawn.subplots(), column)
    return drawn


def chart_height(column: LabelEstimates) -> float:
    """Inches: a line of text for each bar."""
    return 1.0 + 0.28 * bars_of(column)


def bars_of(column: LabelEstimates) -> int:
    """How many labels are drawn."""
    return len(_drawn(column).labels)


def draw_column(axes: Axes, column: LabelEstimates) -> None:
    """The most frequent labels of a column, from the most frequent down."""
    draw_shares(axes, _drawn(column))
    axes.set_xlabel(f"share of people with each {column.name}")


def draw_shares(axes: Axes, found: Frequencies) -> None:
    """A bar for each label in the given order; a share that noise made negative points to the left."""
    rows = np.arange(len(found.labels))
    axes.barh(rows, found.value, height=0.7, color=PALETTE[0], alpha=0.45)
    axes.hlines(rows, found.low, found.high, color=PALETTE[0], linewidth=1.4)
    axes.plot(np.stack([found.low, found.high]), np.stack([rows, rows]), "|", color=PALETTE[0], markersize=6)
    axes.set_yticks(rows, [shortened(label) for label in found.labels])
    axes.set_ylim(rows.size - 0.4, -0.6)
    axes.xaxis.set_major_formatter(lambda share, _: percent(share) if share >= 0 else f"−{percent(-share)}")
    axes.grid(axis="x", alpha=0.2)


def _drawn(column: LabelEstimates) -> Frequencies:
    return column.shown(min(MOST_BARS, column.top or MOST_BARS))
