"""Drawing estimates; behind ``Estimate.plot``.

Shares are drawn as bars and all other values as points; the interval is a line with a cap at either end.
Infinite ends and missing values are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Floats
from noisewright.estimate.result import Estimate, Frequencies, Histogram
from noisewright.report.plots import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADE = 0.45
"""How opaque bars are: an interval must be seen before its bar, and two histograms through each other."""

MOST_CAPS = 60
"""Intervals that still have caps; among more bins caps would touch each other."""

MOST_NAMES = 12
"""Labels that can stand side by side."""

MOST_BARS = 30
"""Labels of a long list that are drawn."""


def plot_estimate(estimate: Estimate, axes: Axes | None = None, *, label: str | None = None) -> Axes:
    """Draw values with their intervals: bars for the shares of bins and labels, points for numbers."""
    axes = axes if axes is not None else new_axes()
    if isinstance(estimate, Histogram):
        _bins(axes, estimate, label)
    elif isinstance(estimate, Frequencies):
        _labels(axes, estimate, label)
    else:
        _points(axes, estimate, label)
    return axes


def _bins(axes: Axes, estimate: Histogram, label: str | None) -> None:
    """Steps over the bins, filled down to zero, and a whisker in the middle of each."""
    colour = _next_colour(axes)
    axes.stairs(estimate.value, estimate.edges, fill=True, color=colour, alpha=SHADE, label=label)
    _whiskers(axes, np.asarray((estimate.edges[1:] + estimate.edges[:-1]) / 2), estimate, colour)
    axes.set(xlabel="true value", ylabel="share of people", xlim=(estimate.edges[0], estimate.edges[-1]))
    axes.axhline(0, color="gray", linewidth=0.8)


def _labels(axes: Axes, estimate: Frequencies, label: str | None) -> None:
    """A bar for every label in the order of the list, or for the most frequent of a long one."""
    many, named = len(estimate.labels), "label"
    if many > MOST_BARS:
        estimate, named = estimate.top(MOST_BARS), f"label (the {MOST_BARS} most frequent of {many:,})"
    places = np.arange(len(estimate.labels), dtype=np.float64)
    colour = _next_colour(axes)
    axes.bar(places, np.nan_to_num(estimate.value), color=colour, alpha=SHADE, label=label)
    _whiskers(axes, places, estimate, colour)
    axes.set_xticks(places, [str(name) for name in estimate.labels])
    if places.size > MOST_NAMES:
        axes.tick_params(axis="x", rotation=90)
    axes.set(xlabel=named, ylabel="share of people")


def _next_colour(axes: Axes) -> Any:
    """The colour of the next line; bars do not ask for one themselves."""
    (line,) = axes.plot([], [])
    return line.get_color()


def _whiskers(axes: Axes, places: Floats, estimate: Estimate, colour: Any) -> None:
    """The interval of each bar; it need not hold the value if that comes from EM."""
    caps = "_" if places.size <= MOST_CAPS else "None"
    ends = np.stack([estimate.low, estimate.high])
    axes.plot(np.stack([places, places]), ends, color=colour, linewidth=1.4, marker=caps, markersize=6)


def _points(axes: Axes, estimate: Estimate, label: str | None) -> None:
    """One point a row with its interval, the first on top."""
    values, lows, highs = (np.atleast_1d(part) for part in (estimate.value, estimate.low, estimate.high))
    (drawn,) = axes.plot(values, np.arange(values.size), "o", label=label)
    for row, (value, low, high) in enumerate(zip(values, lows, highs, strict=True)):
        for piece in _stretches(float(value), float(low), float(high)):
            axes.plot(piece, [row, row], "|-", color=drawn.get_color())
    axes.set_yticks(np.arange(values.size), [""] * values.size)
    axes.set(xlabel="true value", ylim=(values.size - 0.5, -0.5))


def _stretches(value: float, low: float, high: float) -> list[tuple[float, float]]:
    """The interval as stretches of a line; an arc across zero has two, which the value helps to place.

    >>> _stretches(5.0, 4.0, 7.0), _stretches(23.0, 22.0, 1.0)
    ([(4.0, 7.0)], [(22.0, 23.0), (0.0, 1.0)])
    """
    if low <= high:
        return [(low, high)]
    return [(low, max(low, value)), (0.0 if value >= low else value, high)]
