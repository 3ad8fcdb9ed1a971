"""The figures of a forecast's report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.report.plots import new_figure
from noisewright.report.svg import DASHES, INK, PALETTE, drawing_style
from noisewright.text import percent, plain
from noisewright.utility.forecast import Forecast
from noisewright.utility.plots import draw_band, finish_epsilon_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BINS = 20
MOST_MARKS = 60
"""Records that are drawn one by one; of more there is a histogram only."""


def plot_frontier(forecast: Forecast) -> Figure:
    """Draw utility against ε, on average and at the worst record; below each, which mechanism is best."""
    with drawing_style():
        drawn = new_figure(10, 4.9)
        size = 2, len(forecast.scopes)
        grid = drawn.subplots(*size, sharex="col", height_ratios=[7, 1], squeeze=False)
        for column, (scope, name) in enumerate(forecast.scopes.items()):
            upper, lower = grid[0, column], grid[1, column]
            _style_lines(upper)
            forecast.prediction.plot(upper, scope=scope)
            upper.set(title=name, xlabel="", ylabel="utility" if column == 0 else "")
            _shares(upper, forecast)
            _strip(lower, forecast, scope)
        handles, labels = grid[0, 0].get_legend_handles_labels()
        drawn.legend(handles, labels, loc="outside lower center", ncols=min(6, len(labels)))
    return drawn


def _style_lines(axes: Axes) -> None:
    """Let lines differ by colour and by dashes, in the order of the palette."""
    from cycler import cycler  # noqa: PLC0415  (comes with matplotlib, an extra)

    axes.set_prop_cycle(cycler(color=PALETTE) + cycler(linestyle=list(DASHES)))


def _shares(axes: Axes, forecast: Forecast) -> None:
    """Draw the axis of a utility, with the target as a line."""
    axes.yaxis.set_major_formatter(lambda share, _: percent(share))
    axes.set_ylim(top=1.005)
    axes.grid(alpha=0.2)
    if forecast.inquiry.target is not None:
        axes.axhline(forecast.inquiry.target, color=INK, linewidth=0.8, linestyle=(0, (2, 2)))


def _strip(axes: Axes, forecast: Forecast, scope: str) -> None:
    """Draw which mechanism is best at each ε, as blocks in the colours of the lines."""
    edges = _edges(forecast.epsilons)
    best = forecast.prediction.best(scope)
    first = 0
    for last in range(1, len(best) + 1):
        if last < len(best) and best[last] == best[first]:
            continue
        colour = PALETTE[forecast.names.index(best[first]) % len(PALETTE)]
        axes.axvspan(edges[first], edges[last], color=colour, alpha=0.75, linewidth=0)
        if np.log(edges[last] / edges[first]) > 0.16 * np.log(edges[-1] / edges[0]):
            middle = float(np.sqrt(edges[first] * edges[last]))
            axes.text(middle, 0.5, best[first], ha="center", va="center", color="white", fontsize=9)
        first = last
    finish_epsilon_axis(axes, forecast.epsilons)
    axes.set_yticks([])
    axes.set_ylabel("best", rotation=0, ha="right", va="center")
    axes.spines[["left", "bottom"]].set_visible(False)


def _edges(epsilons: Any) -> Any:
    """Return the ends of the stretches that each ε stands for: halfway, in ratios, to its neighbours."""
    if epsilons.size == 1:
        return np.array([epsilons[0] * 0.95, epsilons[0] * 1.05])
    return np.concatenate([epsilons[:1], np.sqrt(epsilons[1:] * epsilons[:-1]), epsilons[-1:]])


def plot_records(forecast: Forecast) -> Figure:
    """Draw how the utilities of single records lie at the focus, by their lower bounds."""
    row, column = forecast.focus
    lows = forecast.prediction.certificate.low[:, row, column]
    with drawing_style():
        drawn = new_figure(10, 2.8)
        axes = drawn.add_subplot()
        axes.hist(lows, bins=np.linspace(0, 1, BINS + 1).tolist(), color=PALETTE[0], alpha=0.6)
        if lows.size <= MOST_MARKS:
            axes.plot(lows, np.zeros(lows.size), "|", color=INK, markersize=14)
        average = float(forecast.prediction.average.low[row, column])
        axes.axvline(average, color=PALETTE[1], linestyle=DASHES[1], label="average")
        axes.set(xlabel="utility at least", ylabel="records", xlim=(0, 1))
        axes.xaxis.set_major_formatter(lambda share, _: percent(share))
        axes.yaxis.set_major_locator(_whole_numbers())
        axes.grid(axis="y", alpha=0.2)
        axes.legend(loc="upper left")
    return drawn


def _whole_numbers() -> Any:
    """Return ticks for counts."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415  (matplotlib is an extra)

    return MaxNLocator(integer=True)


def plot_groups(forecast: Forecast) -> Figure:
    """Draw the utility of each group at the focus, with its interval, the lowest on top."""
    row, column = forecast.focus
    bands = forecast.prediction.groups
    order = forecast.ranked_groups
    with drawing_style():
        drawn = new_figure(10, 1.1 + 0.32 * len(order))
        axes = drawn.add_subplot()
        for place, name in enumerate(order):
            low, middle, high = (
                float(part[row, column]) for part in (bands[name].low, bands[name].estimate, bands[name].high)
            )
            axes.plot([low, high], [place, place], "|-", color=PALETTE[0], markersize=9)
            axes.plot([middle], [place], "o", color=PALETTE[0], markersize=5)
        axes.set_yticks(range(len(order)), [plain(name) for name in order])
        axes.set(xlabel="utility, average over the group", ylim=(len(order) - 0.5, -0.5))
        axes.xaxis.set_major_formatter(lambda share, _: percent(share))
        axes.grid(axis="x", alpha=0.2)
    return drawn


def plot_published(forecast: Forecast) -> Figure:
    """Draw the published number beside our bounds, one panel a mechanism, averaged over records."""
    assert forecast.published is not None
    theirs = np.asarray(forecast.published.average)
    count = len(forecast.names)
    columns = min(3, count)
    rows = -(-count // columns)
    with drawing_style():
        drawn = new_figure(10, 2.6 * rows + 0.6)
        panels = drawn.subplots(rows, columns, squeeze=False, sharey=True).reshape(-1)
        for place, axes in enumerate(panels):
            if place >= count:
                axes.set_axis_off()
                continue
            draw_band(axes, forecast.epsilons, forecast.prediction.average, place, "our bounds")
            axes.plot(
                forecast.epsilons, theirs[place], color=PALETTE[1], linestyle=DASHES[1], label="as published"
            )
            finish_epsilon_axis(axes, forecast.epsilons)
            axes.set(title=forecast.names[place], ylim=(0, 1.02), xlabel="")
            axes.yaxis.set_major_formatter(lambda share, _: percent(share))
            axes.grid(alpha=0.2)
        handles, labels = panels[0].get_legend_handles_labels()
        drawn.legend(handles, labels, loc="outside lower center", ncols=2)
    return drawn
