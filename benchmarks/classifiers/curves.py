"""The charts of the case studies. Each returns a matplotlib figure and knows nothing of HTML."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.classifiers.channels import MECHANISMS
from benchmarks.classifiers.results import Figure, Map, Panel
from noisewright.domains import Floats
from noisewright.published.classifier_utility.framework import DRAWS
from noisewright.report.plots import PAGE_WIDTH, new_figure
from noisewright.report.svg import INK, PALETTE, drawing_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

COLOURS = dict(zip(MECHANISMS, (PALETTE[place] for place in (4, 0, 2, 1, 3, 5)), strict=True))
"""A mechanism has the same colour in every figure."""

MARKS = dict(zip(MECHANISMS, ("v", "o", "s", "D", "^", "P"), strict=True))
"""And the same mark, so that no reader depends on colour."""


def draw(figure: Figure) -> Drawing:
    """The panels of a figure below each other, as a phone shows them, with one legend."""
    with drawing_style():
        drawing = new_figure(PAGE_WIDTH, 3.6 * len(figure.panels) + 0.8)
        places = drawing.subplots(len(figure.panels), 1, squeeze=False)[:, 0]
        for axes, panel in zip(places, figure.panels, strict=True):
            if isinstance(panel, Map):
                _map(axes, panel)
            else:
                _curves(axes, panel)
        handles = _map_legend() if isinstance(figure.panels[0], Map) else _legend(figure.curves)
        drawing.legend(handles=handles, loc="outside lower center", ncols=2)
    return drawing


def _curves(axes: Axes, panel: Panel) -> None:
    for row, name in enumerate(panel.names):
        style: dict[str, Any] = {"color": COLOURS[name]}
        axes.fill_between(panel.epsilons, panel.low[row], panel.high[row], alpha=0.22, linewidth=0, **style)
        axes.plot(panel.epsilons, panel.low[row], linewidth=1.8, **style)
        axes.plot(panel.epsilons, panel.published[row], linestyle="--", linewidth=1.3, **style)
        axes.plot(panel.epsilons, panel.drawn[row], MARKS[name], fillstyle="none", markersize=5, **style)
        if panel.everyone is not None:
            axes.plot(panel.epsilons, panel.everyone[row], linestyle=":", linewidth=1.6, **style)
        too_high = panel.excess[row] > 0
        axes.plot(
            panel.epsilons[too_high], panel.published[row][too_high], "x", color=INK, markersize=5, zorder=5
        )
    axes.set(title=panel.title, xlabel="ε of each sensitive feature", ylabel="share of answers kept")
    axes.set(ylim=(_floor(panel), 1.02), xlim=(panel.epsilons[0] - 0.2, panel.epsilons[-1] + 0.2))
    axes.set_xticks(panel.epsilons, [f"{epsilon:g}" for epsilon in panel.epsilons])
    axes.grid(alpha=0.2)


def _floor(panel: Panel) -> float:
    """The bottom of the axes: a round number below all curves."""
    lowest = min(float(curve.min()) for curve in (panel.published, panel.drawn, panel.low))
    return min(0.9, max(0.0, math.floor(10 * lowest - 0.2) / 10))


def _legend(panels: tuple[Panel, ...]) -> list[Any]:
    from matplotlib.lines import Line2D

    names = dict.fromkeys(name for panel in panels for name in panel.names)
    mechanisms = [
        Line2D([], [], color=COLOURS[name], marker=MARKS[name], fillstyle="none", label=name)
        for name in names
    ]
    ways = [
        Line2D([], [], color=INK, linewidth=1.8, label="certified (band: low to high)"),
        Line2D([], [], color=INK, linestyle="--", label="as published"),
        Line2D([], [], color=INK, marker="o", fillstyle="none", linestyle="none", label=f"{DRAWS:,} draws"),
    ]
    if any(panel.everyone is not None for panel in panels):
        ways.append(Line2D([], [], color=INK, linestyle=":", linewidth=1.6, label="certified, all records"))
    if any((panel.excess > 0).any() for panel in panels):
        mark = {"marker": "x", "markersize": 5, "linestyle": "none"}
        ways.append(Line2D([], [], color=INK, label="published above the truth", **mark))  # type: ignore[arg-type]
    return mechanisms + ways


def _map(axes: Axes, panel: Map) -> None:
    from matplotlib.patches import PathPatch, Rectangle
    from matplotlib.path import Path

    kept = _corners(panel.kept)
    around = np.concatenate(
        [_corners(np.array([[0.0, 0.0, 1.0, 1.0]])), kept[:, ::-1]]
    )  # turned round: holes
    for polygons, colour in ((kept, PALETTE[2]), (around, PALETTE[1])):
        path = Path.make_compound_path_from_polys(polygons)
        axes.add_patch(PathPatch(path, facecolor=colour, linewidth=0, alpha=0.3))
    (left, bottom), (right, top) = panel.published
    frame = {"fill": False, "linestyle": "--", "linewidth": 2, "edgecolor": INK, "clip_on": False}
    axes.add_patch(Rectangle((left, bottom), right - left, top - bottom, **frame))  # type: ignore[arg-type]
    axes.plot(*panel.point, "o", color=INK, markersize=7)
    axes.set(title=panel.title, xlabel=panel.axes[0], ylabel=panel.axes[1], xlim=(0, 1), ylim=(0, 1))


def _corners(rectangles: Floats) -> Floats:
    """The four corners of rectangles (left, bottom, right, top), anticlockwise."""
    return rectangles[:, [[0, 1], [2, 1], [2, 3], [0, 3]]]


def _map_legend() -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    return [
        Line2D([], [], color=INK, marker="o", linestyle="none", label="the record"),
        Patch(facecolor=PALETTE[2], alpha=0.3, label="answer kept"),
        Patch(facecolor=PALETTE[1], alpha=0.3, label="answer changes"),
        Line2D([], [], color=INK, linestyle="--", linewidth=2, label="published hyperrectangle"),
    ]
