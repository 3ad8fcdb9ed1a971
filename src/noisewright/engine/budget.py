"""Sharing the budget of one row among its columns."""

from __future__ import annotations

from fractions import Fraction

from noisewright.guarantees.rules import round_down
from noisewright.parameters import EPSILON, whole


def split_evenly(epsilon: float, parts: int) -> list[float]:
    """Equal shares of ε whose exact sum never exceeds it, and rounds up to it and not beyond.

    Three times the float next to 1/3 is more than 1, so the shares are rounded down and the last one takes
    what is left: it differs from the others by a few units in the last place.

    >>> split_evenly(2.0, 2)
    [1.0, 1.0]
    >>> sum(map(Fraction, split_evenly(1.0, 3))) <= 1
    True
    """
    total = Fraction(EPSILON.check(epsilon))
    count = whole("the number of columns", parts, 1, 1 << 20)
    share = round_down(total / count)
    return [share] * (count - 1) + [round_down(total - (count - 1) * Fraction(share))]
