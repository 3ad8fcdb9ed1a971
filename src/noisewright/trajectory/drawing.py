"""Drawing results of routes that are no maps: errors to choose by, errors that were made, tables of trips.

Behind ``Choice.plot``, ``Evaluation.plot`` and ``ODTable.plot``; maps are drawn in ``map_drawing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright.mechanisms.drawing import new_axes, new_figure
from noisewright.trajectory.words import distance_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noisewright.trajectory.aggregates.trips import ODTable
    from noisewright.trajectory.choice import Choice
    from noisewright.trajectory.metrics.evaluation import Evaluation

SHADE = 0.45
"""How opaque the bars of methods are that were not chosen."""

ROOM = 0.18
"""White beside the longest bar for the words at its end, as a share of the axes."""

MOST_ZONES = 24
"""Zones whose numbers can all stand along an axis."""


def plot_choice(choice: Choice, axes: Axes | None = None) -> Axes:
    """A bar for the expected error of each method, the first on top; the chosen one is the darkest."""
    axes = axes if axes is not None else new_axes()
    units = choice.mechanism.space.units
    names, errors = list(choice.errors), list(choice.errors.values())
    bars = axes.barh(range(len(names)), errors, color="C0", height=0.6)
    for bar, name in zip(bars, names, strict=True):
        bar.set_alpha(1.0 if name == choice.method else SHADE)
    axes.bar_label(bars, [distance_words(error, units) for error in errors], padding=4)
    axes.set_yticks(range(len(names)), names)
    axes.set(xlabel=f"expected error of a location, {units}", ylim=(len(names) - 0.5, -0.5))
    axes.margins(x=ROOM)
    return axes


def plot_evaluation(evaluation: Evaluation, axes: Axes | None = None) -> Axes:
    """The share of all points within each distance, as far as the quantiles of the errors tell it.

    The dotted line is the radius; its label gives the share within it as an average over routes, which is not
    the share of all points if routes differ in length.
    """
    axes = axes if axes is not None else new_axes()
    shares, distances = list(evaluation.quantiles), list(evaluation.quantiles.values())
    axes.plot(distances, shares, "o-", label="all points")
    radius = distance_words(evaluation.radius, evaluation.units)
    within = f"radius {radius}: {evaluation.range_query_preservation:.0%} of a route, on average"
    axes.axvline(evaluation.radius, color="gray", linestyle=":", label=within)
    axes.set(xlabel=f"distance from the true location, {evaluation.units}", ylabel="share of points within")
    axes.set(xlim=(0, None), ylim=(0, 1))
    axes.legend()
    return axes


def plot_trips(table: ODTable, axes: Axes | None = None) -> Axes:
    """The table as a heat map: origins downwards, destinations across, darker the more routes there are."""
    axes = axes if axes is not None else new_figure(6.4, 5.2).add_subplot()
    shown = np.nan_to_num(table.estimate)
    most = max(float(shown.max()), 1.0)  # a table of zeros is white
    drawn = axes.imshow(shown, cmap="Blues", vmin=0.0, vmax=most, aspect="equal")
    axes.figure.colorbar(drawn, ax=axes, label="estimated number of routes")
    if len(table.names) <= MOST_ZONES:
        axes.set_xticks(np.arange(len(table.names)), table.names)
        axes.set_yticks(np.arange(len(table.names)), table.names)
    axes.set(xlabel="destination", ylabel="origin")
    return axes
