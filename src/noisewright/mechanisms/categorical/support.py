"""Counting which labels hashed reports support, by the compiled loop or by its NumPy twin.

Every report is held against every label, so this is the one place of a hashed collection where time matters.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from noisewright.mechanisms.categorical.hash_family import HalfWords
from noisewright.mechanisms.compiled import compiled

WORTH_COMPILING = 1 << 22
"""Below this many pairs of a report and a label, the second that numba takes to load is not worth it; a batch
of a large file has more."""

AT_A_TIME = 1 << 17
"""Pairs that the NumPy twin looks at together: they stay in the cache."""


def loops() -> ModuleType | None:
    """The compiled loops, if there are any."""
    return compiled("noisewright.mechanisms.categorical.loops")


def arc_supports(arcs: tuple[HalfWords, HalfWords, HalfWords], labels: int) -> NDArray[np.int64]:
    """For each label x, the number of reports (factor, start, width) with (factor·x + start) mod 2³² < width.

    >>> one = tuple(np.array([number], dtype=np.uint32) for number in (3, 2**32 - 4, 3))
    >>> arc_supports(one, labels=4).tolist()
    [0, 0, 1, 0]
    """
    compiled = loops() if arcs[0].size * labels >= WORTH_COMPILING else None
    if compiled is None:
        return numpy_supports(arcs, labels)
    counts = np.zeros(labels, dtype=np.uint32)
    compiled.arc_supports(*arcs, counts)
    return counts.astype(np.int64)


def numpy_supports(arcs: tuple[HalfWords, HalfWords, HalfWords], labels: int) -> NDArray[np.int64]:
    """The twin of the compiled loop."""
    places = np.arange(labels, dtype=np.uint32)
    counts = np.zeros(labels, dtype=np.int64)
    step = max(1, AT_A_TIME // labels)
    for at in range(0, arcs[0].size, step):
        factor, start, width = (part[at : at + step, None] for part in arcs)
        counts += np.count_nonzero(factor * places + start < width, axis=0)
    return counts
