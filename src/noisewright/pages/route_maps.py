"""Maps of routes without tiles from anywhere: the space, true to scale, with a bar for its distances."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from noisewright.domains import Floats
from noisewright.pages.figures import DASHES, INK, PALETTE
from noisewright.trajectory.spaces import Polygon, Space
from noisewright.trajectory.spaces.earth import METRES_PER_DEGREE, wrap_longitude
from noisewright.trajectory.words import distance_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARGIN = 0.03
"""White around the space, as a share of it."""

MOST_POINTS = 300
"""Points of a route that are drawn; the rest would only darken the map."""

MARKERS = ("o", ".", "^", "s", "D", "v", "P", "X")
"""Marks in the order of the palette, so that no reader depends on colour."""

TANGLED = 5.0
"""Widths of the space that a way may be long before it is shown by marks instead of a line."""

STEEPEST = 80.0
"""Degrees of latitude up to which a map in degrees is stretched to be true to scale."""


@dataclass(frozen=True)
class RouteMap:
    """How a space is laid on paper: longitudes run on across the antimeridian, and lengths are alike."""

    space: Space

    @property
    def degrees(self) -> bool:
        """Whether points are longitudes and latitudes."""
        return self.space.names[0] == "longitude"

    @property
    def stretch(self) -> float:
        """How much longer a unit is drawn upwards than across: a degree of latitude is the longer one."""
        _, bottom, _, top = self.space.bounds
        if not self.degrees:
            return 1.0
        return 1 / math.cos(math.radians(min(abs(bottom + top) / 2, STEEPEST)))

    def place(self, points: Floats) -> Floats:
        """Where points are drawn."""
        if not self.degrees:
            return points
        left, _, right, _ = self.space.bounds
        middle = (left + right) / 2
        return np.stack([middle + wrap_longitude(points[..., 0] - middle), points[..., 1]], axis=-1)

    def prepare(self, axes: Axes) -> None:
        """The frame, the border of the space, and the bar; axes show the whole space."""
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
        """The closed line around the space."""
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
        """A bar of a round length, below the map at its right end."""
        left, bottom, right, top = self.space.bounds
        unit = METRES_PER_DEGREE / self.stretch if self.degrees else 1.0
        length = round_length((right - left) * unit / 4)
        wide = length / unit
        low = bottom + 0.03 * (top - bottom)
        end = right - 0.03 * (right - left)
        axes.plot([end - wide, end], [low, low], color=INK, linewidth=2.5, solid_capstyle="butt", zorder=5)
        words = distance_words(length, "metres" if self.degrees else "units")
        axes.annotate(
            words, (end - wide / 2, low), (0, 3), textcoords="offset points", ha="center", fontsize=8
        )

    def draw(self, axes: Axes, points: Floats, style: int, label: str, *, scattered: bool = False) -> None:
        """One route as a line; as marks where it is a single point or goes to and fro too much for one."""
        shown = points[:MOST_POINTS]
        colour, placed = PALETTE[style % len(PALETTE)], self.place(shown)
        if scattered or self._tangled(shown):
            marker = MARKERS[style % len(MARKERS)]
            axes.plot(*placed.T, marker, color=colour, markersize=3.5, alpha=0.6, linestyle="", label=label)
            return
        if self.degrees:  # a way round the back of the Earth is no line across the map
            jumps = np.flatnonzero(np.abs(np.diff(placed[:, 0])) > 180) + 1
            placed = np.insert(placed, jumps, np.nan, axis=0)
        dash = DASHES[style % len(DASHES)]
        axes.plot(*placed.T, color=colour, linestyle=dash, linewidth=1.6, label=label)

    def _tangled(self, points: Floats) -> bool:
        """Whether a line would only blacken the map, or would not be seen at all."""
        way = float(self.space.distance(points[1:], points[:-1]).sum())
        return len(points) == 1 or way > TANGLED * self.space.diameter


def round_length(most: float) -> float:
    """The largest of 1, 2, 5, 10, 20, ... that is no longer than a length.

    >>> round_length(9400.0), round_length(0.3)
    (5000.0, 0.2)
    """
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (5.0, 2.0, 1.0) if step * power <= most * (1 + 1e-9))
