"""What a mechanism gives away at a task, in one sentence."""

from __future__ import annotations

import math

from noisewright.design.design_table import OPTIMAL, TIE, DesignTable, Row

NOTICED = 5e-3
"""A share of an error that is worth a word."""


def gives_away(row: Row, table: DesignTable) -> str:
    """How far a row is from the best possible, which conditions it breaks, and what else it costs.

    >>> from noisewright import Categories
    >>> from noisewright.design.designer import tabulate
    >>> table = tabulate(Categories("abc"), epsilon=1.0, loss="zero-one")
    >>> [row.sentence for row in table.rows if row.name == "k-RR"]
    ['as good as the best possible']
    """
    first = _distance(row.value, table) if row.admitted else _breach(row, table)
    parts = [first, *_bits(row, table), *(_price(row, table) if row.role == OPTIMAL else [])]
    return "; ".join(parts)


def _breach(row: Row, table: DesignTable) -> str:
    """The condition that a row breaks; it has no part in the comparison then."""
    if table.task.unbiased and row.unbiased is False:
        return "biased, which this task rules out"
    return f"its worst case of {row.worst:.4g} is above the limit of {table.limit:.4g}"


def _distance(value: float, table: DesignTable) -> str:
    best, floor = ("the best of these" if table.bound is None else "the best possible"), table.floor
    excess = value / floor - 1 if floor > 0 else math.inf
    if value <= floor or excess < TIE:
        return f"as good as {best}"
    if floor <= 0:
        return f"{value:.3g}, where nothing above 0 is proved to be the best possible"
    if excess >= 9:
        return f"{value / floor:.3g} times {best}"
    return f"{percent_more(excess)} above {best}"


def _bits(row: Row, table: DesignTable) -> list[str]:
    fewest = table.optimal.bits
    if row.role == OPTIMAL or row.bits < fewest + 1:
        return []
    return [f"{row.bits:.0f} bits instead of {fewest:.0f}"]


def _price(row: Row, table: DesignTable) -> list[str]:
    """What being best at one number costs in the other, against what people would use otherwise."""
    usual = table.reference
    if usual is None or not usual.admitted:
        return []
    pairs = {"average": (row.average, usual.average), "worst case": (row.worst, usual.worst)}
    what = "average" if table.task.looks_at_worst else "worst case"
    mine, theirs = pairs[what]
    if theirs <= 0 or mine < theirs * (1 + NOTICED):
        return []
    return [f"its {what} is {percent_more(mine / theirs - 1)} above that of {usual.name}"]


def percent_more(share: float) -> str:
    """An excess in per cent, in as many digits as matter.

    >>> percent_more(0.1941), percent_more(1.52), percent_more(0.00071)
    ('19 %', '152 %', '0.071 %')
    """
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"
