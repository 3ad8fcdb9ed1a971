"""The figures of estimates. Each function returns a matplotlib figure and knows nothing of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.charts import fit_domain
from noisewright.pages.estimate_rows import UNKNOWN
from noisewright.pages.estimates import ColumnEstimates
from noisewright.pages.figures import INK, drawing_style
from noisewright.pages.label_charts import chart_height, draw_column
from noisewright.pages.label_estimates import LabelEstimates
from noisewright.pages.wording import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def panels(columns: Sequence[ColumnEstimates | LabelEstimates]) -> Figure:
    """The estimated shares of every column with their intervals, one below the other."""
    heights = [chart_height(column) if isinstance(column, LabelEstimates) else 3.6 for column in columns]
    with drawing_style():
        drawn = new_figure(10, sum(heights))
        places = drawn.subplots(len(columns), 1, squeeze=False, height_ratios=heights).reshape(-1)
        for axes, column in zip(places, columns, strict=True):
            if isinstance(column, LabelEstimates):
                draw_column(axes, column)
            else:
                _histogram(axes, column)
    return drawn


def _histogram(axes: Axes, column: ColumnEstimates) -> None:
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
