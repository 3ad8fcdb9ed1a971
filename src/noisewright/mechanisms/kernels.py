"""The fused loop behind window mechanisms, when numba is installed.

Deliberately dumb: it takes numbers and arrays, knows no policy, has no branch that depends on a private
value, and must agree word for word with the NumPy twin in ``window.py``. The first call compiles it and
keeps the result on disk.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
from __future__ import annotations

import numpy as np
from numba import njit

I32, U64 = np.int32, np.uint64


@njit(inline="always")
def _report(cell, word, slope, offset, furthest, cells, threshold, width, coin_bits, position_bits):
    left = min(max(I32(cell * slope + offset), I32(0)), furthest)
    left = left - cells if left >= cells else left
    position = word >> coin_bits
    inside = I32(left + I32((position * U64(width)) >> position_bits))
    inside = inside - cells if inside >= cells else inside
    anywhere = I32((position * U64(cells)) >> position_bits)
    coin = I32(word & ((U64(1) << coin_bits) - U64(1)))
    return anywhere if coin < threshold else inside


@njit(nogil=True, cache=True)
def window_values(
    values, words, reports,
    low, high, per_unit, last, start, pitch,
    slope, offset, furthest, cells, threshold, width, coin_bits, position_bits,
):  # fmt: skip
    """Fill ``reports`` with real-valued reports; returns how many values were outside [low, high]."""
    outside = 0
    for i in range(values.size):
        value = values[i]
        inside = (value >= low) & (value <= high)
        outside += not inside
        place = (value - low) * per_unit if inside else 0.0
        cell = min(I32(place), last)
        drawn = _report(
            cell, words[i], slope, offset, furthest, cells, threshold, width, coin_bits, position_bits
        )
        reports[i] = start + (np.float64(drawn) + 0.5) * pitch
    return outside
