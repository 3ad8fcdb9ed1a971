"""The fused loop behind window mechanisms, when numba is installed.

Deliberately simple: it takes numbers and arrays, knows no policy, has no branch that depends on a private
value, and must agree word for word with the NumPy twin in ``window.py``. It is written so that LLVM can
put four reports into one vector instruction: places are whole numbers held in doubles (exact below 2⁵³),
and the product of a 40-bit position and a width is two products of 32-bit halves. The first call compiles
it and keeps the result on disk.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
from __future__ import annotations

import numpy as np
from numba import njit

I32, U64 = np.int32, np.uint64


@njit(nogil=True, cache=True)
def window_values(
    values, words, reports,
    low, high, grain, per_unit, last, start, pitch,
    slope, offset, furthest, cells, threshold, width, spare,
):  # fmt: skip
    """Fill ``reports`` with real-valued reports; return how many values lie outside the domain.

    Outside are values beyond [low, high] and, with a ``grain`` of 1 instead of 0, values that are not whole.
    For a lattice of 2^(64 − spare) cells and words of 24 coin bits below 40 position bits.
    """
    outside = 0
    for i in range(values.size):
        value, word = values[i], words[i]
        broken = (value - np.floor(value)) * grain
        outside += not ((value >= low) & (value <= high) & (broken == 0.0))
        cell = min(np.floor((value - low) * per_unit), last)
        left = min(max(np.floor(cell * slope + offset), 0.0), furthest)
        left = left - cells if left >= cells else left
        position = word >> U64(24)
        product = (((position >> U64(32)) * width) << U64(32)) + (position & U64(0xFFFFFFFF)) * width
        free = I32(word & U64(0xFFFFFF)) < threshold
        step = I32(word >> spare) if free else I32(product >> U64(40))
        drawn = np.float64(step) + (0.0 if free else left)
        drawn = drawn - cells if drawn >= cells else drawn
        reports[i] = start + (drawn + 0.5) * pitch
    return outside
