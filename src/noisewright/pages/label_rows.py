"""Shares of labels as rows of a table, each number with the digits that its interval leaves it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from noisewright.pages.estimate_rows import NO_ERROR, to_width
from noisewright.pages.label_estimates import LabelEstimates
from noisewright.pages.wording import aligned

LONGEST = 40
"""Letters of a label that a table or a chart has room for."""


class LabelRow(NamedTuple):
    """One label: its share in per cent and the number of people with it, both with intervals."""

    label: str
    share: str
    stderr: str
    interval: str
    people: str
    people_interval: str


def label_rows(column: LabelEstimates, most: int | None = None) -> list[LabelRow]:
    """The most frequent labels; all numbers with the digits that a typical interval leaves."""
    found = column.shown(most)
    width = float(np.median(found.high - found.low))
    numbers = np.stack([found.value, found.stderr, found.low, found.high], axis=1).tolist()
    told = zip(found.labels, numbers, found.symmetric.tolist(), strict=True)
    return [_row(label, row, width, found.count, symmetric=even) for label, row, even in told]


def _row(label: object, numbers: list[float], width: float, reports: int, *, symmetric: bool) -> LabelRow:
    value, stderr, low, high = numbers
    return LabelRow(
        shortened(label),
        to_width(100 * value, 100 * width) + " %",
        aligned(100 * stderr, 2) + " %" if symmetric else NO_ERROR,
        _span(100 * low, 100 * high, 100 * width) + " %",
        to_width(reports * value, reports * width),
        _span(reports * low, reports * high, reports * width),
    )


def shortened(label: object) -> str:
    """A label with room for it.

    >>> shortened("a" * 50) == "a" * 39 + "…"
    True
    """
    text = str(label)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def left_out(column: LabelEstimates, shown: int) -> str | None:
    """What to say of the labels that are not shown, and of those that are because they came out large."""
    rest = len(column.frequencies.labels) - shown
    if rest <= 0:
        return None
    return (
        f"The {shown} most frequent by their estimates; {rest:,} more are not shown. Each interval holds by "
        "itself; labels that are picked for large estimates tend to be a little too high."
    )


def outside(column: LabelEstimates) -> str | None:
    """What to say of estimates that no share can have."""
    shares = column.frequencies.value
    if ((shares >= 0) & (shares <= 1)).all():
        return None
    return (
        "Unbiased shares may fall below 0 or above 100 % where the noise is larger than the share; their "
        "intervals do not. --consistency norm-sub makes them sum to one."
    )


def _span(low: float, high: float, width: float) -> str:
    return f"{to_width(low, width)} to {to_width(high, width)}"
