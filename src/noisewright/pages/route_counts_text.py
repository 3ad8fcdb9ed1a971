"""Counts of private routes in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.table import Table

from noisewright.pages.route_counts import Box, RouteCounts
from noisewright.pages.wording import percent, short
from noisewright.trajectory.aggregates import Count, DensityMap, Hotspot, ODTable

MOST_ROWS = 20
"""Cells or trips that are listed; machines get all of them."""

Row = tuple[str, ...]
Answer = tuple[str, Row, list[Row]]


def show(found: RouteCounts, console: Console | None = None) -> None:
    """Print every answer as a table, then what the intervals mean."""
    console = console or Console(highlight=False)
    for title, header, rows in tables(found):
        console.print(_table(title, header, rows))
    for note in found.notes:
        console.print(f"• {note}", markup=False)


def tables(found: RouteCounts) -> list[Answer]:
    """The answers as titles, headers and rows of text; the same on the page."""
    interval = f"{100 * found.level:g} % interval"
    told: list[Answer] = []
    if found.regions:
        title = f"Locations inside, of {found.regions[0][1].total:,}"
        rows = [region_row(box, count) for box, count in found.regions]
        told.append((title, ("left, bottom, right, top", "estimate", interval), rows))
    if found.density is not None:
        header: Row = ("centre", "estimate", interval)
        told.append((_density_title(found.density), header, density_rows(found.density)))
    if found.trips is not None:
        header = ("from", "to", "estimate", interval)
        told.append((_trips_title(found.trips), header, trip_rows(found.trips)))
    if found.hotspots is not None:
        header = ("centre", "estimate", interval, "above an even spread")
        rows = [spot_row(spot) for spot in found.hotspots]
        told.append((f"The {len(rows)} busiest cells", header, rows))
    return told


def region_row(box: Box, count: Count) -> Row:
    """The count of one region."""
    sides = ", ".join(f"{side:g}" for side in box)
    return sides, f"{count.estimate:,.0f}", f"{count.low:,.0f} to {count.high:,.0f}"


def density_rows(density: DensityMap) -> list[Row]:
    """The cells with the most locations, most first."""
    order = np.argsort(-density.likely, axis=None, kind="stable")[:MOST_ROWS]
    places = zip(*np.unravel_index(order, density.likely.shape), strict=True)
    return [
        (
            centre(density.centres[place]),
            percent(float(density.likely[place])),
            share_span(float(density.low[place]), float(density.high[place])),
        )
        for place in places
    ]


def trip_rows(trips: ODTable) -> list[Row]:
    """The pairs of zones with the most trips, most first."""
    middles = trips.grid.centres().reshape(-1, 2)
    order = np.argsort(-trips.estimate, axis=None, kind="stable")[:MOST_ROWS]
    pairs = zip(*np.unravel_index(order, trips.estimate.shape), strict=True)
    return [
        (
            centre(middles[pair[0]]),
            centre(middles[pair[1]]),
            f"{trips.estimate[pair]:,.0f}",
            f"{trips.low[pair]:,.0f} to {trips.high[pair]:,.0f}",
        )
        for pair in pairs
    ]


def spot_row(spot: Hotspot) -> Row:
    """One hotspot."""
    span = share_span(spot.low, spot.high)
    return centre(spot.centre), percent(spot.share), span, "surely" if spot.sure else "perhaps"


def centre(point: Sequence[float] | np.ndarray) -> str:
    """A public point."""
    return f"{point[0]:.6g}, {point[1]:.6g}"


def share_span(low: float, high: float) -> str:
    """An interval of shares, in per cent."""
    return f"{short(100 * max(low, 0.0), 3)} to {short(100 * high, 3)} %"


def _density_title(density: DensityMap) -> str:
    columns, rows = density.grid.cells
    shown = f"; the {MOST_ROWS} fullest" if density.likely.size > MOST_ROWS else ""
    return f"Shares of {density.total:,} locations in {columns} × {rows} cells{shown}"


def _trips_title(trips: ODTable) -> str:
    columns, rows = trips.grid.cells
    return f"Trips between {columns} × {rows} zones, of {trips.total:,} routes; the most frequent"


def _table(title: str, header: Row, rows: list[Row]) -> Table:
    table = Table(title=title, box=None, pad_edge=False, padding=(0, 2, 0, 0), title_justify="left")
    for place, name in enumerate(header):
        words = place == 0 or name in ("to", "above an even spread")
        table.add_column(name, justify="left" if words else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table
