"""The figures of estimates. Each function returns a matplotlib figure and knows nothing of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.charts import fit_domain
from noisewright.pages.estimates import ColumnEstimates
from noisewright.pages.figures import INK, drawing_style
from noisewright.pages.wording import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def histograms(columns: Sequence[ColumnEstimates]) -> Figure:
    """The estimated shares of every column with their intervals, one below the other."""
    with drawing_style():
        drawn = new_figure(10, 3.6 * len(columns))
        panels = drawn.subplots(len(columns), 1, squeeze=False).reshape(-1)
        for axes, column in zip(panels, columns, strict=True):
            _histogram(axes, column)
    return drawn


def _histogram(axes: Axes, column: ColumnEstimates) -> None:
    column.histogram.plot(axes)
    for low, high in column.undivided:
        axes.axvspan(low, high, color=INK, alpha=0.06, linewidth=0)
    fit_domain(axes, column.tally.domain)
    axes.set_xlabel(column.name)
    axes.yaxis.set_major_formatter(lambda share, _: percent(share))
    axes.grid(axis="y", alpha=0.2)
