"""The page of counts from private routes: maps and tables, every number with an interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright import __version__
from noisewright.domains import Floats
from noisewright.pages.figures import figure
from noisewright.pages.markup import Html, bullets, tag
from noisewright.pages.route_counts import RouteCounts
from noisewright.pages.route_counts_text import EVENLY, tables
from noisewright.pages.route_densities import shade_cells
from noisewright.pages.route_maps import RouteMap
from noisewright.pages.route_panels import map_panels
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section, page
from noisewright.trajectory.aggregates import DensityMap
from noisewright.trajectory.spaces import Space

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FULL_TURN = 360.0

MOST_ZONES = 26
"""Zones of a matrix of trips: a page scrolls a wide table sideways."""


def counts_page(found: RouteCounts, name: str) -> str:
    """The whole document."""
    sections = [
        Section(
            title,
            [
                table(title, list(header), [[row[0], *map(number, row[1:])] for row in rows]),
                *([tag("p", found.caution, class_="warning")] if EVENLY in header else []),
            ],
        )
        for title, header, rows in tables(found, MOST_ZONES)
    ]
    if found.density is not None:
        sections.insert(0, Section("Map", [_map(found.density, found.collection.mechanism.space)]))
    sections.append(Section("What the intervals mean", [bullets(found.notes), found.collection.guarantee]))
    lead = "Numbers from reports alone: they cost no privacy beyond what the reports have spent."
    footer = f"Written by noisewright routes count, version {__version__}."
    return page(f"Counts from {name}", lead, sections, footer)


def _map(density: DensityMap, space: Space) -> Html:
    """The likely shares beside the ends of their intervals, in the same shades."""
    panels = {"at least": density.low, "most likely": density.likely, "at most": density.high}
    with map_panels(space, len(panels)) as (drawn, drawings):
        for axes, (name, shares) in zip(drawings, panels.items(), strict=True):
            draw_cells(axes, density, shares, space)
            RouteMap(space).prepare(axes)
            axes.set_title(name)
    caption = (
        f"The share of locations in each cell, the darker the more: the {100 * density.level:g} % interval's "
        "lower end, the likeliest share, and the upper end, where the darkest shade may stand for more."
    )
    return figure("density", drawn, title="Three density maps with the ends of intervals.", caption=caption)


def draw_cells(axes: Axes, density: DensityMap, shares: Floats, space: Space) -> None:
    """The cells of a density map; one that lies across the edge of a map of the Earth is on both sides."""
    west, south, east, north = space.bounds
    columns, rows = density.grid.cells
    starts = RouteMap(space).place(density.outlines[:, 0, 0])[:, 0]
    order = np.argsort(starts)
    across = np.append(starts[order], starts[order][-1] + (east - west) / columns)
    up, most = np.linspace(south, north, rows + 1), float(density.likely.max())
    all_round = RouteMap(space).degrees and east - west == FULL_TURN
    for shift in (0.0, FULL_TURN) if all_round else (0.0,):
        shade_cells(axes, shares[order], (across - shift, up), most)
