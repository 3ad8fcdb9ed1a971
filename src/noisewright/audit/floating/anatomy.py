"""A double taken apart: its size, and the finest binary digit it uses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats

Places = NDArray[np.int64]

FRACTION_BITS = 52
FRACTION = np.uint64((1 << FRACTION_BITS) - 1)
EXPONENT_MASK = np.uint64(0x7FF)
BIAS = 1023
SUBNORMAL = 1 - BIAS

ZERO_GRAIN = 2048
"""Stands for the grain of 0, which is a multiple of every power of two, and of what is not finite."""


def exponents(values: Floats) -> Places:
    """For telling sizes: the exponent of the highest binary digit, ⌊log₂|value|⌋.

    0 and what is not finite stand at the ends: −1075 and 1024.

    >>> exponents(np.array([1.0, -0.75, 0.0, np.inf])).tolist()
    [0, -1, -1075, 1024]
    """
    _, size = np.frexp(np.where(np.isfinite(values), values, 0.0))
    found = size.astype(np.int64) - 1
    found[values == 0] = SUBNORMAL - FRACTION_BITS - 1
    found[~np.isfinite(values)] = BIAS + 1
    return found


def grains(values: Floats) -> Places:
    """For seeing the lattice of a number: the exponent of the lowest binary digit that is set.

    A double is an odd whole number times 2^grain, so it is a multiple of 2^g exactly where grain ≥ g.

    >>> grains(np.array([1.0, 12.0, 0.75, 0.1, 0.0])).tolist()
    [0, 2, -2, -55, 2048]
    """
    words = np.ascontiguousarray(values, dtype=np.float64).view(np.uint64)
    stored = (words >> np.uint64(FRACTION_BITS)) & EXPONENT_MASK
    digits = words & FRACTION
    digits[stored > 0] |= np.uint64(1 << FRACTION_BITS)  # normal numbers have a hidden leading digit
    unit = np.maximum(stored.astype(np.int64), 1) - BIAS - FRACTION_BITS
    found = unit + _trailing_zeros(digits)
    found[(digits == 0) | (stored == EXPONENT_MASK)] = ZERO_GRAIN
    return found


def _trailing_zeros(digits: NDArray[np.uint64]) -> Places:
    """Zeros below the lowest digit that is set, which alone is a power of two with an exact logarithm."""
    lowest = digits & (~digits + np.uint64(1))
    _, size = np.frexp(lowest.astype(np.float64))
    return size.astype(np.int64) - 1
