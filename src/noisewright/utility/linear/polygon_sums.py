"""The probability of a convex polygon for two independent reports on one lattice of cells.

In each column of the first report, the half-planes contain the cells from the highest of some lines up to the
lowest of others. These two lines change only where two lines cross. Between crossings the polygon is the
difference of two regions below a line; the columns around a crossing are summed one by one.

Below a line, column k holds n(k) = ⌊intercept + slope·k⌋ cells of the second report (clipped to the range of
cells). With p the law of the first report and F the cumulative of the second,

    P = Σ_k p(k)·F(n(k)).

p is constant and F linear between knots, so columns are summed together up to the next knot of either law.
The rest is a sum of whole numbers, which Euclid's algorithm adds up in about as many steps as the slope has
digits. The line is first rounded to 2^-bits of a cell; callers allow for that in the intercept.

This is plain Python; ``kernels.py`` compiles it where numba is installed.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import math

import numpy as np


def floor_sum(count, step, first, modulus):
    """Return Σ ⌊(step·j + first)/modulus⌋ over 0 ≤ j < count, for numbers from 0 up and sums below 2⁶³.

    Whole parts are added in closed form. The rest lies below the diagonal of a rectangle, and counting it by
    rows instead of columns swaps step and modulus, as in Euclid's algorithm.

    >>> int(floor_sum(4, 3, 1, 5))     # ⌊1/5⌋ + ⌊4/5⌋ + ⌊7/5⌋ + ⌊10/5⌋
    3
    """
    total = 0
    while True:
        if step >= modulus:
            whole = step // modulus
            total += count * (count - 1) // 2 * whole
            step -= whole * modulus  # a division less than step % modulus
        if first >= modulus:
            whole = first // modulus
            total += count * whole
            first -= whole * modulus
        last = step * count + first
        if last < modulus:
            return total
        count = last // modulus
        first = last - count * modulus
        step, modulus = modulus, step


def run_of(knots, place):
    """Return the run between two knots that contains a cell."""
    return min(max(np.searchsorted(knots, place, side="right") - 1, 0), knots.size - 2)


def rise_to(knots, rises, place):
    """Return the probability of a report in the cells [0, place)."""
    run = run_of(knots, place)
    width = knots[run + 1] - knots[run]
    if width == 0:
        return rises[run]
    return rises[run] + (rises[run + 1] - rises[run]) * ((place - knots[run]) / width)


def columns_until(height, base, slope, columns):
    """Return the first column, counted from 0, in which a rising line reaches a height."""
    return int(min(max(math.ceil(min(max((height - base) / slope, -1.0), columns + 1.0)), 0), columns))


def below_line(knots, rises, cross_knots, cross_rises, start, stop, intercept, slope, bits):
    """Return P over the columns [start, stop) of the first report, whose law is ``knots`` and ``rises``."""
    cells = cross_knots[-1]
    forward = slope >= 0
    base = intercept + slope * (start if forward else stop - 1)
    columns = stop - start
    if abs(slope) * columns < 2.0**-bits:
        height = int(min(max(math.floor(base), 0), cells))
        share = rise_to(knots, rises, stop) - rise_to(knots, rises, start)
        return share * rise_to(cross_knots, cross_rises, height)
    # A falling line is followed from the right, so that it rises; it enters the cells and leaves them again.
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


def _walk(knots, rises, cross_knots, cross_rises, origin, forward, columns, entry, slope, bits):
    """Return P over columns in which the line rises from ``entry`` and stays inside the cells."""
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


NONE = -1
"""No line: the region reaches to the end of the cells."""

_AROUND = 1
"""Number of columns on either side of a crossing in which rounding could confuse the lines."""


def polygon_masses(
    knots, rises, cross_knots, cross_rises, begin, end, intercepts, slopes, is_floor, bits, masses
):
    """Fill in the probability of each polygon; equally many consecutive polygons share each law."""
    copies = masses.size // len(knots)
    for place in range(masses.size):
        law = place // copies
        masses[place] = _polygon(
            knots[law],
            rises[law],
            cross_knots[law],
            cross_rises[law],
            begin[place],
            end[place],
            intercepts[place],
            slopes,
            is_floor,
            bits,
        )


def _polygon(knots, rises, cross_knots, cross_rises, begin, end, intercepts, slopes, is_floor, bits):
    crossings = _crossings(intercepts, slopes, begin, end)
    total, at = 0.0, begin
    for crossing in crossings:
        left, right = min(max(crossing - _AROUND, at), end), min(crossing + _AROUND + 2, end)
        total += _between(
            knots, rises, cross_knots, cross_rises, at, left, intercepts, slopes, is_floor, bits
        )
        for column in range(left, right):
            share = rise_to(knots, rises, column + 1) - rise_to(knots, rises, column)
            total += share * _column(cross_knots, cross_rises, column, intercepts, slopes, is_floor)
        at = max(left, right)
    return total + _between(
        knots, rises, cross_knots, cross_rises, at, end, intercepts, slopes, is_floor, bits
    )


def _crossings(intercepts, slopes, begin, end):
    """Return the columns, in order, in which two lines cross."""
    lines = slopes.size
    found, columns = 0, np.empty(lines * (lines - 1) // 2, dtype=np.int64)
    for one in range(lines):
        for other in range(one):
            turn = slopes[one] - slopes[other]
            if turn != 0.0:
                place = (intercepts[other] - intercepts[one]) / turn
                if begin - 2.0 < place < end + 2.0:
                    columns[found] = math.floor(place)
                    found += 1
    return np.sort(columns[:found])


def _bounds(column, intercepts, slopes, is_floor):
    """Return the highest line from below and the lowest from above at a column, or NONE."""
    floor_line, ceiling_line = NONE, NONE
    highest, lowest = -np.inf, np.inf
    for line in range(slopes.size):
        height = intercepts[line] + slopes[line] * column
        if is_floor[line] and height > highest:
            floor_line, highest = line, height
        if not is_floor[line] and height < lowest:
            ceiling_line, lowest = line, height
    return floor_line, ceiling_line, highest, lowest


def _between(knots, rises, cross_knots, cross_rises, start, stop, intercepts, slopes, is_floor, bits):
    """Return the probability of the polygon in columns without a crossing."""
    if start >= stop:
        return 0.0
    floor_line, ceiling_line, highest, lowest = _bounds(
        0.5 * (start + stop - 1), intercepts, slopes, is_floor
    )
    if highest >= lowest:
        return 0.0
    inside = rise_to(knots, rises, stop) - rise_to(knots, rises, start)
    if ceiling_line != NONE:
        top, slope = intercepts[ceiling_line], slopes[ceiling_line]
        inside = below_line(knots, rises, cross_knots, cross_rises, start, stop, top, slope, bits)
    if floor_line != NONE:
        bottom, slope = intercepts[floor_line], slopes[floor_line]
        inside -= below_line(knots, rises, cross_knots, cross_rises, start, stop, bottom, slope, bits)
    return max(inside, 0.0)


def _column(cross_knots, cross_rises, column, intercepts, slopes, is_floor):
    """Return the probability of the second report in the part of one column inside the polygon."""
    _, _, highest, lowest = _bounds(float(column), intercepts, slopes, is_floor)
    cells = float(cross_knots[-1])
    bottom = math.floor(min(max(highest, 0.0), cells))
    top = math.floor(min(max(lowest, 0.0), cells))
    return max(rise_to(cross_knots, cross_rises, top) - rise_to(cross_knots, cross_rises, bottom), 0.0)


def mark_torn(intercepts, others, slopes, cells, bits, differ):
    """Mark the polygons with a line that has not as many cells below it as its twin."""
    knots, rises = np.array([0, cells]), np.array([0.0, float(cells)])  # every cell counts as one
    for place in range(differ.size):
        for line in range(slopes.size):
            slope = slopes[line]
            one = below_line(knots, rises, knots, rises, 0, cells, intercepts[place, line], slope, bits)
            other = below_line(knots, rises, knots, rises, 0, cells, others[place, line], slope, bits)
            if abs(one - other) > 0.5:
                differ[place] = True
