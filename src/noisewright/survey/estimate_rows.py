"""Estimates as rows of a table, each number rounded to the digits that its interval justifies."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from noisewright.domains import Circle, Integers, NumericDomain
from noisewright.estimate import Estimate
from noisewright.survey.estimates import UNKNOWN, ColumnEstimates, LabelEstimates
from noisewright.text import aligned, percent, short, shortened

NOTHING = 0.9
"""An interval that covers this share of the possible values says nothing."""

NO_ERROR = "–"
"""Stands for the standard error where the interval is not symmetric."""


class Row(NamedTuple):
    """One number of a column, in words."""

    what: str
    value: str
    stderr: str
    interval: str


def to_width(value: float, width: float) -> str:
    """Write a number with as many digits as an interval of a given width justifies: two of its half width.

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
    """Return the numbers of a column besides its histogram."""
    if isinstance(column.tally.domain, Circle):
        return [_direction(column.mean, column.tally.domain)]
    room = column.tally.domain.length
    found = [_row("mean", column.mean, room=room)]
    if column.only_mean:
        names = ["standard deviation", *map(quantile_name, column.shares)]
        return [*found, *(Row(what, UNKNOWN, NO_ERROR, UNKNOWN) for what in names)]
    if column.deviation is not None:
        found.append(_row("standard deviation", column.deviation, room=room / 2))
    if column.quantiles is not None:
        found += [
            _quantile(quantile_name(share), one, column.tally.domain)
            for share, one in zip(column.shares, _each(column.quantiles), strict=True)
        ]
    return found


def bins(column: ColumnEstimates) -> list[Row]:
    """Return the share of people in each bin in per cent, with the digits that a typical interval justifies.

    The list is empty if the reports reveal the mean only.
    """
    if column.only_mean:
        return []
    histogram = column.histogram
    edges, width = histogram.edges.tolist(), 100 * float(np.median(histogram.high - histogram.low))
    return [
        _row(bin_words(low, high, column.tally.domain), estimate, width, unit=" %", room=100.0)
        for low, high, estimate in zip(edges[:-1], edges[1:], _each(histogram, 100), strict=True)
    ]


def bin_words(low: float, high: float, domain: NumericDomain) -> str:
    """Write the values of one bin; of whole numbers, those that lie in it.

    >>> bin_words(0.0, 2.5, Circle(24)), bin_words(-0.5, 4.5, Integers(0, 99))
    ('0 to 2.5', '0 to 4')
    >>> bin_words(6.5, 7.5, Integers(0, 99))
    '7'
    """
    if not isinstance(domain, Integers):
        return f"{short(low)} to {short(high)}"
    first, last = math.ceil(low), math.ceil(high) - 1
    return f"{first:,}" if last <= first else f"{first:,} to {last:,}"


def _quantile(what: str, estimate: Estimate, domain: NumericDomain) -> Row:
    """Return the row of a quantile, which is a whole number where all true values are."""
    row = _row(what, estimate, room=domain.length)
    if not isinstance(domain, Integers) or UNKNOWN in (row.value, row.interval):
        return row
    value, low, high = (f"{round(part):,}" for part in (estimate.value, estimate.low, estimate.high))
    named = what.replace("lie below", "lie at or below")
    return row._replace(what=named, value=value, interval=f"{low} to {high}")


def quantile_name(share: float) -> str:
    """Name the quantile of a share.

    >>> quantile_name(0.5), quantile_name(0.25)
    ('median', '25 % lie below')
    """
    return "median" if share == 0.5 else f"{percent(share)} lie below"


def _row(
    what: str, estimate: Estimate, width: float | None = None, unit: str = "", room: float = math.inf
) -> Row:
    """Return the row of one number; an interval that covers nearly everything says nothing."""
    if estimate.high - estimate.low >= NOTHING * room:
        return Row(what, UNKNOWN, NO_ERROR, UNKNOWN)
    width = estimate.high - estimate.low if width is None else width
    ends = [to_width(end, width) for end in (estimate.low, estimate.high)]
    value = to_width(estimate.value, width)
    interval = UNKNOWN if UNKNOWN in ends else f"{ends[0]} to {ends[1]}{unit}"
    error = aligned(estimate.stderr, 2) + unit if estimate.symmetric else NO_ERROR
    return Row(what, value if value == UNKNOWN else value + unit, error, interval)


def _direction(estimate: Estimate, circle: Circle) -> Row:
    """Return the row of a mean direction; its interval is an arc, or without a direction the whole circle."""
    if estimate.high - estimate.low >= circle.period:
        return Row("mean direction", UNKNOWN, NO_ERROR, "anywhere on the circle")
    width = (estimate.high - estimate.low) % circle.period
    value, low, high = (to_width(part, width) for part in (estimate.value, estimate.low, estimate.high))
    arc = f"{low} {'to' if estimate.low <= estimate.high else 'round to'} {high}"
    error = aligned(estimate.stderr, 2) if estimate.symmetric else NO_ERROR
    return Row("mean direction", value, error, arc)


def _each(estimate: Estimate, factor: float = 1.0) -> list[Estimate]:
    """Split an estimate of several numbers into estimates of one, in another unit if asked for."""
    columns = (estimate.value, estimate.stderr, estimate.low, estimate.high)
    table = factor * np.stack(columns, axis=1)
    return [
        Estimate(value, stderr, low, high, level=estimate.level, count=estimate.count)
        for value, stderr, low, high in table.tolist()
    ]


class LabelRow(NamedTuple):
    """One label: its share in per cent and the number of people with it, both with intervals."""

    label: str
    share: str
    stderr: str
    interval: str
    people: str
    people_interval: str


def label_rows(column: LabelEstimates, most: int | None = None) -> list[LabelRow]:
    """Return the most frequent labels; all numbers with the digits that a typical interval justifies."""
    found = column.shown(most)
    width = float(np.median(found.high - found.low))
    numbers = np.stack([found.value, found.stderr, found.low, found.high], axis=1).tolist()
    shown = zip(found.labels, numbers, found.symmetric.tolist(), strict=True)
    return [_label_row(label, row, width, found.count, symmetric=even) for label, row, even in shown]


def _label_row(
    label: object, numbers: list[float], width: float, reports: int, *, symmetric: bool
) -> LabelRow:
    value, stderr, low, high = numbers
    return LabelRow(
        shortened(label),
        to_width(100 * value, 100 * width) + " %",
        aligned(100 * stderr, 2) + " %" if symmetric else NO_ERROR,
        _span(100 * low, 100 * high, 100 * width) + " %",
        to_width(reports * value, reports * width),
        _span(reports * low, reports * high, reports * width),
    )


def _span(low: float, high: float, width: float) -> str:
    return f"{to_width(low, width)} to {to_width(high, width)}"
