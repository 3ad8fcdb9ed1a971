"""Maps of routes, drawn true to scale and without tiles from anywhere.

Longitudes run on across the antimeridian, so that an area is in one piece. Degrees of latitude are drawn
longer than those of longitude, as they are on Earth.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from noisewright.domains import Floats
from noisewright.report.plots import new_figure
from noisewright.trajectory.routes.table import Routes
from noisewright.trajectory.spaces import Flags

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROUTES = 8
"""Most routes that are drawn; more would hide each other and the density."""

STEEPEST = 80.0
"""Degrees of latitude up to which a map in degrees is stretched to be true to scale."""

CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
"""The corners of a cell around its middle, in steps to its neighbours."""

FLAT = 0.01
"""Share of an even cell below which usual steps span no area: around a pole they point in all directions."""


def draw_cells(outlines: Floats, shares: Floats, *, degrees: bool, axes: Axes | None = None) -> Axes:
    """Draw cells in the shade of the share of locations in them.

    Args:
        outlines: The corners of the cells (n × 4 × 2), the second and third east of the others.
        shares: The share of the locations in each cell.
        degrees: Whether corners are longitudes and latitudes.
        axes: Where to draw; new axes by default.
    """
    axes = axes if axes is not None else _map_axes()
    cells = _eastwards(outlines) if degrees else outlines
    _shade(axes, cells, shares)
    _finish(axes, cells, degrees=degrees)
    return axes


def draw_routes(
    routes: Routes, centres: Floats, shares: Floats, *, degrees: bool, axes: Axes | None = None
) -> Axes:
    """Draw the routes with the most points as lines over a density, numbered as they are in the table.

    Args:
        routes: The routes.
        centres: The middles of the cells of a density (rows × columns × 2).
        shares: The share of the locations in each cell (rows × columns); cells without any are left white.
        degrees: Whether points are longitudes and latitudes.
        axes: Where to draw; new axes by default.
    """
    axes = axes if axes is not None else _map_axes()
    cut, inside = _cut(centres[..., 0]) if degrees else None, shares > 0
    outlines = _cells_around(_unwrap(centres, cut), inside)[inside]
    _shade(axes, outlines, shares[inside])
    _draw_longest(axes, routes.with_points(_unwrap(routes.points, cut)), degrees=degrees)
    _finish(axes, outlines, degrees=degrees)
    return axes


def _draw_longest(axes: Axes, routes: Routes, *, degrees: bool) -> None:
    """Draw a line for each of the routes with the most points; they have the most to show."""
    longest = np.sort(np.argsort(-routes.lengths, kind="stable")[:MOST_ROUTES])
    for place, number in enumerate(longest.tolist(), 1):  # C0 is the blue of the density
        way = routes.points[routes.starts[number] : routes.starts[number + 1]]
        line = split_at_seam(way) if degrees else way
        axes.plot(*line.T, ".-", color=f"C{place}", linewidth=1, markersize=3, label=f"route {number + 1}")
    if len(routes) > MOST_ROUTES:
        axes.set_title(f"the {MOST_ROUTES} longest of {len(routes):,} routes")


def _map_axes() -> Axes:
    return new_figure(6.4, 5.2).add_subplot()


def _shade(axes: Axes, outlines: Floats, shares: Floats) -> None:
    """Draw cells (n × 4 × 2), darker the fuller they are, and the colour bar."""
    from matplotlib.collections import PolyCollection  # noqa: PLC0415  (matplotlib is an extra)
    from matplotlib.colors import PowerNorm  # noqa: PLC0415

    # the square root brings out rare cells beside common ones; an even spread has half the darkest shade
    scale = PowerNorm(0.5, vmin=0.0, vmax=max(float(shares.max()), 4 / len(shares)))
    cells = PolyCollection(list(outlines), array=shares, cmap="Blues", norm=scale, edgecolors="face")
    cells.set_linewidth(0.3)  # without a line the background shows between cells
    axes.add_collection(cells)
    axes.figure.colorbar(cells, ax=axes, label="share of locations in a cell")


def _finish(axes: Axes, outlines: Floats, *, degrees: bool) -> None:
    """Name the axes, give both one scale, and set a frame that shows every cell."""
    (left, bottom), (right, top) = outlines.reshape(-1, 2).min(axis=0), outlines.reshape(-1, 2).max(axis=0)
    middle = min(abs(bottom + top) / 2, STEEPEST) if degrees else 0.0
    axes.set(xlim=(left, right), ylim=(bottom, top), aspect=1 / math.cos(math.radians(middle)))
    axes.set_xlabel("longitude, degrees" if degrees else "x, units")
    axes.set_ylabel("latitude, degrees" if degrees else "y, units")
    axes.ticklabel_format(useOffset=False, style="plain")
    axes.locator_params(nbins=5)


# -- cells in one piece ----------------------------------------------------------------------------


def _eastwards(outlines: Floats) -> Floats:
    """Return cells whose eastern corners, the second and third, lie east of the others even across ±180."""
    turned = outlines.copy()
    for west, east in ((0, 1), (3, 2)):
        behind = turned[..., east, 0] <= turned[..., west, 0]
        turned[..., east, 0] += 360.0 * behind
    return turned


def _cells_around(centres: Floats, inside: Flags) -> Floats:
    """Return four corners around the centre of each cell (rows × columns × 4 × 2), half a usual step away."""
    steps = np.stack([_usual_step(centres, inside, axis) for axis in (0, 1)])
    even = np.ptp(centres, axis=(0, 1)) / inside.shape
    if abs(np.linalg.det(steps)) < FLAT * even.prod():
        steps = np.diag(even)
    return np.asarray(centres[..., None, :] + CORNERS @ steps)


def _usual_step(centres: Floats, inside: Flags, axis: int) -> Floats:
    """Return the usual (median) step from a cell to the next, leaving out cells where nobody can be."""
    places, kept = np.moveaxis(centres, axis, 0), np.moveaxis(inside, axis, 0)
    pairs = kept[1:] & kept[:-1]
    if not pairs.any():
        pairs[:] = True
    return np.asarray(np.median(np.diff(places, axis=0)[pairs], axis=0))


# -- longitudes in one piece -----------------------------------------------------------------------


def _cut(longitudes: Floats) -> float | None:
    """Return the meridian where a map is cut: the widest gap between places, or None for ±180.

    >>> _cut(np.array([139.5, 139.6, 139.7])), _cut(np.array([175.0, 179.0, -177.0]))
    (None, -1.0)
    """
    ordered = np.unique(longitudes)
    gaps = np.diff(ordered)
    if not gaps.size or gaps.max() <= ordered[0] + 360 - ordered[-1] + 1e-6:
        return None
    return float(ordered[gaps.argmax()] + gaps.max() / 2)


def _unwrap(points: Floats, cut: float | None) -> Floats:
    """Return points with longitudes counted on eastwards from a cut."""
    if cut is None:
        return points
    return np.stack([cut + np.mod(points[..., 0] - cut, 360), points[..., 1]], axis=-1)


def split_at_seam(way: Floats) -> Floats:
    """Return a way with a gap wherever it crosses the edge of the map, where no line is drawn."""
    jumps = np.flatnonzero(np.abs(np.diff(way[:, 0])) > 180) + 1
    return np.insert(way, jumps, np.nan, axis=0)
