"""Plots of estimates: histograms of numbers and bars of labels, each with its interval as a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from noisewright.estimate import Frequencies
from noisewright.mechanisms.plots import fit_domain
from noisewright.report.plots import PAGE_WIDTH, new_figure
from noisewright.report.svg import INK, PALETTE, drawing_style
from noisewright.survey.estimates import UNKNOWN, ColumnEstimates, LabelEstimates
from noisewright.text import percent, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 30
"""Labels that a chart has room for."""

LONGEST = 26
"""Letters of a label beside its bar."""


def plot_columns(columns: Sequence[ColumnEstimates | LabelEstimates]) -> Figure:
    """Draw the estimated shares of every column with their intervals, one below the other."""
    heights = [_height(column) for column in columns]
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, sum(heights))
        places = drawn.subplots(len(columns), 1, squeeze=False, height_ratios=heights).reshape(-1)
        for axes, column in zip(places, columns, strict=True):
            if isinstance(column, LabelEstimates):
                draw_shares(axes, drawn_labels(column))
                axes.set_xlabel(f"share of people with each {column.name}")
            else:
                _draw_histogram(axes, column)
    return drawn


def drawn_labels(column: LabelEstimates) -> Frequencies:
    """Return the labels that a chart has room for, the most frequent first."""
    return column.shown(min(MOST_BARS, column.top or MOST_BARS))


def draw_shares(axes: Axes, found: Frequencies) -> None:
    """Draw a bar for each label in the given order; a share that noise made negative points to the left."""
    rows = np.arange(len(found.labels))
    axes.barh(rows, found.value, height=0.7, color=PALETTE[0], alpha=0.45)
    axes.hlines(rows, found.low, found.high, color=PALETTE[0], linewidth=1.4)
    axes.plot(np.stack([found.low, found.high]), np.stack([rows, rows]), "|", color=PALETTE[0], markersize=6)
    axes.set_yticks(rows, [shortened(label, LONGEST) for label in found.labels])
    axes.set_ylim(rows.size - 0.4, -0.6)
    axes.xaxis.set_major_formatter(lambda share, _: percent(share) if share >= 0 else f"−{percent(-share)}")
    axes.grid(axis="x", alpha=0.2)


def _height(column: ColumnEstimates | LabelEstimates) -> float:
    """Return the inches of a panel: for labels a line of text for each bar."""
    return 1.0 + 0.28 * len(drawn_labels(column).labels) if isinstance(column, LabelEstimates) else 2.9


def _draw_histogram(axes: Axes, column: ColumnEstimates) -> None:
    if column.only_mean:
        axes.text(0.5, 0.5, UNKNOWN, transform=axes.transAxes, ha="center", va="center")
    else:
        column.histogram.plot(axes)
    for low, high in column.undivided:
        axes.axvspan(low, high, color=INK, alpha=0.06, linewidth=0)
    fit_domain(axes, column.tally.domain)
    axes.set_xlabel(column.name)
    axes.yaxis.set_major_formatter(lambda share, _: percent(share))
    axes.grid(axis="y", alpha=0.2)
