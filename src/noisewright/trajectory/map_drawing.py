"""Drawing maps of routes, true to scale and without tiles from anywhere.

Behind ``DensityMap.plot`` and ``Reconstruction.plot``. Longitudes run on across the antimeridian, so that an
area is in one piece, and a degree of latitude is drawn as much longer as it is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from noisewright.domains import Floats
from noisewright.mechanisms.drawing import new_figure
from noisewright.trajectory.spaces.base import Flags
from noisewright.trajectory.spaces.degree_box import DegreeBox
from noisewright.trajectory.spaces.geographic import Geographic

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noisewright.trajectory.aggregates.density import DensityMap
    from noisewright.trajectory.reconstruction.density import Density
    from noisewright.trajectory.reconstruction.result import Reconstruction
    from noisewright.trajectory.routes import Routes

MOST_ROUTES = 8
"""Routes that are drawn; more would hide each other and the density."""

STEEPEST = 80.0
"""Degrees of latitude up to which a map in degrees is stretched to be true to scale."""

CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
"""The corners of a cell around its middle, in steps to its neighbours."""

FLAT = 0.01
"""Share of an even cell below which usual steps span nothing: around a pole they lead in all directions."""


def plot_density(density: DensityMap, axes: Axes | None = None) -> Axes:
    """Cells in the shade of the share of locations that is likely to be in them."""
    axes = axes if axes is not None else _map_axes()
    space, outlines = density.grid.chart.space, density.outlines
    if isinstance(space, DegreeBox):
        outlines = space.unwrap(outlines)
    degrees = isinstance(space, Geographic)
    if degrees:
        outlines = _eastwards(outlines)
    _shade(axes, outlines.reshape(-1, 4, 2), density.likely.reshape(-1))
    _finish(axes, outlines, degrees=degrees)
    return axes


def plot_reconstruction(found: Reconstruction, axes: Axes | None = None) -> Axes:
    """The routes with the most points as lines, numbered as they are in the table, over the density."""
    axes = axes if axes is not None else _map_axes()
    degrees = found.units == Geographic.units
    cut = _cut(found.density.centres[..., 0]) if degrees else None
    inside = found.density.cells > 0
    outlines = _cells_around(found.density, cut)[inside]
    _shade(axes, outlines, found.density.cells[inside])
    _draw_longest(axes, found.routes.with_points(_counted_on(found.routes.points, cut)), degrees=degrees)
    _finish(axes, outlines, degrees=degrees)
    return axes


def _draw_longest(axes: Axes, routes: Routes, *, degrees: bool) -> None:
    """A line for each of the routes with the most points; they have the most to show."""
    longest = np.sort(np.argsort(-routes.lengths, kind="stable")[:MOST_ROUTES])
    for place, number in enumerate(longest.tolist(), 1):  # C0 is the blue of the density
        way = routes.points[routes.starts[number] : routes.starts[number + 1]]
        line = _parted(way) if degrees else way
        axes.plot(*line.T, ".-", color=f"C{place}", linewidth=1, markersize=3, label=f"route {number + 1}")
    if len(routes) > MOST_ROUTES:
        axes.set_title(f"the {MOST_ROUTES} longest of {len(routes):,} routes")


def _map_axes() -> Axes:
    return new_figure(6.4, 5.2).add_subplot()


def _shade(axes: Axes, outlines: Floats, shares: Floats) -> None:
    """Cells (n × 4 × 2), darker the fuller they are, and the bar that tells how full."""
    from matplotlib.collections import PolyCollection  # noqa: PLC0415  (matplotlib is an extra)
    from matplotlib.colors import PowerNorm  # noqa: PLC0415

    # the root brings out what is rare beside what is common; an even spread is half as dark as can be
    scale = PowerNorm(0.5, vmin=0.0, vmax=max(float(shares.max()), 4 / len(shares)))
    cells = PolyCollection(list(outlines), array=shares, cmap="Blues", norm=scale, edgecolors="face")
    cells.set_linewidth(0.3)  # without a line the paper shines through between cells
    axes.add_collection(cells)
    axes.figure.colorbar(cells, ax=axes, label="share of locations in a cell")


def _finish(axes: Axes, outlines: Floats, *, degrees: bool) -> None:
    """Names of the axes, one scale for both, and a frame that shows every cell."""
    (left, bottom), (right, top) = outlines.reshape(-1, 2).min(axis=0), outlines.reshape(-1, 2).max(axis=0)
    middle = min(abs(bottom + top) / 2, STEEPEST) if degrees else 0.0
    axes.set(xlim=(left, right), ylim=(bottom, top), aspect=1 / math.cos(math.radians(middle)))
    axes.set_xlabel("longitude, degrees" if degrees else "x, units")
    axes.set_ylabel("latitude, degrees" if degrees else "y, units")
    axes.ticklabel_format(useOffset=False, style="plain")
    axes.locator_params(nbins=5)


# -- cells in one piece ----------------------------------------------------------------------------


def _eastwards(outlines: Floats) -> Floats:
    """Cells whose eastern corners, the second and third, lie east of the others even across ±180."""
    turned = outlines.copy()
    for west, east in ((0, 1), (3, 2)):
        behind = turned[..., east, 0] <= turned[..., west, 0]
        turned[..., east, 0] += 360.0 * behind
    return turned


def _cells_around(density: Density, cut: float | None) -> Floats:
    """Four corners around the centre of each cell (rows × columns × 4 × 2), half a usual step away."""
    centres, inside = _counted_on(density.centres, cut), density.cells > 0
    steps = np.stack([_usual_step(centres, inside, axis) for axis in (0, 1)])
    even = np.ptp(centres, axis=(0, 1)) / inside.shape
    if abs(np.linalg.det(steps)) < FLAT * even.prod():
        steps = np.diag(even)
    return np.asarray(centres[..., None, :] + CORNERS @ steps)


def _usual_step(centres: Floats, inside: Flags, axis: int) -> Floats:
    """The median way from a cell to the next; cells where nobody can be have no place of their own."""
    places, kept = np.moveaxis(centres, axis, 0), np.moveaxis(inside, axis, 0)
    pairs = kept[1:] & kept[:-1]
    if not pairs.any():
        pairs[:] = True
    return np.asarray(np.median(np.diff(places, axis=0)[pairs], axis=0))


# -- longitudes in one piece -----------------------------------------------------------------------


def _cut(longitudes: Floats) -> float | None:
    """The meridian where a map is cut; None for ±180, unless the places leave a wider gap elsewhere.

    >>> _cut(np.array([139.5, 139.6, 139.7])), _cut(np.array([175.0, 179.0, -177.0]))
    (None, -1.0)
    """
    ordered = np.unique(longitudes)
    gaps = np.diff(ordered)
    if not gaps.size or gaps.max() <= ordered[0] + 360 - ordered[-1] + 1e-6:
        return None
    return float(ordered[gaps.argmax()] + gaps.max() / 2)


def _counted_on(points: Floats, cut: float | None) -> Floats:
    """Points with longitudes counted on eastwards from a cut."""
    if cut is None:
        return points
    return np.stack([cut + np.mod(points[..., 0] - cut, 360), points[..., 1]], axis=-1)


def _parted(way: Floats) -> Floats:
    """A way with a gap wherever it goes round the back of the Earth: that is no line across the map."""
    jumps = np.flatnonzero(np.abs(np.diff(way[:, 0])) > 180) + 1
    return np.insert(way, jumps, np.nan, axis=0)
