"""Figures of reports about routes: maps without tiles from anywhere, true to scale, and charts of errors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from noisewright.domains import Floats
from noisewright.report.plots import PAGE_WIDTH, legend_below, new_figure
from noisewright.report.svg import DASHES, INK, PALETTE, drawing_style
from noisewright.trajectory.aggregates import DensityMap
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.routes.maps import STEEPEST, split_at_seam
from noisewright.trajectory.spaces import Polygon, Space, distance_words
from noisewright.trajectory.spaces.earth import METRES_PER_DEGREE, wrap_longitude

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARGIN = 0.03
"""Margin around the space, as a share of it."""

MOST_POINTS = 300
"""Most points of a route that are drawn; the rest would only darken the map."""

MARKERS = ("o", ".", "^", "s", "D", "v", "P", "X")
"""Markers in the order of the palette, so that no reader depends on colour."""

TANGLED = 5.0
"""A way longer than this many widths of the space is shown by markers instead of a line."""


@dataclass(frozen=True)
class RouteMap:
    """How a space is drawn: longitudes run on across the antimeridian, and both axes have one scale."""

    space: Space

    @property
    def degrees(self) -> bool:
        """Whether points are longitudes and latitudes."""
        return self.space.names[0] == "longitude"

    @property
    def stretch(self) -> float:
        """How much longer a unit is drawn upwards than across; a degree of latitude is the longer one."""
        _, bottom, _, top = self.space.bounds
        if not self.degrees:
            return 1.0
        return 1 / math.cos(math.radians(min(abs(bottom + top) / 2, STEEPEST)))

    def place(self, points: Floats) -> Floats:
        """Return where points are drawn."""
        if not self.degrees:
            return points
        left, _, right, _ = self.space.bounds
        middle = (left + right) / 2
        return np.stack([middle + wrap_longitude(points[..., 0] - middle), points[..., 1]], axis=-1)

    def prepare(self, axes: Axes) -> None:
        """Draw the frame, the border of the space and the scale bar; axes show the whole space."""
        left, bottom, right, top = self.space.bounds
        across, up = MARGIN * (right - left), MARGIN * (top - bottom)
        axes.set(xlim=(left - across, right + across), ylim=(bottom - up, top + up), aspect=self.stretch)
        names = ("longitude, degrees", "latitude, degrees") if self.degrees else ("x", "y")
        axes.set(xlabel=names[0], ylabel=names[1])
        axes.ticklabel_format(useOffset=False, style="plain")
        axes.locator_params(nbins=4)
        axes.plot(*self._border().T, color=INK, linewidth=0.8, alpha=0.6)
        self._bar(axes)

    def _border(self) -> Floats:
        """Return the closed line around the space."""
        if isinstance(self.space, Polygon):
            corners = np.array([*self.space.vertices, self.space.vertices[0]])
        elif self.degrees:
            left, bottom, right, top = self.space.bounds
            corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)])
        else:
            turns = np.linspace(0, 2 * np.pi, 361)
            centre = np.broadcast_to(self.space.centre, (turns.size, 2))
            corners = self.space.from_polar(centre, turns % (2 * np.pi), np.ones_like(turns))
        return np.asarray(corners)

    def _bar(self, axes: Axes) -> None:
        """Draw a scale bar of a round length, below the map at its right end."""
        left, bottom, right, top = self.space.bounds
        unit = METRES_PER_DEGREE / self.stretch if self.degrees else 1.0
        length = round_length((right - left) * unit / 4)
        wide = length / unit
        low = bottom + 0.03 * (top - bottom)
        end = right - 0.03 * (right - left)
        axes.plot([end - wide, end], [low, low], color=INK, linewidth=2.5, solid_capstyle="butt", zorder=5)
        words = distance_words(length, "metres" if self.degrees else "units")
        axes.annotate(words, (end - wide / 2, low), (0, 3), textcoords="offset points", ha="center")

    def draw(self, axes: Axes, points: Floats, style: int, label: str, *, scattered: bool = False) -> None:
        """Draw one route as a line, or as markers if it is a single point or too tangled for a line."""
        shown = points[:MOST_POINTS]
        colour, placed = PALETTE[style % len(PALETTE)], self.place(shown)
        way = float(self.space.distance(shown[1:], shown[:-1]).sum())
        if scattered or len(shown) == 1 or way > TANGLED * self.space.diameter:
            marker = MARKERS[style % len(MARKERS)]
            axes.plot(*placed.T, marker, color=colour, markersize=3.5, alpha=0.6, linestyle="", label=label)
            return
        line, dash = split_at_seam(placed) if self.degrees else placed, DASHES[style % len(DASHES)]
        axes.plot(*line.T, color=colour, linestyle=dash, linewidth=1.6, label=label)


def round_length(most: float) -> float:
    """Return the largest of 1, 2, 5, 10, 20, ... that is at most a given length.

    >>> round_length(9400.0), round_length(0.3)
    (5000.0, 0.2)
    """
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (5.0, 2.0, 1.0) if step * power <= most * (1 + 1e-9))


# -- a few routes side by side ----------------------------------------------------------------------

SHOWN = 3
"""Most routes that get a map of their own."""


@dataclass(frozen=True, eq=False)
class Layer:
    """One version of the routes on all maps: its name, its place in the palette, and whether it is dots."""

    name: str
    routes: Routes
    style: int
    scattered: bool = False


def route_panels(space: Space, layers: Sequence[Layer]) -> Figure:
    """Draw the routes with the most points, one map each, with all layers on every map."""
    chosen, drawn_map = longest_routes(layers[0].routes), RouteMap(space)
    several = len(layers) > 1
    with map_panels(space, len(chosen)) as (drawn, panels):
        for axes, number in zip(panels, chosen, strict=True):
            drawn_map.prepare(axes)
            axes.set_title(f"route {number + 1}")
            for layer in layers:
                starts = layer.routes.starts
                points = layer.routes.points[starts[number] : starts[number + 1]]
                drawn_map.draw(axes, points, layer.style, layer.name, scattered=layer.scattered)
        if several:
            legend_below(drawn, panels[0])
    return drawn


@contextmanager
def map_panels(space: Space, many: int) -> Iterator[tuple[Figure, list[Axes]]]:
    """Draw maps below each other; the last alone names its level axis."""
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, many * panel_height(space) + 0.3)
        panels = list(drawn.subplots(many, 1, squeeze=False, sharex=True)[:, 0])
        yield drawn, panels
        for axes in panels[:-1]:
            axes.set_xlabel("")


def panel_height(space: Space) -> float:
    """Return the inches that a map needs if it is true to scale."""
    left, bottom, right, top = space.bounds
    ratio = (top - bottom) * RouteMap(space).stretch / (right - left)
    return float(np.clip(4.7 * ratio + 0.4, 1.5, 4.6))


def longest_routes(routes: Routes) -> list[int]:
    """Return the numbers of the routes with the most points, in their order."""
    order = np.argsort(-routes.lengths, kind="stable")[:SHOWN]
    return sorted(int(number) for number in order)


# -- densities --------------------------------------------------------------------------------------

CELLS = 24
"""Columns and rows of a density map."""

SHADES = 12
"""Shades of a density map; equal neighbours are drawn as one bar, so that a picture stays small."""

FULL_TURN = 360.0


def plot_densities(space: Space, clouds: Sequence[tuple[str, Floats]]) -> Figure:
    """Draw where the points of several collections are, one panel each, all in the same shades."""
    drawn_map = RouteMap(space)
    shares = [share_of_cells(drawn_map, points) for _, points in clouds]
    most = max(float(found.max()) for found in shares)
    with map_panels(space, len(clouds)) as (drawn, panels):
        for axes, (name, _), found in zip(panels, clouds, shares, strict=True):
            shade_cells(axes, found, map_edges(space), most)
            drawn_map.prepare(axes)
            axes.set_title(name)
    return drawn


def map_edges(space: Space, cells: tuple[int, int] = (CELLS, CELLS)) -> tuple[Floats, Floats]:
    """Return the lines between the columns and between the rows of a map."""
    left, bottom, right, top = space.bounds
    return np.linspace(left, right, cells[0] + 1), np.linspace(bottom, top, cells[1] + 1)


def share_of_cells(drawn_map: RouteMap, points: Floats) -> Floats:
    """Return the share of points in each cell of a map (columns × rows)."""
    x, y = drawn_map.place(points).T
    counts = np.histogram2d(x, y, bins=map_edges(drawn_map.space))[0]
    return np.asarray(counts / len(points))


def shade_cells(axes: Axes, shares: Floats, edges: tuple[Floats, Floats], most: float) -> None:
    """Shade cells, darker the fuller they are; neighbours of one shade in a row are one bar."""
    across, up = edges
    # the root brings out what is rare beside what is common
    levels = np.ceil(np.sqrt(np.clip(shares / most, 0, 1)) * SHADES).astype(int)
    for row in range(levels.shape[1]):
        starts = np.flatnonzero(np.diff(levels[:, row], prepend=-1))  # where another shade begins
        ends = np.append(starts[1:], len(levels))
        strip = (up[row], up[row + 1] - up[row])
        for level in np.unique(levels[:, row][levels[:, row] > 0]):
            chosen = levels[starts, row] == level
            bars = list(zip(across[starts[chosen]], (across[ends] - across[starts])[chosen], strict=True))
            axes.broken_barh(bars, strip, facecolor=PALETTE[0], alpha=level / SHADES, linewidth=0)


def plot_density_ends(density: DensityMap, space: Space) -> Figure:
    """Draw the likely shares of cells between the ends of their intervals, in the same shades."""
    panels = {"at least": density.low, "most likely": density.likely, "at most": density.high}
    with map_panels(space, len(panels)) as (drawn, drawings):
        for axes, (name, shares) in zip(drawings, panels.items(), strict=True):
            draw_cells(axes, density, shares, space)
            RouteMap(space).prepare(axes)
            axes.set_title(name)
    return drawn


def draw_cells(axes: Axes, density: DensityMap, shares: Floats, space: Space) -> None:
    """Draw the cells of a density map; one across the edge of a map of the Earth appears on both sides."""
    west, south, east, north = space.bounds
    columns, rows = density.grid.cells
    starts = RouteMap(space).place(density.outlines[:, 0, 0])[:, 0]
    order = np.argsort(starts)
    across = np.append(starts[order], starts[order][-1] + (east - west) / columns)
    up, most = np.linspace(south, north, rows + 1), float(density.likely.max())
    all_round = RouteMap(space).degrees and east - west == FULL_TURN
    for shift in (0.0, FULL_TURN) if all_round else (0.0,):
        shade_cells(axes, shares[order], (across - shift, up), most)


# -- charts of errors ------------------------------------------------------------------------------

STEPS = 200
"""Points of a line in the chart of errors."""

BINS = 40
"""Bars of the histogram of expected errors."""


def plot_errors(errors: Sequence[tuple[str, Floats]], units: str) -> Figure:
    """Draw the share of points within each distance of the truth, a line for each file."""
    metres = units == "metres"
    shares = np.linspace(0, 1, STEPS + 1)
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 3)
        axes = drawn.subplots()
        for place, (name, found) in enumerate(errors, 1):
            style = place % len(PALETTE)
            distances = np.quantile(found, shares) / (1000 if metres else 1)
            axes.plot(distances, 100 * shares, color=PALETTE[style], linestyle=DASHES[style], label=name)
        axes.set(xlabel=f"error{', km' if metres else ''}", ylabel="points, %", ylim=(0, 100))
        axes.set_xlim(left=0)
        axes.grid(alpha=0.2)
        axes.legend(loc="lower right")
    return drawn


def plot_spread(spread: Floats, units: str) -> Figure:
    """Draw a histogram of how far estimates are expected to be off."""
    metres = units == "metres"
    distances = spread / (1000 if metres else 1)
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 2.6)
        axes = drawn.subplots()
        counts, edges = np.histogram(distances, bins=BINS, range=(0, max(float(distances.max()), 1e-12)))
        axes.stairs(counts, edges, fill=True, color=PALETTE[2])
        axes.set(xlabel=f"expected error{', km' if metres else ''}", ylabel="points")
    return drawn
