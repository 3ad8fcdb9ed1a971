"""The report of counts from private routes: maps and tables, every number with an interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noisewright.report import Block, Bullets, Caution, Details, Figure, Report, Section, Table, number
from noisewright.text import percent, short
from noisewright.trajectory.aggregates import Count, DensityMap, Hotspot, ODTable
from noisewright.trajectory.counts import Box, RouteCounts
from noisewright.trajectory.plots import plot_density_ends

MOST_ROWS = 20
"""Most cells or trips that are listed; the JSON has all of them."""

MOST_BESIDE = 9
"""Most zones of a matrix that a terminal has room for."""

MOST_ZONES = 26
"""Most zones of a matrix that a page has room for; it scrolls a wide table sideways."""

UNKNOWN = "–"
"""In place of an estimate that the reports do not allow."""

EVENLY = "only if spread evenly"
"""The assumption behind the narrower interval of a region, as its column's head."""

Row = tuple[str, ...]


def counts_report(found: RouteCounts) -> Report:
    """Describe the answers as a document."""
    interval = f"{100 * found.level:g} % interval"
    sections = [
        *([] if found.density is None else [Section("Map", [_map(found.density, found)])]),
        *_regions(found, interval),
        *([] if found.density is None else [_density(found.density, interval)]),
        *([] if found.trips is None else _trips(found.trips, interval)),
        *([] if found.hotspots is None else [_hotspots(found.hotspots, interval)]),
        Section("What the intervals mean", [Bullets(found.notes), found.collection.guarantee]),
    ]
    return Report(
        title=f"Counts from {found.name}",
        lead="Numbers from reports alone: they cost no privacy beyond what the reports have spent.",
        sections=sections,
        verb="routes count",
        data=found.to_dict(),
    )


def _map(density: DensityMap, found: RouteCounts) -> Figure:
    caption = (
        "The share of locations in each cell, the stronger the colour, the more: the "
        f"{100 * density.level:g} % interval's lower end, the likeliest share, and the upper end, "
        "where the strongest colour may stand for more."
    )
    title = "Three density maps with the ends of intervals."
    space = found.collection.mechanism.space
    return Figure("density", [(title, lambda: plot_density_ends(density, space))], caption)


def _regions(found: RouteCounts, interval: str) -> list[Section]:
    if not found.regions:
        return []
    title = f"Locations inside, of {found.regions[0][1].total:,}"
    header = ["left, bottom, right, top", "estimate", interval, EVENLY]
    rows = [region_row(box, count) for box, count in found.regions]
    if all(count.smoothness is None for _, count in found.regions):
        header, rows = header[:3], [row[:3] for row in rows]
    caution = [Caution(found.caution)] if found.caution is not None else []
    return [Section(title, [_table(title, header, rows), *caution])]


def _density(density: DensityMap, interval: str) -> Section:
    columns, rows = density.grid.cells
    shown = f"; the {MOST_ROWS} fullest" if density.likely.size > MOST_ROWS else ""
    title = f"Shares of {density.total:,} locations in {columns} × {rows} cells{shown}"
    header = ["cell", "estimate", interval, "centre"]
    return Section(title, [_table(title, header, density_rows(density), words={3})])


def _trips(trips: ODTable, interval: str) -> list[Section]:
    shown = f"; the {MOST_ROWS} most frequent" if trips.estimate.size > MOST_ROWS else ""
    title = f"Trips between {len(trips.names)} zones, of {trips.total:,} routes{shown}"
    listed = _table(title, ["from", "to", "estimate", interval], trip_rows(trips), words={1})
    return [*_matrix(trips), Section(title, [listed])]


def _matrix(trips: ODTable) -> list[Section]:
    """Return all pairs of zones, folded away where a terminal has no room for them."""
    title = f"Trips of {trips.total:,} routes, from (rows) to (columns)"
    table = _table(title, ["from", *trips.names], matrix_rows(trips))
    if len(trips.names) <= MOST_BESIDE:
        return [Section(title, [table])]
    blocks: list[Block] = [Details("All zones as a table", [table])]
    return [Section(title, blocks)] if len(trips.names) <= MOST_ZONES else []


def _hotspots(spots: Sequence[Hotspot], interval: str) -> Section:
    title = f"The {len(spots)} busiest cells"
    header = ["cell", "estimate", interval, "above an even spread", "centre"]
    return Section(title, [_table(title, header, [spot_row(spot) for spot in spots], words={3, 4})])


def _table(
    title: str, header: Sequence[str], rows: Sequence[Row], words: frozenset[int] | set[int] = frozenset()
) -> Table:
    """Return a table of texts; all columns but the first and those of ``words`` are numbers."""
    cells = [
        [text if place == 0 or place in words else number(text) for place, text in enumerate(row)]
        for row in rows
    ]
    return Table(title, header, cells)


def region_row(box: Box, count: Count) -> Row:
    """Return the count of one region."""
    sides = ", ".join(f"{side:g}" for side in box)
    if not count.answered:
        return sides, "cannot be estimated", "", ""
    near = UNKNOWN
    if count.smooth_low is not None and count.smooth_high is not None:
        near = f"{count.smooth_low:,.0f} to {count.smooth_high:,.0f}"
    return sides, _number(count.estimate), f"{count.low:,.0f} to {count.high:,.0f}", near


def density_rows(density: DensityMap) -> list[Row]:
    """Return the cells with the most locations, most first."""
    order = np.argsort(-density.likely, axis=None, kind="stable")[:MOST_ROWS]
    places = zip(*np.unravel_index(order, density.likely.shape), strict=True)
    return [
        (
            density.grid.names[np.ravel_multi_index(place, density.likely.shape)],
            UNKNOWN if np.isnan(density.estimate[place]) else percent(float(density.estimate[place])),
            share_span(float(density.low[place]), float(density.high[place])),
            centre(density.centres[place]),
        )
        for place in places
    ]


def trip_rows(trips: ODTable) -> list[Row]:
    """Return the pairs of zones with the most trips, most first."""
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
    """Return all estimates, one row for each origin."""
    return [
        (name, *(_number(float(number)) for number in numbers))
        for name, numbers in zip(trips.names, trips.estimate, strict=True)
    ]


def spot_row(spot: Hotspot) -> Row:
    """Return the row of one hotspot."""
    span, share = share_span(spot.low, spot.high), UNKNOWN if spot.share is None else percent(spot.share)
    return spot.name, share, span, "surely" if spot.sure else "perhaps", centre(spot.centre)


def _number(estimate: float | None) -> str:
    return UNKNOWN if estimate is None or np.isnan(estimate) else f"{estimate:,.0f}"


def centre(point: Sequence[float] | np.ndarray) -> str:
    """Return a public point in words."""
    return f"{point[0]:.6g}, {point[1]:.6g}"


def share_span(low: float, high: float) -> str:
    """Return an interval of shares, in per cent."""
    return f"{short(100 * max(low, 0.0), 3)} to {short(100 * high, 3)} %"
