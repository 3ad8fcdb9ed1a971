"""The inner loops that sum boxes under a whole curve, if numba is installed.

``values`` has one row per edge and one column per channel: the probability of a report at or below the edge.
The loops are independent of mechanisms; they handle three forms of a cumulative: two straight rises, a table,
and a shifted broken line. ``masses.py`` holds the plain twins.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def fill_windows(values, columns, counts, lattice, begin, width, anywhere, inside):
    """Fill in P(report cell < count) for cells with one probability anywhere, and more inside a window."""
    for edge in range(values.shape[0]):
        for i in range(columns.size):
            place = counts[lattice[i], edge]
            within = min(max(place - begin[i], 0), width[i])
            values[edge, columns[i]] = place * anywhere[i] + within * inside[i]


@njit(nogil=True, cache=True)
def fill_tables(values, columns, counts, lattice, starts, rises):
    """Fill in P(report cell < count) from a row of cumulatives that begins at a place of one long list."""
    for edge in range(values.shape[0]):
        for i in range(columns.size):
            values[edge, columns[i]] = rises[starts[i] + counts[lattice[i], edge]]


@njit(nogil=True, cache=True)
def fill_noises(values, columns, counts, lattice, shift, cells, offsets, cumulative, starts):
    """Fill in P(report cell < count) by a broken line, shifted to the true cell and cut at both ends."""
    for i in range(columns.size):
        at, last = starts[i], starts[i + 1] - 1
        for edge in range(values.shape[0]):
            count = counts[lattice[i], edge]
            place = count - shift[i]
            while at < last and offsets[at + 1] <= place:
                at += 1
            if count <= 0:
                below = 0.0
            elif count >= cells[i]:
                below = 1.0
            elif at == last or place <= offsets[at]:
                below = cumulative[at]
            else:
                rise = (cumulative[at + 1] - cumulative[at]) / (offsets[at + 1] - offsets[at])
                below = cumulative[at] + rise * (place - offsets[at])
            values[edge, columns[i]] = below


@njit(nogil=True, cache=True)
def box_sums(low, high, kind, values, sums):
    """Add the probability of every box, Π (value at high − value at low), to the sums of its kind."""
    channels = values.shape[1]
    share = np.empty(channels)
    for b in range(low.shape[0]):
        top, bottom = values[high[b, 0]], values[low[b, 0]]
        for c in range(channels):
            share[c] = top[c] - bottom[c]
        for a in range(1, low.shape[1]):
            top, bottom = values[high[b, a]], values[low[b, a]]
            for c in range(channels):
                share[c] *= top[c] - bottom[c]
        total = sums[kind[b]]
        for c in range(channels):
            total[c] += share[c]


@njit(nogil=True, cache=True)
def used_edges(low, high, edges):
    """Return the edges of one axis that boxes use, in order, and the boxes in indices of these edges."""
    seen = np.zeros(edges, np.bool_)
    for b in range(low.size):
        seen[low[b]] = seen[high[b]] = True
    place, used = np.empty(edges, np.int64), np.empty(seen.sum(), np.int64)
    count = 0
    for edge in range(edges):
        if seen[edge]:
            place[edge], used[count] = count, edge
            count += 1
    return used, place[low], place[high]
