"""A few routes on maps side by side: the same routes as they were, as reported, and as estimated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import drawing_style
from noisewright.pages.route_maps import RouteMap
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Space

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOWN = 3
"""Routes that get a map of their own."""

LEGEND = 0.4
"""Inches that a legend below the maps needs."""


@dataclass(frozen=True, eq=False)
class Layer:
    """One version of the routes on all maps: its name, its place in the palette, and whether it is dots."""

    name: str
    routes: Routes
    style: int
    scattered: bool = False


def route_panels(space: Space, layers: Sequence[Layer]) -> Figure:
    """The routes with the most points, one map each, with all layers on every map."""
    chosen, drawn_map = longest_routes(layers[0].routes), RouteMap(space)
    several = len(layers) > 1
    with map_panels(space, len(chosen), LEGEND * several) as (drawn, panels):
        for axes, number in zip(panels, chosen, strict=True):
            drawn_map.prepare(axes)
            axes.set_title(f"route {number + 1}")
            for layer in layers:
                starts = layer.routes.starts
                points = layer.routes.points[starts[number] : starts[number + 1]]
                drawn_map.draw(axes, points, layer.style, layer.name, scattered=layer.scattered)
        if several:
            entries = panels[0].get_legend_handles_labels()
            drawn.legend(*entries, loc="outside lower center", ncols=len(layers))
    return drawn


@contextmanager
def map_panels(space: Space, many: int, extra: float = 0.0) -> Iterator[tuple[Figure, list[Axes]]]:
    """Maps side by side in a figure that is as high as they need; the first alone names its upright axis."""
    with drawing_style():
        drawn = new_figure(10, panel_height(space, many) + extra)
        panels = list(drawn.subplots(1, many, squeeze=False, sharey=True)[0])
        yield drawn, panels
        for axes in panels[1:]:
            axes.set_ylabel("")


def panel_height(space: Space, many: int) -> float:
    """Inches that maps side by side need if they are true to scale."""
    left, bottom, right, top = space.bounds
    ratio = (top - bottom) * RouteMap(space).stretch / (right - left)
    return float(np.clip(9.0 / many * ratio + 1.0, 2.5, 5.0))


def longest_routes(routes: Routes) -> list[int]:
    """The numbers of the routes with the most points, in their order; those have the most to show."""
    order = np.argsort(-routes.lengths, kind="stable")[:SHOWN]
    return sorted(int(number) for number in order)
