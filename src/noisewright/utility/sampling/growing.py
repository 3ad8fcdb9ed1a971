"""Growing few large boxes inside a set of grid places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noisewright.domains import Cells
from noisewright.utility.sampling.asking import Flags

Span = list[list[int]]
"""For each axis, the first place of a box and the first after it."""


def grown_boxes(stable: Flags, shells: Sequence[Cells], most: int) -> list[Span]:
    """Disjoint boxes of stable places, at most so many, from the innermost shell outward.

    ``shells`` says for each axis in which shell a place lies; a box does not reach into the next one.

    >>> stable = np.array([[True, True, False], [True, True, True]])
    >>> grown_boxes(stable, [np.zeros(2, int), np.zeros(3, int)], 9)
    [[[0, 2], [0, 2]], [[1, 2], [2, 3]]]
    """
    shell = np.zeros(stable.shape, dtype=np.int64)
    for axis, inner in enumerate(shells):
        shell = np.maximum(shell, inner.reshape([-1 if a == axis else 1 for a in range(stable.ndim)]))
    free, found = stable.copy(), list[Span]()
    for level in np.unique(shell):
        while len(found) < most and (free & (shell == level)).any():
            allowed = free & (shell <= level)
            span = _grown(allowed, _deepest(free & (shell == level)))
            free[_slices(span)] = False
            found.append(span)
    return found


def _deepest(flags: Flags) -> Cells:
    """A place that is as far as any from where the flags end."""
    from scipy.ndimage import distance_transform_cdt  # noqa: PLC0415  (scipy is slow to load)

    depth = distance_transform_cdt(np.pad(flags, 1), metric="chessboard")
    return np.array(np.unravel_index(np.argmax(depth), depth.shape)) - 1


def _grown(allowed: Flags, seed: Cells) -> Span:
    """The box that grows from a place, one layer on each side in turn, as long as all of it is allowed."""
    span = [[int(at), int(at) + 1] for at in seed]
    growing = True
    while growing:
        growing = False
        for axis in range(allowed.ndim):
            for side, step in ((0, -1), (1, 1)):
                wider = [list(ends) for ends in span]
                wider[axis][side] += step
                inside = wider[axis][0] >= 0 and wider[axis][1] <= allowed.shape[axis]
                if inside and allowed[_slices(wider)].all():
                    span, growing = wider, True
    return span


def _slices(span: Span) -> tuple[slice, ...]:
    return tuple(slice(first, last) for first, last in span)
