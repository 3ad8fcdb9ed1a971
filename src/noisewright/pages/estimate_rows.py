"""Estimates as rows of a table, each number rounded to the digits that its interval leaves it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from noisewright.domains import Circle
from noisewright.estimate import Estimate
from noisewright.pages.estimates import ColumnEstimates
from noisewright.pages.wording import aligned, percent, short

UNKNOWN = "cannot be told"

NOTHING = 0.9
"""Of the values that are possible at all: an interval as wide as this tells nothing."""


class Row(NamedTuple):
    """One number of a column, in words."""

    what: str
    value: str
    stderr: str
    interval: str


def to_width(value: float, width: float) -> str:
    """A number with the digits that an interval of a given width leaves it: two in half of the width.

    >>> to_width(79.78712, 1.95), to_width(12345.6, 900.0), to_width(0.0123456, 0.0002), to_width(3.25, 0.0)
    ('79.79', '12,350', '0.01235', '3.25')
    """
    if not math.isfinite(value):
        return UNKNOWN
    if not (math.isfinite(width) and width > 0):
        return short(value)
    places = 1 - math.floor(math.log10(width / 2))
    rounded = round(value, places)
    return f"{rounded + 0.0:,.{max(places, 0)}f}"


def rows(column: ColumnEstimates) -> list[Row]:
    """The numbers of a column besides its histogram."""
    if isinstance(column.tally.domain, Circle):
        return [_direction(column.mean, column.tally.domain)]
    room = column.tally.domain.length
    found = [_row("mean", column.mean, room=room)]
    if column.deviation is not None:
        found.append(_row("standard deviation", column.deviation, room=room / 2))
    if column.quantiles is not None:
        found += [
            _row(quantile_name(share), one, room=room)
            for share, one in zip(column.shares, _each(column.quantiles), strict=True)
        ]
    return found


def bins(column: ColumnEstimates) -> list[Row]:
    """The share of people in each bin in per cent, all with the digits that a typical interval leaves."""
    histogram = column.histogram
    edges, width = histogram.edges.tolist(), 100 * float(np.median(histogram.high - histogram.low))
    return [
        _row(f"{short(low)} to {short(high)}", estimate, width, unit=" %", room=100.0)
        for low, high, estimate in zip(edges[:-1], edges[1:], _each(histogram, 100), strict=True)
    ]


def quantile_name(share: float) -> str:
    """What the quantile of a share is called.

    >>> quantile_name(0.5), quantile_name(0.25)
    ('median', '25 % lie below')
    """
    return "median" if share == 0.5 else f"{percent(share)} lie below"


def _row(
    what: str, estimate: Estimate, width: float | None = None, unit: str = "", room: float = math.inf
) -> Row:
    """One number; where its interval leaves nearly all the room there is, nothing was learned."""
    if estimate.high - estimate.low >= NOTHING * room:
        return Row(what, UNKNOWN, "–", UNKNOWN)
    width = estimate.high - estimate.low if width is None else width
    ends = [to_width(end, width) for end in (estimate.low, estimate.high)]
    value = to_width(estimate.value, width)
    interval = UNKNOWN if UNKNOWN in ends else f"{ends[0]} to {ends[1]}{unit}"
    error = aligned(estimate.stderr, 2) + unit if math.isfinite(estimate.stderr) else "–"
    return Row(what, value if value == UNKNOWN else value + unit, error, interval)


def _direction(estimate: Estimate, circle: Circle) -> Row:
    """A mean direction, whose interval is an arc or, if there is no direction, the whole circle."""
    if estimate.high - estimate.low >= circle.period:
        return Row("mean direction", UNKNOWN, "–", "anywhere on the circle")
    width = (estimate.high - estimate.low) % circle.period
    value, low, high = (to_width(part, width) for part in (estimate.value, estimate.low, estimate.high))
    arc = f"{low} {'to' if estimate.low <= estimate.high else 'round to'} {high}"
    return Row("mean direction", value, aligned(estimate.stderr, 2), arc)


def _each(estimate: Estimate, factor: float = 1.0) -> list[Estimate]:
    """An estimate of several numbers as several estimates of one, in another unit if asked for."""
    columns = (estimate.value, estimate.stderr, estimate.low, estimate.high)
    table = factor * np.stack(columns, axis=1)
    return [Estimate(value, stderr, low, high) for value, stderr, low, high in table.tolist()]
