"""Counts of private routes in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.table import Table

from noisewright.pages.route_counts import Box, RouteCounts
from noisewright.pages.terminal import console
from noisewright.pages.wording import percent, short
from noisewright.trajectory.aggregates import Count, DensityMap, Hotspot, ODTable

MOST_ROWS = 20
"""Cells or trips that are listed; machines get all of them."""

MOST_ZONES = 9
"""Zones of a matrix that a terminal has room for; a page has it for more."""

NOT_TOLD = "–"
"""In place of an estimate that the reports do not allow."""

EVENLY = "only if spread evenly"
"""What the narrower interval of a region rests on, right above it."""

Row = tuple[str, ...]
Answer = tuple[str, Row, list[Row]]


def show(found: RouteCounts) -> None:
    """Print every answer as a table, then what the intervals mean."""
    out = console()
    for title, header, rows in tables(found, MOST_ZONES):
        out.print(_table(title, header, rows))
        if EVENLY in header and (caution := found.caution) is not None:
            out.print(caution)
    for note in found.notes:
        out.print(f"• {note}")


def tables(found: RouteCounts, zones: int) -> list[Answer]:
    """The answers as titles, headers and rows of text; a matrix of trips has at most so many zones."""
    interval = f"{100 * found.level:g} % interval"
    told: list[Answer] = []
    if found.regions:
        title = f"Locations inside, of {found.regions[0][1].total:,}"
        rows = [region_row(box, count) for box, count in found.regions]
        header: Row = ("left, bottom, right, top", "estimate", interval)
        if any(count.smoothness is not None for _, count in found.regions):
            header = (*header, EVENLY)
        else:
            rows = [row[:3] for row in rows]
        told.append((title, header, rows))
    if found.density is not None:
        header = ("cell", "estimate", interval, "centre")
        told.append((_density_title(found.density), header, density_rows(found.density)))
    if found.trips is not None:
        if len(found.trips.names) <= zones:
            title = f"Trips of {found.trips.total:,} routes, from (rows) to (columns)"
            told.append((title, ("from", *found.trips.names), matrix_rows(found.trips)))
        header = ("from", "to", "estimate", interval)
        told.append((_trips_title(found.trips), header, trip_rows(found.trips)))
    if found.hotspots is not None:
        header = ("cell", "estimate", interval, "above an even spread", "centre")
        rows = [spot_row(spot) for spot in found.hotspots]
        told.append((f"The {len(rows)} busiest cells", header, rows))
    return told


def region_row(box: Box, count: Count) -> Row:
    """The count of one region."""
    sides = ", ".join(f"{side:g}" for side in box)
    if not count.answered:
        return sides, "cannot be told", "", ""
    near = NOT_TOLD
    if count.smooth_low is not None and count.smooth_high is not None:
        near = f"{count.smooth_low:,.0f} to {count.smooth_high:,.0f}"
    return sides, _number(count.estimate), f"{count.low:,.0f} to {count.high:,.0f}", near


def density_rows(density: DensityMap) -> list[Row]:
    """The cells with the most locations, most first."""
    order = np.argsort(-density.likely, axis=None, kind="stable")[:MOST_ROWS]
    places = zip(*np.unravel_index(order, density.likely.shape), strict=True)
    return [
        (
            density.grid.names[np.ravel_multi_index(place, density.likely.shape)],
            _share(float(density.estimate[place])),
            share_span(float(density.low[place]), float(density.high[place])),
            centre(density.centres[place]),
        )
        for place in places
    ]


def trip_rows(trips: ODTable) -> list[Row]:
    """The pairs of zones with the most trips, most first."""
    order = np.argsort(-np.nan_to_num(trips.estimate), axis=None, kind="stable")[:MOST_ROWS]
    pairs = zip(*np.unravel_index(order, trips.estimate.shape), strict=True)
    return [
        (
            trips.names[pair[0]],
            trips.names[pair[1]],
            _number(float(trips.estimate[pair])),
            f"{trips.low[pair]:,.0f} to {trips.high[pair]:,.0f}",
        )
        for pair in pairs
    ]


def matrix_rows(trips: ODTable) -> list[Row]:
    """All estimates, one row for each origin."""
    return [
        (name, *(_number(float(number)) for number in numbers))
        for name, numbers in zip(trips.names, trips.estimate, strict=True)
    ]


def spot_row(spot: Hotspot) -> Row:
    """One hotspot."""
    span, share = share_span(spot.low, spot.high), NOT_TOLD if spot.share is None else percent(spot.share)
    return spot.name, share, span, "surely" if spot.sure else "perhaps", centre(spot.centre)


def _number(estimate: float | None) -> str:
    return NOT_TOLD if estimate is None or np.isnan(estimate) else f"{estimate:,.0f}"


def _share(share: float) -> str:
    return NOT_TOLD if np.isnan(share) else percent(share)


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
    shown = f"; the {MOST_ROWS} most frequent" if trips.estimate.size > MOST_ROWS else ""
    return f"Trips between {len(trips.names)} zones, of {trips.total:,} routes{shown}"


def _table(title: str, header: Row, rows: list[Row]) -> Table:
    table = Table(title=title, box=None, pad_edge=False, padding=(0, 2, 0, 0), title_justify="left")
    for place, name in enumerate(header):
        words = place == 0 or name in ("to", "centre", "above an even spread")
        table.add_column(name, justify="left" if words else "right", no_wrap=place > 0)
    for row in rows:
        table.add_row(*row)
    return table
