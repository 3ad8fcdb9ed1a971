"""The probability of the reports below a line, for two independent reports on one lattice of cells.

In column k of the first report the line leaves n(k) = ⌊intercept + slope·k⌋ cells of the second below it
(held between 0 and all cells). With p the law of the first report and F the cumulative of the second,

    P = Σ_k p(k)·F(n(k)).

p is constant and F linear between knots, so columns are taken together until a knot of either law comes, and
what remains is a sum of whole numbers (``floor_sums``). The line is rounded to 2^-bits of a cell first;
callers allow for that in the intercept.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
from __future__ import annotations

import math

import numpy as np

from noisewright.utility.exact.floor_sums import floor_sum
from noisewright.utility.exact.loops import loop


@loop
def run_of(knots, place):
    """The run between two knots that holds a cell."""
    return min(max(np.searchsorted(knots, place, side="right") - 1, 0), knots.size - 2)


@loop
def rise_to(knots, rises, place):
    """The probability of a report in the cells [0, place)."""
    run = run_of(knots, place)
    width = knots[run + 1] - knots[run]
    if width == 0:
        return rises[run]
    return rises[run] + (rises[run + 1] - rises[run]) * ((place - knots[run]) / width)


@loop
def columns_until(height, base, slope, columns):
    """The first of some columns, counted from 0, in which a rising line is at a height."""
    return int(min(max(math.ceil(min(max((height - base) / slope, -1.0), columns + 1.0)), 0), columns))


@loop
def below_line(knots, rises, cross_knots, cross_rises, start, stop, intercept, slope, bits):
    """P over the columns [start, stop) of the first report, whose law is ``knots`` and ``rises``."""
    cells = cross_knots[-1]
    forward = slope >= 0
    base = intercept + slope * (start if forward else stop - 1)
    columns = stop - start
    if abs(slope) * columns < 2.0**-bits:
        height = int(min(max(math.floor(base), 0), cells))
        share = rise_to(knots, rises, stop) - rise_to(knots, rises, start)
        return share * rise_to(cross_knots, cross_rises, height)
    # A falling line is walked from the right, so that it rises; it enters the cells and leaves them again.
    enter = columns_until(0.0, base, abs(slope), columns)
    leave = max(columns_until(float(cells), base, abs(slope), columns), enter)
    if forward:
        beyond = rise_to(knots, rises, stop) - rise_to(knots, rises, start + leave)
        origin = start + enter
    else:
        beyond = rise_to(knots, rises, stop - leave) - rise_to(knots, rises, start)
        origin = stop - 1 - enter
    if leave == enter:
        return beyond
    entry = min(max(base + abs(slope) * enter, 0.0), cells - 2.0**-bits)
    rest = _walk(
        knots, rises, cross_knots, cross_rises, origin, forward, leave - enter, entry, abs(slope), bits
    )
    return beyond + rest


@loop
def _walk(knots, rises, cross_knots, cross_rises, origin, forward, columns, entry, slope, bits):
    """P over columns in which the line rises from ``entry`` and stays inside the cells."""
    unit = 1 << bits
    first = int(entry * unit)
    step = int(min(slope, float(cross_knots[-1])) * unit + 0.5)
    run, cross = run_of(knots, origin), run_of(cross_knots, first >> bits)
    total, column = 0.0, 0
    while column < columns:
        height = min((step * column + first) >> bits, cross_knots[-1] - 1)
        while cross_knots[cross + 1] <= height:
            cross += 1
        place = origin + column if forward else origin - column
        while knots[run + 1] <= place:
            run += 1
        while knots[run] > place:
            run -= 1
        end = min(columns, column + (knots[run + 1] - place if forward else place - knots[run] + 1))
        ceiling = cross_knots[cross + 1] * unit - first
        if step > 0 and cross_knots[cross + 1] < cross_knots[-1]:
            end = min(end, -(-ceiling // step))
        share = (rises[run + 1] - rises[run]) / (knots[run + 1] - knots[run])
        climb = (cross_rises[cross + 1] - cross_rises[cross]) / (cross_knots[cross + 1] - cross_knots[cross])
        count = end - column
        if count == 1:
            cells_below = height - cross_knots[cross]
        else:
            cells_below = floor_sum(count, step, step * column + first - cross_knots[cross] * unit, unit)
        total += share * (count * cross_rises[cross] + climb * cells_below)
        column = end
    return total
