"""Numbers in words that never say more than is known: lower bounds round down, upper bounds up."""

from __future__ import annotations

import math

SAME = 1e-6
"""Bounds this near to each other are one number to a reader."""


def interval(low: float, high: float) -> str:
    """Two bounds rounded outward, or one number where they meet.

    >>> interval(0.57563, 0.57563), interval(0.57563, 0.58121)
    ('0.576', '0.575–0.582')
    """
    if high - low < SAME:
        return f"{low:.3f}"
    return f"{math.floor(1000 * low) / 1000:.3f}–{math.ceil(1000 * high) / 1000:.3f}"


def at_most(value: float, digits: int = 2) -> str:
    """A number with a few significant digits, rounded up.

    >>> at_most(0.01341), at_most(3.1e-10), at_most(0.5), at_most(0.0)
    ('0.014', '3.1e-10', '0.5', '0')
    """
    if value <= 0:
        return "0"
    unit = 10.0 ** (math.floor(math.log10(value)) + 1 - digits)
    return f"{math.ceil(value / unit - 1e-9) * unit:.{digits}g}"


def at_least(value: float) -> str:
    """A share with three decimals, rounded down.

    >>> at_least(0.3919)
    '0.391'
    """
    return f"{math.floor(1000 * value) / 1000:.3f}"
