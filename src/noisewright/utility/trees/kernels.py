"""The inner loops of exact predictions for trees, if numba is installed.

They contain no policy. Each has a plain twin beside the class that calls it (``restriction.py``,
``grid.py``), which must agree in every number.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def collapse(feature, threshold, left, right, roots, axis, cut, last, row, most):
    """Return the leaves that a row can reach when the values on the axes are free, as boxes between edges."""
    axes = last.size
    low, high = np.empty((most, axes), np.int32), np.empty((most, axes), np.int32)
    node, tree = np.empty(most, np.int32), np.empty(most, np.int32)
    stack = np.empty((most + 1, 1 + 2 * axes), np.int32)
    found = 0
    for t in range(roots.size):
        stack[0, 0], stack[0, 1 : 1 + axes], stack[0, 1 + axes :] = roots[t], 0, last
        depth = 1
        while depth > 0:
            depth -= 1
            n, a = stack[depth, 0], axis[stack[depth, 0]]
            if feature[n] < 0:
                low[found], high[found] = stack[depth, 1 : 1 + axes], stack[depth, 1 + axes :]
                node[found], tree[found] = n, t
                found += 1
            elif a < 0:
                stack[depth, 0] = left[n] if row[feature[n]] <= threshold[n] else right[n]
                depth += 1
            else:
                least, most_here = stack[depth, 1 + a], stack[depth, 1 + axes + a]
                to_left, to_right = cut[n] > least, cut[n] < most_here
                if to_left and to_right:
                    stack[depth + 1] = stack[depth]
                if to_right:
                    stack[depth, 0], stack[depth, 1 + a] = right[n], max(cut[n], least)
                    depth += 1
                if to_left:
                    stack[depth, 0], stack[depth, 1 + axes + a] = left[n], min(cut[n], most_here)
                    depth += 1
    return low[:found].copy(), high[:found].copy(), node[:found].copy(), tree[:found].copy()


@njit(nogil=True, cache=True)
def sums_in_order(cells, goes_left, feature, left, right, axis, cut, roots, scores, sums):
    """Add the leaves that cells end in, tree after tree, to their sums."""
    for i in range(cells.shape[0]):
        for root in roots:
            n = root
            while feature[n] >= 0:
                if axis[n] < 0:
                    n = left[n] if goes_left[n] else right[n]
                else:
                    n = left[n] if cells[i, axis[n]] <= cut[n] else right[n]
            for k in range(sums.shape[1]):
                sums[i, k] += scores[n, k]


@njit(nogil=True, cache=True)
def narrow(low, high, tree, margins, members, box_low, box_high):
    """Return the members that matter in a box, the sum of the others, and bounds on the sum of the former.

    A tree with a single leaf in the box is constant there.
    """
    rivals, axes = margins.shape[1], low.shape[1]
    kept = np.empty(members.size, np.int32)
    sure, least, most = np.zeros(rivals, np.int64), np.zeros(rivals, np.int64), np.zeros(rivals, np.int64)
    count, start = 0, 0
    for i in range(members.size + 1):
        if count > start and (i == members.size or tree[members[i]] != tree[kept[count - 1]]):
            for k in range(rivals):
                smallest = largest = margins[kept[start], k]
                for j in range(start + 1, count):
                    smallest, largest = min(smallest, margins[kept[j], k]), max(largest, margins[kept[j], k])
                if count == start + 1:
                    sure[k] += smallest
                else:
                    least[k] += smallest
                    most[k] += largest
            if count == start + 1:
                count = start
            start = count
        if i < members.size:
            meets = True
            for a in range(axes):
                meets &= low[members[i], a] < box_high[a] and high[members[i], a] > box_low[a]
            if meets:
                kept[count] = members[i]
                count += 1
    return kept[:count].copy(), sure, least, most


@njit(nogil=True, cache=True)
def lines(low, high, members, axis, first, last):
    """Return the edges of one axis at which a member begins or ends, including two outer ends."""
    seen = np.zeros(last - first + 1, np.bool_)
    seen[0] = seen[last - first] = True
    for m in members:
        if low[m, axis] > first:
            seen[low[m, axis] - first] = True
        if high[m, axis] < last:
            seen[high[m, axis] - first] = True
    found = np.empty(seen.sum(), np.int32)
    count = 0
    for at in range(seen.size):
        if seen[at]:
            found[count] = first + at
            count += 1
    return found


@njit(nogil=True, cache=True)
def add_up(totals, shape):
    """Replace a flat grid by its running sums along all axes."""
    stride = 1
    for axis in range(shape.size - 1, -1, -1):
        span = stride * shape[axis]
        for start in range(0, totals.size, span):
            if stride == 1:
                for i in range(start + 1, start + span):
                    totals[i] += totals[i - 1]
            else:
                for i in range(start + stride, start + span):
                    totals[i] += totals[i - stride]
        stride = span


@njit(nogil=True, cache=True)
def spread(low, high, margins, shape, totals):
    """Put the margins of boxes of cells into a difference array."""
    axes = shape.size
    for m in range(low.shape[0]):
        for corner in range(1 << axes):
            place, sign, inside = 0, 1, True
            for a in range(axes):
                upper = (corner >> a) & 1
                at = high[m, a] if upper else low[m, a]
                sign = -sign if upper else sign
                inside &= at < shape[a]
                place = place * shape[a] + at
            if inside:
                totals[place] += sign * margins[m]


@njit(nogil=True, cache=True)
def places(side, members, axis, line):
    """Return the indices of the ends of members among the lines of an axis, clipped to the outer lines."""
    first, last = line[0], line[line.size - 1]
    place = np.empty(last - first + 1, np.int32)
    for at in range(line.size):
        place[line[at] - first] = at
    found = np.empty(members.size, np.int32)
    for i in range(members.size):
        found[i] = place[min(max(side[members[i], axis], first), last) - first]
    return found


@njit(nogil=True, cache=True)
def judge(total, label, bits, near, wins_tie):
    """Return the label of a cell after one more rival: 1 leads, 2 rounding may decide, 0 loses."""
    lead = total >> bits
    if lead > near:
        return label
    if lead < -near:
        return 0
    if total & ((1 << bits) - 1):
        return 2 if label == 1 else label
    return label if lead > 0 or (lead == 0 and wins_tie) else 0


@njit(nogil=True, cache=True)
def label_cells(low, high, margins, fixed, shape, bits, near, wins_ties):
    """Return the label of every cell of a grid that fits into fast memory, by a difference array."""
    size = 1
    for extent in shape:
        size *= extent
    labels = np.ones(size, np.int8)
    for k in range(fixed.size):
        totals = np.zeros(size, np.int64)
        spread(low, high, margins[:, k], shape, totals)
        add_up(totals, shape)
        for i in range(size):
            labels[i] = judge(totals[i] + fixed[k], labels[i], bits, near, wins_ties[k])
    return labels


@njit(nogil=True, cache=True)
def label_plane(low, high, margins, fixed, shape, bits, near, wins_ties):
    """Return the label of every cell of a plane, row by row, with the changes of one row in memory."""
    rows, columns = shape[0], shape[1]
    begins = np.zeros(rows + 3, np.int64)
    for m in range(low.shape[0]):
        begins[low[m, 0] + 2] += 1
        begins[high[m, 0] + 2] += 1
    begins = np.cumsum(begins)
    events = np.empty(2 * low.shape[0], np.int64)
    for m in range(low.shape[0]):  # an event is a leaf that begins (2m) or ends (2m + 1) at a row
        for last in range(2):
            row = high[m, 0] if last else low[m, 0]
            events[begins[row + 1]] = 2 * m + last
            begins[row + 1] += 1
    labels = np.ones(rows * columns, np.int8)
    changes = np.zeros((fixed.size, columns + 1), np.int64)
    for row in range(rows):
        for at in range(begins[row], begins[row + 1]):
            m, sign = events[at] >> 1, 1 - 2 * (events[at] & 1)
            for k in range(fixed.size):
                changes[k, low[m, 1]] += sign * margins[m, k]
                changes[k, high[m, 1]] -= sign * margins[m, k]
        for k in range(fixed.size):
            total = fixed[k]
            for c in range(columns):
                total += changes[k, c]
                at = row * columns + c
                labels[at] = judge(total, labels[at], bits, near, wins_ties[k])
    return labels


@njit(nogil=True, cache=True)
def runs(labels):
    """Merge equal labels along the columns and then down the rows of every slab; 0 is left out.

    Each row of the result is slab, first and last row, first and last column (lasts excluded), label.
    """
    slabs, rows, columns = labels.shape
    found, count = np.empty((64, 6), np.int32), 0
    held, fresh = np.empty((columns, 4), np.int32), np.empty((columns, 4), np.int32)
    for slab in range(slabs):
        holding = 0
        for row in range(rows + 1):
            new = 0
            if row < rows:
                begin = 0
                for c in range(1, columns + 1):
                    if c == columns or labels[slab, row, c] != labels[slab, row, begin]:
                        if labels[slab, row, begin] > 0:
                            fresh[new, 0], fresh[new, 1] = begin, c
                            fresh[new, 2], fresh[new, 3] = labels[slab, row, begin], row
                            new += 1
                        begin = c
            at = 0
            for h in range(holding):
                while at < new and fresh[at, 0] < held[h, 0]:
                    at += 1
                same = (
                    at < new
                    and fresh[at, 0] == held[h, 0]
                    and fresh[at, 1] == held[h, 1]
                    and fresh[at, 2] == held[h, 2]
                )
                if same:
                    fresh[at, 3] = held[h, 3]
                    continue
                if count == found.shape[0]:
                    larger = np.empty((2 * count, 6), np.int32)
                    larger[:count] = found
                    found = larger
                found[count, 0], found[count, 1], found[count, 2] = slab, held[h, 3], row
                found[count, 3], found[count, 4], found[count, 5] = held[h, 0], held[h, 1], held[h, 2]
                count += 1
            held, fresh, holding = fresh, held, new
    return found[:count].copy()
