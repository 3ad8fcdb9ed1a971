"""The probability of a convex polygon for two independent reports on one lattice of cells.

Half-planes leave, in each column of the first report, the cells from the highest of some lines up to the
lowest of others. Which lines these are changes only where two cross; between the crossings the polygon is the
difference of two regions below a line (``line_sums``), and the columns around a crossing are taken singly.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
from __future__ import annotations

import math

import numpy as np

from noisewright.utility.exact.line_sums import below_line, rise_to
from noisewright.utility.exact.loops import loop

NONE = -1
"""No line: the region reaches to the end of the cells."""

_AROUND = 1
"""Columns on either side of a crossing in which rounding could confuse the lines."""


@loop
def polygon_masses(
    knots, rises, cross_knots, cross_rises, begin, end, intercepts, slopes, is_floor, bits, masses
):
    """Fill in the probability of each polygon; as many in a row as there are to a law have the same laws."""
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


@loop
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


@loop
def _crossings(intercepts, slopes, begin, end):
    """The columns, in order, in which two lines cross."""
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


@loop
def _bounds(column, intercepts, slopes, is_floor):
    """The highest line from below and the lowest from above at a column, or NONE."""
    floor_line, ceiling_line = NONE, NONE
    highest, lowest = -np.inf, np.inf
    for line in range(slopes.size):
        height = intercepts[line] + slopes[line] * column
        if is_floor[line] and height > highest:
            floor_line, highest = line, height
        if not is_floor[line] and height < lowest:
            ceiling_line, lowest = line, height
    return floor_line, ceiling_line, highest, lowest


@loop
def _between(knots, rises, cross_knots, cross_rises, start, stop, intercepts, slopes, is_floor, bits):
    """The probability of the polygon in columns that hold no crossing."""
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


@loop
def _column(cross_knots, cross_rises, column, intercepts, slopes, is_floor):
    """The probability of the second report in the part of one column that lies in the polygon."""
    _, _, highest, lowest = _bounds(float(column), intercepts, slopes, is_floor)
    cells = float(cross_knots[-1])
    bottom = math.floor(min(max(highest, 0.0), cells))
    top = math.floor(min(max(lowest, 0.0), cells))
    return max(rise_to(cross_knots, cross_rises, top) - rise_to(cross_knots, cross_rises, bottom), 0.0)


@loop
def mark_torn(intercepts, others, slopes, cells, bits, differ):
    """Mark the polygons that have a line with another number of cells below it than its twin has."""
    knots, rises = np.array([0, cells]), np.array([0.0, float(cells)])  # every cell counts as one
    for place in range(differ.size):
        for line in range(slopes.size):
            slope = slopes[line]
            one = below_line(knots, rises, knots, rises, 0, cells, intercepts[place, line], slope, bits)
            other = below_line(knots, rises, knots, rises, 0, cells, others[place, line], slope, bits)
            if abs(one - other) > 0.5:
                differ[place] = True
