"""Numbers of a prediction as text: what is promised is rounded down, what is feared is rounded up."""

from __future__ import annotations

import math
from typing import Final

from noisewright.guarantees import words as guarantee_words

DIGITS: Final = 3

HAIR: Final = 1e-6
"""Of the last digit: what sums of doubles lose does not turn a sure answer into 0.999."""

NARROW: Final = 5e-4
"""Bounds nearer to each other than this are one number for a reader."""

APART: Final = 1e-4
"""Exact bounds farther apart than this are no longer called exact without a word."""


def down(value: float, digits: int = DIGITS) -> str:
    """Return a lower bound, never rounded to more than it is.

    >>> down(0.89999), down(1.0 - 1e-11), down(0.0004)
    ('0.899', '1.000', '0.000')
    """
    return f"{math.floor(value * 10**digits + HAIR) / 10**digits:.{digits}f}"


def up(value: float, digits: int = DIGITS) -> str:
    """Return an upper bound, never rounded to less than it is.

    >>> up(0.89901), up(1.0), up(0.0004)
    ('0.900', '1.000', '0.001')
    """
    return f"{math.ceil(value * 10**digits - HAIR) / 10**digits:.{digits}f}"


def apart(width: float, digits: int = DIGITS) -> str:
    """Say how far bounds lie apart, rounded up; what sums of doubles lose is no distance.

    >>> apart(2e-12), apart(0.0412), apart(0.00121, 4)
    ('0.000', '0.042', '0.0013')
    """
    return up(round(width, 9), digits)


def within(low: float, high: float) -> str:
    """Return an interval, rounded outward; one number where it has no width.

    >>> within(0.8125, 0.8125), within(0.81, 0.829)
    ('0.812', '0.810 to 0.829')
    """
    ends = down(low), up(high)
    return ends[0] if high - low < NARROW else " to ".join(ends)


def epsilon_words(epsilon: float, features: int) -> str:
    """Return a budget of each sensitive feature and of all together, which is what a whole record spends.

    >>> epsilon_words(1.38629, 2), epsilon_words(0.5, 1)
    ('ε = 1.387 each (2.773 in all)', 'ε = 0.5')
    """
    if features == 1:
        return f"ε = {budget(epsilon)}"
    return f"ε = {budget(epsilon)} each ({budget(epsilon * features)} in all)"


def budget(epsilon: float) -> str:
    """Return an ε, rounded up, so that nobody is told less than is spent.

    >>> budget(1.38629), budget(2.0), budget(0.00125)
    ('1.387', '2', '0.00125')
    """
    return guarantee_words.epsilon_words(epsilon, DIGITS + 1)
