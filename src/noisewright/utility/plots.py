"""Plots of predictions, and the figures of a forecast's report.

Utility is drawn against ε, one line per mechanism. The line is the estimate, and the shade around it reaches
from ``low`` to ``high``; exact results have no visible shade.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.report.plots import PAGE_WIDTH, legend_below, new_axes, new_figure
from noisewright.report.svg import DASHES, INK, PALETTE, drawing_style
from noisewright.text import percent, plain, shortened
from noisewright.utility.core.certificate import SIDES, Band

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from noisewright.utility.forecast import Forecast
    from noisewright.utility.prediction import Prediction, Scope

SHADE: Final = 0.22
FEW: Final = 12
"""Number of ε up to which each value is marked; more make a line."""

BINS: Final = 20
LONGEST: Final = 26
"""Letters of the name of a group beside its interval."""

MOST_MARKS: Final = 60
"""Number of records up to which each is drawn; for more there is a histogram only."""

TICKS: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 32.0)
SCOPES: Final = {"average": "utility, average over records", "worst": "utility at the worst record"}


def plot_prediction(prediction: Prediction, axes: Axes | None = None, scope: Scope = "average") -> Axes:
    """Draw utility against ε: on average, at the worst record, in a group, or at one record."""
    axes = axes if axes is not None else new_axes()
    band, epsilons = prediction.band(scope), prediction.epsilons
    for row, name in enumerate(prediction.names):
        draw_band(axes, epsilons, band, row, name)
    axes.set_ylabel(scope_words(scope))
    finish_epsilon_axis(axes, epsilons)
    return axes


def scope_words(scope: Scope) -> str:
    """Return the label of a scope.

    >>> scope_words("worst"), scope_words("group:sex = F"), scope_words(17)
    ('utility at the worst record', 'utility, average over sex = F', 'utility at record 17')
    """
    if isinstance(scope, str):
        return SCOPES.get(scope) or f"utility, average over {scope.removeprefix('group:')}"
    return f"utility at record {scope}"


def draw_band(axes: Axes, epsilons: Floats, band: Band, row: int, label: str) -> None:
    """Draw one mechanism: its estimate as a line and its interval as a shade."""
    marker = "o" if epsilons.size <= FEW else ""
    (line,) = axes.plot(epsilons, band.estimate[row], marker=marker, markersize=3.5, label=label)
    axes.fill_between(
        epsilons, band.low[row], band.high[row], color=line.get_color(), alpha=SHADE, linewidth=0
    )


def finish_epsilon_axis(axes: Axes, epsilons: Floats) -> None:
    """Make the ε axis logarithmic, with ticks at round numbers."""
    axes.set_xlabel("ε of each sensitive feature")
    if epsilons.size > 1:
        axes.set_xscale("log")
        axes.set_xlim(float(epsilons[0]), float(epsilons[-1]))
    axes.set_xticks(ticks(epsilons), [f"{tick:g}" for tick in ticks(epsilons)])
    axes.set_xticks([], minor=True)


def ticks(epsilons: Floats) -> list[float]:
    """Return the round numbers in the range of a curve, or its own values if there are few.

    >>> ticks(np.array([1.0, 3.3])), ticks(np.linspace(0.5, 4, 64))
    ([1.0, 3.3], [0.5, 1.0, 2.0, 3.0, 4.0])
    """
    if epsilons.size <= 6:
        return [float(epsilon) for epsilon in epsilons]
    inside = [tick for tick in TICKS if epsilons[0] <= tick <= epsilons[-1]]
    return inside if len(inside) > 1 else [float(epsilons[0]), float(epsilons[-1])]


def plot_frontier(forecast: Forecast) -> Figure:
    """Draw utility against ε, on average and at the worst record; below each, which mechanism is best."""
    with drawing_style():
        count = len(forecast.scopes)
        drawn = new_figure(PAGE_WIDTH, 3.4 * count)
        grid = drawn.subplots(2 * count, 1, sharex=True, height_ratios=[6, 1] * count).reshape(count, 2)
        for (upper, lower), (scope, name) in zip(grid, forecast.scopes.items(), strict=True):
            # lines differ by colour and by dashes, in the order of the palette
            upper.set_prop_cycle(color=PALETTE, linestyle=DASHES)
            forecast.prediction.plot(upper, scope=scope)
            upper.set(title=name, xlabel="", ylabel="utility")
            _shares(upper, forecast)
            _strip(lower, forecast, scope)
            lower.set_xlabel("" if lower is not grid[-1, -1] else lower.get_xlabel())
        legend_below(drawn, grid[0, 0])
    return drawn


def _shares(axes: Axes, forecast: Forecast) -> None:
    """Draw the axis of a utility, with the target as a line."""
    axes.yaxis.set_major_formatter(lambda share, _: percent(round(share, 9)))
    axes.set_ylim(top=1.005)
    axes.grid(alpha=0.2)
    if forecast.inquiry.target is not None:
        axes.axhline(forecast.inquiry.target, color=INK, linewidth=0.8, linestyle=(0, (2, 2)))


def _strip(axes: Axes, forecast: Forecast, scope: str) -> None:
    """Draw which mechanism is best at each ε, as blocks in the colours of the lines."""
    epsilons = forecast.epsilons
    between = np.sqrt(epsilons[1:] * epsilons[:-1])  # each ε covers the range halfway to its neighbours
    ends = epsilons[[0, -1]] if epsilons.size > 1 else epsilons * [0.95, 1.05]
    edges = np.concatenate([ends[:1], between, ends[1:]])
    best = forecast.prediction.best(scope)
    first = 0
    for last in range(1, len(best) + 1):
        if last < len(best) and best[last] == best[first]:
            continue
        colour = PALETTE[forecast.names.index(best[first]) % len(PALETTE)]
        axes.axvspan(edges[first], edges[last], color=colour, alpha=0.75, linewidth=0)
        if np.log(edges[last] / edges[first]) > 0.16 * np.log(edges[-1] / edges[0]):
            middle = float(np.sqrt(edges[first] * edges[last]))
            axes.text(middle, 0.5, best[first], ha="center", va="center", color="white")
        first = last
    finish_epsilon_axis(axes, epsilons)
    axes.set_yticks([])
    axes.set_ylabel("best", rotation=0, ha="right", va="center")
    axes.spines[["left", "bottom"]].set_visible(False)


def plot_records(forecast: Forecast) -> Figure:
    """Draw the lower bounds of the utilities of single records at the focus."""
    row, column = forecast.focus
    lows = forecast.prediction.certificate.low[:, row, column]
    with drawing_style():
        from matplotlib.ticker import MaxNLocator  # noqa: PLC0415  (matplotlib is an extra)

        drawn = new_figure(PAGE_WIDTH, 2.8)
        axes = drawn.add_subplot()
        axes.hist(lows, bins=np.linspace(0, 1, BINS + 1).tolist(), color=PALETTE[0], alpha=0.6)
        if lows.size <= MOST_MARKS:
            axes.plot(lows, np.zeros(lows.size), "|", color=INK, markersize=14)
        average = float(forecast.prediction.average.low[row, column])
        axes.axvline(average, color=PALETTE[1], linestyle=DASHES[1], label="average")
        axes.set(xlabel="utility at least", ylabel="records", xlim=(0, 1))
        axes.xaxis.set_major_formatter(lambda share, _: percent(share))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y", alpha=0.2)
        axes.legend(loc="upper left")
    return drawn


def plot_groups(forecast: Forecast) -> Figure:
    """Draw the utility of each group at the focus, with its interval, the lowest on top."""
    bands, order = forecast.prediction.groups, forecast.ranked_groups
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 1.1 + 0.32 * len(order))
        axes = drawn.add_subplot()
        for place, name in enumerate(order):
            middle, *ends = (float(getattr(bands[name], side)[forecast.focus]) for side in SIDES)
            axes.plot(ends, [place, place], "|-", color=PALETTE[0], markersize=9)
            axes.plot([middle], [place], "o", color=PALETTE[0], markersize=5)
        axes.set_yticks(range(len(order)), [shortened(plain(name), LONGEST) for name in order])
        axes.set(xlabel="utility, average over the group", ylim=(len(order) - 0.5, -0.5))
        axes.xaxis.set_major_formatter(lambda share, _: percent(share))
        axes.grid(axis="x", alpha=0.2)
    return drawn


def plot_published(forecast: Forecast) -> Figure:
    """Draw the published number beside our bounds, one panel per mechanism, averaged over records."""
    assert forecast.published is not None
    theirs = forecast.published.average
    count = len(forecast.names)
    columns = min(2, count)
    rows = -(-count // columns)
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 2.2 * rows + 0.4)
        panels = drawn.subplots(rows, columns, squeeze=False, sharey=True).reshape(-1)
        for place, axes in enumerate(panels):
            if place >= count:
                axes.set_axis_off()
                continue
            draw_band(axes, forecast.epsilons, forecast.prediction.average, place, "our bounds")
            style = {"color": PALETTE[1], "linestyle": DASHES[1]}
            axes.plot(forecast.epsilons, theirs[place], label="as published", **style)
            finish_epsilon_axis(axes, forecast.epsilons)
            axes.set(title=forecast.names[place], ylim=(0, 1.02), xlabel="")
            axes.yaxis.set_major_formatter(lambda share, _: percent(share))
            axes.grid(alpha=0.2)
        legend_below(drawn, panels[0])
    return drawn
